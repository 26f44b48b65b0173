import * as v from 'valibot'

// Controls, line and paragraph separators, halves of surrogate pairs, and what turns the direction
// of the text around it.
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

// Fillers that count as letters or symbols show nothing, either.
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u

// No script needs more marks on one letter; stacks of them run over what is written around.
const STACKED = /\p{M}{5}/u

// Marks stack across characters that show nothing.
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu

// Emoji are made of characters that show nothing by themselves.
const EMOJI = /\p{RGI_Emoji}/gv

// Joiners change how letters are written in Arabic, Indic and like scripts, between such letters.
const JOINING = ['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml']
  .concat('Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr')
  .map((script) => `\\p{scx=${script}}`)
const LETTER = String.raw`[[${JOINING.join('')}]&&[\p{L}\p{M}]]`
const JOINERS = new RegExp(String.raw`(?<=${LETTER})[\u200c\u200d](?=${LETTER})`, 'gv')

/** Whether characters that show nothing hide in a text, so that it looks like another one. */
function hasHidden(text: string): boolean {
  return text.replaceAll(EMOJI, '').replaceAll(JOINERS, '').search(IGNORED) >= 0
}

/** Schema of a name that people see: trimmed and in NFC, then `min` to `max` code points. */
export function displayName(min: number, max: number, message: string): v.GenericSchema<string> {
  return v.pipe(
    v.string(message),
    v.trim(),
    v.normalize('NFC'),
    v.check((text) => {
      const characters = Array.from(text).length
      const isStacked = STACKED.test(text.replaceAll(IGNORED, ''))
      const isSeen = VISIBLE.test(text) && !UNFIT.test(text) && !hasHidden(text) && !isStacked
      return characters >= min && characters <= max && isSeen
    }, message),
  )
}
