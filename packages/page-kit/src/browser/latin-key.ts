/** The sign of a key; of other alphabets the Latin letter or digit of its place. */
export function latinKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const letter = /^(?:Key|Digit)(.)$/.exec(code)?.[1]
  return letter === undefined || /^[ -~]/.test(key) ? key : letter.toLowerCase()
}
