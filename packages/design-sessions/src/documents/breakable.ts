const LONG_WORD = /\S{40,}/g

/** A text that breaks everywhere it must, so that none leaves the page. */
export function breakable(text: string): string {
  return text.replaceAll(LONG_WORD, (word) => word.replaceAll(/.{24}/gsu, '$&\u200b'))
}
