const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Whether a JSON text nests arrays and objects deeper than allowed, found without parsing it, so
 * that no later code recurses without bound. For a text that is not JSON the result is arbitrary.
 */
export function isDeeper(text: string, depthMax: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === QUOTE) {
      i = closingQuote(text, i)
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > depthMax) return true
    } else if (unit === 0x5d || unit === 0x7d) {
      depth--
    }
  }
  return false
}

/**
 * Where a string of a JSON text ends.
 *
 * @param opening  index of its first quote
 * @returns index of its last; the text's length or more when there is none
 */
export function closingQuote(text: string, opening: number): number {
  let i = opening + 1
  while (i < text.length && text.charCodeAt(i) !== QUOTE) {
    i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  }
  return i
}
