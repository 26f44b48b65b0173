// Goal: labels of every script are drawn, and fit into their boxes. Method: drawings are compared
// with those of an unassigned character, which is drawn as an empty box.
import { Resvg } from '@resvg/resvg-js'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import type { DiagramEngine } from '../../../src/engines/drawing.ts'
import { sharedRenderer } from '../../renderer.ts'

const renderer = sharedRenderer()

const UNASSIGNED = '\u0378'

/** Of a line, and of a single sign [px]. */
const WIDTH = 400
const SIGN_WIDTH = 50
const HEIGHT = 50

/** A picture has twice the pixels of its SVG. */
const ZOOM = 2

function svgOf(width: number, height: number, content: string): string {
  const size = `width="${width}" height="${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`
}

async function png(content: string, height = HEIGHT, width = WIDTH): Promise<Buffer> {
  return Buffer.from(await renderer.run('png', svgOf(width, height, content)))
}

/** The pixels of each text; they are drawn below each other in one picture. */
async function drawn(texts: readonly string[], lineWidth = WIDTH): Promise<Buffer[]> {
  const lines = texts.map((words, i) => {
    const y = i * HEIGHT + 35
    return `<text x="5" y="${y}" font-size="20" font-family="Arial">${words}</text>`
  })
  const picture = await png(lines.join(''), texts.length * HEIGHT, lineWidth)
  const uri = `data:image/png;base64,${picture.toString('base64')}`
  const [width, height] = [ZOOM * lineWidth, ZOOM * HEIGHT * texts.length]
  const image = `<image width="${width}" height="${height}" href="${uri}"/>`
  const { pixels } = new Resvg(svgOf(width, height, image)).render()
  const size = pixels.length / texts.length
  return texts.map((_, i) => pixels.subarray(i * size, (i + 1) * size))
}

const SIGNS = {
  Chinese: '会社简体繁體',
  Japanese: 'あんアンー、。「」㈱①ｶ',
  Korean: '한글뷁ㄱ',
  Arabic: 'خادمچ',
  Thai: 'ไทย',
  Devanagari: 'हिन्द',
  Hebrew: 'שלום',
  'Greek and Cyrillic': 'ΩШ',
  emoji: '✅🚀⚠🔒👤📦🟢❌💡',
  arrows: '→⇒↔➜↦⟶',
  marks: '☑☐✓✗✔★•',
  mathematics: '∑∈∀≠∅ℝ≤∞∧',
  lines: '─│┌┏━█▶●',
}

test.each(Object.entries(SIGNS))(
  'each character of %s is drawn, not as a box',
  async (_, signs) => {
    const all = Array.from(signs)
    const [box, blank, ...pictures] = await drawn([UNASSIGNED, ' ', ...all], SIGN_WIDTH)
    expect(box.equals(blank)).toBe(false)
    const isMissing = (picture: Buffer): boolean => picture.equals(box) || picture.equals(blank)
    expect(all.filter((_, i) => isMissing(pictures[i]))).toEqual([])
  },
)

const LINES = [
  'Server خادم ready',
  'ไทย first',
  'Zürich 👩‍💻🇩🇪 株式 ⚠️',
  'office flow ✅ 株式会社 한글 🔒',
]

test.each(byTier({ gate: LINES.slice(0, 2), night: LINES }))(
  'no character of the line %s is drawn as a box',
  async (line) => {
    const letters = [...new Set(line.match(/[\p{L}\p{Extended_Pictographic}]/gu))]
    const others = letters.map((letter) => line.replaceAll(letter, UNASSIGNED))
    const [whole, ...pictures] = await drawn([line, ...others])
    expect(letters.filter((_, i) => pictures[i].equals(whole))).toEqual([])
  },
)

test.each(['שלום עולם', 'خادم الويب', 'Latin'])(
  '%s is drawn where it is moved to, as if it were written there',
  async (words) => {
    const moved = await png(`<text><tspan x="50" y="10" dy="20">${words}</tspan></text>`)
    const there = await png(`<text><tspan x="50" y="30">${words}</tspan></text>`)
    expect(moved.equals(there)).toBe(true)
  },
)

test('a flag is drawn as the letters of its country', async () => {
  const [flag, letters] = await drawn(['🇩🇪', 'DE'])
  expect(flag.equals(letters)).toBe(true)
})

test('graphviz makes boxes as wide as wide letters of two bytes', async () => {
  const source = 'graph { a [shape=box margin=0 label="ШШШШШШШШШШ"] }'
  const result = await renderer.render({ engine: 'graphviz', source })
  if (!result.ok) throw new Error(result.error)
  const svg = Buffer.from(result.outputs[0].bytes).toString()
  const [, right] = /<polygon fill="none"[^>]* points="([\d.]+)/.exec(svg) ?? []
  expect(svg).toContain('>ШШШШШШШШШШ<')
  expect(Number(right)).toBeGreaterThan(10 * 14 * 0.8)
})

const LABEL = '株式会社東京데이터センター'
const D2_BOX = [
  'd2',
  16,
  `a: ${LABEL}`,
  /<g class="shape"[^>]*><rect[^>]* width="([\d.]+)"/,
] as const
const BOXES: readonly (readonly [DiagramEngine, size: number, source: string, box: RegExp])[] = [
  [
    'graphviz',
    14,
    `graph { a [shape=box margin=0 label="${LABEL}"] }`,
    /<polygon fill="none"[^>]* points="([\d.]+)/,
  ],
  [
    'mermaid',
    16,
    `sequenceDiagram\n  participant ${LABEL}`,
    /<rect[^>]* width="([\d.]+)"[^>]* class="[^"]*actor-top/,
  ],
]

test.each(byTier({ gate: BOXES, night: [D2_BOX, ...BOXES] }))(
  '%s makes boxes as wide as square letters',
  async (engine, size, source, box) => {
    const result = await renderer.render({ engine, source })
    if (!result.ok) throw new Error(result.error)
    const svg = Buffer.from(result.outputs[0].bytes).toString()
    expect(svg).toContain(`>${LABEL}<`)
    const width = Number(box.exec(svg)?.[1])
    expect(width).toBeGreaterThan(LABEL.length * size)
    expect(width).toBeLessThan(LABEL.length * size * 2)
  },
)
