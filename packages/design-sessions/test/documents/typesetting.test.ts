// Goal: a PDF shows the texts of users as text, never as Typst, and equal input gives equal bytes.
// Method: the typesetter itself, its output read by an independent library.
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { pdf } from '../../src/typesetting/pdf.ts'
import type { PdfInput } from '../../src/typesetting/pdf-input.ts'
import { markdownTree } from '../../src/markdown/markdown-tree.ts'
import { typesetTree } from '../../src/typesetting/typeset-tree.ts'
import { pdfPages, pdfTexts } from './pdf-pages.ts'

const ID = '6f1c2a3b-4d5e-4f60-8a7b-9c0d1e2f3a4b'
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect width="200" height="60"' +
  ' fill="#def"/><text x="10" y="30" font-family="Arial">In the picture</text></svg>'

const HOSTILE = [
  '#read("/etc/passwd")',
  '#set page(width: 1pt)',
  '#{ while true {} }',
  '#panic("x")',
  '$x^2$ and $ sum_(i=1)^n $',
  '"quotes" \'single\' \\ back #"',
  '@label <label> = heading',
  '#import "@preview/cetz:0.2.0"',
  '/* comment */ // line',
  '{{7*7}} ${7*7}',
  '~ -- --- ...',
]

function input(source: string, changes: Partial<PdfInput> = {}): PdfInput {
  return {
    title: 'Title',
    place: 'Client / Project / v1',
    cover: null,
    changed: 1_700_000_000,
    pictures: {},
    faults: {},
    parts: [{ type: 'markdown', source, lowered: 0 }],
    ...changes,
  }
}

test.each(HOSTILE)('%s is text in every position', async (text) => {
  const source = `x ${text.replaceAll(/[\\<>*_~[\]`]/g, '\\$&')}\n\n\`\`\`typ\n${text}\n\`\`\`\n`
  const cover = { subtitle: text, facts: [['Fact', text] as const] }
  const bytes = await pdf(input(source, { title: text, place: text, cover }))
  const { texts, title } = await pdfPages(bytes)
  expect(title).toBe(text)
  const first = texts[0]
  const last = texts.at(-1) ?? ''
  // Title, subtitle, fact; paragraph, code, footer.
  expect(first.split(text)).toHaveLength(4)
  expect(last.split(text)).toHaveLength(4)
})

test('a word too long for the cover is broken on it, but not in the title', async () => {
  const word = 'Rechtsschutzversicherungsgesellschaftenverwaltungsplattform'
  const facts = [['Client', word.repeat(3)] as const]
  const bytes = await pdf(input('x', { title: word, cover: { subtitle: word, facts } }))
  const { texts, title, looks } = await pdfPages(bytes)
  expect(title).toBe(word)
  expect(texts[0].replaceAll(' ', '').split(word)).toHaveLength(6)
  expect(looks[0].right).toBeLessThanOrEqual(1)
})

test('texts have no hidden characters, long words and wide tables stay on the page', async () => {
  const arn = `arn:aws:iam::123456789012:role/${'very-long-name-of-a-role-'.repeat(6)}end`
  const short = arn.slice(0, 60)
  const code = `run --with ${'abcdefghij'.repeat(40)}`
  const cells = Array.from({ length: 9 }, (_, i) => `serviceEndpoint${i}NameAtAll`)
  const row = (values: readonly string[]): string => `| ${values.join(' | ')} |`
  const wide = [row(cells), row(cells.map(() => '---')), row(cells)].join('\n')
  const lines = [`Its \`${short}\` is`, `Its ${short} is`]
  const parts = [...lines, `\`${arn}\``, arn, `\`\`\`sh\n${code}\n\`\`\``, wide]
  const { texts, looks } = await pdfPages(await pdf(input(parts.join('\n\n'))))
  const text = texts.join(' ')
  expect(text).not.toMatch(/[\u200b-\u200d\u2060\ufeff]/)
  const joined = text.replaceAll(' ', '')
  for (const whole of [arn, code, ...cells]) expect(joined).toContain(whole.replaceAll(' ', ''))
  expect(joined.split(arn)).toHaveLength(3)
  expect(text.split(`Its ${short} is`)).toHaveLength(3)
  expect(Math.max(...looks.map(({ right }) => right))).toBeLessThanOrEqual(1)
})

function tableOf(cells: readonly string[], rows: number): string {
  const row = (values: readonly string[]): string => `| ${values.join(' | ')} |`
  const body = Array.from({ length: rows }, () => row(cells))
  return ['## Names', row(cells), row(cells.map(() => '---')), ...body].join('\n')
}

const NINE =
  'serviceEndpoint0Name westeurope-primary-1 zone-redundant https-with-mutual-tls 8443 ' +
  'imaging-platform-team internationalization oncall@medipix.example decommissioned'
const NAMES = NINE.split(' ')

const TABLES: readonly (readonly [string, cells: string[], rows: number, paper: string])[] = [
  ['nine columns of names', NAMES, 3, 'A4'],
  ['fourteen columns of many rows', NAMES.concat(NAMES.slice(0, 5)), 14, 'A4 across'],
  ['a word longer than a page beside short ones', ['x'.repeat(300), 'short', 'also'], 3, 'A4'],
  ['nine columns of many rows', NAMES, 40, 'A4'],
  ['nine columns without places to break', Array<string>(9).fill('f'.repeat(24)), 3, 'A4'],
]

test.each(byTier({ gate: TABLES.slice(0, 3), night: TABLES }))(
  'words of %s stay in their columns',
  async (_, cells, rows, paper) => {
    const { looks, texts } = await pdfPages(await pdf(input(tableOf(cells, rows))))
    const last = looks[looks.length - 1]
    expect(last.paper).toBe(paper)
    // The heading is not alone on the page before.
    expect(texts.find((text) => text.includes(cells[1].slice(0, 5)))).toContain('Names')
    expect(looks.flatMap(({ overlaps }) => overlaps)).toEqual([])
    expect(Math.max(...looks.map(({ right }) => right))).toBeLessThanOrEqual(1)
    // Words without parts are whole.
    const words = cells.filter((cell) => /^[a-z]{1,20}$/.test(cell))
    for (const word of words) expect(texts.join(' ')).toContain(word)
  },
)

test('a line break as a tag, and plain items beside tasks, look as meant', async () => {
  const source = '| a |\n|---|\n| one<br>two |\n\n- [x] done\n- plain\n- [ ] open'
  const texts = await pdfTexts(await pdf(input(source)))
  expect(texts[0]).toContain('a one two ☑ done • plain ☐ open')
})

test('a line after a break begins without a space', () => {
  const [paragraph] = typesetTree(markdownTree('one\\\ntwo'), {
    prefix: '',
    lowered: 0,
    drawn: { pictures: {}, faults: {} },
  })
  const lines = [{ value: 'one' }, { type: 'break' }, { value: '' }, { value: 'two' }]
  expect(paragraph).toMatchObject({ body: lines })
})

test('equal input gives equal bytes, tagged, with embedded fonts', async () => {
  const one = input(`# A\n\n![Plan](artifact:${ID})\n\n\`code\` **b** *i* ✓`, {
    pictures: { [ID]: SVG },
    faults: {},
  })
  const bytes = await pdf(one)
  await pdf(input('something else'))
  expect(Buffer.from(await pdf(one)).equals(bytes)).toBe(true)
  const { texts, tagged, fonts, rasterImages } = await pdfPages(bytes)
  expect(tagged).toBe(true)
  expect(rasterImages).toBe(0)
  expect(texts[0]).toContain('In the picture')
  expect(fonts.size).toBeGreaterThan(2)
  expect([...fonts].filter(([, isEmbedded]) => !isEmbedded)).toEqual([])
  const later = await pdf({ ...one, changed: one.changed + 1 })
  expect(Buffer.from(later).equals(bytes)).toBe(false)
})

test('a broken picture leaves a gap, not a failure', async () => {
  const other = '11111111-2222-4333-8444-555555555555'
  const source = `![Good](artifact:${ID})\n\n![Bad](artifact:${other})`
  const bytes = await pdf(input(source, { pictures: { [ID]: SVG, [other]: '<svg' }, faults: {} }))
  const texts = await pdfTexts(bytes)
  expect(texts[0]).toContain('In the picture')
  expect(texts[0]).toContain('[artifact not rendered: Bad]')
})

test('every Markdown element is typeset', async () => {
  const source = [
    '[TOC]',
    '# One',
    'See [two](#two), [web](https://a.example), [gone](#nowhere), [bad](javascript:x).[^1]',
    '## Two',
    '!!! danger "Hot"\n    Do not *touch*',
    '- [x] done\n- [ ] open\n    1. first\n    2. second',
    '> quoted',
    '| l | r |\n|:-|-:|\n| ~~a~~ | `b` |',
    'a  \nb',
    '***',
    '![](https://a.example/x.png)',
    'x'.repeat(300),
    '[^1]: Noted.',
  ].join('\n\n')
  const texts = await pdfTexts(await pdf(input(source)))
  const text = texts.join(' ')
  for (const part of [
    'One',
    'See two',
    'Hot',
    'touch',
    '☑ done',
    '☐ open',
    '2. second',
    'quoted',
  ]) {
    expect(text).toContain(part)
  }
  for (const part of ['[picture]', 'Noted.', 'x'.repeat(80)]) expect(text).toContain(part)
})

test.each([
  ['quotes', `${'> '.repeat(200)}deep`],
  ['lists', `${Array.from({ length: 60 }, (_, i) => `${'  '.repeat(i)}- x`).join('\n')} deep`],
  ['emphasis', `${'*a **b '.repeat(60)}deep${'** *'.repeat(60)}`],
])('deep nesting of %s is cut', async (_, source) => {
  const texts = await pdfTexts(await pdf(input(source)))
  expect(texts.join(' ')).toContain('deep')
})
