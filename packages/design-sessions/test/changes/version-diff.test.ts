// Goal: a diff contains every difference between two versions and nothing else, reports sources
// that are too long to compare, and its Markdown shows the texts of users unchanged. Method: two
// versions of a project, cloned and changed, through the app in process.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { markdownTree, textOf } from '../../src/markdown/markdown-tree.ts'
import { type Answer, type Json, NO_ID, ask, created, fileForm, newName } from '../ask.ts'
import { type DirectApp, openApp } from '../direct-app.ts'

const KINDS = ['decisions', 'questions', 'artifacts', 'coverage', 'inventory', 'uploads']
const SOURCE_BYTES = 262_144

let app: DirectApp
let project: Json
/** Paths of two versions, the second cloned from the first. */
let before: string
let after: string

beforeAll(async () => {
  app = await openApp()
})

afterAll(() => app.close())

async function newVersion(number: string): Promise<string> {
  const { id } = await created(app, `/projects/${project.id}/versions`, { version_number: number })
  return `/versions/${id}`
}

async function newProject(): Promise<Json> {
  const client = await created(app, '/clients', { name: newName('Client') })
  return created(app, `/clients/${client.id}/projects`, { name: 'P' })
}

const idOf = (path: string): string => path.split('/')[2]

beforeEach(async () => {
  project = await newProject()
  before = await newVersion('1.2.0')
  after = await newVersion('1.10.0')
})

const adr = (title: string, fields: object = {}): object => ({
  title,
  context: 'Why',
  decision: 'What',
  consequences: 'And so',
  ...fields,
})

const diagram = (source_code: string): object => ({
  name: 'Plan',
  artifact_type: 'diagram',
  engine: 'graphviz',
  source_code,
})

async function clone(): Promise<void> {
  const body = { target_version_id: idOf(after) }
  expect((await ask(app, 'POST', `${before}/artifacts/clone`, { json: body })).status).toBe(201)
}

async function first(path: string): Promise<Json> {
  return (await ask(app, 'GET', path)).body[0]
}

async function change(path: string, json: object): Promise<void> {
  const { id } = await first(path)
  expect((await ask(app, 'PATCH', `${path}/${id}`, { json })).status).toBe(200)
}

async function upload(path: string, name: string, text: string): Promise<void> {
  const raw = fileForm(name, text, 'text/plain')
  expect((await ask(app, 'POST', `${path}/uploads`, { raw })).status).toBe(201)
}

async function diff(query: string = ''): Promise<Json> {
  const { status, text, body } = await ask(app, 'GET', `${after}/diff${query}`)
  expect([status, text]).toEqual([200, text])
  return body
}

const report = (query: string = ''): Promise<Answer> =>
  ask(app, 'GET', `${after}/diff${query}`, { headers: { accept: 'text/markdown' } })

test('the previous version by number is the default; without one it is 404', async () => {
  const between = await newVersion('1.9.0')
  expect((await diff()).against.id).toBe(idOf(between))
  expect((await diff(`?against=${idOf(before)}`)).against.version_number).toBe('1.2.0')
  expect((await diff(`?against=${idOf(after)}`)).version.version_number).toBe('1.10.0')
  const none = await ask(app, 'GET', `${before}/diff`)
  const detail = 'The project has no version before 1.2.0; name another one with `against`'
  expect([none.status, none.body]).toEqual([404, { detail }])
  const missing = await ask(app, 'GET', `${after}/diff?against=${NO_ID}`)
  const unknown = { detail: 'Version to compare with not found' }
  expect([missing.status, missing.body]).toEqual([404, unknown])
  expect((await ask(app, 'GET', `/versions/${NO_ID}/diff`)).body.detail).toBe('Version not found')
  project = await newProject()
  const foreign = await newVersion('1.0.0')
  const refused = await ask(app, 'GET', `${after}/diff?against=${idOf(foreign)}`)
  expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['query', 'against']])
})

test('a clone has no differences in cloned records, whatever their links', async () => {
  const old = await created(app, `${before}/adrs`, adr('Old'))
  await created(app, `${before}/adrs/${old.id}/supersede`, adr('New'))
  await created(app, `${before}/questions`, { question_text: 'Who?' })
  await created(app, `${before}/questions`, { question_text: 'Who?' })
  const plan = await created(app, `${before}/artifacts`, diagram('digraph { a }'))
  const source_code = `![Plan](artifact:${plan.id})`
  await created(app, `${before}/artifacts`, { name: 'D', artifact_type: 'document', source_code })
  await created(app, `${before}/inventory`, { name: 'Servers', data: '1,2' })
  await clone()
  const { version, against, scope, summary, ...kinds } = await diff()
  expect(scope).toEqual([])
  expect([version.id, against.id]).toEqual([idOf(after), idOf(before)])
  expect(Object.keys(kinds)).toEqual(KINDS)
  for (const kind of KINDS) expect(kinds[kind]).toEqual({ added: [], removed: [], changed: [] })
  const unchanged = KINDS.map((kind) => summary[kind].unchanged)
  expect(unchanged).toEqual([2, 2, 2, 0, 1, 0])
  expect(markdownTree((await report()).text).headings.map(({ level }) => level)).toEqual([1])
})

test('what the versions are designed for is compared, and each fact', async () => {
  const facts = { tenants: 'one', stage: 'first' }
  expect((await ask(app, 'PUT', `${before}/facts`, { json: facts })).status).toBe(200)
  const changed = { tenants: 'several', stage: 'first', load: 'high' }
  expect((await ask(app, 'PUT', `${after}/facts`, { json: changed })).status).toBe(200)
  const own = { description: 'A shop', cloud_providers: ['aws', 'azure'] }
  const itself = `/projects/${project.id}${after}`
  expect((await ask(app, 'PATCH', itself, { json: own })).status).toBe(200)
  expect((await diff()).scope).toEqual([
    { field: 'description', from: null, to: 'A shop' },
    { field: 'cloud_providers', from: '', to: 'aws, azure' },
    { field: 'tenants', from: 'one', to: 'several' },
    { field: 'load', from: null, to: 'high' },
  ])
  const { text } = await report()
  expect(text).toContain('## Version\n')
  expect(text).toContain('| tenants | one | several |')
})

test('each kind lists what was added, removed and changed, field by field', async () => {
  await created(app, `${before}/adrs`, adr('Store', { status: 'accepted' }))
  await created(app, `${before}/questions`, { question_text: 'Who?' })
  await created(app, `${before}/artifacts`, diagram('digraph {\n  a -> b\n}\n'))
  await created(app, `${before}/inventory`, { name: 'Servers', data: '1,2' })
  await clone()
  const item = { knowledge_file: 'general/tls.md', priority: 'critical' }
  await created(app, `${before}/coverage`, { ...item, item_text: '**[Critical]** Is _TLS_ on?' })
  const asked = await first(`${after}/questions`)
  const settled = { status: 'addressed', reason: 'R', question_id: asked.id }
  await created(app, `${after}/coverage`, { ...item, item_text: 'is TLS on', ...settled })
  await upload(before, 'list.txt', 'one')
  await upload(after, 'list.txt', 'three')
  await upload(after, 'same.txt', 'x')
  const lists = { decision_makers: ['A', 'B'], drivers: ['Cost'], options: [{ title: 'One' }] }
  await change(`${after}/adrs`, { title: 'Stores', decision: 'Two', ...lists })
  await created(app, `${after}/adrs`, adr('Change'))
  await change(`${after}/questions`, { answer_text: 'All', status: 'answered' })
  await change(`${after}/artifacts`, { source_code: 'digraph {\n  a -> c\n}\n', sort_order: 2 })
  await change(`${after}/inventory`, { data: '1,3' })
  await created(app, `${after}/inventory`, { name: 'Networks', data: '' })
  const { summary, decisions, questions, artifacts, coverage, inventory, uploads } = await diff()
  expect(summary.decisions).toEqual({ added: 1, removed: 0, changed: 1, unchanged: 0 })
  expect(decisions.added).toMatchObject([{ adr_number: 2, title: 'Change', status: 'proposed' }])
  expect(decisions.changed[0]).toMatchObject({
    record: { adr_number: 1, title: 'Stores' },
    changes: [
      { field: 'title', from: 'Store', to: 'Stores' },
      { field: 'decision', from: 'What', to: 'Two' },
      { field: 'decision_makers', from: '', to: 'A, B' },
      { field: 'drivers', from: '', to: 'Cost' },
      { field: 'options', from: null, to: expect.stringContaining('"title": "One"') },
    ],
  })
  expect(questions.changed[0].changes).toEqual([
    { field: 'answer_text', from: null, to: 'All' },
    { field: 'status', from: 'open', to: 'answered' },
  ])
  const [order, source] = artifacts.changed[0].changes
  expect(order).toEqual({ field: 'sort_order', from: 0, to: 2 })
  expect(source.diff).toBe('@@ -1,3 +1,3 @@\n digraph {\n-  a -> b\n+  a -> c\n }\n')
  expect(coverage.changed[0].changes).toEqual([
    { field: 'status', from: 'pending', to: 'addressed' },
    { field: 'reason', from: null, to: 'R' },
    { field: 'question', from: null, to: 'Who?' },
  ])
  expect(coverage.added.concat(coverage.removed)).toEqual([])
  expect(JSON.stringify(inventory)).not.toContain('1,3')
  expect(inventory.changed[0].changes).toMatchObject([{ field: 'data' }])
  expect(inventory.added).toMatchObject([{ name: 'Networks' }])
  expect(uploads.changed[0].changes).toEqual([{ field: 'file_size', from: 3, to: 5 }])
  expect(uploads.added).toMatchObject([{ original_filename: 'same.txt', file_size: 1 }])
  const back = (await ask(app, 'GET', `${before}/diff?against=${idOf(after)}`)).body
  expect(back.summary.decisions).toEqual({ added: 0, removed: 1, changed: 1, unchanged: 0 })
  expect(back.decisions.removed[0].title).toBe('Change')
})

test('decisions that a clone renumbered are matched by their titles', async () => {
  await created(app, `${before}/adrs`, adr('A'))
  await created(app, `${before}/adrs`, adr('B'))
  await created(app, `${after}/adrs`, adr('Change'))
  await clone()
  const { decisions } = await diff()
  expect(decisions.added.map(({ title }: Json) => title)).toEqual(['Change'])
  expect(decisions.removed).toEqual([])
  expect(decisions.changed.map(({ changes }: Json) => changes)).toEqual([
    [{ field: 'adr_number', from: 1, to: 2 }],
    [{ field: 'adr_number', from: 2, to: 3 }],
  ])
})

test('equal records are compared in their order', async () => {
  const { id } = await created(app, `${before}/questions`, { question_text: 'Who?' })
  await created(app, `${before}/questions`, { question_text: 'Who?' })
  await created(app, `${before}/artifacts`, { name: 'D', artifact_type: 'document' })
  await clone()
  await change(`${after}/questions`, { answer_text: 'We' })
  await change(`${after}/artifacts`, { source_code: '' })
  await upload(before, 'list.txt', 'one')
  await upload(before, 'list.txt', 'three')
  await upload(after, 'list.txt', 'three')
  const { questions, artifacts, uploads } = await diff()
  expect(questions.changed).toMatchObject([{ against_id: id, changes: [{ field: 'answer_text' }] }])
  expect(artifacts.changed[0].changes).toMatchObject([{ field: 'source_code', from: null }])
  expect(uploads).toMatchObject({ added: [], removed: [{ file_size: 3 }], changed: [] })
})

/** Diffs of artifacts that are in both versions, each a line longer in the second. */
async function longerSources(count: number, source: string, line: string): Promise<Json[]> {
  for (let sort_order = 0; sort_order < count; sort_order++) {
    const fields = { name: `S${sort_order}`, artifact_type: 'document', sort_order }
    await created(app, `${before}/artifacts`, { ...fields, source_code: source })
    await created(app, `${after}/artifacts`, { ...fields, source_code: `${source}${line}\n` })
  }
  const { artifacts } = await diff()
  return artifacts.changed.map(({ changes }: Json) => changes[0].diff)
}

test.each([
  ['eight megabytes of sources', 17, `${'a'.repeat(1023)}\n`.repeat(250), 'b'],
  ['a million characters of comparisons', 34, '', 'b'.repeat(32_000)],
])('no more than %s are compared', async (_, count, source, line) => {
  const diffs = await longerSources(count, source, line)
  expect(diffs).toHaveLength(count)
  // One that a busy machine interrupts beyond its 35 ms has none.
  expect(diffs.find((diff) => diff !== null)).toContain(`+${line}`)
  expect(diffs.at(-1)).toBeNull()
})

test('sources too different have no diff; long texts are cut at the difference', async () => {
  const lines = (word: string, count: number): string =>
    Array.from({ length: count }, (_, i) => `${word}${i}`).join('\n')
  const sources = [
    ['a\n'.repeat(SOURCE_BYTES / 2), 'b\n'.repeat(SOURCE_BYTES / 2)],
    ['a'.repeat(SOURCE_BYTES), 'b'.repeat(SOURCE_BYTES)],
    [lines('a', 2000), lines('b', 2000)],
    [lines('a', 2000), lines('a', 2001)],
  ]
  for (const [i, pair] of sources.entries()) {
    for (const [j, path] of [before, after].entries()) {
      const fields = { name: `S${i}`, artifact_type: 'document', source_code: pair[j] }
      await created(app, `${path}/artifacts`, fields)
    }
  }
  const context = 'x'.repeat(50_000)
  await created(app, `${before}/adrs`, adr('Long', { context: `${context}1` }))
  await created(app, `${after}/adrs`, adr('Long', { context: `${context}2` }))
  await created(app, `${before}/adrs`, adr('Early', { context: `1${context}` }))
  await created(app, `${after}/adrs`, adr('Early', { context: `2${context}` }))
  const { artifacts, decisions } = await diff()
  const diffs = artifacts.changed.map(({ changes }: Json) => changes[0].diff)
  expect(diffs.slice(0, 3)).toEqual([null, null, null])
  expect(diffs[3]).toContain('+a2000')
  const [{ from, to }] = decisions.changed[0].changes
  expect([from.length, from.at(-1), to.at(-1)]).toEqual([202, '1', '2'])
  const [early] = decisions.changed[1].changes
  expect([early.from.length, early.from[0], early.from.at(-1)]).toEqual([2001, '1', '…'])
  expect((await report()).text.match(/too different to be shown/g)).toHaveLength(3)
})

test('a report shows names and texts unchanged, never as Markdown', async () => {
  const hostile = '# H [l](http://e.vil) <b> | `c` ![p](artifact:x) ```` *e*'
  await created(app, `${before}/adrs`, adr('Plain'))
  await created(app, `${before}/artifacts`, diagram('digraph {\n````\n}\n'))
  await clone()
  await created(app, `${after}/adrs`, adr(hostile))
  await created(app, `${after}/questions`, { question_text: `${hostile}\n\n## Q` })
  await created(app, `${after}/questions`, { question_text: 'x'.repeat(1000) })
  const item = { knowledge_file: 'general/tls.md', item_text: 'On?', priority: 'critical' }
  await created(app, `${before}/coverage`, item)
  await change(`${after}/adrs`, { title: hostile, context: `Why\n\n\`\`\`\n${hostile}` })
  await change(`${after}/artifacts`, { source_code: `digraph {\n\`\`\`\`\n${hostile}\n}\n` })
  const { type, text } = await report()
  expect(type).toBe('text/markdown; charset=utf-8')
  expect((await ask(app, 'GET', `${after}/diff?format=markdown`)).text).toBe(text)
  const { root, headings } = markdownTree(text)
  expect(headings.map(({ level, text }) => `${level} ${text}`)).toEqual([
    '1 Changes from 1.2.0 to 1.10.0',
    '2 Decisions',
    '3 Added',
    '3 Changed',
    `4 ADR-001: ${hostile} (proposed)`,
    '2 Questions',
    '3 Added',
    '2 Artifacts',
    '3 Changed',
    '4 Plan (diagram, conceptual, graphviz)',
    '2 Coverage',
    '3 Removed',
  ])
  expect(textOf(root).split(hostile)).toHaveLength(7)
  expect(text).toContain(`\n- ${'x'.repeat(300)}… (`)
  expect(text).toContain('\n- general/tls.md: On? (Critical, pending)\n')
  expect(JSON.stringify(root)).not.toMatch(/"tagName":"(?:img|b|em)"/)
})
