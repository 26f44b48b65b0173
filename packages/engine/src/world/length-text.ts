const AU = 149_597_870_700

/** A length in the unit that people use for it: four significant digits. */
export function lengthText(metres: number): string {
  const size = Math.abs(metres)
  const [value, unit] =
    size < 1000 ? [metres, 'm'] : size < 0.1 * AU ? [metres / 1000, 'km'] : [metres / AU, 'au']
  return `${Number(value.toPrecision(4)).toLocaleString('en')} ${unit}`
}
