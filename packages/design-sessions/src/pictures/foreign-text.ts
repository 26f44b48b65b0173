import type { SaxesAttributeNS } from 'saxes'
import { wideSigns } from './wide-signs.ts'

/** A box of HTML inside an SVG, as parsed so far. */
export interface TextBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly lines: Line[]
  readonly open: string[]
}

interface Line {
  text: string
  /** size of its letters relative to plain text */
  readonly scale: number
  readonly tags: readonly string[]
}

/** A line of text at its place. */
export interface PlacedLine {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly weight?: string
  readonly text: string
}

/** Size of headings and code relative to plain text. */
const SCALES: Readonly<Record<string, number>> = { h1: 1.8, h2: 1.5, h3: 1.25, h4: 1.1, pre: 0.9 }

/** Elements that begin a new line. */
const BLOCKS = new Set('h1 h2 h3 h4 h5 h6 p div li pre tr table ul ol blockquote hr br'.split(' '))

/** Height of a line relative to the size of its letters. */
const LEADING = 1.5

const SIZE_MAX = 16

/** Lines of a box; further ones are dropped. */
const LINES_MAX = 2000

/** An empty box at the place of a `foreignObject`. */
export function openBox(attributes: Readonly<Record<string, SaxesAttributeNS>>): TextBox {
  const length = (name: string): number => Number.parseFloat(attributes[name]?.value ?? '') || 0
  return {
    x: length('x'),
    y: length('y'),
    width: length('width'),
    height: length('height'),
    lines: [],
    open: [],
  }
}

/** A parse event inside a box. */
export type TextEvent =
  | { readonly open: string }
  | { readonly close: string }
  | { readonly text: string }

/** Adds one parse event to a box. */
export function addText({ lines, open }: TextBox, event: TextEvent): void {
  if ('text' in event) {
    if (open.includes('style') || open.includes('script')) return
    const isKept = open.includes('pre')
    const parts = isKept ? event.text.split('\n') : [event.text.replaceAll(/\s+/g, ' ')]
    for (const [i, part] of parts.entries()) {
      if (lines.length === 0 || i > 0) beginLine(lines, open)
      const line = lines[lines.length - 1]
      line.text += line.text === '' && !isKept ? part.trimStart() : part
    }
    return
  }
  if ('open' in event) open.push(event.open)
  else open.splice(open.lastIndexOf(event.close), 1)
  const name = 'open' in event ? event.open : event.close
  if (BLOCKS.has(name) && (lines.length === 0 || lines[lines.length - 1].text.trim() !== '')) {
    beginLine(lines, open)
  } else if (BLOCKS.has(name)) {
    lines.pop()
    beginLine(lines, open)
  }
  if ('open' in event && name === 'li') lines[lines.length - 1].text = '• '
  if ('open' in event && (name === 'td' || name === 'th') && lines.length > 0) {
    lines[lines.length - 1].text += lines[lines.length - 1].text === '' ? '' : '   '
  }
}

function beginLine(lines: Line[], open: readonly string[]): void {
  if (lines.length >= LINES_MAX) lines.pop()
  const scale = open.map((tag) => SCALES[tag]).find((value) => value !== undefined) ?? 1
  lines.push({ text: '', scale, tags: [...open] })
}

/** The lines of a box, distributed over its height. */
export function textLines({ x, y, height, width, lines }: TextBox): readonly PlacedLine[] {
  const filled = lines.filter(({ text }) => text.trim() !== '')
  const units = filled.reduce((sum, { scale }) => sum + scale, 0)
  const longest = Math.max(
    1,
    ...filled.map(({ text, scale }) => (text.length + wideSigns(text)) * scale),
  )
  // Letters are about half as wide as high.
  const bySpace = Math.min(height / (units * LEADING), width / (longest * 0.5))
  const size = bySpace > 0 ? Math.min(SIZE_MAX, bySpace) : SIZE_MAX
  const leading = height > 0 ? height / units : size * LEADING
  let top = y
  return filled.map(({ text, scale, tags }) => {
    const middle = top + (leading * scale) / 2
    top += leading * scale
    const isBold = tags.some((tag) => /^h[1-6]$|^th$/.test(tag))
    return {
      x,
      y: rounded(middle + size * scale * 0.35),
      size: rounded(size * scale),
      ...(isBold && { weight: 'bold' }),
      text: text.trimEnd(),
    }
  })
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
