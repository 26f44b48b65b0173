import { type HttpError, closingQuote } from '@orrery/http'
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

/** Bytes of a file of JSON. */
export const JSON_BYTES_MAX = 8_388_608

/**
 * Objects, arrays and fields of a file of JSON: parsing takes their time, not that of long texts,
 * and nothing else runs meanwhile. 8 MiB of `{},{}` would take 3 s.
 */
const PARTS_MAX = 250_000

const QUOTE = 0x22
const COLON = 0x3a
const BRACKET = 0x5b
const BRACE = 0x7b

/** Records as a file: a line for each value, as it is compared best. */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`
}

/** Whether a text of JSON can be parsed in a moment; one that is no JSON gets some answer. */
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
