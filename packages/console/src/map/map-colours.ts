/** Colours of the map, from the style sheet: they follow light and dark. */

const NAMES = [
  'ground',
  'night',
  'orbit',
  'ink',
  'faint',
  'star',
  'planet',
  'moon',
  'ship',
  'station',
  'jumpgate',
  'ahead',
  'chosen',
] as const

export type MapColours = Readonly<Record<(typeof NAMES)[number], string>>

/** Bodies that have a colour that people expect. */
const BODIES: Readonly<Record<string, string>> = {
  Sun: '#ffc861',
  Mercury: '#a39a8f',
  Venus: '#dcbf85',
  Earth: '#4c86d9',
  Moon: '#9c9893',
  Mars: '#c9683c',
  Jupiter: '#cfa67c',
  Saturn: '#d8c08c',
  Titan: '#cf933f',
  Uranus: '#86cbd2',
  Neptune: '#5a8fe0',
  Io: '#d3b440',
}

export function bodyColour(
  colours: MapColours,
  { name, kind }: { readonly name: string; readonly kind: 'star' | 'planet' | 'moon' },
): string {
  return BODIES[name] ?? colours[kind]
}

/** Reads the colours as they are now; an element resolves what depends on the scheme. */
export function mapColours(element: HTMLElement): MapColours {
  const { style } = element
  const before = style.color
  const colours: Record<string, string> = {}
  for (const name of NAMES) {
    style.color = `var(--map-${name})`
    colours[name] = getComputedStyle(element).color
  }
  style.color = before
  return colours as MapColours
}

/** Red, green and blue of a colour that was read. */
export function rgbOf(colour: string): readonly [number, number, number] {
  const [red = 0, green = 0, blue = 0] = [...colour.matchAll(/\d+/g)].map(Number)
  return [red, green, blue]
}
