import * as v from 'valibot'

// Each pattern is made where it is used: together they take 13 ms, which few processes need.

// Controls, line and paragraph separators, halves of surrogate pairs, and what turns the direction
// of the text around it.
const isFit = (text: string): boolean => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)

// Fillers that count as letters or symbols show nothing, either.
const isVisible = (text: string): boolean =>
  /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u.test(text)

// No script needs more marks on one letter; stacks of them run over what is written around. Marks
// stack across characters that show nothing.
const isStacked = (text: string): boolean =>
  /\p{M}{5}/u.test(text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''))

// Joiners change how letters are written in Arabic, Indic and like scripts, between such letters.
const JOINING = ['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml']
  .concat('Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr')
  .map((script) => `\\p{scx=${script}}`)
const LETTER = String.raw`[[${JOINING.join('')}]&&[\p{L}\p{M}]]`
let joiners: RegExp | undefined

/** Whether characters that show nothing hide in a text, so that it looks like another one. */
function hasHidden(text: string): boolean {
  joiners ??= new RegExp(String.raw`(?<=${LETTER})[\u200c\u200d](?=${LETTER})`, 'gv')
  // Emoji are made of characters that show nothing by themselves.
  const shown = text.replaceAll(/\p{RGI_Emoji}/gv, '').replaceAll(joiners, '')
  return /\p{Default_Ignorable_Code_Point}/u.test(shown)
}

/** Schema of a name that people see: trimmed and in NFC, then `min` to `max` code points. */
export function displayName(min: number, max: number, message: string): v.GenericSchema<string> {
  return v.pipe(
    v.string(message),
    v.trim(),
    v.normalize('NFC'),
    v.check((text) => {
      const characters = Array.from(text).length
      const isSeen = isVisible(text) && isFit(text) && !hasHidden(text) && !isStacked(text)
      return characters >= min && characters <= max && isSeen
    }, message),
  )
}
