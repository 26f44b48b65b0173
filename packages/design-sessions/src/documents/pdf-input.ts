import type { Block, Typeset } from './typeset.ts'

/** A Markdown source in its place within a PDF. */
export interface MarkdownPart {
  readonly type: 'markdown'
  readonly source: string
  /** levels that its headings are lowered by */
  readonly lowered: number
}

export type PdfPart = Block | MarkdownPart

/** What a child makes a PDF of. */
export interface PdfInput extends Omit<Typeset, 'body'> {
  readonly parts: readonly PdfPart[]
}
