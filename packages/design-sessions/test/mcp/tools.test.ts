// Goal: the tools do what the API does, with the same answers and refusals. Method: a real service
// with a token, called by the client of the SDK over HTTP.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, NO_ID, ask, newName } from '../ask.ts'
import { writeFiles } from '../indexing/fixture.ts'
import { useService } from '../service-process.ts'

const TOKEN = 'token-of-sixteen-bytes-or-more'
const ORIGIN = 'https://sessions.example'

/** Operations without a tool, each with its reason. */
const NO_TOOLS: Readonly<Record<string, string>> = {
  'GET /health/live': 'for machines that watch',
  'GET /health/ready': 'for machines that watch',
  'GET /openapi.json': 'tools describe themselves',
  'GET /api/v1/openapi.json': 'tools describe themselves',
  'GET /docs': 'tools describe themselves',
  'GET /api/v1/knowledge/search': 'search_knowledge, as a link',
  'GET /api/v1/projects/{project_id}/bundle': 'a file of up to 2 GiB',
  'POST /api/v1/clients/{client_id}/projects/import': 'a file of up to 2 GiB',
  'POST /mcp': 'the tools themselves',
}

const service = useService({ DESIGN_SESSIONS_TOKEN: TOKEN, ALLOWED_ORIGINS: ORIGIN })
writeFiles(service.library, { 'general/security.md': '# Security\n' })
let client: Client

beforeAll(async () => {
  client = await connected({ authorization: `Bearer ${TOKEN}` })
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

test('each operation of the API is one tool, or is listed with a reason', async () => {
  const { tools } = await client.listTools()
  const { body } = await ask(service, 'GET', 'openapi.json', {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  const operations = Object.entries<Json>(body.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { summary, parameters = [], requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      const fields = Object.keys(schema?.properties ?? {})
      const names = [...parameters.map(({ name }: Json) => name), ...fields]
      expect([path, new Set(names).size]).toEqual([path, names.length])
      const operation = `${method.toUpperCase()} ${path}`
      return { operation, text: `${summary} (${operation})`, names }
    }),
  )
  const wanted = operations.filter(({ operation }) => !(operation in NO_TOOLS))
  expect(operations.length - wanted.length).toBe(Object.keys(NO_TOOLS).length)
  expect(tools).toHaveLength(wanted.length)
  for (const { name, description, inputSchema } of tools) {
    const taken = Object.keys(inputSchema.properties ?? {}).filter(
      // The fields of a file in a form.
      (key) => !['filename', 'content_type', 'content', 'encoding'].includes(key),
    )
    const twin = wanted.some(
      ({ text, names }) => text === description && taken.every((key) => names.includes(key)),
    )
    expect([name, twin]).toEqual([name, true])
    expect(name).toMatch(/^[a-z_]{4,30}$/)
    expect(description?.length).toBeLessThanOrEqual(170)
    expect(JSON.stringify(inputSchema)).not.toContain('$ref')
  }
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
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
  const read = await ask(service, 'GET', `/versions/${id}/questions/${asked.id}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  expect(read.body).toEqual(await made('read_question', { version_id: id, question_id: asked.id }))
  const items = ['First?', 'Second?'].map((item_text) => ({
    knowledge_file: 'general/security.md',
    item_text,
    priority: 'critical',
    question_id: asked.id,
  }))
  const covered = await made('create_coverage_batch', { version_id: id, items })
  expect(await made('list_coverage', { version_id: id })).toEqual(covered)
  expect(covered).toMatchObject(items.map((item) => ({ ...item, priority: 'Critical' })))
  expect((await made('read_workflow', { version_id: id })).version_id).toBe(id)
  expect(await made('list_templates', {})).toContain('architecture')
  const file = await made('read_knowledge_file', { path: 'general/security.md' })
  expect(file).toMatchObject({ path: 'general/security.md', name: 'Security' })
})

test('a refusal is a tool error with the text of the service', async () => {
  const name = newName('Twice')
  await made('create_client', { name })
  const refusals: readonly (readonly [string, Record<string, unknown>, unknown])[] = [
    ['create_client', { name }, 'Client with this name already exists'],
    ['read_client', { client_id: NO_ID }, 'Client not found'],
    ['read_client', {}, expect.stringContaining('{client_id}')],
    ['read_client', { client_id: '..' }, expect.stringContaining('{client_id}')],
    ['read_client', { client_id: 'x' }, expect.stringContaining('"loc":["path","client_id"]')],
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

test('tools send and receive pictures, documents and files', async () => {
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
  while (rendered.render_status === 'rendering') rendered = await made('read_artifact', place)
  expect([rendered.render_status, rendered.render_error]).toEqual(['success', null])
  const [filename] = rendered.output_paths
  const picture = await call('read_artifact_output', { ...place, filename })
  expect(picture.text).toContain('<svg')
  const png = filename.replace(/svg$/, 'png')
  const [image] = (await call('read_artifact_output', { ...place, filename: png })).content
  expect([image.type, image.mimeType]).toEqual(['image', 'image/png'])
  expect(Buffer.from(image.data, 'base64').subarray(1, 4).toString()).toBe('PNG')
  const [pdf] = (await call('export_artifact_pdf', place)).content
  expect(pdf.resource.mimeType).toBe('application/pdf')
  expect(Buffer.from(pdf.resource.blob, 'base64').subarray(0, 5).toString()).toBe('%PDF-')

  for (const [content, encoding] of [
    ['a;b\nä;ö\n', 'utf8'],
    [Buffer.from([0, 255, 254]).toString('base64'), 'base64'],
  ] as const) {
    const file = { filename: 'Ä "list".csv', content_type: 'text/csv', content, encoding }
    const upload = await made('create_upload', { version_id, ...file })
    const bytes = Buffer.from(content, encoding)
    expect(upload).toMatchObject({
      original_filename: file.filename,
      content_type: 'text/csv',
      file_size: bytes.byteLength,
    })
    const back = await call('download_upload', { version_id, upload_id: upload.id })
    expect(back.text).toBe(bytes.toString())
  }
  expect((await call('remove_artifact', place)).text).toBe('Done')
  expect((await call('read_artifact', place)).text).toBe('Artifact not found')
})

test('a connection needs the token and an allowed origin', async () => {
  await expect(connected({})).rejects.toThrow('Not authenticated')
  const authorization = `Bearer ${TOKEN}`
  await expect(connected({ authorization, origin: 'http://evil.example' })).rejects.toThrow(
    'Origin is not allowed',
  )
  const own = await connected({ authorization, origin: ORIGIN })
  await own.close()
})

test('invalid messages are refused, and later ones answered', async () => {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
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
      headers,
      ...(raw !== undefined && { raw }),
    })
    expect([method, raw?.slice(0, 99), answer.status]).toEqual([method, raw?.slice(0, 99), status])
  }
  expect(await client.ping()).toEqual({})
})
