import * as v from 'valibot'

// Controls, line and paragraph separators, halves of surrogate pairs, and what turns the direction
// of the text around it.
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Schema of a name that people see: trimmed and in NFC, then `min` to `max` code points. */
export function displayName(min: number, max: number, message: string): v.GenericSchema<string> {
  return v.pipe(
    v.string(message),
    v.trim(),
    v.normalize('NFC'),
    v.check((text) => {
      const characters = Array.from(text).length
      return characters >= min && characters <= max && !UNFIT.test(text)
    }, message),
  )
}
