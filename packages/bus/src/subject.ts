/** Matches any one word of a subject. */
const ANY = '*'

/**
 * A subject of words: each character with a meaning there, and each beyond ASCII, is escaped.
 *
 * @param words  `*` for any one word
 */
export function subject(...words: readonly (string | number)[]): string {
  return words
    .map((word) => (word === ANY ? ANY : encodeURIComponent(word).replace(/[.*]/g, escaped)))
    .join('.')
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Whether a subject is one of those that a pattern stands for. */
export function isOf(pattern: string, one: string): boolean {
  const words = one.split('.')
  const wanted = pattern.split('.')
  return (
    words.length === wanted.length &&
    wanted.every((word, place) => word === ANY || word === words[place])
  )
}
