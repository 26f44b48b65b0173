import type { SvgNode } from 'svgdom'
import { INITIAL_STYLE, type TextStyle, type WordsBox } from './font.ts'
import { type Box, union } from './geometry.ts'
import { type StyleRules, styleRules } from './style-rules.ts'

const TEXT_NODE = 3
const PROPERTIES = new Set('font-size font-weight text-anchor dominant-baseline'.split(' '))

/** The box of a `text` or `tspan`, by the style sheet of its document; `undefined` if empty. */
export function textBox(element: SvgNode, wordsBox: WordsBox): Box | undefined {
  const rules = rulesFor(element)
  const runs = textRuns(textOf(element), rules, wordsBox)
  return union(runs.filter(({ node }) => isWithin(node, element)).map(({ box }) => box))
}

/** A piece of a text where it is drawn. */
interface Run {
  readonly node: SvgNode
  readonly box: Box
}

function textRuns(text: SvgNode, rules: StyleRules, wordsBox: WordsBox): readonly Run[] {
  const placed: Run[] = []
  let x = 0
  let y = 0
  // A text chunk in the words of SVG: it is anchored as a whole, and ends at the next position.
  let chunk: Run[] = []
  let anchor = 'start'
  const endChunk = (): void => {
    const width = chunk.reduce((sum, { box }) => sum + box.width, 0)
    const shift = anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0
    placed.push(...chunk.map(({ node, box }) => ({ node, box: { ...box, x: box.x - shift } })))
    chunk = []
  }
  const walk = (node: SvgNode, style: TextStyle): void => {
    if (node.nodeType === TEXT_NODE) {
      const words = node.data.replaceAll(/\s+/g, ' ')
      if (words === '' || (words === ' ' && chunk.length === 0)) return
      if (chunk.length === 0) ({ anchor } = style)
      const box = wordsBox(words, style)
      chunk.push({ node, box: { ...box, x, y: y + box.y } })
      x += box.width
      return
    }
    if (node.nodeName === 'title') return
    const own = styleOf(node, rules)
    const at = (name: string): number | undefined => length(node.getAttribute(name), own.size)
    if (at('x') !== undefined || at('y') !== undefined) endChunk()
    x = (at('x') ?? x) + (at('dx') ?? 0)
    y = (at('y') ?? y) + (at('dy') ?? 0)
    for (const child of node.childNodes) walk(child, own)
  }
  walk(text, INITIAL_STYLE)
  endChunk()
  return placed
}

function styleOf(element: SvgNode, rules: StyleRules): TextStyle {
  const { parentNode: parent } = element
  const inherited = parent?.getAttribute ? styleOf(parent, rules) : INITIAL_STYLE
  const own = rules.of(element)
  const weight = own.get('font-weight')
  return {
    size: length(own.get('font-size') ?? null, inherited.size) ?? inherited.size,
    isBold: weight === undefined ? inherited.isBold : /^bold|^[6-9]00$/.test(weight),
    anchor: own.get('text-anchor') ?? inherited.anchor,
    baseline: own.get('dominant-baseline') ?? inherited.baseline,
  }
}

const sheets = new WeakMap<SvgNode, StyleRules>()

/** The rules of an element's document, parsed once for each style sheet. */
function rulesFor(element: SvgNode): StyleRules {
  let root = element
  while (root.parentNode?.getAttribute) root = root.parentNode
  const sheet = root.querySelector('style')
  const rules = (sheet && sheets.get(sheet)) ?? styleRules(sheet?.textContent ?? '', PROPERTIES)
  if (sheet) sheets.set(sheet, rules)
  return rules
}

function textOf(element: SvgNode): SvgNode {
  let text = element
  while (text.nodeName !== 'text' && text.parentNode) text = text.parentNode
  return text
}

function isWithin(node: SvgNode, element: SvgNode): boolean {
  for (let at: SvgNode | null = node; at; at = at.parentNode) if (at === element) return true
  return false
}

/** [px]; the first of several lengths, `em` and `%` of a size of letters. */
function length(value: string | null, size: number): number | undefined {
  const number = Number.parseFloat(value ?? '')
  if (Number.isNaN(number)) return undefined
  if (/^[-+.\de]*\s*r?em\b/.test(value ?? '')) return number * size
  return value?.includes('%') ? (number / 100) * size : number
}
