import type { Block, Inline, MarkdownPart, PdfPart } from './pdf-input.ts'

const LONG_WORD = /\S{40,}/g

/** A text that breaks everywhere it must, so that none leaves the page. */
export function breakable(text: string): string {
  return text.replaceAll(LONG_WORD, (word) => word.replaceAll(/.{24}/gsu, '$&\u200b'))
}

// What a report is put together of; all texts are shown as they are.

export function plain(text: string): Inline {
  return { type: 'text', value: breakable(text) }
}

/** A heading; one that is listed stands in the contents. */
export function heading(level: number, text: string, listed: boolean = true): Block {
  return { type: 'heading', level, label: null, listed, body: [plain(text)] }
}

export function paragraph(...body: readonly Inline[]): Block {
  return { type: 'paragraph', body }
}

export function strong(text: string): Inline {
  return { type: 'strong', body: [plain(text)] }
}

/** Something said in passing: a state, a thing that is missing. */
export function remark(text: string): Block {
  return paragraph({ type: 'placeholder', value: breakable(text) })
}

export function markdown(source: string, lowered: number): MarkdownPart {
  return { type: 'markdown', source, lowered }
}

/** @param widths  a column's share of what is left; 0 takes what it needs */
export function table(
  widths: readonly number[],
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Block {
  return {
    type: 'table',
    widths,
    align: head.map(() => 'left'),
    head: head.map((cell) => [plain(cell)]),
    rows: rows.map((row) => row.map((cell) => [plain(cell)])),
  }
}

/** A heading with what stands below it; nothing without that. */
export function section(title: string, parts: readonly PdfPart[]): readonly PdfPart[] {
  return parts.length === 0 ? [] : [heading(1, title), ...parts]
}

/** `not_applicable` as people write it: `Not applicable`. */
export function spoken(word: string): string {
  const text = word === 'dr' ? 'disaster recovery' : word.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
