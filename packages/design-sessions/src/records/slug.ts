import { hash } from 'node:crypto'

/** Digits of the hash that replaces a name without ASCII letters. */
const HASH_DIGITS = 12

/**
 * A name as a URL segment: `Acme Corp` is `acme-corp`. Names with the same slug are the same name.
 */
export function slug(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/[^\0-\x7f]/g, '')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((part) => part !== '')
    .join('-')
  return ascii === '' ? hash('sha256', name.normalize('NFKC')).slice(0, HASH_DIGITS) : ascii
}
