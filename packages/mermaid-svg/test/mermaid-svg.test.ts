// Goal: one call gives a picture and leaves nothing behind. Method: calls one after another and at
// once, good and bad; the thread's globals before and after.
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { INITIAL_STYLE, wordsBox } from '../src/font.ts'
import { MermaidSourceError, mermaidSvg } from '../src/index.ts'
import { font, partsOf, picture, words } from './picture.ts'

const GIT = 'gitGraph\n commit\n branch fix\n commit\n checkout main\n merge fix'

test('equal sources and random numbers make equal pictures, in any order', async () => {
  const first = words(await picture(GIT))
  await picture('mindmap\n root\n  a\n  b')
  expect(words(await picture(GIT))).toBe(first)
  expect(words(await picture(GIT, 2))).not.toBe(first)
})

test('equal sources make equal pictures in any time zone', async () => {
  const { TZ } = process.env
  const plan = 'gantt\n dateFormat YYYY-MM-DD\n section a\n b: 2026-03-27, 4d\n c: 2026-10-23, 4d'
  const pictures = new Set<string>()
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Los_Angeles']) {
    process.env['TZ'] = zone
    pictures.add(await picture(plan))
    expect(process.env['TZ']).toBe(zone)
  }
  if (TZ === undefined) delete process.env['TZ']
  else process.env['TZ'] = TZ
  expect(pictures.size).toBe(1)
})

/** Of letters in a class [px]. */
const CLASS_SIZE = 14

/** Of the box of a class; its title is bold. */
async function classWidth(title: string, extra = 0): Promise<number> {
  const options = { font: { ...font, extraWidth: () => extra }, random: Math.random }
  const svg = await mermaidSvg(`classDiagram\n class a["${title}"]`, options)
  return partsOf(svg, '.node', 'path')[0].outline.width
}

test('a title is as wide as its letters in the bold face', async () => {
  const style = { ...INITIAL_STYLE, size: CLASS_SIZE, isBold: true }
  const difference = wordsBox(font)('mmm', style).width
  const growth = (await classWidth('somelettersmmm')) - (await classWidth('someletters'))
  expect(growth).toBeCloseTo(difference, 3)
})

test('letters that the font lacks take the same extra width in each picture', async () => {
  const widths: number[] = []
  for (const extra of [0, 1, 1]) widths.push(await classWidth('株式会社社', extra))
  const [plain, wide, again] = widths
  expect(wide - plain).toBeCloseTo(CLASS_SIZE, 3)
  expect(again).toBe(wide)
})

test('calls at once draw what calls one after another draw', async () => {
  const sources = ['flowchart LR\n a --> b', 'no kind', GIT, 'pie\n "a" : 1']
  const settle = async (drawing: Promise<string>): Promise<string> => drawing.catch(String)
  const alone: string[] = []
  for (const source of sources) alone.push(await settle(picture(source)))
  expect(await Promise.all(sources.map((source) => settle(picture(source))))).toEqual(alone)
})

test('after a call the thread is no browser, and has its own random numbers', async () => {
  const { random } = Math
  await picture('classDiagram\n a <|-- b')
  await expect(picture('flowchart TD\n a --> ')).rejects.toThrow(MermaidSourceError)
  expect(Math.random).toBe(random)
  const browser = ['window', 'document', 'Element', 'CSS', 'CSSStyleSheet', 'screen']
  expect(browser.filter((name) => name in globalThis)).toEqual([])
})

const REFUSED: Readonly<Record<string, readonly [source: string, reason: RegExp]>> = {
  'front matter that is no YAML': ['\n---\ntitle: x\nconfig: [\n---\npie\n "a": 1', /line 5:/],
  'unknown kinds': ['zenuml\n a->b: x', /no kind of diagram .* architecture, block/],
  'syntax errors, with their line': ['flowchart TD\n a --> b\n b --> ', /line 3:/],
  'a name that begins an edge': ['flowchart TD\n o-->p', /line 2:[^]*begins with a circle/],
  'a keyword as a name': ['flowchart TD\n a --> b\n b --> end\n c', /line 3:[^]*`end` is a word/],
  'a keyword as a participant': [
    'sequenceDiagram\n participant a\n end\n a->>b: x',
    /line 3:[^]*`end` is a word/,
  ],
  'brackets in a text': ['flowchart TD\n a[Auth (IdP)] --> b', /line 2:\n.*\n-*\^\n.*needs quotes/],
  'a semicolon in a message': ['sequenceDiagram\n a->>b: x #9829; y; z', /line 2:[^]*written #59;/],
  'a semicolon in a title': ['C4Context\n title a; b\n', /line 2\.[^]*written #59;/],
  'quotes in a text': ['flowchart TD\n a["x "quoted" y"]', /line 2:[^]*written #quot;/],
  'quotes before the end of a text': ['flowchart TD\n a["x"y"]', /line 2:[^]*written #quot;/],
  'a path as a text': ['flowchart TD\n a[/api/v1] --> b', /line 2[^]*begins with a slash/],
  'a relation without a label': ['erDiagram\n A ||--o{ B\n', /line 2:[^]*needs a label/],
  'a message without a colon': ['sequenceDiagram\n A->>B x\n', /line 2:[^]*needs a colon/],
  'an edge without an end': ['flowchart TD\n a --> b -->\n', /^(?![^]*message)[^]*line 2:/],
  'a comment behind a statement': ['flowchart TD\n a --> b %% c', /line 2:[^]*line of its own/],
  'too many edges': [
    `flowchart TD\n${'a --> b\n'.repeat(501)}`,
    /more than 500 edges: draw it as several diagrams$/,
  ],
  'errors after front matter and comments': [
    '---\ntitle: x\n---\n%% one\n\nflowchart TD\n%% two\n\n %% three\n a --> b\n b[c (d)]\n',
    /line 11:/,
  ],
  'errors after settings': [
    '---\nconfig:\n  theme: dark\n---\n%%{init: {\n "look": "neo"}}%%\nflowchart TD\n b[c (d)]\n',
    /line 8:/,
  ],
  'errors of newer parsers': ['%% one\n\npie\n%% two\n "a" : x', /line 5\b/],
  'references to nothing': ['C4Context\n Person(a, "A")\n Rel(a, b, "x")', /cannot draw this c4/],
}

test.each(Object.entries(REFUSED))('refused: %s', async (_, [source, reason]) => {
  const error: unknown = await picture(source).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(MermaidSourceError)
  expect(String(error)).toMatch(reason)
})

const FLOW = 'flowchart LR\n a["Some long text"] --> b'

/** A picture, and the notes beside it. */
async function noted(source: string): Promise<readonly [svg: string, ...notes: string[]]> {
  const notes: string[] = []
  const note = (sentence: string): number => notes.push(sentence)
  return [await mermaidSvg(source, { font, random: () => 0.5, note }), ...notes]
}

const SETTINGS: readonly (readonly [settings: string, sign: string])[] = [
  ['---\nconfig:\n  theme: dark\n---\n', 'fill:#1f2020'],
  ["%%{init: {'theme': 'base', 'themeVariables': {'mainBkg': '#0f0'}}}%%\n", 'fill:#0f0'],
  ['---\ntitle: x\nconfig:\n  look: handDrawn\n---\n', 'data-look="handDrawn"'],
]

test.each(byTier({ gate: SETTINGS.slice(0, 2), night: SETTINGS }))(
  'settings %j are taken without a note',
  async (settings, sign) => {
    const [plain] = await noted(FLOW)
    const [svg, ...notes] = await noted(settings + FLOW)
    expect(notes).toEqual([])
    expect([plain.includes(sign), svg.includes(sign)]).toEqual([false, true])
  },
)

test('settings that are not on the list are noted and change nothing', async () => {
  const [plain] = await noted(FLOW)
  const [svg, ...notes] = await noted(
    `---
config:
  securityLevel: strict
  fontFamily: Times
  themeCSS: ".node { stroke: url(https://evil.example/x) }"
  flowchart:
    htmlLabels: true
    nodeSpacing: 1e99
---
%%{init: {"htmlLabels": true, "__proto__": {"a": 1}, "maxEdges": 9,
  "themeVariables": {"lineColor": "red;}"}}}%%
${FLOW}`,
  )
  expect(svg === plain).toBe(true)
  expect(notes).toEqual([
    'These settings of Mermaid are not taken: securityLevel, fontFamily, themeCSS, htmlLabels,' +
      ' nodeSpacing, __proto__, a, maxEdges, lineColor',
  ])
})

test('a directive without an end changes nothing', async () => {
  const [plain] = await noted(FLOW)
  const [svg, ...notes] = await noted(`${FLOW}\n%%{init: {"fontFamily": "Times"}`)
  expect(svg === plain).toBe(true)
  expect(notes).toEqual(['These settings of Mermaid are not taken: fontFamily'])
})

test('a title in front matter is drawn', async () => {
  expect(words(await picture('---\ntitle: Orders\n---\nflowchart LR\n a --> b'))).toMatch(/Orders/)
})

test('a box around participants has a colour or a title', async () => {
  const box = (head: string): Promise<string> =>
    picture(`sequenceDiagram\n box ${head}\n participant a\n end\n a->>a: b`)
  const [colored, named, titled] = await Promise.all(
    ['rgb(1, 2, 3) Shop', 'Aqua Shop', 'Shop front'].map(box),
  )
  expect(colored).toContain('fill="rgb(1, 2, 3)"')
  expect(named).toMatch(/fill="Aqua"/i)
  expect(titled).toContain('fill="transparent"')
  for (const svg of [colored, named]) expect(words(svg)).toMatch(/^Shop\b/)
  expect(words(titled)).toContain('Shop front')
})
