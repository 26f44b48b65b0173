import { hash } from 'node:crypto'

/** Digits of the hash that stands for letters outside ASCII. */
const HASH_DIGITS = 12

/**
 * A name as a URL segment: `Acme Corp` is `acme-corp`. Names with the same slug are the same name:
 * case, punctuation and accents of Latin letters do not distinguish them.
 */
export function slug(name: string): string {
  const folded = name.normalize('NFKD').toLowerCase()
  const ascii = folded
    .replaceAll(/[^\0-\x7f]/g, '')
    .split(/[^a-z\d]+/)
    .filter((part) => part !== '')
  // Letters that have no ASCII form, with their own marks.
  const letters = folded.match(/[^\0-\x7f\P{L}]\p{M}*|[^\0-\x7f\P{N}]/gu)
  if (letters) ascii.push(hash('sha256', letters.join('')).slice(0, HASH_DIGITS))
  return ascii.length > 0 ? ascii.join('-') : hash('sha256', name).slice(0, HASH_DIGITS)
}
