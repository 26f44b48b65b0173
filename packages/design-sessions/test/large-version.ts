// Goal: lists of a version that exceeds memory and document limits are complete, and everything
// that reads a whole version refuses it. Method: a version with ten megabytes of decisions.
import { beforeAll, expect, test } from 'vitest'
import { type Json, type Place, type Session, ask, created, newSession, renderedAt } from './ask.ts'
import { described } from './described.ts'
import { useService } from './service.ts'

const DECISIONS = 30
const PROSE = 'x'.repeat(100_000)

const running = useService()
let service: Place
let session: Session

beforeAll(async () => {
  service = await described(running)
  session = await newSession(service)
  for (let i = 1; i <= DECISIONS; i++) {
    const texts = { context: PROSE, decision: PROSE, consequences: PROSE }
    await created(service, `${session.path}/adrs`, { title: `Decision ${i}`, ...texts })
  }
})

const ALL = Array.from({ length: DECISIONS }, (_, i) => i + 1)
const numbersOf = (adrs: Json): number[] => adrs.map((adr: Json) => adr.adr_number)

test('a long list is complete, and its pages have a few megabytes at most', async () => {
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

test('a record larger than a page is a page of its own', async () => {
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

test('reading a version that is too large is refused with both sizes', async () => {
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
  expect(await renderedAt(service, `${path}/artifacts/${report.id}`)).toMatchObject({
    render_status: 'error',
    render_error: expect.stringMatching(TOO_LARGE),
  })
})

test('the answer of a tool has a few megabytes at most', async () => {
  const call = { name: 'list_adrs', arguments: { version_id: session.version.id } }
  const { body } = await ask(service, 'POST', 'mcp', {
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    headers: { accept: 'application/json, text/event-stream' },
  })
  expect(body.result.isError).toBe(true)
  expect(body.result.content[0].text).toMatch(/^More than 4194304 bytes/)
})

test('no answer was an error of the service', () => {
  expect(running.output()).not.toMatch(/"level":"(?:error|fatal)"/)
})
