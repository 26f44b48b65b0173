/** A part of running text. */
export type Inline =
  | { readonly type: 'text' | 'code' | 'placeholder'; readonly value: string }
  | {
      readonly type: 'strong' | 'emphasis' | 'delete' | 'superscript'
      readonly body: readonly Inline[]
    }
  | { readonly type: 'link'; readonly url: string; readonly body: readonly Inline[] }
  /** to a label of the same document */
  | { readonly type: 'reference'; readonly label: string; readonly body: readonly Inline[] }
  | { readonly type: 'break' }
  | Picture

/** What an artifact looks like. */
export interface Picture {
  readonly type: 'picture'
  readonly artifact: string
  /** what it shows, for those who do not see it */
  readonly alt: string
}

/** A part of a page. */
export type Block =
  | Picture
  | { readonly type: 'paragraph'; readonly body: readonly Inline[] }
  | {
      readonly type: 'heading'
      readonly level: number
      /** what leads to it; null for nothing */
      readonly label: string | null
      /** whether the contents name it */
      readonly listed: boolean
      readonly body: readonly Inline[]
    }
  | {
      readonly type: 'list'
      /** the first number; null for bullets */
      readonly start: number | null
      readonly items: readonly ListItem[]
    }
  | { readonly type: 'quote'; readonly body: readonly Block[] }
  | {
      readonly type: 'alert'
      readonly kind: string
      readonly title: string
      readonly body: readonly Block[]
    }
  | { readonly type: 'pre'; readonly value: string; readonly language: string | null }
  | {
      readonly type: 'table'
      /** a column's share of what is left; 0 takes what it needs */
      readonly widths: readonly number[]
      readonly align: readonly string[]
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }
  | { readonly type: 'contents'; readonly entries: readonly ContentsEntry[] }
  | { readonly type: 'rule' }

/** A part of a list. */
export interface ListItem {
  /** of a task; null when it is none */
  readonly checked: boolean | null
  readonly body: readonly Block[]
}

interface ContentsEntry {
  readonly level: number
  readonly title: string
  readonly label: string
}

/** What one PDF is made of. */
export interface Typeset {
  readonly title: string
  /** where it belongs, such as `Client / Project / v1.0.0` */
  readonly place: string
  /** absent for a single artifact, which has no contents either */
  readonly cover: Cover | null
  readonly body: readonly Block[]
  /** SVG by artifact */
  readonly pictures: Readonly<Record<string, string>>
  /** when what it shows was last changed [s since 1970] */
  readonly changed: number
}

/** The first page of a report. */
export interface Cover {
  readonly subtitle: string
  /** what is written below, line by line: a name, a value */
  readonly facts: readonly (readonly [name: string, value: string])[]
}

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
