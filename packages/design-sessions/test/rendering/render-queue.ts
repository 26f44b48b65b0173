// Goal: renders of all engines run side by side, and their results are outputs. Method: a real
// service, requests at once.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { beforeAll, expect, test } from 'vitest'
import {
  type Answer,
  type Json,
  type Session,
  ask,
  created,
  newSession,
  renderedAt,
  settled as settledAt,
  uploaded,
} from '../ask.ts'
import { useService } from '../service.ts'

const service = useService()
let session: Session

beforeAll(async () => {
  session = await newSession(service)
})

function diagram(values: object): Promise<Json> {
  const plain = { name: 'Diagram', artifact_type: 'diagram', engine: 'graphviz' }
  return created(service, `${session.path}/artifacts`, { ...plain, ...values })
}

function place({ id }: Json): string {
  return `${session.path}/artifacts/${id}`
}

function render(artifact: Json, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return ask(service, 'POST', `${place(artifact)}/render`, { headers })
}

/** Asks again where a busy machine renders longer than a request waits. */
async function waited(artifact: Json): Promise<Answer> {
  const answer = await render(artifact)
  return answer.body.render_status === 'rendering' ? waited(artifact) : answer
}

function settled(artifact: Json): Promise<Json> {
  return settledAt(service, place(artifact))
}

const async = { prefer: 'respond-async' }

// By day engines.test.ts draws by each engine, and limits.test.ts draws side by side.
test.runIf(IS_NIGHT)('ten renders at once, of four engines, succeed', async () => {
  const drawing = 'with Diagram("All ten", show=False):\n    Node("a")'
  const python = `from diagrams import Diagram, Node\n${drawing}`
  // Each process loads an engine when it first needs it: D2 and Mermaid take longest.
  const sources = [
    { engine: 'd2', source_code: 'a -> b -> c' },
    { engine: 'mermaid', source_code: 'flowchart LR\n a --> b' },
    ...[1, 2, 3, 4].map((i) => ({ engine: 'graphviz', source_code: `digraph { a -> b${i} }` })),
    ...[1, 2, 3, 4].map(() => ({ engine: 'diagrams_py', source_code: python })),
  ]
  const artifacts = await Promise.all(sources.map(diagram))
  const answers = await Promise.all(artifacts.map((artifact) => render(artifact, async)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  const done = await Promise.all(artifacts.map(settled))
  expect(done.map(({ render_status, render_error }) => render_error ?? render_status)).toEqual(
    Array<string>(10).fill('success'),
  )
  expect(done[9].output_paths).toEqual(['all_ten.svg', 'all_ten.png'])
})

test('`respond-async` answers `rendering`; later requests wait for the same render', async () => {
  const artifact = await diagram({ source_code: 'digraph { a }' })
  const answer = await render(artifact, async)
  expect(answer.status).toBe(202)
  expect(answer.headers.get('preference-applied')).toBe('respond-async')
  expect(['rendering', 'success']).toContain(answer.body.render_status)
  const both = await Promise.all([waited(artifact), waited(artifact)])
  expect(both.map(({ body }) => body.render_status)).toEqual(['success', 'success'])
})

test('uploads are drawn by name; what is missing is said beside the picture', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9"/></svg>'
  await uploaded(service, session.path, 'bank.svg', { content: svg })
  const source_code = 'digraph { a [image="./img/bank.svg"]; b [image="none.png"] }'
  const artifact = await diagram({ source_code })
  await render(artifact)
  expect(await settled(artifact)).toMatchObject({
    render_status: 'success',
    render_error: 'none.png is not drawn: this version has no such upload',
  })
  const content = new Uint8Array(6 * 1_048_576)
  await uploaded(service, session.path, 'large.png', { content })
  const large = await diagram({ source_code: 'digraph { a [image="large.png"] }' })
  await render(large)
  expect(await settled(large)).toMatchObject({
    render_status: 'error',
    render_error: expect.stringMatching(/^large\.png has 6 MiB; a picture has at most 5 MiB/),
  })
})

/** The SVG that a page or a picture embeds. */
function picturesIn(text: string): string[] {
  return Array.from(text.matchAll(/"data:image\/svg\+xml;base64,([^"]+)"/g), ([, data]) =>
    Buffer.from(data, 'base64').toString(),
  )
}

test('documents show uploads and data, a report the logo of its client', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="9"/></svg>'
  await uploaded(service, session.path, 'our logo.svg', { content: svg })
  const data = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  const fence = '```dot\ndigraph { a [image="our logo.svg"] }\n```'
  const images = ['./our%20logo.svg', data, '../../etc/passwd'].map(
    (at, i) => `![${'abc'[i]}](${at})`,
  )
  const source_code = [...images, fence].join('\n\n')
  const page = await created(service, `${session.path}/artifacts`, {
    name: 'Page',
    artifact_type: 'document',
    source_code,
  })
  const missing = '../../etc/passwd is not drawn: this version has no such upload'
  expect((await renderedAt(service, place(page))).render_error).toBe(missing)
  const { text } = await ask(service, 'GET', `${place(page)}/outputs/document.html`)
  const shown = picturesIn(text)
  expect(shown).toHaveLength(3)
  expect(picturesIn(shown[2]).join()).toContain('<rect width="9"')
  expect(text).toContain('[picture: c]')
  const report = await created(service, `${session.path}/artifacts`, {
    name: 'Report',
    artifact_type: 'pdf_report',
  })
  const client = `/clients/${session.client.id}`
  const sizes: number[] = []
  for (const logo_path of [null, 'our logo.svg', data]) {
    const { status } = await ask(service, 'PATCH', client, { json: { logo_path } })
    expect(status).toBe(200)
    const { render_error: error } = await renderedAt(service, place(report))
    expect(error).toContain(missing)
    expect(error).not.toContain('logo')
    const pdf = await ask(service, 'GET', `${place(report)}/outputs/report.pdf`)
    sizes.push(pdf.text.length)
  }
  expect(Math.min(sizes[1], sizes[2])).toBeGreaterThan(sizes[0])
  for (const logo_path of [
    '../../etc/passwd',
    '/etc/passwd',
    'logos/our logo.svg',
    String.raw`C:\logo.svg`,
    'http://127.0.0.1/logo.svg',
    'file:logo.svg',
    'data:text/html,logo',
  ]) {
    const refused = await ask(service, 'PATCH', client, { json: { logo_path } })
    expect([logo_path, refused.status]).toEqual([logo_path, 422])
    expect(refused.text).toContain('must be the name of an upload')
  }
})

// By day a row of the contract notices a further output that is lost.
test.runIf(IS_NIGHT)('layers of a D2 source are further outputs', async () => {
  const source_code = 'a -> b\nlayers: {inside: {c -> d}}'
  const artifact = await diagram({ engine: 'd2', source_code })
  await render(artifact)
  const { output_paths: paths } = await settled(artifact)
  expect(paths).toEqual(['diagram.svg', 'diagram-inside.svg'])
  const png = `${place(artifact)}/outputs/diagram-inside.png`
  expect((await ask(service, 'GET', png)).status).toBe(200)
})

test('removing an artifact removes its files', async () => {
  const artifact = await diagram({ source_code: 'digraph { a }' })
  const file = `${place(artifact)}/outputs/diagram.svg`
  await render(artifact)
  expect((await ask(service, 'GET', file)).status).toBe(200)
  expect((await ask(service, 'DELETE', place(artifact))).status).toBe(204)
  expect((await ask(service, 'GET', file)).status).toBe(404)
})
