// Goal: a preview says what a source draws, or which lines are wrong, within its limits, and stores
// nothing. Method: a real service; the function itself with a source that never ends.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { previewOf } from '../src/rendering/preview.ts'
import { type Answer, type Json, NO_ID, type Place, ask, newSession } from './ask.ts'
import { described } from './described.ts'
import { PATIENT, TestRenderer } from './renderer.ts'
import { hang } from './rendering/hostile-sources.ts'
import { useService } from './service.ts'

const service = useService()
const renderer = new TestRenderer({ ...PATIENT, children: 1 })

let place: Place

beforeAll(async () => {
  place = await described(service)
})

afterAll(() => renderer.close())

function previews(path: string, engine: string, source_code: string): Promise<Answer> {
  return ask(place, 'POST', `${path}/artifacts/preview`, { json: { engine, source_code } })
}

test('a preview is drawn and not stored; faults name their lines', async () => {
  const { path } = await newSession(service)
  const { status, body: drawn } = await previews(path, 'graphviz', 'digraph { shop -> store }')
  expect([status, drawn.pages, drawn.faults]).toEqual([200, 1, []])
  expect(drawn.svg).toContain('shop')
  expect((await ask(service, 'GET', `${path}/artifacts`)).body).toEqual([])
  const faults = async (engine: string, source: string): Promise<Json> =>
    (await previews(path, engine, source)).body.faults
  expect(await faults('graphviz', 'digraph {\n a -> \n}')).toEqual([
    { line: 3, message: "syntax error in line 3 near '}'" },
  ])
  expect(await faults('graphviz', '// later')).toMatchObject([
    { line: null, message: expect.stringMatching(/^The source holds no graph/) },
  ])
  expect(await faults('diagrams_py', 'from diagrams import Diagram\n\nFoo("a")')).toEqual([
    { line: 3, message: 'Foo has no value' },
  ])
  // By day mermaid-svg.test.ts notices a fault without its line.
  if (!IS_NIGHT) return
  const [mermaid, ...others] = await faults('mermaid', 'flowchart LR\n a --> b\n c -->')
  expect([mermaid.line, mermaid.message, others]).toEqual([3, expect.stringMatching(/got/), []])
  expect(await faults('mermaid', 'nonsense')).toMatchObject([{ line: null }])
})

test('a preview is of a version, and of an engine of diagrams', async () => {
  const { path } = await newSession(service)
  expect((await previews(`/versions/${NO_ID}`, 'd2', 'a')).status).toBe(404)
  expect((await previews(path, 'markdown', 'a')).status).toBe(422)
})

test('a source that never ends is given up; one that is not wanted ends at once', async () => {
  const namedFiles = { ofVersion: async () => ({}), ofClient: async () => ({}) }
  const request = { versionId: NO_ID, engine: 'graphviz', source: hang() } as const
  const wanted = new AbortController()
  const given = await previewOf({ renderer, namedFiles, limitMs: 50 }, request, wanted.signal)
  expect(given).toEqual({
    svg: null,
    pages: 0,
    notes: [],
    faults: [{ line: null, message: 'The preview takes longer than 0.05 s: save it to draw it.' }],
  })
  const unwanted = previewOf({ renderer, namedFiles }, request, wanted.signal)
  wanted.abort()
  await expect(unwanted).rejects.toMatchObject({ code: 'ERR_RENDER_CLOSED' })
})
