import { closingQuote } from '@orrery/http'

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
