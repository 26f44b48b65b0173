// Goal: the service starts as configured or not at all, authenticates requests, describes itself,
// answers by tools as by requests, and keeps its records over a restart. Method: real processes on
// one directory; starts that are refused in this one.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { type HttpError, type Service, createLogger } from '@orrery/http'
import { openFreshDatabase } from '@orrery/testkit'
import { apiFaults } from '@orrery/testkit/api-faults'
import { lineShape, readmeSample } from '@orrery/testkit/readme-sample'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { refuseForeignPages } from '../src/access.ts'
import { environmentHelp } from '../src/config.ts'
import { serviceConfig, startService as openService } from '../src/index.ts'
import { type Json, ask, created, newName, newSession } from './ask.ts'
import {
  ORIGIN,
  TOKEN,
  directory,
  early,
  environment,
  freePort,
  headers,
  inside,
  service,
} from './door.ts'
// By the same service, before that is stopped.
import './mcp/tools.ts'
import { QUIET, type ServiceProcess, endedStart, startRefusal, startService } from './service.ts'

const { DATA_DIR, KNOWLEDGE_DIR } = environment

test('a starting service is live and not ready', () => {
  expect([...early]).toEqual(
    expect.arrayContaining([
      'health/live 200 {"status":"ok"}',
      'health/ready 503 {"status":"unavailable","reason":"The service is starting"}',
      '/clients 503 {"detail":"The service is starting"}',
    ]),
  )
})

test('a start prints what its READMEs show', () => {
  for (const path of ['../README.md', '../../../README.md']) {
    const [shown = ''] = readmeSample(
      new URL(path, import.meta.url),
      'scripts/orrery start:design-sessions',
    )
    expect(service.output().split('\n').map(lineShape)).toContain(lineShape(shown))
  }
})

test('a wrong environment ends the start with one line', async () => {
  const DATA_DIR = `${directory.path}-none`
  const wrong = {
    DESIGN_SESSIONS_PORT: 'many',
    DESIGN_SESSIONS_TOKEN: 'short',
    ALLOWED_ORIGINS: 'sessions',
  }
  const reason = await startRefusal({ DATA_DIR, ...wrong })
  expect(reason).not.toContain('\n')
  for (const name of Object.keys(wrong)) expect(reason).toContain(name)
  expect(reason).not.toContain('short')
  const { port } = new URL(service.url)
  expect(await startRefusal({ DATA_DIR, DESIGN_SESSIONS_PORT: port })).toMatch(/cannot listen/)
})

// By day service.test.ts of http notices a program that ends otherwise.
test.runIf(IS_NIGHT)('the process of a start that is refused ends with that line', async () => {
  const wrong = { DATA_DIR: `${directory.path}-none`, DESIGN_SESSIONS_PORT: 'many' }
  const { code, stderr } = await endedStart(wrong)
  expect([code, stderr]).toEqual([1, `Cannot start: ${await startRefusal(wrong)}\n`])
})

test('the help lists the variables', () => {
  for (const name of [
    'DESIGN_SESSIONS_HOST',
    'KNOWLEDGE_DIR',
    'KNOWLEDGE_VECTORS',
    'KNOWLEDGE_EMBEDDINGS_URL',
    'DATABASE_URL',
    'RENDER_SECONDS_MAX',
    'RENDER_WARM',
    'RENDER_NICENESS',
  ]) {
    expect(environmentHelp()).toContain(name)
  }
})

test('other addresses need a token, or a variable that opens them to all', async () => {
  for (const DESIGN_SESSIONS_HOST of ['0.0.0.0', '::', '192.0.2.1', 'sessions.example']) {
    expect(() => serviceConfig({ DESIGN_SESSIONS_HOST })).toThrow(
      /DESIGN_SESSIONS_TOKEN is missing/,
    )
  }
  for (const DESIGN_SESSIONS_HOST of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) {
    expect(serviceConfig({ DESIGN_SESSIONS_HOST }).token).toBeUndefined()
  }
  // The start ends at an address that the machine does not have.
  const variables = { DATA_DIR: `${directory.path}-none`, DESIGN_SESSIONS_HOST: '192.0.2.1' }
  const warnings: unknown[] = []
  const logger = createLogger({ level: 'fatal', destination: 'stderr' })
  Object.assign(logger, { warn: (...line: unknown[]) => void warnings.push(line) })
  const open = await startRefusal({ ...variables, DESIGN_SESSIONS_OPEN: 'true' }, logger)
  const kept = await startRefusal({ ...variables, DESIGN_SESSIONS_TOKEN: TOKEN }, logger)
  expect(warnings).toEqual([
    [
      { host: '192.0.2.1', variable: 'DESIGN_SESSIONS_TOKEN' },
      expect.stringMatching(/^no token is set/),
    ],
  ])
  for (const reason of [open, kept]) expect(reason).toMatch(/cannot listen/)
})

test('without a token, the DNS names of others are refused at any address', async () => {
  const app = new Hono()
  const DESIGN_SESSIONS_HOST = '0.0.0.0'
  const open = { DESIGN_SESSIONS_HOST, DESIGN_SESSIONS_OPEN: 'true', ALLOWED_ORIGINS: ORIGIN }
  app.use(refuseForeignPages(serviceConfig(open)))
  app.get('/', (context) => context.body(null))
  app.onError((error) => Response.json(null, error as HttpError))
  const places = ['http://evil.example', 'http://127.evil.example', ORIGIN, 'http://[fd00::1]:3001']
  places.push('http://192.0.2.1:3001', 'http://localhost')
  const statuses = places.map(async (place) => (await app.request(place)).status)
  expect(await Promise.all(statuses)).toEqual([403, 403, 200, 200, 200, 200])
})

test('with a token set, only health, the page and the description answer without it', async () => {
  expect((await ask(service, 'GET', 'health/live')).status).toBe(200)
  expect((await ask(service, 'GET', 'health/ready')).status).toBe(200)
  for (const path of ['openapi.json', '/openapi.json', 'docs', '', 'page/main.ts']) {
    expect((await ask(service, 'GET', path)).status).toBe(200)
  }
  for (const path of ['/clients', '/nowhere', 'nowhere', 'mcp']) {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer wrong-token-of-sixteen',
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN}, Bearer ${TOKEN}`,
      `Bearer ${TOKEN}\xe9`,
    ]) {
      const { status, body, headers } = await ask(service, 'GET', path, {
        headers: { authorization },
      })
      expect([path, status, body]).toEqual([path, 401, { detail: 'Not authenticated' }])
      expect(headers.get('www-authenticate')).toBe('Bearer')
    }
  }
  expect((await ask(service, 'GET', '/clients', { headers })).status).toBe(200)
  expect(service.output()).not.toContain(TOKEN)
})

test('after many wrong tokens an address is refused unless it has had the right one', async () => {
  const wrong = 'Bearer wrong-token-of-sixteen'
  const stranger = '127.0.0.2'
  const statuses = new Set<number | undefined>()
  for (let i = 0; i < 40; i++) {
    statuses.add(await statusOf(service.url, { from: stranger, authorization: wrong }))
  }
  expect([...statuses]).toEqual([401, 429])
  const { authorization } = headers
  expect(await statusOf(service.url, { from: stranger, authorization })).toBe(429)
  expect(await statusOf(service.url, { authorization })).toBe(200)
  for (let i = 0; i < 40; i++) await statusOf(service.url, { authorization: wrong })
  expect(await statusOf(service.url, { authorization: wrong })).toBe(429)
  expect(await statusOf(service.url, { authorization })).toBe(200)
})

test('browsers of other origins are refused', async () => {
  const allowedOrigin = async (origin: string): Promise<string | null> => {
    const preflight = { origin, 'access-control-request-method': 'POST' }
    const { status, headers } = await ask(service, 'OPTIONS', '/clients', { headers: preflight })
    expect(status).toBe(204)
    return headers.get('access-control-allow-origin')
  }
  expect(await allowedOrigin(ORIGIN)).toBe(ORIGIN)
  expect(await allowedOrigin('https://evil.example')).toBeNull()
  // Requests without a preflight.
  const refused = async (place: typeof service, more: Record<string, string>): Promise<number> =>
    (await ask(place, 'POST', '/knowledge/reindex/clear', { headers: { ...headers, ...more } }))
      .status
  expect(await refused(service, { origin: 'https://evil.example' })).toBe(403)
  for (const origin of [ORIGIN, service.url]) {
    expect(await refused(service, { origin })).not.toBe(403)
  }
})

test('the description passes the recommended rules and is the same at both paths', async () => {
  const { body } = await ask(service, 'GET', 'openapi.json', { headers })
  expect((await ask(service, 'GET', '/openapi.json', { headers })).body).toEqual(body)
  expect(body.openapi).toMatch(/^3\.1\.\d+$/)
  expect(await apiFaults(body)).toEqual([])
  const operations = Object.entries<Json>(body.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { operationId }]) => ({
      route: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      operationId,
    })),
  )
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const routes = operations.map(({ route }) => route)
  expect(routes).toEqual(
    expect.arrayContaining([
      'GET /health/ready',
      'PATCH /clients/{client_id}',
      'POST /projects/{project_id}/versions',
      'POST /versions/{version_id}/adrs/{adr_id}/supersede',
      'GET /versions/{version_id}/coverage/summary',
      'GET /versions/{version_id}/coverage/gate',
      'GET /versions/{version_id}/uploads/{upload_id}/download',
    ]),
  )
  const { Question, Client } = body.components.schemas
  expect(Question.properties.category.enum).toContain('migration')
  expect(Client.properties.created_at).toEqual({ type: 'string', format: 'date-time' })
  const creation = body.paths['/api/v1/clients'].post
  const sent = creation.requestBody.content['application/json'].schema
  expect(sent.required).toEqual(['name'])
  expect(sent.properties.name.maxLength).toBe(255)
  expect(Object.keys(creation.responses)).toEqual(
    expect.arrayContaining(['201', '401', '409', '413', '415', '422']),
  )
})

/** Starts it again without a token, at night in a process of its own. */
async function openAgain(): Promise<Pick<ServiceProcess, 'url'> & { stop(): Promise<unknown> }> {
  const variables = { ...QUIET, DATA_DIR, KNOWLEDGE_DIR }
  if (IS_NIGHT) return startService(variables)
  const opened = await openService(
    serviceConfig(variables),
    createLogger({ level: 'fatal', destination: 'stderr' }),
  )
  return { url: opened.address.origin, stop: () => opened.stop() }
}

test('a restart keeps records and uploads and removes files without a record', async () => {
  const root = join(directory.path, 'design-sessions-files')
  const files = join(root, readdirSync(root)[0])
  const { client, path } = await newSession(inside)
  const raw = new FormData()
  raw.append('file', new Blob(['kept']), 'kept.txt')
  const upload = await ask(inside, 'POST', `${path}/uploads`, { raw })
  await created(inside, '/clients', { name: newName('Kept') })
  const before = (await ask(inside, 'GET', '/clients')).body
  const kept = readdirSync(files)
  expect(kept).toContain(upload.body.id)
  expect(await service.stop()).toBe(0)
  const abandoned = [crypto.randomUUID(), `${crypto.randomUUID()}.part`]
  for (const name of abandoned) writeFileSync(join(files, name), 'without a record')
  // A snapshot of an export.
  abandoned.push(`${crypto.randomUUID()}.part`)
  mkdirSync(join(files, abandoned[2]))
  writeFileSync(join(files, abandoned[2], 'text'), 'not sent')
  writeFileSync(join(files, 'note.txt'), 'not ours')

  const again = await openAgain()
  try {
    // Without a token, requests to a foreign host name are refused (DNS rebinding).
    expect(await statusOf(again.url, { host: 'evil.example' })).toBe(403)
    expect(await statusOf(again.url, { host: 'localhost' })).toBe(200)
    expect((await ask(again, 'GET', '/clients')).body).toEqual(before)
    expect(new Set(readdirSync(files))).toEqual(new Set([...kept, 'note.txt']))
    const download = await ask(again, 'GET', `${path}/uploads/${upload.body.id}/download`)
    expect(download.text).toBe('kept')
    expect((await ask(again, 'DELETE', `/clients/${client.id}`)).status).toBe(204)
    const left = kept.filter((name) => name !== upload.body.id)
    expect(new Set(readdirSync(files))).toEqual(new Set([...left, 'note.txt']))
  } finally {
    await again.stop()
  }
})

test('a start that fails half-way leaves nothing open; a second service is refused', async () => {
  const root = join(directory.path, 'design-sessions-files')
  const postgres = await openFreshDatabase({ schema: 'elsewhere' })
  const logger = createLogger({ level: 'fatal', destination: 'stderr', secrets: [] })
  for (const DATABASE_URL of byTier({ gate: [postgres.url], night: [postgres.url, undefined] })) {
    const DESIGN_SESSIONS_PORT = String(await freePort())
    const variables = { ...QUIET, DATA_DIR, KNOWLEDGE_DIR, DATABASE_URL }
    const open = (): Promise<Service> =>
      openService(serviceConfig({ ...variables, DESIGN_SESSIONS_PORT }), logger)
    // A file in place of the directory of uploads.
    renameSync(root, `${root}-kept`)
    writeFileSync(root, 'no directory')
    await expect(open()).rejects.toThrow(/ENOTDIR|EEXIST/)
    rmSync(root)
    renameSync(`${root}-kept`, root)
    // Both can be opened again.
    const service = await open()
    expect(await startRefusal(variables)).toMatch(
      /^The (?:schema "design_sessions"|directory .+) is in use by "orrery .+ pid \d+/,
    )
    await service.stop()
  }
  await postgres.close()
})

/** The status of a request with these headers, from another address of this machine. */
function statusOf(
  url: string,
  { from, ...headers }: { from?: string; host?: string; authorization?: string },
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const local = from === undefined ? {} : { localAddress: from }
    request(`${url}/api/v1/clients`, { ...local, headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
