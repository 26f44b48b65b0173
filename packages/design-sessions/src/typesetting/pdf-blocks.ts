import { capitalised } from '../capitalised.ts'
import type { Block, Heading, Inline, MarkdownPart, PdfPart } from './pdf-input.ts'

const LONG_WORD = /\S{40,}/g

/** Allows breaks within long words, so that none leaves the page. */
export function breakable(text: string): string {
  return text.replaceAll(LONG_WORD, (word) => word.replaceAll(/.{24}/gsu, '$&\u200b'))
}

// Blocks of reports; all texts are literal.

export function plain(text: string): Inline {
  return { type: 'text', value: breakable(text) }
}

/** A heading; `listed` puts it into the table of contents. */
export function heading(level: number, text: string, listed: boolean = true): Heading {
  return { type: 'heading', level, label: null, listed, note: '', body: [plain(text)] }
}

export function paragraph(...body: readonly Inline[]): Block {
  return { type: 'paragraph', body }
}

export function strong(text: string): Inline {
  return { type: 'strong', body: [plain(text)] }
}

/** A note on a state or a missing part. */
export function remark(text: string): Block {
  return paragraph({ type: 'placeholder', value: breakable(text) })
}

export function markdown(source: string, lowered: number): MarkdownPart {
  return { type: 'markdown', source, lowered }
}

/** @param widths  a column's share of the free width; 0 fits its content */
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
    rows: rows.map((row) => row.map(coded)),
  }
}

/** A line of text whose spans between backticks are code. */
function coded(text: string): readonly Inline[] {
  const parts = text.split(/`([^`]+)`/)
  return parts.flatMap((part, i) =>
    part === '' ? [] : [i % 2 === 0 ? plain(part) : { type: 'code', value: breakable(part) }],
  )
}

/** A heading with its parts; nothing without parts. */
export function section(title: string, parts: readonly PdfPart[]): readonly PdfPart[] {
  return parts.length === 0 ? [] : [heading(1, title), ...parts]
}

/** Such as `2026-11-26`, in UTC. */
export function day(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** `not_applicable` is shown as `Not applicable`. */
export function sentenceCase(word: string): string {
  return capitalised(word === 'dr' ? 'disaster recovery' : word.replaceAll('_', ' '))
}
