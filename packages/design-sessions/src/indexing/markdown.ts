import { type Line, fencedLines } from '../markdown/fenced-lines.ts'
import type { Priority } from '../records/suggestion.ts'

/** A checklist item, or a passage of a section's text. */
export interface Chunk {
  /** the heading above it */
  readonly section: string
  /** without its tag; null for a passage */
  readonly item: string | null
  /** null for a passage and for an item without a tag */
  readonly priority: Priority | null
  readonly content: string
}

export interface ParsedFile {
  /** the first heading of level 1 */
  readonly title: string | undefined
  readonly chunks: readonly Chunk[]
}

/** Sections whose text is not indexed. */
const SILENT = new Set(['', 'checklist', 'see also', 'reference links'])

// All patterns are anchored and free of ambiguous repetition: linear time.
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const BULLET = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(\S.*)$/
const CHECKBOX = /^\[[ xX]\]\s+(\S.*)$/
const TAG = /^(?:\*\*|__)?\[(critical|recommended|optional)\](?::?(?:\*\*|__))?:?\s*(.*)$/i

/**
 * Splits a knowledge file into checklist items and passages of text.
 *
 * Items are list lines with a checkbox or a tag (`[Critical]`, `[Recommended]`, `[Optional]`), and
 * the lines that continue them. Code fences hold neither items nor headings.
 */
export function parsedFile(text: string): ParsedFile {
  const reading = new Reading()
  const lines = text.replace(/^\u{FEFF}/u, '').split(/\r?\n/)
  for (const line of fencedLines(lines, { indented: true, endless: true })) reading.add(line)
  reading.endSection()
  return { title: reading.title, chunks: reading.chunks }
}

class Reading {
  title: string | undefined
  readonly chunks: Chunk[] = []
  #section = ''
  /** lines of the section outside items */
  #rest: string[] = []
  #item: { priority: Priority | null; indent: number; lines: string[] } | undefined

  add({ text: line, role }: Line): void {
    if (role === 'code') {
      this.#endItem()
      this.#rest.push(line)
      return
    }
    const heading = HEADING.exec(line)
    if (heading) {
      this.endSection()
      this.#section = headingText(heading[2] ?? '')
      if (heading[1] === '#') this.title ??= this.#section
      return
    }
    const bullet = BULLET.exec(line)
    if (bullet) this.#addBullet(line, bullet[1].length, bullet[2])
    else if (line.trim() === '') {
      this.#endItem()
      this.#rest.push('')
    } else if (this.#item) this.#item.lines.push(line.trim())
    else this.#rest.push(line)
  }

  endSection(): void {
    this.#endItem()
    const text = this.#rest.join('\n').trim()
    this.#rest = []
    if (text === '' || SILENT.has(this.#section.toLowerCase())) return
    for (const content of passages(text)) {
      this.chunks.push({ section: this.#section, item: null, priority: null, content })
    }
  }

  #addBullet(line: string, indent: number, text: string): void {
    const box = CHECKBOX.exec(text)
    const tag = TAG.exec(box?.[1] ?? text)
    if (tag || box) {
      this.#endItem()
      const priority = tag ? (tag[1].toLowerCase() as Priority) : null
      this.#item = { priority, indent, lines: [tag?.[2] ?? box?.[1] ?? ''] }
    } else if (this.#item && indent > this.#item.indent) this.#item.lines.push(text)
    else {
      this.#endItem()
      this.#rest.push(line)
    }
  }

  #endItem(): void {
    if (!this.#item) return
    const { priority, lines } = this.#item
    this.#item = undefined
    const item = lines.join(' ').trim()
    if (item === '') return
    this.chunks.push({ section: this.#section, item, priority, content: item })
  }
}

/** Removes the closing number signs of a heading. */
function headingText(text: string): string {
  const trimmed = text.trim()
  let end = trimmed.length
  while (end > 0 && trimmed[end - 1] === '#') end--
  return end === 0 || /\s/.test(trimmed[end - 1]) ? trimmed.slice(0, end).trim() : trimmed
}

/** Characters of a passage: enough to show its subject. */
export const PASSAGE_LENGTH = 1000

const BOUNDARIES = ['\n', '. ', ' ']

/** Splits a text into passages of at most 1000 characters, between paragraphs where possible. */
export function passages(text: string): string[] {
  const found: string[] = []
  let open = ''
  for (const paragraph of text.split(/\n[^\S\n]*\n/)) {
    for (const piece of pieces(paragraph.trim())) {
      const joined = open === '' ? piece : `${open}\n\n${piece}`
      if (joined.length <= PASSAGE_LENGTH) open = joined
      else {
        if (open !== '') found.push(open)
        open = piece
      }
    }
  }
  if (open !== '') found.push(open)
  return found
}

/** Splits a paragraph at the last line, sentence or word that fits. */
function pieces(paragraph: string): string[] {
  const found: string[] = []
  let start = 0
  while (paragraph.length - start > PASSAGE_LENGTH) {
    const window = paragraph.slice(start, start + PASSAGE_LENGTH)
    // A split in the first half would leave small pieces.
    const cut = BOUNDARIES.map((boundary) => window.lastIndexOf(boundary) + boundary.length).find(
      (end) => end > PASSAGE_LENGTH / 2,
    )
    const end = start + (cut ?? wholeCharacters(window))
    found.push(paragraph.slice(start, end).trim())
    start = end
  }
  found.push(paragraph.slice(start).trim())
  return found.filter((piece) => piece !== '')
}

/** Length without half of a surrogate pair at the end. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length
}
