// Goal: behind a proxy, with TLS and a full world, limits count for the last hop, metrics move as
// things happen and contain no name, the log is a few lines. Method: one real server process with
// all of that switched on; every scrape is parsed strictly; the output is read at the end.
import { openDatabase, migrate } from '@orrery/database'
import { VERSION } from '@orrery/http'
import { accounts, migrations } from '@orrery/store'
import { type Bus, openBus } from '@orrery/bus'
import { type StreamMessage, decodeStreamMessage, rowSubject } from '@orrery/game'
import { openIssuer } from '@orrery/testkit'
import { NATS_SERVER, startNatsServer } from '@orrery/testkit/nats-server'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import { selfSigned } from './certificate.ts'
import { claimsOf } from '../conformance/world.ts'
import { type Family, exposition, valueOf } from './exposition.ts'
import { type Answer, type Ask, PASSWORD, adminToken, ask, openSocket } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN, errorLines, trusting } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

const METRICS_TOKEN = 'scraper-token-of-operations'

/** Ships there may be. */
const SHIPS_MAX = 12

/** At one tick a second more than the ticks that are caught up. */
const STOPPED_MS = 8000

/** Registrations that still find a ship. */
const PLACES = 4

/** What it publishes on a bus, where there is one. */
const published: StreamMessage[] = []
const nats = NATS_SERVER === undefined ? undefined : await startNatsServer()
const bus = nats && (await listen(nats.url))
const issuer = await openIssuer()
let admin: string

afterAll(async () => {
  await bus?.close()
  await nats?.stop()
  await issuer.close()
})

const server = usedServer(
  async () => {
    const { key, certificate } = selfSigned()
    const directory = server.variables['DATA_DIR'] ?? ''
    const [SSL_KEYFILE, SSL_CERTFILE] = ['key.pem', 'certificate.pem'].map((name) =>
      join(dirname(directory), name),
    )
    writeFileSync(SSL_KEYFILE, key)
    writeFileSync(SSL_CERTFILE, certificate)
    setDefaultCACertificates([...getCACertificates('default'), certificate])
    await fillWorld(directory, SHIPS_MAX - PLACES)
    return {
      MAX_SHIPS: `${SHIPS_MAX}`,
      LOGIN_ATTEMPTS_PER_MINUTE: undefined,
      REGISTRATIONS_PER_HOUR: '3',
      TRUST_PROXY: 'true',
      METRICS_TOKEN,
      SSL_KEYFILE,
      SSL_CERTFILE,
      NATS_URL: nats?.url,
      ...trusting(issuer),
    }
  },
  async () => {
    admin = await adminToken(server)
  },
)

async function listen(url: string): Promise<Bus> {
  const ignore = (): void => undefined
  const opened = await openBus({ url, onAway: ignore, onBack: ignore, onError: ignore })
  opened.subscribe(rowSubject('sol'), (payload) => published.push(decodeStreamMessage(payload)))
  return opened
}

/** Accounts whose ships the server makes at its start. */
async function fillWorld(directory: string, ships: number): Promise<void> {
  const database = await openDatabase({ directory: join(directory, 'game'), schema: 'game' })
  await migrate(database, migrations)
  for (let i = 0; i < ships; i++) {
    await accounts(database.sql).create({
      playerId: randomUUID(),
      username: `Extra_${i}`,
      passwordHash: 'none',
      isAdmin: false,
      shipId: randomUUID(),
    })
  }
  await database.close()
}

/** A request as our proxy forwards it, for a client at an address. */
function from(address: string, method: string, path: string, options: Ask = {}): Promise<Answer> {
  const headers = { 'x-forwarded-for': address }
  return ask(server, method, path, { ...options, headers })
}

const login = (address: string, username: string, password: string): Promise<Answer> =>
  from(address, 'POST', '/api/auth/login', { body: { username, password } })
const registration = (address: string, username: string): Promise<Answer> =>
  from(address, 'POST', '/api/auth/register', { body: { username, password: PASSWORD } })

function expectWait(answer: Answer, secondsMax: number): void {
  const wait = Number(answer.headers.get('retry-after'))
  expect(wait).toBeGreaterThanOrEqual(1)
  expect(wait).toBeLessThanOrEqual(secondsMax)
}

async function scrape(): Promise<{ text: string; families: Map<string, Family> }> {
  const { status, text } = await ask(server, 'GET', '/metrics', { token: METRICS_TOKEN })
  expect(status).toBe(200)
  return { text, families: exposition(text) }
}

test('TLS carries requests, with HSTS, and sockets', async () => {
  expect(server.url).toMatch(/^https:/)
  const status = await ask(server, 'GET', '/api/status')
  expect(status.status).toBe(200)
  expect(status.headers.get('strict-transport-security')).toMatch(/max-age=\d{7,}/)
  const watcher = await openSocket(server, admin)
  expect(await watcher.next('welcome')).toMatchObject({ server_name: 'Orrery' })
  await watcher.next('tick')
  await watcher.close()
})

test('three registrations per hour and last hop; none without a free ship', async () => {
  const signIn = (subject: string): Promise<Answer> =>
    from('192.0.2.1', 'POST', '/api/auth/sign-in', { body: { token: issuer.token(subject) } })
  for (const name of ['First', 'Second']) {
    expect((await registration('192.0.2.1', name)).status).toBe(201)
    // Only accounts count.
    expect((await registration('192.0.2.1', 'fIRST')).status).toBe(409)
  }
  // The first time an identity comes it gets an account, which is the third.
  expect((await signIn('mia')).status).toBe(200)
  expect(refusalOf(await signIn('one too many'))).toBe('429 E004')
  expect((await signIn('mia')).status).toBe(200)
  const fourth = await registration('192.0.2.1', 'Fourth')
  expect(refusalOf(fourth)).toBe('429 E004')
  expectWait(fourth, 3600)
  expect((await registration('192.0.2.1, 192.0.2.2', 'Fourth')).status).toBe(201)

  const full = await registration('192.0.2.3', 'Fifth')
  expect(refusalOf(full)).toBe('503 E008')
  // It may stay full for good.
  expect(full.headers.get('retry-after')).toBeNull()
  expect((await login('192.0.2.3', 'Fifth', PASSWORD)).status).toBe(401)
  const { text: players } = await ask(server, 'GET', '/api/admin/players', { token: admin })
  expect(players).toContain('"Fourth"')
  expect(players).not.toContain('"Fifth"')
})

test.skipIf(!nats)('a server publishes what becomes durable, rows before watermarks', async () => {
  const sequences = (): number[] =>
    published
      .flatMap((message) => (message.kind === 'rows' ? message.rows : []))
      .map(({ sequence }) => sequence)
  await expect.poll(() => sequences().length).toBeGreaterThan(0)
  const last = sequences().at(-1) ?? NaN
  const isMarked = (message: StreamMessage): boolean =>
    message.kind === 'mark' && message.sequence >= last
  await expect.poll(() => published.some(isMarked)).toBe(true)
  const row = published.findIndex(({ kind }) => kind === 'rows')
  expect(published.findIndex(isMarked)).toBeGreaterThan(row)
  const indices = published.flatMap((message) => (message.kind === 'mark' ? message.index : []))
  expect(indices).toEqual(indices.toSorted((a, b) => a - b))
  const { families } = await scrape()
  expect(valueOf(families, 'orrery_bus_connected')).toBe(1)
  expect(valueOf(families, 'orrery_bus_publications_dropped_total')).toBe(0)
})

describe('metrics', () => {
  test('describe the world', async () => {
    const { families } = await scrape()
    for (const [name, value] of [
      ['orrery_ships', SHIPS_MAX],
      ['orrery_ships_frozen', 0],
      ['orrery_tick_rate_hertz', 1],
      ['orrery_workers', 1],
      ['orrery_canary_mismatches_total', 0],
      ['orrery_registrations_total', PLACES],
    ] as const) {
      expect([name, valueOf(families, name)]).toEqual([name, value])
    }
    expect(valueOf(families, 'orrery_build_info', { version: VERSION })).toBe(1)
    const isStorageRead = async (): Promise<boolean> =>
      /^orrery_database_bytes \d/m.test((await scrape()).text)
    while (!(await isStorageRead())) await setTimeout(20)
    const { families: read } = await scrape()
    for (const name of ['disk_free_bytes', 'database_bytes', 'database_written_bytes_total'])
      expect(valueOf(read, `orrery_${name}`)).toBeGreaterThan(1e6)
    const system = { system: 'sol' }
    expect(Math.abs(valueOf(families, 'orrery_energy_drift_ratio', system))).toBeLessThan(1e-6)
    const expiry = valueOf(families, 'orrery_tls_certificate_expiry_timestamp_seconds')
    expect(expiry).toBeGreaterThan(Date.now() / 1000)
    expect(valueOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(1e7)
    expect(valueOf(families, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    expect(families.has('nodejs_gc_duration_seconds')).toBe(true)
    const text = readFileSync(new URL('../../OPERATING.md', import.meta.url), 'utf8')
    const named = [...text.matchAll(/`((?:orrery|process|nodejs)_\w+)/g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !families.has(name))).toEqual([])
  })

  test('move as things happen', async () => {
    const before = (await scrape()).families
    const watcher = await openSocket(server, admin)
    await watcher.next('tick')
    watcher.send({ type: 'ping' })
    await watcher.next('pong')
    await watcher.next('tick')
    const during = (await scrape()).families
    expect(valueOf(during, 'orrery_observers_online')).toBe(1)
    await watcher.close()
    await login('192.0.2.50', 'Stranger', PASSWORD)
    for (let i = 0; i < 6; i++) await login('192.0.2.51', 'Stranger', PASSWORD)
    for (let i = 0; i < 3; i++) await ask(server, 'GET', '/api/status')
    await ask(server, 'GET', '/api/nowhere')
    await ask(server, 'POST', '/api/admin/snapshot', { token: admin })
    const after = (await scrape()).families

    const moved = (name: string, labels?: Readonly<Record<string, string>>): number =>
      valueOf(after, name, labels) - (before.has(name) ? valueOf(before, name, labels) : 0)
    expect(moved('orrery_logins_failed_total')).toBe(6)
    expect(moved('orrery_logins_refused_total')).toBe(1)
    expect(moved('orrery_sockets_closed_total', { reason: 'client' })).toBe(1)
    expect(moved('orrery_messages_taken_total')).toBe(1)
    expect(moved('orrery_frames_sent_total', { wire: 'json' })).toBeGreaterThanOrEqual(2)
    const status = { method: 'GET', route: '/api/status', status: '2xx' }
    expect(moved('orrery_http_requests_total', status)).toBe(3)
    const lost = { method: 'any', route: 'unmatched', status: '4xx' }
    expect(valueOf(after, 'orrery_http_requests_total', lost)).toBeGreaterThanOrEqual(1)
    expect(valueOf(after, 'orrery_snapshot_duration_seconds_count')).toBeGreaterThanOrEqual(1)
    expect(valueOf(after, 'orrery_snapshot_bytes')).toBeGreaterThan(0)
    const ticks = valueOf(after, 'orrery_tick_duration_seconds_count')
    expect(ticks).toBeGreaterThan(valueOf(before, 'orrery_tick_duration_seconds_count'))
    for (const phase of ['ephemeris', 'orders', 'flight', 'views']) {
      expect(valueOf(after, 'orrery_tick_phase_duration_seconds_count', { phase })).toBe(ticks)
    }
  })

  test('contain no name and no id', async () => {
    const player = await login('192.0.2.60', 'First', PASSWORD)
    await from('192.0.2.60', 'GET', `/api/admin/players/${randomUUID()}`, { token: admin })
    await from('192.0.2.60', 'DELETE', `/api/admin/players/${randomUUID()}`, { token: admin })
    expect(player.status).toBe(200)
    const { text, families } = await scrape()
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|192\.0\.2|2001:db8/)
    for (const name of [ADMIN.username, 'First', 'Extra_', 'Stranger']) {
      expect(text).not.toContain(name)
    }
    const series = [...families.values()].flatMap(({ samples }) => samples)
    expect(series.length).toBeLessThan(2000)
  })
})

test('a process that stood still logs for how long, and the ticks that it lost', async () => {
  const pid = Number(server.pid)
  process.kill(pid, 'SIGSTOP')
  await setTimeout(STOPPED_MS)
  process.kill(pid, 'SIGCONT')
  const line = /^\{.*"stood_ms":(\d+),"ticks_dropped":(\d+),"msg":"the process stood still"\}$/m
  while (!line.test(server.output())) await setTimeout(20)
  const [, stoodMs, dropped] = line.exec(server.output()) ?? []
  expect(Number(stoodMs)).toBeGreaterThanOrEqual(STOPPED_MS - 1000)
  expect(Number(dropped)).toBeGreaterThan(0)
})

test('the log has a line for actions and refusals, none for successful requests', async () => {
  for (let i = 0; i < 50; i++) await ask(server, 'GET', '/api/status')
  await ask(server, 'GET', '/health/ready')
  await ask(server, 'POST', '/api/admin/game/pause', { token: admin })
  for (const method of ['GET', 'HEAD']) {
    expect((await ask(server, method, '/api/admin/status', { token: admin })).status).toBe(200)
  }
  const headers = { 'x-request-id': 'of-the-rate' }
  const admins = (path: string, body: object): Promise<unknown> =>
    ask(server, 'PUT', `/api/admin/${path}`, { token: admin, headers, body })
  await admins('game/tick-rate', { tick_rate: 2 })
  const id = claimsOf(admin)['sub']
  await admins(`admins/${id}/password`, { new_password: ADMIN.password })
  await admins('game/tick-rate', { tick_rate: 2000 })
  expect(await server.stop()).toBe(0)
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const said = (msg: string): Record<string, unknown>[] =>
    lines.filter((line) => line['msg'] === msg)
  const started = { level: 'info', address: `${server.url}/`, version: VERSION }
  expect(said('started')).toMatchObject([started])
  const action = { level: 'info', method: 'POST', path: '/api/admin/game/pause' }
  expect(said('admin action')).toContainEqual(expect.objectContaining(action))
  const by = { admin: id, username: ADMIN.username, address: '127.0.0.1', id: 'of-the-rate' }
  for (const body of [{ tick_rate: 2 }, { new_password: '[redacted]' }]) {
    expect(said('admin action')).toContainEqual(expect.objectContaining({ ...by, body }))
  }
  const entered = { level: 'info', admin: id, username: ADMIN.username, address: '127.0.0.1' }
  expect(said('admin login')).toContainEqual(expect.objectContaining(entered))
  expect(said('admin action').filter(({ path }) => path === '/api/admin/status')).toEqual([])
  expect(said('world stored').at(-1)).toMatchObject({ level: 'info', kind: 'stop' })
  expect(said('shutting down')).toHaveLength(1)
  expect(said('shut down')).toMatchObject([{ code: 0 }])
  const refused = said('request')
  const guess = { path: '/api/auth/login', status: 401, code: 'E005', address: '192.0.2.50' }
  expect(refused).toContainEqual(expect.objectContaining(guess))
  const rate = { path: '/api/admin/game/tick-rate', code: 'E015', account: id, id: 'of-the-rate' }
  expect(refused).toContainEqual(expect.objectContaining(rate))
  expect(refused.every(({ status }) => Number(status) >= 400)).toBe(true)
  expect(errorLines(server.output())).toEqual([])
  for (const name of ['Stranger', 'First', PASSWORD, METRICS_TOKEN, 'key.pem', 'eyJ']) {
    expect(server.output()).not.toContain(name)
  }
})
