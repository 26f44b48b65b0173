import { hash } from 'node:crypto'

/** Digits of the hash that stands for a name without one letter of ASCII. */
const HASH_DIGITS = 12

/** A name as part of an address: `Acme Corp` is `acme-corp`; names of one slug are one name. */
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
