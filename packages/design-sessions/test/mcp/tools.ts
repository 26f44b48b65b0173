// Goal: the tools do what the API does, with the same answers and refusals. Method: a real service
// with a token, called by the client of the SDK over HTTP.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, NO_ID, ask, newName } from '../ask.ts'
import { ORIGIN, environment, headers, service } from '../door.ts'
import { knowledgeFile, writeFiles } from '../indexing/fixture.ts'

writeFiles(environment.KNOWLEDGE_DIR, {
  'general/security.md': knowledgeFile(
    'Security',
    Array.from(
      { length: 60 },
      (_, i) => `Is door ${i} of the vault locked at night, and who has the key?`,
    ),
  ),
})
let client: Client

beforeAll(async () => {
  client = await connected(headers)
})

afterAll(async () => {
  await (client as Client | undefined)?.close()
})

async function connected(headers: Record<string, string>): Promise<Client> {
  const made = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers },
  })
  // The SDK declares optional properties without `undefined`, and sets it.
  await made.connect(transport)
  return made
}

interface ToolResult {
  readonly failed: boolean
  readonly content: Json
  /** text of the first part, if any */
  readonly text: string
}

async function call(name: string, given: Record<string, unknown> = {}): Promise<ToolResult> {
  const { content, isError = false }: Json = await client.callTool({ name, arguments: given })
  return { failed: isError, content, text: content[0].text }
}

async function made(name: string, given: Record<string, unknown>): Promise<Json> {
  const { failed, text } = await call(name, given)
  expect([name, failed, text]).toEqual([name, false, text])
  return JSON.parse(text)
}

async function newVersion(): Promise<string> {
  const owner = await made('create_client', { name: newName('Client') })
  const project = await made('create_project', { client_id: owner.id, name: 'P' })
  return (await made('create_version', { project_id: project.id })).id
}

test('each tool is an operation of the API, and those that only read say so', async () => {
  const { tools } = await client.listTools()
  const { body } = await ask(service, 'GET', 'openapi.json', { headers })
  expect(tools.length).toBeGreaterThan(20)
  expect(tools.length).toBeLessThan(42)
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  for (const { name, description, inputSchema, annotations } of tools) {
    const [, summary, method = '', path = ''] =
      /^(.+) \((\w+) (\S+)\)$/.exec(description ?? '') ?? []
    const operation = body.paths[path]?.[method.toLowerCase()]
    expect([name, operation?.summary]).toEqual([name, summary])
    expect([name, annotations?.readOnlyHint]).toEqual([
      name,
      /^(?:read|list|search|compare|render_t|export)/.test(name),
    ])
    const schema = operation.requestBody?.content['application/json']?.schema
    const fields = Object.keys(schema?.properties ?? {})
    const parameters = (operation.parameters ?? []).map((one: Json) => one.name)
    const file = name === 'create_upload' ? ['filename', 'text', 'base64'] : []
    const known = new Set([...parameters, ...fields, ...file, 'offset'])
    const unknown = Object.keys(inputSchema.properties ?? {}).filter((key) => !known.has(key))
    expect([name, unknown]).toEqual([name, []])
    expect(JSON.stringify(inputSchema)).not.toContain('$ref')
  }
})

test('facts are set, and change what the gate asks', async () => {
  const version_id = await newVersion()
  const facts = { tenants: 'one', stage: 'first' }
  const set = await call('set_facts', { version_id, ...facts })
  expect([set.failed, Buffer.byteLength(set.text) < 2100, set.text]).toEqual([
    false,
    true,
    expect.stringContaining('"critical_to_ask":60'),
  ])
  expect(JSON.parse(set.text.split('\n')[0]).facts).toEqual(facts)
  expect(await made('read_facts', { version_id })).toMatchObject({ facts, critical_to_ask: 60 })
  expect(await made('list_excluded_items', { version_id })).toEqual([])
  const wrong = await call('set_facts', { version_id, tenants: 'many' })
  expect([wrong.failed, wrong.text]).toEqual([true, expect.stringContaining('tenants')])
})

test('answers are short, and go on at an offset', async () => {
  const version_id = await newVersion()
  const sizes: unknown[] = []
  const sized = async (
    name: string,
    given: Record<string, unknown>,
    max: number,
  ): Promise<string> => {
    const { failed, text } = await call(name, given)
    if (failed || Buffer.byteLength(text) > max + 50) sizes.push([name, text.length, text])
    return text
  }
  const gate = await sized('read_coverage_gate', { version_id }, 4000)
  const [, next] = /\nNext offset: (\d+) of \d+$/.exec(gate) ?? []
  const rest = await sized('read_coverage_gate', { version_id, offset: Number(next) }, 4000)
  const doors = (text: string): string[] =>
    JSON.parse(text.replace(/\nNext.*$/, '')).blockers.map((one: Json) => one.item_text)
  expect(doors(rest)[0]).toBe(
    `Is door ${doors(gate).length} of the vault locked at night, and who has the key?`,
  )
  const file = { path: 'general/security.md' }
  const start = await sized('read_knowledge_file', file, 4000)
  const [cut, end] = /\nNext offset: (\d+) of \d+$/.exec(start) ?? []
  const more = await sized('read_knowledge_file', { ...file, offset: Number(end) }, 4000)
  const { content } = JSON.parse(start.replace(cut ?? '', '') + more)
  expect(content).toContain('Is door 59 of the vault')
  const state = await sized('read_workflow', { version_id }, 2000)
  expect(JSON.parse(state.replace(/\nNext.*$/, '')).next.rule).toBe(2)
  const asked = await sized(
    'create_question',
    { version_id, question_text: 'Ä'.repeat(90_000) },
    2000,
  )
  expect(asked).toContain('"question_text":"ÄÄ')
  await sized('list_questions', { version_id }, 4000)
  await sized('search_knowledge', { query: 'is the vault locked', top_k: 50 }, 4000)
  expect(sizes).toEqual([])
})

/** All pages of an answer, without the lines between them. */
async function pages(name: string, given: Record<string, unknown>): Promise<string[]> {
  const found: string[] = []
  for (let offset = 0; ;) {
    const { failed, text } = await call(name, { ...given, offset })
    const [line = '', next] = /\nNext offset: (\d+) of \d+$/.exec(text) ?? []
    found.push(text.slice(0, text.length - line.length))
    expect([failed, Buffer.byteLength(text) <= 4050]).toEqual([false, true])
    if (next === undefined) return found
    offset = Number(next)
  }
}

test('every answer can be read to its end, entries larger than a page too', async () => {
  const version_id = await newVersion()
  const long = { title: 'Long', context: '\u{1f680}Ä"'.repeat(3000), decision: 'D' }
  const adrs: Json[] = []
  for (const more of [{ ...long, context: 'C' }, long, { ...long, context: 'E' }]) {
    adrs.push(await made('create_adr', { version_id, ...more, consequences: 'All.' }))
  }
  const listed = await pages('list_adrs', { version_id })
  expect(JSON.parse(listed[0])).toHaveLength(1)
  expect(JSON.parse(listed.slice(1, -1).join(''))).toMatchObject({ ...long, id: adrs[1].id })
  expect(JSON.parse(listed.at(-1) ?? '')).toMatchObject([{ id: adrs[2].id }])
  const alone = await pages('read_adr', { version_id, adr_id: adrs[1].id })
  expect(JSON.parse(alone.join(''))).toMatchObject(long)
  const [next, ...whole] = await pages('read_workflow', { version_id })
  expect(JSON.parse(next).next.rule).toBe(2)
  const steps = whole.flatMap((page) => JSON.parse(page).steps)
  expect(new Set(steps.map(({ rule }: Json) => rule)).size).toBe(11)
  const source_code = `# Text\n${'word '.repeat(2000)}end`
  const fields = { name: 'Text', artifact_type: 'document', engine: 'markdown', source_code }
  const { id } = await made('create_artifact', { version_id, ...fields })
  const read = await pages('read_artifact', { version_id, artifact_id: id })
  expect(JSON.parse(read.join(''))).toMatchObject(fields)
})

test('an invalid offset is refused; a change has no pages', async () => {
  for (const offset of [-1, 1.5, '-7', null, 'x', 1e300]) {
    const { failed, text } = await call('list_clients', { offset })
    expect([offset, failed, text]).toEqual([offset, true, expect.stringContaining('offset must')])
  }
  const version_id = await newVersion()
  const items = Array.from({ length: 60 }, (_, i) => ({
    knowledge_file: 'general/security.md',
    item_text: `Is door ${i} of the vault locked at night, and who has the key?`,
    priority: 'critical',
    status: 'na',
    reason: 'No doors',
  }))
  const { text } = await call('create_coverage_batch', { version_id, items })
  expect(text).toMatch(/\nThe rest is stored too; read it by a tool that lists\.$/)
})

test('tools record a session as requests do', async () => {
  const id = await newVersion()
  const asked = await made('create_question', {
    version_id: id,
    question_text: 'Who may read the backups?',
    category: 'security',
  })
  const answered = await made('change_question', {
    version_id: id,
    question_id: asked.id,
    answer_text: 'Two people, with a second factor',
    status: 'answered',
  })
  expect(answered).toMatchObject({ id: asked.id, category: 'security', status: 'answered' })
  const listed = await made('list_questions', { version_id: id, status: 'answered' })
  expect(listed.map((one: Json) => one.id)).toEqual([asked.id])
  expect(await made('list_questions', { version_id: id, status: 'open' })).toEqual([])
  const other = await made('create_question', { version_id: id, question_text: 'And who else?' })
  const page = await call('list_questions', { version_id: id, limit: 1 })
  const [, cursor] = /^Next cursor: (\S+)$/.exec(page.content[1].text) ?? []
  const rest = await call('list_questions', { version_id: id, limit: 1, cursor })
  expect(rest.content, 'no cursor after the last page').toHaveLength(1)
  expect(JSON.parse(rest.content[0].text).map((one: Json) => one.id)).toEqual([other.id])
  const items = [0, 1].map((door) => ({
    knowledge_file: 'general/security.md',
    item_text: `Is door ${door} of the vault locked at night, and who has the key?`,
    priority: 'critical',
    question_id: asked.id,
  }))
  const covered = await made('create_coverage_batch', { version_id: id, items })
  expect(await made('list_coverage', { version_id: id })).toEqual(covered)
  expect(covered).toMatchObject(items.map((item) => ({ ...item, priority: 'Critical' })))
})

test('a refusal is a tool error with the text of the service', async () => {
  const name = newName('Twice')
  await made('create_client', { name })
  const refusals: readonly (readonly [string, Record<string, unknown>, unknown])[] = [
    ['create_client', { name }, 'Client with this name already exists'],
    ['list_projects', { client_id: NO_ID }, 'Client not found'],
    ['list_projects', {}, expect.stringContaining('{client_id}')],
    ['list_projects', { client_id: '..' }, expect.stringContaining('{client_id}')],
    ['list_projects', { client_id: 'x' }, expect.stringContaining('"loc":["path","client_id"]')],
    ['create_client', {}, expect.stringContaining('"loc":["body","name"]')],
    ['read_knowledge_file', { path: 'general/../../clients' }, expect.stringContaining('{path}')],
    ['read_knowledge_file', { path: 'general/%2e%2e/x.md' }, expect.stringContaining('{path}')],
    ['read_knowledge_file', { path: 'general/none.md' }, 'Knowledge file not found'],
    ['render_template', { template_name: 'none' }, 'Template not found'],
    ['list_questions', { version_id: NO_ID, status: ['open'] }, expect.stringContaining('status')],
  ]
  for (const [tool, given, text] of refusals) {
    expect([tool, given, await call(tool, given)]).toEqual([
      tool,
      given,
      { failed: true, content: [{ type: 'text', text }], text },
    ])
  }
  await expect(call('launch_rocket')).rejects.toThrow('There is no tool launch_rocket')
})

test('tools draw diagrams and return pictures', async () => {
  const version_id = await newVersion()
  const artifact = await made('create_artifact', {
    version_id,
    name: 'Plan',
    artifact_type: 'diagram',
    engine: 'graphviz',
    source_code: 'digraph { web -> store }',
  })
  const place = { version_id, artifact_id: artifact.id }
  let rendered = await made('render_artifact', place)
  while (rendered.render_status === 'rendering') {
    ;[rendered] = await made('list_artifacts', { version_id })
  }
  expect([rendered.render_status, rendered.render_error]).toEqual(['success', null])
  const [filename] = rendered.output_paths
  const picture = await call('read_artifact_output', { ...place, filename })
  expect(picture.text).toContain('<svg')
  const png = filename.replace(/svg$/, 'png')
  const [image] = (await call('read_artifact_output', { ...place, filename: png })).content
  expect([image.type, image.mimeType]).toEqual(['image', 'image/png'])
  expect(Buffer.from(image.data, 'base64').subarray(1, 4).toString()).toBe('PNG')
})

test('tools store and read uploads, and export PDF', async () => {
  const version_id = await newVersion()
  const text = 'Zürich, '.repeat(1000)
  const note = await made('create_upload', { version_id, filename: 'note.txt', text })
  expect(note).toMatchObject({ original_filename: 'note.txt', file_size: Buffer.byteLength(text) })
  const bytes = Buffer.from([0x89, 0x50, 0, 255])
  const base64 = bytes.toString('base64')
  const picture = await made('create_upload', { version_id, filename: 'p.bin', base64 })
  for (const given of [{ text: 'x' }, { filename: 'x' }, { filename: 'x', base64: '%' }]) {
    const { failed, text: why } = await call('create_upload', { version_id, ...given })
    expect([given, failed, why]).toEqual([given, true, expect.stringContaining('base64')])
  }
  const listed = await made('list_uploads', { version_id })
  expect(listed.map((one: Json) => one.id)).toEqual([picture.id, note.id])
  const { content } = await call('read_upload', { version_id, upload_id: picture.id })
  expect(Buffer.from(content[0].resource.blob, 'base64').equals(bytes)).toBe(true)
  // By day a row of the contract exports a document.
  if (!IS_NIGHT) return
  const fields = { name: 'D', artifact_type: 'document', source_code: '# D' }
  const { id: artifact_id } = await made('create_artifact', { version_id, ...fields })
  const pdf = (await call('export_artifact_pdf', { version_id, artifact_id })).content[0].resource
  expect(pdf.mimeType).toBe('application/pdf')
  expect(Buffer.from(pdf.blob, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
})

test('numbers, truth values and lists may be texts', async () => {
  const version_id = await newVersion()
  const query = { query: 'is the vault locked', top_k: '1', min_score: '0', exclude_files: '[]' }
  expect((await made('search_knowledge', query)).results).toHaveLength(1)
  expect(await made('list_questions', { version_id, limit: '5', offset: '0' })).toEqual([])
  const other = await newVersion()
  const clone = { version_id, target_version_id: other, include_coverage: 'true' }
  expect(await made('clone_version', clone)).toEqual([])
  const asked = await made('create_question', { version_id, question_text: '5' })
  expect(asked.question_text).toBe('5')
  for (const top_k of ['five', '1.5', 'true']) {
    const { failed, text } = await call('search_knowledge', { query: 'q', top_k })
    expect([top_k, failed, text]).toEqual([top_k, true, expect.stringContaining('top_k')])
  }
})

test('callers that accept JSON or anything are answered', async () => {
  const json = { jsonrpc: '2.0', id: 1, method: 'ping' }
  for (const accept of ['*/*', 'application/json', 'application/*;q=0.5', 'text/html']) {
    const { status, body } = await ask(service, 'POST', 'mcp', {
      headers: { ...headers, accept },
      json,
    })
    const expected = accept === 'text/html' ? 406 : 200
    expect([accept, status, body.jsonrpc]).toEqual([accept, expected, '2.0'])
  }
})

test('a connection needs the token and an allowed origin', async () => {
  await expect(connected({})).rejects.toThrow('Not authenticated')
  await expect(connected({ ...headers, origin: 'http://evil.example' })).rejects.toThrow(
    'Origin is not allowed',
  )
  const own = await connected({ ...headers, origin: ORIGIN })
  await own.close()
})

test('invalid messages are refused, and later ones answered', async () => {
  const all = {
    ...headers,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  const call = (given: string): string =>
    '{"jsonrpc":"2.0","id":1,"method":"tools/call",' +
    `"params":{"name":"create_client","arguments":${given}}}`
  const deep = '['.repeat(1000) + ']'.repeat(1000)
  for (const [method, raw, status] of [
    ['GET', undefined, 405],
    ['DELETE', undefined, 405],
    ['POST', 'nonsense', 400],
    ['POST', '[]', 400],
    ['POST', '{}', 400],
    ['POST', call(`{"name":${deep}}`), 400],
    ['POST', call(`{"name":"${'x'.repeat(1_200_000)}"}`), 413],
    ['POST', call('{"name":"\\u0000"}'), 200],
    ['POST', call('[]'), 200],
  ] as const) {
    const answer = await ask(service, method, 'mcp', {
      headers: all,
      ...(raw !== undefined && { raw }),
    })
    expect([method, raw?.slice(0, 99), answer.status]).toEqual([method, raw?.slice(0, 99), status])
    if (method !== 'POST') continue
    const hasCode = typeof answer.body.error?.code === 'number'
    expect([answer.body.jsonrpc, hasCode || status === 200]).toEqual(['2.0', true])
  }
  expect(await client.ping()).toEqual({})
})
