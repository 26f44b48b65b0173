// Goal: pictures stand at their place in the text up to a whole page, every page has a paper
// format, and none is empty. Method: the typesetter with pictures of all shapes; the pages are read
// by an independent library.
import { describe, expect, test } from 'vitest'
import type { PdfInput, PdfPart } from '../../src/typesetting/pdf-input.ts'
import { inkOf } from '../../src/typesetting/ink.ts'
import { pictureLayout } from '../../src/typesetting/picture-layout.ts'
import { pdf } from '../../src/typesetting/pdf.ts'
import { heading, markdown } from '../../src/typesetting/pdf-blocks.ts'
import { type PdfPages, pdfPages } from './pdf-pages.ts'

interface Shape {
  readonly width: number
  readonly height: number
  /** of the letters */
  readonly size?: number
  /** 6 by default */
  readonly count?: number
  /** what stands below everything */
  readonly behind?: string
}

const FRAME = '<rect width="100%" height="100%" fill="none" stroke="#000"/>'
const CHART = '<rect width="100%" height="100%" fill="#eef"/>'

/** Boxes with names from `box 0` on in a row or column, joined by an edge. */
function boxes({ width, height, size = 14, count = 6, behind = FRAME }: Shape): string {
  const isWide = width > height
  const step = Math.max(width, height) / count
  const side = Math.min(step * 0.6, Math.min(width, height) * 0.8)
  const middle = Math.min(width, height) / 2
  const names = Array.from({ length: count }, (_, i) => {
    const along = i * step + step * 0.2
    const [x, y] = isWide ? [along, middle - side / 2] : [middle - side / 2, along]
    const [boxWide, boxHigh] = isWide ? [step * 0.6, side] : [side, step * 0.6]
    return (
      `<rect x="${x}" y="${y}" width="${boxWide}" height="${boxHigh}" fill="#ddf"/>` +
      `<text x="${x + 2}" y="${y + boxHigh / 2}" font-size="${size}">box ${i}</text>`
    )
  })
  const edge = isWide ? `M0 ${middle}H${width}` : `M${middle} 0V${height}`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${behind}` +
    `<path d="${edge}" stroke="#000"/>${names.join('')}</svg>`
  )
}

async function pagesOf(
  parts: readonly PdfPart[],
  pictures: Readonly<Record<string, string>>,
  changes: Partial<PdfInput> = {},
): Promise<PdfPages> {
  const fixed = { place: 'Client / Project / v1', changed: 1_700_000_000, faults: {} }
  const all = { title: 'Handbook', cover: null, ...fixed, parts, pictures, ...changes }
  return pdfPages(await pdf(all))
}

const id = (i: number): string => `6f1c2a3b-4d5e-4f60-8a7b-9c0d1e2f3a4${i}`

/** A text around the picture. */
function around(i: number = 0, alt: string = 'Plan'): readonly PdfPart[] {
  return [markdown(`before\n\n![${alt}](artifact:${id(i)})\n\nafter`, 0)]
}

const PLACES: readonly (readonly [name: string, shape: Shape, papers: readonly string[]])[] = [
  ['a low and wide one', { width: 1453, height: 56 }, ['A4']],
  ['a row of four labelled boxes', { width: 993, height: 96 }, ['A4']],
  ['a chart of two bars', { width: 800, height: 148, size: 11, behind: CHART }, ['A4']],
  ['a sequence', { width: 850, height: 495, size: 12 }, ['A4']],
  ['a column', { width: 216, height: 803 }, ['A4']],
  ['a long chain', { width: 6457, height: 59, count: 40 }, ['A4']],
  ['a whole page upright', { width: 944, height: 1050 }, ['A4']],
  ['a page across', { width: 1250, height: 640 }, ['A4', 'A4 across', 'A4']],
  ['a larger page', { width: 1987, height: 1563, size: 18 }, ['A4', 'A3 across', 'A4']],
  ['a low chart', { width: 1200, height: 148, size: 11, behind: CHART }, ['A4', 'A4 across', 'A4']],
]

test.each(PLACES)('%s stands between the text before and after it', async (_, shape, papers) => {
  const { looks, texts } = await pagesOf(around(), { [id(0)]: boxes(shape) })
  const text = texts.join(' ')
  const order = ['before', 'box 0', 'box 5', 'after'].map((word) => text.indexOf(word))
  expect(order.toSorted((a, b) => a - b)).toEqual(order)
  expect(order[0]).toBeGreaterThanOrEqual(0)
  expect(looks.map(({ paper }) => paper)).toEqual(papers)
  expect(Math.min(...looks.map(({ letter }) => letter))).toBeGreaterThan(6)
})

const ABOVE = `${CHART}<text y="12" font-size="9">above</text>`
const LOW: Shape = { width: 1200, height: 120, size: 9, behind: ABOVE }

test.each([
  ['a report', { subtitle: 'Report', facts: [] }],
  ['a document', null],
])('a low and wide picture that comes first in %s hides no heading', async (_, cover) => {
  const figure = { type: 'figure', artifact: id(0), alt: 'Plan', above: [] } as const
  const parts = [heading(1, 'Diagrams'), { ...figure, above: [heading(2, 'Plan')] }]
  const { looks, texts } = await pagesOf(parts, { [id(0)]: boxes(LOW) }, { cover })
  expect(texts.filter((text) => text.includes('box 0'))).toHaveLength(1)
  expect(texts.at(-1)).toMatch(/Diagrams Plan .*box 0/)
  const heights = new Map(looks.at(-1)?.heights)
  expect(heights.get('Plan')).toBeGreaterThan((heights.get('above') ?? Infinity) + 9)
  expect(looks.filter(({ letter }) => letter === Infinity)).toEqual([])
})

test('only what needs more than A3 goes to the end, on paper of its own', async () => {
  const giant = { width: 5000, height: 4000, size: 22 }
  const { looks, texts } = await pagesOf(around(), { [id(0)]: boxes(giant) })
  expect(looks.map(({ paper }) => paper)).toEqual(['A4', 'A1 across'])
  expect(texts[0]).toMatch(/before On a page of its own: Plan \(page 2\)\. after/)
  expect(texts[1]).toMatch(/Large diagrams Plan .*box 0/)
})

test('a cut goes through an edge, not through a box', () => {
  const size = { width: 3000, height: 56, letter: 14 }
  const ink = inkOf(boxes(size), size)
  const { parts } = pictureLayout(size, ink)
  const step = size.width / 6
  const cuts = parts.slice(1).map(({ x }) => (x / parts[0].height) * size.height)
  expect(cuts.length).toBeGreaterThan(1)
  expect(cuts.filter((x) => x % step > step * 0.2 && x % step < step * 0.8)).toEqual([])
})

describe('pictures that follow each other', () => {
  const shapes: readonly Shape[] = [
    { width: 500, height: 500 },
    { width: 500, height: 450 },
    { width: 900, height: 300 },
    { width: 1300, height: 200, size: 12, behind: CHART },
    { width: 1300, height: 250, size: 12, behind: CHART },
    { width: 300, height: 300 },
  ]
  const figures: readonly PdfPart[] = shapes.map((_, i) => ({
    type: 'figure',
    artifact: id(i),
    alt: `Plan ${i}`,
    above: [heading(2, `Plan ${i}`)],
  }))
  const pictures = Object.fromEntries(shapes.map((shape, i) => [id(i), boxes(shape)]))

  test('keep their order and share pages of one format', async () => {
    const parts = [heading(1, 'Overview'), markdown('Text.', 0), heading(1, 'Diagrams'), ...figures]
    const { looks, texts } = await pagesOf(parts, pictures)
    expect(looks.map(({ paper }) => paper)).toEqual(['A4', 'A4', 'A4 across', 'A4'])
    const text = texts.join(' ')
    const order = ['Diagrams', ...shapes.map((_, i) => `Plan ${i}`)].map((name) =>
      text.lastIndexOf(name),
    )
    expect(order.toSorted((a, b) => a - b)).toEqual(order)
  })
})
