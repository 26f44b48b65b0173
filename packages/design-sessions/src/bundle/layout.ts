import type { HttpError } from '@orrery/http'
import { unprocessable } from '../errors.ts'

/** Tells a bundle from any other ZIP. */
export const FORMAT = 'orrery-design-sessions-bundle'

/** Raised when an older service would misread a new bundle. */
export const FORMAT_VERSION = 1

/** What the bundle is, and the hash of every other file in it. */
export const MANIFEST = 'bundle.json'

/** What a version is, with its records, in its directory. */
export const VERSION_FILE = 'version.json'

/** Where rendered files lie in a version's directory: for readers, not for imports. */
export const OUTPUTS = 'outputs'

/** Bytes of a ZIP, and of all its files together. */
export const BUNDLE_BYTES_MAX = 2_147_483_648

/** Files in a ZIP. */
export const FILES_MAX = 10_000

/** Records of a project, uploads and versions included. */
export const RECORDS_MAX = 100_000

const DIGITS = 3
const WORDS_MAX = 60

/** A number and what ASCII there is in a name: safe as a file's name on every system. */
export function pathPart(index: number, name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/[^\0-\x7f]/g, '')
    .toLowerCase()
    .match(/[a-z\d]+(?:\.[a-z\d]+)*/g)
  const plain = (words ?? []).join('-').slice(0, WORDS_MAX).replace(/[.-]$/, '')
  const number = String(index + 1).padStart(DIGITS, '0')
  return plain === '' ? number : `${number}-${plain}`
}

/** 422 for something in a bundle. */
export function refused(place: readonly (string | number)[], message: string): HttpError {
  return unprocessable([{ type: 'bundle', loc: ['body', ...place], msg: message }])
}
