import { SaxesParser, type SaxesTagPlain } from 'saxes'

/** What a page layout needs of an SVG [CSS px]. */
export interface Measured {
  readonly width: number
  readonly height: number
  /** font size of its smallest letters; infinite without text */
  readonly letter: number
}

/** A style rule that sets a font size. */
interface Rule {
  /** compounds of its selector, the last one for the element itself */
  readonly path: readonly string[]
  readonly size: string
}

interface Level {
  readonly tag: SaxesTagPlain
  /** font size in the coordinates of the element */
  readonly size: number
  /** from the coordinates of the element to those of the picture */
  readonly scale: number
}

/** CSS pixels. */
const SIZE = 16

const UNITS: Readonly<Record<string, number>> = { pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78 }

/** Reads a clean SVG. An unclear size counts as that of a common picture. */
export function measured(svg: string): Measured {
  const rules = fontRules(svg)
  const levels: Level[] = []
  let box = { width: 300, height: 150 }
  let letter = Infinity
  const parser = new SaxesParser()
  // Typst finds out whether it can draw the picture.
  parser.on('error', () => undefined)
  parser.on('opentag', (tag) => {
    if (levels.length === 0) box = sizeOf(tag)
    const { size, scale } = levels.at(-1) ?? { size: SIZE, scale: 1 }
    const tags = [...levels.map((level) => level.tag), tag]
    levels.push({ tag, scale: scale * scaleOf(tag), size: fontSize(tags, size, rules) })
  })
  parser.on('closetag', () => void levels.pop())
  parser.on('text', (text) => {
    const level = levels.at(-1)
    const isShown = level !== undefined && ['text', 'tspan', 'textPath'].includes(level.tag.name)
    if (isShown && level.size > 0 && text.trim()) {
      letter = Math.min(letter, level.size * level.scale)
    }
  })
  parser.write(svg).close()
  return { ...box, letter }
}

/** Width and height of the root, or those of its `viewBox`. */
function sizeOf({ attributes }: SaxesTagPlain): { width: number; height: number } {
  const [, , width, height] = viewBox(attributes['viewBox'])
  return {
    width: Math.max(1, length(attributes['width'], width || 300)),
    height: Math.max(1, length(attributes['height'], height || 150)),
  }
}

function viewBox(text: string = ''): readonly number[] {
  const numbers = text
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return numbers.length === 4 && numbers.every(Number.isFinite) ? numbers : [0, 0, 0, 0]
}

/** How much an element enlarges what it contains. */
function scaleOf({ name, attributes }: SaxesTagPlain): number {
  let scale = 1
  for (const [, kind, list] of (attributes['transform'] ?? '').matchAll(/(\w+)\(([^()]*)\)/g)) {
    const [a = 1, b = a, c = 0, d = 1] = list
      .trim()
      .split(/[\s,]+/)
      .map(Number)
    if (kind === 'scale') scale *= Math.min(Math.abs(a), Math.abs(b))
    if (kind === 'matrix') scale *= Math.min(Math.hypot(a, b), Math.hypot(c, d))
  }
  const [, , width, height] = viewBox(attributes['viewBox'])
  if (name !== 'svg' || !(width > 0 && height > 0)) return scale
  const zoom = Math.min(
    length(attributes['width'], width) / width,
    length(attributes['height'], height) / height,
  )
  return scale * zoom
}

function length(text: string | undefined, otherwise: number): number {
  const [, number, unit = ''] = /^([\d.]+)(px|pt|pc|in|cm|mm)?$/.exec(text?.trim() ?? '') ?? []
  return number === undefined ? otherwise : Number(number) * (UNITS[unit] ?? 1)
}

/** By inline style, then style sheets, then attribute, as browsers do; otherwise inherited. */
function fontSize(
  tags: readonly SaxesTagPlain[],
  inherited: number,
  rules: readonly Rule[],
): number {
  const { attributes } = tags[tags.length - 1]
  const inline = /font-size:\s*([^;]+)/.exec(attributes['style'] ?? '')?.[1]
  const set =
    inline ?? rules.findLast(({ path }) => isMatch(path, tags))?.size ?? attributes['font-size']
  const [, number, unit] = /^([\d.]+)\s*(\w*|%)/.exec(set?.trim() ?? '') ?? []
  if (number === undefined) return inherited
  if (unit === 'em') return Number(number) * inherited
  if (unit === '%') return (Number(number) / 100) * inherited
  return Number(number) * (unit === 'rem' ? SIZE : (UNITS[unit] ?? 1))
}

function fontRules(svg: string): readonly Rule[] {
  const sheets = [...svg.matchAll(/<style>([^]*?)<\/style>/g)].map(([, sheet]) => sheet)
  return [...sheets.join('').matchAll(/([^{}]*)\{([^{}]*)\}/g)].flatMap(([, selectors, body]) => {
    const size = /font-size:\s*([^;]+)/.exec(body)?.[1]
    if (size === undefined) return []
    return selectors.split(',').map((one) => ({ path: one.trim().split(/[\s>]+|&gt;/), size }))
  })
}

/** Whether a selector of compounds and descendants is that of the last tag. */
function isMatch(path: readonly string[], tags: readonly SaxesTagPlain[]): boolean {
  let left = path.length - 1
  if (!isCompound(path[left], tags[tags.length - 1])) return false
  for (let i = tags.length - 2; i >= 0 && left > 0; i--) {
    if (isCompound(path[left - 1], tags[i])) left--
  }
  return left === 0
}

function isCompound(compound: string, { name, attributes }: SaxesTagPlain): boolean {
  const classes = (attributes['class'] ?? '').split(/\s+/)
  const parts = compound.match(/[.#]?[\w-]+|\*|[[:].*/g) ?? []
  return parts.every((part) => {
    if (part.startsWith('.')) return classes.includes(part.slice(1))
    if (part.startsWith('#')) return attributes['id'] === part.slice(1)
    return part === '*' || part === name
  })
}
