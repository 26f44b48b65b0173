// Goal: a decision that is exported as a MADR file and imported again has equal fields, whatever
// its texts contain; JSON answers do not change. Method: seeded random texts of lines that resemble
// the format, through the app, most through the functions below it.
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type WrittenAdr, decisionFrom, decisionSource } from '../../src/madr/decision.ts'
import { DECISION_FIELDS } from '../../src/records/adrs.ts'
import { type Answer, type Json, ask, created, newName } from '../ask.ts'
import { type DirectApp, openApp } from '../direct-app.ts'

/** Lines that resemble parts of the format, or hide them. */
const LINES = [
  ['', '', '', ' ', '\t', 'text *b*', 'a', '    code', '> ## quote', '| a | b |', '\r', 'x\r'],
  ['# H', '## Context', '## Decision Outcome', '### Consequences', '## Other', '### Confirmation'],
  ['## Status', '### Positive Consequences', '## Consequences <!-- optional -->', '## ', '####'],
  ['\\## Context', '\\\\### Consequences', '\\```', '\\\\~~~', '  ## Decision:', '    ## code'],
  ['```', '````sh', '~~~', '```js x', '   ```', '``` a`b', '<!--', '<!-- as it is -->', '-->'],
  ['---', 'status: accepted', 'Status: rejected', '# ADR-0002: x', 'title: "x"', '\u00a0'],
].flat()
const WORDS = [
  ['a', 'b c', ' ', '  ', '*', '`', '\\', '#', '[x](y)', '<b>', '&amp;', '_', '"', "'", '\n'],
  [
    '* x',
    '## Decision',
    '### x',
    '<!-- x -->',
    '…',
    '[a, b]',
    'Good, because ',
    ', because',
    '1. ',
  ],
  ['ADR-0001: ', 'ADR 12 - ', '1. ', 'é', '😀', '|', ':', '- ', 'www.a.b', 'http://x', '\u2028'],
].flat()
const STATUSES = ['proposed', 'accepted', 'deprecated', 'superseded'] as const

/** Decisions through the service, and through the code that reads and writes them. */
const COUNTS = byTier({ gate: { sent: 12, read: 500 }, night: { sent: 30, read: 2000 } })

const chance = createChance(testSeed('decisions as files'))

function joined(parts: readonly string[], separator: string): string {
  for (;;) {
    const length = 1 + chance.below(8)
    const text = Array.from({ length }, () => chance.pick(parts)).join(separator)
    if (text.trim() !== '') return text
  }
}

const SIGNS = [
  '',
  '',
  '* ',
  '\\',
  '\\* ',
  '<!-- -->',
  '\\…',
  '## Context',
  '### Consequences',
  '```',
]

function line(): string {
  return (chance.pick(SIGNS) + joined(WORDS, '')).replaceAll('\n', ' ').trim() || 'x'
}

function randomLines(): string[] {
  return Array.from({ length: chance.below(4) }, line)
}

function randomFields(): Omit<WrittenAdr, 'adr_number' | 'superseded_by'> {
  const prose = (): string => joined(LINES, chance.oneIn(12) ? '\r\n' : '\n')
  return {
    title: joined(WORDS, ''),
    status: chance.pick(STATUSES),
    date: chance.oneIn(2) ? null : '2026-02-28',
    decision_makers: randomLines(),
    context: prose(),
    drivers: randomLines(),
    options: [...new Set(randomLines())].map((title) => ({
      title,
      description: chance.oneIn(2) ? null : line(),
      pros: randomLines(),
      neutral: randomLines(),
      cons: randomLines(),
    })),
    decision: prose(),
    consequences: chance.oneIn(4) ? '' : prose(),
  }
}

const fieldsOf = (record: Json): Json =>
  Object.fromEntries(DECISION_FIELDS.map((key) => [key, record[key]]))

const MARKDOWN = { accept: 'text/markdown' }

let app: DirectApp
let project: Json

beforeAll(async () => {
  app = await openApp()
  const client = await created(app, '/clients', { name: newName('Client') })
  project = await created(app, `/clients/${client.id}/projects`, { name: 'Shop' })
})

afterAll(() => app.close())

/** Path of the decisions of a new version. */
async function newLog(): Promise<string> {
  const { id } = await created(app, `/projects/${project.id}/versions`, {})
  return `/versions/${id}/adrs`
}

function sent(path: string, raw: string, type: string = 'text/markdown'): Promise<Answer> {
  return ask(app, 'POST', path, { raw, headers: { 'content-type': type } })
}

async function imported(source: string): Promise<Json> {
  const { status, text, body } = await sent(await newLog(), source)
  expect([status, text]).toEqual([201, text])
  return body
}

test('an exported file is imported with equal fields', async () => {
  const path = await newLog()
  for (let i = 0; i < COUNTS.sent; i += 1) {
    const fields = randomFields()
    const { id } = await created(app, path, fields)
    const { type, text } = await ask(app, 'GET', `${path}/${id}`, { headers: MARKDOWN })
    expect(type).toBe('text/markdown; charset=utf-8')
    const { body } = await sent(path, text)
    expect([text, fieldsOf(body)]).toEqual([text, fields])
  }
  for (let i = 0; i < COUNTS.read; i += 1) {
    const fields = randomFields()
    const adr = { ...fields, status: STATUSES[0], adr_number: 1 + chance.below(20_000) }
    const text = decisionSource({ ...adr, superseded_by: null })
    expect([text, decisionFrom(text)]).toEqual([text, { ...fields, status: STATUSES[0] }])
  }
})

test('a file has the form of MADR, with unescaped headings where possible', async () => {
  const path = await newLog()
  const old = await created(app, path, {
    title: 'Use `pnpm`',
    date: '2026-05-31',
    decision_makers: ['Ann', 'Smith, John'],
    context: 'Why?\n\n## Assumptions\n\n- one',
    drivers: ['Cost'],
    options: [
      { title: 'npm', description: 'Known.', pros: ['it is there'], cons: ['it is slow'] },
      { title: 'pnpm', neutral: ['it is new'] },
      { title: 'yarn' },
    ],
    decision: 'pnpm.\n\n```sh\n## installs\n```',
    consequences: '- Good',
  })
  await created(app, `${path}/${old.id}/supersede`, { ...fieldsOf(old), status: 'accepted' })
  const { text } = await ask(app, 'GET', `${path}/${old.id}`, { headers: MARKDOWN })
  expect(text).toBe(`---
status: superseded by ADR-0002
date: 2026-05-31
decision-makers:
  - Ann
  - "Smith, John"
---

# ADR-0001: Use \\\`pnpm\\\`

## Context and Problem Statement

Why?

## Assumptions

- one

## Decision Drivers

* Cost

## Considered Options

* npm
* pnpm
* yarn

## Decision Outcome

pnpm.

\`\`\`sh
## installs
\`\`\`

### Consequences

- Good

## Pros and Cons of the Options

### npm

Known.

* Good, because it is there
* Bad, because it is slow

### pnpm

* Neutral, because it is new
`)
  const again = await imported(text)
  expect(fieldsOf(again)).toEqual({ ...fieldsOf(old), status: 'superseded' })
  expect(again.superseded_by).toBeNull()
})

test('text that only resembles the format stays in its field', async () => {
  const context = 'C\n\n### Confirmation\n\nBy mail.\n\n````\n```\n## Decision\n````'
  const source = `---\ntitle: 'It''s "so"'\nstatus: superseded by ADR-0013\n---
\n## Context\n\n${context}\n\n## Decision\n\nD\n\n## Consequences\n\nQ\n`
  expect(fieldsOf(await imported(source))).toEqual({
    date: null,
    decision_makers: [],
    drivers: [],
    options: [],
    title: 'It\'s "so"',
    status: 'superseded',
    context: `${context}\n\n## Status\n\nsuperseded by ADR-0013`,
    decision: 'D',
    consequences: 'Q',
  })
})

test('a file that is not a decision is refused with the missing part', async () => {
  const path = await newLog()
  const places = async (source: string): Promise<readonly string[]> => {
    const { status, text, body } = await sent(path, source)
    expect([source, status, text]).toEqual([source, 422, text])
    return body.detail.map(({ loc, msg }: Json) => `${loc.join('.')}: ${msg}`)
  }
  expect(await places('# T\n\n## Context\n\nC\n\n## Decision\n\n## Consequences\n\nQ')).toEqual([
    'body.decision: The section `## Decision Outcome` (or `## Decision`) is missing',
  ])
  expect(await places('Nothing')).toHaveLength(3)
  expect(await places('')).toEqual(['body: A body is needed'])
  const rest = '## Context\n\nC\n\n## Decision\n\nD\n\n## Consequences\n\nQ'
  expect(await places(`# T\n\nStatus: on hold\n\n${rest}`)).toEqual([
    expect.stringMatching(/^body\.status: The status must be one of proposed, accepted/),
  ])
  expect((await places(`# ${'t'.repeat(256)}\n\n${rest}`))[0]).toMatch(/^body\.title: /)
  expect(await places('\n'.repeat(50_000))).toEqual(['body: must have at most 50000 lines'])
  expect((await sent(path, '# T', 'text/plain')).status).toBe(415)
  expect((await sent(path, '# T', 'text/markdown; charset=latin1')).status).toBe(415)
  expect((await sent(path, 'x'.repeat(1_048_577))).status).toBe(413)
  expect((await ask(app, 'GET', path)).body).toEqual([])
})

test('a log lists the decisions and contains each in full, with lowered headings', async () => {
  const path = await newLog()
  const empty = await ask(app, 'GET', path, { headers: MARKDOWN })
  expect(empty.text).toMatch(/^# Shop \d+\.\d+\.0: decisions\n\nNone is recorded\.\n$/)
  const texts = {
    context: '# C\n\n```\n# code\n```',
    decision: 'D\n```',
    consequences: 'Q\n\n#### Deep',
  }
  const old = await created(app, path, { title: 'Old | *one*', ...texts })
  const more = {
    date: '2026-05-31',
    decision_makers: ['Ann', 'Bob'],
    drivers: ['Cost'],
    options: [{ title: 'One', description: 'Known', cons: ['old'] }],
  }
  await created(app, `${path}/${old.id}/supersede`, { title: 'New', ...texts, ...more })
  const { type, text } = await ask(app, 'GET', path, { headers: MARKDOWN })
  expect(type).toBe('text/markdown; charset=utf-8')
  const today = old.updated_at.slice(0, 4)
  expect(text).toContain(`| ADR-0001 | Old \\| \\*one\\* | superseded by ADR-0002 | ${today}`)
  expect(text.match(/^#+ .*$/gm)?.slice(1)).toEqual(
    ['ADR-0001: Old | \\*one\\*', 'ADR-0002: New'].flatMap((name, i) => [
      `## ${name}`,
      '### Context and Problem Statement',
      '#### C',
      '# code',
      ...(i === 0 ? [] : ['### Decision Drivers', '### Considered Options']),
      '### Decision Outcome',
      '### Consequences',
      '###### Deep',
    ]),
  )
  expect(text.match(/^\\```$/gm)).toHaveLength(2)
  expect(text).toContain('Date: 2026-05-31\n\nDecision makers: Ann, Bob\n\n')
  expect(text).toContain('- One: Known\n  - Bad, because old\n')
  const proposed = await ask(app, 'GET', `${path}?status=proposed`, { headers: MARKDOWN })
  expect(proposed.text.match(/^## .*$/gm)).toEqual(['## ADR-0002: New'])
})

test('the answer is JSON unless the request prefers Markdown', async () => {
  const path = await newLog()
  const texts = { context: 'C', decision: 'D', consequences: 'Q' }
  const { id } = await created(app, path, { title: 'T', ...texts })
  for (const [accept, type] of [
    ['*/*', 'application/json'],
    ['application/json, text/markdown;q=0.9', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['text/markdown, application/json;q=0.9', 'text/markdown; charset=utf-8'],
  ] as const) {
    for (const one of [path, `${path}/${id}`]) {
      const answer = await ask(app, 'GET', one, { headers: { accept } })
      expect([accept, answer.type]).toEqual([accept, type])
    }
  }
  const { body } = await ask(app, 'GET', '/openapi.json')
  const { get, post } = body.paths['/api/v1/versions/{version_id}/adrs']
  for (const { content } of [get.responses[200], post.requestBody]) {
    expect(Object.keys(content)).toEqual(['application/json', 'text/markdown'])
  }
})
