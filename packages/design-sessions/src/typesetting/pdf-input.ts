import type { PictureLayout, Size } from './picture-layout.ts'

/** An inline element. */
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

/** The picture of an artifact. */
export interface Picture {
  readonly type: 'picture'
  readonly artifact: string
  /** alternative text */
  readonly alt: string
  /** null without one */
  readonly caption: string | null
}

/** A picture with a heading or caption, which may get a page of its own. */
export interface Figure {
  readonly type: 'figure'
  readonly artifact: string
  readonly alt: string
  /** above it on its page */
  readonly above: readonly Block[]
  readonly caption?: string | null
  /** how far it shrinks to share its page; 1 by default */
  readonly scale?: number
}

/** Figures on a page of their own. */
export interface Sheet {
  readonly type: 'sheet'
  readonly page: Size
  readonly figures: readonly Figure[]
}

export interface Heading {
  readonly type: 'heading'
  readonly level: number
  /** link target; null without one */
  readonly label: string | null
  /** whether the table of contents has it */
  readonly listed: boolean
  /** line below it */
  readonly note: string
  readonly body: readonly Inline[]
}

/** A block element. */
export type Block =
  | Picture
  | Figure
  | Sheet
  | { readonly type: 'pagebreak' }
  | { readonly type: 'paragraph'; readonly body: readonly Inline[] }
  | Heading
  | {
      readonly type: 'list'
      /** first number; null for bullets */
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
      /** a column's share of the free width; 0 fits its content */
      readonly widths: readonly number[]
      readonly align: readonly string[]
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
      /** where its words would not fit otherwise */
      readonly fit?: TableFit
      /** headings on its page across */
      readonly above?: readonly Block[]
    }
  | { readonly type: 'contents'; readonly entries: readonly ContentsEntry[] }
  | { readonly type: 'rule' }

/** How a wide table fits. */
export interface TableFit {
  /** of its letters [pt] */
  readonly size: number
  /** on a page across */
  readonly isTurned: boolean
  /** [pt] */
  readonly widths: readonly number[]
  /** words may be broken anywhere */
  readonly isBroken: boolean
}

export interface ListItem {
  /** null when it is not a task */
  readonly checked: boolean | null
  readonly body: readonly Block[]
}

interface ContentsEntry {
  readonly level: number
  readonly title: string
  readonly label: string
}

/** The input of the Typst template. */
export interface Typeset {
  readonly title: string
  /** such as `Client / Project / v1.0.0` */
  readonly place: string
  /** null for a single artifact, which has no table of contents either */
  readonly cover: Cover | null
  readonly body: readonly Block[]
  /** by artifact */
  readonly pictures: Readonly<Record<string, PlacedPicture>>
  /** time of the last change of its contents [s since 1970] */
  readonly changed: number
}

/** An SVG, and whether its place is a figure, to which the text refers. */
export interface PlacedPicture extends PictureLayout {
  readonly svg: string
  readonly isFigure: boolean
}

/** The first page of a report. */
export interface Cover {
  /** the client's logo: an upload of any of its versions, or a data URI */
  readonly logo?: { readonly reference: string; readonly clientId: string }
  readonly subtitle: string
  /** lines of a name and a value */
  readonly facts: readonly (readonly [name: string, value: string])[]
}

/** A Markdown source as a part of a PDF. */
export interface MarkdownPart {
  readonly type: 'markdown'
  readonly source: string
  /** levels added to its headings */
  readonly lowered: number
  /** leaves out its tables of contents and empty sections */
  readonly inReport?: boolean
  /** words of the title above it: a first heading of only such words is left out */
  readonly titleWords?: string
}

export type PdfPart = Block | MarkdownPart

/** The input of a PDF job. */
export interface PdfInput extends Omit<Typeset, 'body' | 'pictures'> {
  readonly parts: readonly PdfPart[]
  /** SVG by artifact, or by the key of a fence */
  readonly pictures: Readonly<Record<string, string>>
  /** why the diagram of a fence is missing, by its key */
  readonly faults: Readonly<Record<string, string>>
}
