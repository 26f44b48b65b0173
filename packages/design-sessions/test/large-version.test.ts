// Goal: a version may hold more than fits into memory or into a document: lists still give all of
// it, and what cannot be made of it is refused by a name. Method: a version with ten megabytes of
// decisions, asked for everything that reads a whole version.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Json, type Session, ask, created, newSession } from './ask.ts'
import { described } from './described.ts'
import { type ServiceProcess, dataDirectory, startService } from './service-process.ts'
import { PATIENCE_MS } from './patience.ts'

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS })

const DECISIONS = 30
const PROSE = 'x'.repeat(100_000)

const directory = dataDirectory()
let running: ServiceProcess
let service: Awaited<ReturnType<typeof described>>
let session: Session

beforeAll(async () => {
  running = await startService({
    DATA_DIR: directory.path,
    KNOWLEDGE_DIR: directory.emptyLibrary,
  })
  service = await described(running)
  session = await newSession(service)
  for (let i = 1; i <= DECISIONS; i++) {
    const texts = { context: PROSE, decision: PROSE, consequences: PROSE }
    await created(service, `${session.path}/adrs`, { title: `Decision ${i}`, ...texts })
  }
})

afterAll(async () => {
  await (running as ServiceProcess | undefined)?.stop()
  directory.remove()
})

const ALL = Array.from({ length: DECISIONS }, (_, i) => i + 1)
const numbersOf = (adrs: Json): number[] => adrs.map((adr: Json) => adr.adr_number)

test('a list is whole, however long; its pages have no more than a few megabytes', async () => {
  const whole = await ask(service, 'GET', `${session.path}/adrs`)
  expect(numbersOf(whole.body)).toEqual(ALL)
  expect(whole.text.length).toBeGreaterThan(DECISIONS * 300_000)
  const pages: Json[][] = []
  let path: string | undefined = `${session.path}/adrs?limit=1000`
  while (path !== undefined) {
    const page = await ask(service, 'GET', path)
    expect(page.text.length).toBeLessThan(4_000_000)
    pages.push(page.body)
    const [, next] = /^<\/api\/v1(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? []
    path = next
  }
  expect(pages.length).toBeGreaterThan(3)
  expect(numbersOf(pages.flat())).toEqual(ALL)
})

test('a record that is larger than a page comes alone', async () => {
  const { path } = await newSession(service)
  const names = ['a', 'b', 'c']
  for (const name of names) {
    await created(service, `${path}/inventory`, { name, data: '€'.repeat(300_000) })
  }
  const { body } = await ask(service, 'GET', `${path}/inventory`)
  expect(body.map((item: Json) => item.name)).toEqual(names)
  expect((await ask(service, 'GET', `${path}/inventory?limit=3`)).body).toHaveLength(2)
})

const TOO_LARGE = /^Version holds 8\.\d MiB of text; this takes \d MiB$/

test('what reads a version as a whole refuses it with both sizes', async () => {
  const { path, version } = session
  const report = await created(service, `${path}/artifacts`, {
    name: 'Report',
    artifact_type: 'pdf_report',
  })
  const json = { template_name: 'design-document', version_id: version.id }
  const answers = [
    await ask(service, 'GET', `${path}/artifacts/${report.id}/export-pdf`),
    await ask(service, 'POST', '/templates/render', { json }),
    await ask(service, 'GET', `${path}/workflow`),
    await ask(service, 'GET', `${path}/coverage/gate`),
    await ask(service, 'GET', `${path}/diff?against=${version.id}`),
  ]
  for (const { status, body } of answers) {
    expect([status, body.detail]).toEqual([409, expect.stringMatching(TOO_LARGE)])
  }
  const rendered = await ask(service, 'POST', `${path}/artifacts/${report.id}/render`)
  expect(rendered.body).toMatchObject({
    render_status: 'error',
    render_error: expect.stringMatching(TOO_LARGE),
  })
})

test('a tool answers with no more than a few megabytes', async () => {
  const call = { name: 'list_adrs', arguments: { version_id: session.version.id } }
  const { body } = await ask(service, 'POST', 'mcp', {
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    headers: { accept: 'application/json, text/event-stream' },
  })
  expect(body.result.isError).toBe(true)
  expect(body.result.content[0].text).toMatch(/^More than 4194304 bytes/)
})

test('nothing of all that was an error of the service', () => {
  expect(running.output()).not.toMatch(/"level":"(?:error|fatal)"/)
})
