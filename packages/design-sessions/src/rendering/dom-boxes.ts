import { type StyleRules, type StyledElement, styleRules } from './style-rules.ts'
import { wideSigns } from './wide-signs.ts'

/** What svgdom calls a node, as far as it is measured. */
export interface DomNode extends StyledElement {
  readonly nodeType: number
  readonly parentNode: DomNode | null
  readonly childNodes: readonly DomNode[]
  readonly data: string
  textContent: string
  setAttribute(name: string, value: string): void
  querySelector(selector: string): DomNode | null
  getBBox: (this: DomNode) => Box
  getScreenCTM(): Matrix
  readonly matrixify?: () => Matrix
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Matrix {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
  readonly e: number
  readonly f: number
}

/** Of a text: what decides how much room it takes. */
interface Look {
  readonly size: number
  readonly isBold: boolean
  readonly anchor: string
  readonly baseline: string
}

/** A document of svgdom. */
export interface DomDocument {
  createElementNS(namespace: string, name: string): DomNode
}

/** How much wider a wide sign is drawn than the box that is measured in its place [em]. */
const WIDER = 0.4

const SVG = 'http://www.w3.org/2000/svg'
const TEXT_NODE = 3
const NOTHING: Box = { x: 0, y: 0, width: 0, height: 0 }
const CONTAINERS = new Set(['g', 'a', 'svg', 'switch'])
const PROPERTIES = new Set('font-size font-weight text-anchor dominant-baseline'.split(' '))

/** How wide words are [px]. */
export interface TextMeasure {
  readonly widthOf: (words: string, size: number, isBold: boolean) => number
}

/** Ends the name of a family's bold face in svgdom's list of fonts. */
export const BOLD_SUFFIX = ' bold'

/**
 * Makes svgdom measure as a browser does: its own boxes take `1em` for one pixel, know no style
 * sheet, set each part of a line for itself, and take a flat arc for a round one.
 *
 * @param family  that every text is set in
 */
export function installBoxes(document: DomDocument, family: string): TextMeasure {
  const probes = {
    text: document.createElementNS(SVG, 'text'),
    path: document.createElementNS(SVG, 'path'),
  }
  const plain: Look = { size: 16, isBold: false, anchor: 'start', baseline: 'auto' }
  const graphics = Object.getPrototypeOf(Object.getPrototypeOf(probes.text)) as DomNode
  const ofShape = graphics.getBBox
  const sheets = new WeakMap<DomNode, StyleRules>()

  const rulesOf = (element: DomNode): StyleRules => {
    let root = element
    while (root.parentNode?.getAttribute) root = root.parentNode
    const sheet = root.querySelector('style')
    const rules = (sheet && sheets.get(sheet)) ?? styleRules(sheet?.textContent ?? '', PROPERTIES)
    if (sheet) sheets.set(sheet, rules)
    return rules
  }
  const lookOf = (element: DomNode, rules: StyleRules): Look => {
    const { parentNode: parent } = element
    const above = parent?.getAttribute ? lookOf(parent, rules) : plain
    const own = rules.of(element)
    const weight = own.get('font-weight')
    return {
      size: length(own.get('font-size') ?? null, above.size) ?? above.size,
      isBold: weight === undefined ? above.isBold : /^bold|^[6-9]00$/.test(weight),
      anchor: own.get('text-anchor') ?? above.anchor,
      baseline: own.get('dominant-baseline') ?? above.baseline,
    }
  }
  const ofWords = (words: string, look: Look): Box => {
    probes.text.textContent = words
    probes.text.setAttribute('font-family', look.isBold ? family + BOLD_SUFFIX : family)
    probes.text.setAttribute('font-size', String(look.size))
    probes.text.setAttribute('dominant-baseline', look.baseline)
    const box = ofShape.call(probes.text)
    return { ...box, width: box.width + wideSigns(words) * WIDER * look.size }
  }
  const ofText = (element: DomNode): Box | undefined => {
    const rules = rulesOf(element)
    const runs = textRuns(rootOf(element), {
      lookOf: (one) => lookOf(one, rules),
      ofWords,
    })
    return union(runs.filter(({ node }) => isWithin(node, element)).map(({ box }) => box))
  }
  const ofPath = (path: DomNode): Box => {
    const d = path.getAttribute('d') ?? ''
    if (!d.includes('a')) return ofShape.call(path)
    probes.path.setAttribute('d', d.replaceAll(ARC, polyline))
    return ofShape.call(probes.path)
  }
  const boxOf = (node: DomNode): Box | undefined => {
    const { nodeName: name } = node
    if (name === 'text' || name === 'tspan') return ofText(node)
    if (name === 'path') return ofPath(node)
    if (!CONTAINERS.has(name)) return isShape(node) ? ofShape.call(node) : undefined
    const boxes = node.childNodes.map((child) => {
      const box = boxOf(child)
      return box && child.matrixify ? transformed(box, child.matrixify()) : undefined
    })
    return union(boxes.filter((box) => box !== undefined))
  }
  graphics.getBBox = function getBBox(this: DomNode) {
    return boxOf(this) ?? NOTHING
  }
  const rectangle = { value: clientRectangle, configurable: true }
  Object.defineProperty(graphics, 'getBoundingClientRect', rectangle)
  return { widthOf: (words, size, isBold) => ofWords(words, { ...plain, size, isBold }).width }
}

function clientRectangle(this: DomNode): Box {
  return transformed(this.getBBox(), this.getScreenCTM())
}

const SHAPES = new Set('rect circle ellipse line polyline polygon image use'.split(' '))

function isShape({ nodeName }: DomNode): boolean {
  return SHAPES.has(nodeName)
}

function rootOf(element: DomNode): DomNode {
  let root = element
  while (root.nodeName !== 'text' && root.parentNode) root = root.parentNode
  return root
}

function isWithin(node: DomNode, element: DomNode): boolean {
  for (let at: DomNode | null = node; at; at = at.parentNode) if (at === element) return true
  return false
}

interface Run {
  readonly node: DomNode
  readonly box: Box
}

interface Measures {
  readonly lookOf: (element: DomNode) => Look
  readonly ofWords: (words: string, look: Look) => Box
}

/** The parts of a text, each where it is drawn. */
function textRuns(text: DomNode, { lookOf, ofWords }: Measures): readonly Run[] {
  const placed: Run[] = []
  let x = 0
  let y = 0
  // What is anchored together: from one given place to the next.
  let chunk: Run[] = []
  let anchor = 'start'
  const endChunk = (): void => {
    const width = chunk.reduce((sum, { box }) => sum + box.width, 0)
    const shift = anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0
    placed.push(...chunk.map(({ node, box }) => ({ node, box: { ...box, x: box.x - shift } })))
    chunk = []
  }
  const walk = (node: DomNode, look: Look): void => {
    if (node.nodeType === TEXT_NODE) {
      const words = node.data.replaceAll(/\s+/g, ' ')
      if (words === '' || (words === ' ' && chunk.length === 0)) return
      if (chunk.length === 0) anchor = look.anchor
      const box = ofWords(words, look)
      chunk.push({ node, box: { ...box, x, y: y + box.y } })
      x += box.width
      return
    }
    if (node.nodeName === 'title') return
    const own = lookOf(node)
    const at = (name: string): number | undefined => length(node.getAttribute(name), own.size)
    if (at('x') !== undefined || at('y') !== undefined) endChunk()
    x = (at('x') ?? x) + (at('dx') ?? 0)
    y = (at('y') ?? y) + (at('dy') ?? 0)
    for (const child of node.childNodes) walk(child, own)
  }
  walk(text, lookOf(text))
  endChunk()
  return placed
}

/** [px]; only the first of several */
function length(value: string | null, size: number): number | undefined {
  const number = Number.parseFloat(value ?? '')
  if (Number.isNaN(number)) return undefined
  if (/^[-+.\de]*\s*r?em\b/.test(value ?? '')) return number * size
  return value?.includes('%') ? (number / 100) * size : number
}

function union(boxes: readonly Box[]): Box | undefined {
  const filled = boxes.filter(({ width, height }) => width > 0 || height > 0)
  if (filled.length === 0) return undefined
  const x = Math.min(...filled.map((box) => box.x))
  const y = Math.min(...filled.map((box) => box.y))
  const right = Math.max(...filled.map((box) => box.x + box.width))
  const bottom = Math.max(...filled.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

function transformed({ x, y, width, height }: Box, { a, b, c, d, e, f }: Matrix): Box {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ]
  const xs = corners.map(([u, v]) => a * u + c * v + e)
  const ys = corners.map(([u, v]) => b * u + d * v + f)
  const left = Math.min(...xs)
  const top = Math.min(...ys)
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}

const NUMBER = String.raw`[\s,]*(-?[\d.]+(?:e-?\d+)?)`

/** An arc from where the path is, unturned. */
const ARC = new RegExp(`a${NUMBER}${NUMBER}${NUMBER}${NUMBER}${NUMBER}${NUMBER}${NUMBER}`, 'g')

const ARC_STEPS = 16

/** Lines along an arc, near enough for a box. */
function polyline(_: string, ...numbers: readonly string[]): string {
  const [rx, ry, , large, sweep, dx, dy] = numbers.slice(0, 7).map(Number)
  if (!(rx > 0 && ry > 0)) return `l${dx},${dy}`
  // On the unit circle, with the middle of the chord at the origin.
  const [u, v] = [dx / rx / 2, dy / ry / 2]
  const half = Math.hypot(u, v)
  const radius = Math.max(1, half)
  const away = Math.sqrt(radius ** 2 - half ** 2) * (large === sweep ? -1 : 1)
  const [p, q] = half === 0 ? [0, 0] : [(-v / half) * away, (u / half) * away]
  const begin = Math.atan2(-v - q, -u - p)
  const turn = Math.atan2(v - q, u - p) - begin
  const full = 2 * Math.PI
  const angle = sweep === 1 ? (turn + full) % full : -((full - turn) % full)
  let last = [0, 0]
  return Array.from({ length: ARC_STEPS }, (_, i) => {
    const at = begin + (angle * (i + 1)) / ARC_STEPS
    const next = [rx * (p + u + radius * Math.cos(at)), ry * (q + v + radius * Math.sin(at))]
    const step = `l${(next[0] - last[0]).toFixed(4)},${(next[1] - last[1]).toFixed(4)}`
    last = next
    return step
  }).join('')
}
