import { type HttpError, closingQuote } from '@orrery/http'
import { unprocessable } from '../errors.ts'

/** Identifies a bundle. */
export const FORMAT = 'orrery-design-sessions-bundle'

/** Raised when an older service would misread a new bundle. */
export const FORMAT_VERSION = 1

/** The project, and the hash of every other file. */
export const MANIFEST = 'bundle.json'

/** A version with its records. */
export const VERSION_FILE = 'version.json'

/** Rendered files, for readers; an import ignores them. */
export const OUTPUTS = 'outputs'

/** Limit of a ZIP, and of all its files unpacked. */
export const BUNDLE_BYTES_MAX = 2_147_483_648

export const FILES_MAX = 10_000

/** Records of a project, uploads and versions included. */
export const RECORDS_MAX = 100_000

const DIGITS = 3
const WORDS_MAX = 60

/** A number and the ASCII letters of a name: a safe file name on every system. */
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

/** 422 for a fault in a bundle. */
export function refused(place: readonly (string | number)[], message: string): HttpError {
  return unprocessable([{ type: 'bundle', loc: ['body', ...place], msg: message }])
}

/** Bytes of a JSON file. */
export const JSON_BYTES_MAX = 8_388_608

/**
 * Objects, arrays and fields of a JSON file. Parsing blocks other requests in proportion to them: 8
 * MiB of `{},{}` would take 3 s.
 */
const PARTS_MAX = 250_000

const QUOTE = 0x22
const COLON = 0x3a
const BRACKET = 0x5b
const BRACE = 0x7b

/** One line for each value, for diffs. */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`
}

/** Whether a JSON text is small enough to be parsed. */
export function isModest(text: string): boolean {
  let parts = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === QUOTE) {
      i = closingQuote(text, i)
    } else if (unit === COLON || unit === BRACKET || unit === BRACE) {
      parts += 1
    }
  }
  return parts <= PARTS_MAX && Buffer.byteLength(text) <= JSON_BYTES_MAX
}
