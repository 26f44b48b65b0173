// Goal: what was acknowledged is there after any end, and what is stored is never trusted blindly.
// Method: the real server on an embedded database, killed; the stored rows damaged by hand between
// two starts.
import { type Database, openDatabase } from '@orrery/database'
import type { AdminStatusResponse, ShipState } from '@orrery/protocol'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminToken, ask, openSocket, register } from '../player-client.ts'
import {
  STARTING_TEST_MS_MAX,
  type ServerProcess,
  dataDirectory,
  environment,
  refusedStart,
  startServer,
} from '../server-process.ts'

const TEST_MS_MAX = 120_000

/** Lets a signal set the wall clock back by an hour, as somebody's hand on the machine's would. */
const CLOCK_HAND = `data:text/javascript,${encodeURIComponent(`
  const now = Date.now
  let offset = 0
  Date.now = () => now() + offset
  process.on('SIGUSR2', () => { offset -= 3_600_000 })`)}`

const directory = dataDirectory()
const variables = environment(directory.path, { NODE_OPTIONS: `--import=${CLOCK_HAND}` })
let server: ServerProcess
let admin: string

async function order(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await ask(server, method, `/api/admin${path}`, {
    token: admin,
    ...(body !== undefined && { body }),
  })
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
  return answer.body
}

async function status(): Promise<AdminStatusResponse> {
  return (await order('GET', '/status')) as AdminStatusResponse
}

async function start(): Promise<void> {
  server = await startServer(variables)
  admin = await adminToken(server)
}

/** Something done to the stored rows while no server runs. */
async function tamper(work: (sql: Database['sql']) => Promise<unknown>): Promise<void> {
  const database = await openDatabase({ directory: join(directory.path, 'game'), schema: 'game' })
  try {
    await work(database.sql)
  } finally {
    await database.close()
  }
}

/** Game time goes on for some digests: each is due 64 s of it, and 64 s later it is told. */
async function fly(gameSeconds: number): Promise<void> {
  const from = Date.parse((await status()).game_time)
  while (Date.parse((await status()).game_time) < from + 1000 * gameSeconds) await setTimeout(50)
}

beforeAll(async () => {
  await start()
  await order('PUT', '/game/tick-rate', { tick_rate: 10 })
  await order('PUT', '/game/time-scale', { time_scale: 100 })
}, STARTING_TEST_MS_MAX)

afterAll(async () => {
  await (server as ServerProcess | undefined)?.kill()
  directory.remove()
})

test(
  'killed at once after an answer, all of it is there, and the world as it was',
  async () => {
    const pilot = await register(server, 'Pilot_1')
    const socket = await openSocket(server, pilot.token)
    socket.send({ type: 'control', id: 'burn', thrust_level: 0.5, pointing: 'prograde' })
    await socket.next('accepted', ({ id }) => id === 'burn')
    socket.send({ type: 'ship_rename', id: 'name', name: 'Dauntless' })
    await socket.next('ship_renamed')
    await fly(150)
    const before = await status()
    const late = await register(server, 'Pilot_2')
    await server.kill()
    await start()
    for (const { token, ship_id: id } of [pilot, late]) {
      const { body } = await ask(server, 'GET', '/api/player/ship', { token })
      expect((body as ShipState).ship_id).toBe(id)
    }
    const { body } = await ask(server, 'GET', '/api/player/ship', { token: pilot.token })
    const ship = body as ShipState
    expect(ship.name).toBe('Dauntless')
    // At scale 100 a clock row a second is 100 s of game time; the answer to Pilot_2 came later.
    expect((await status()).current_tick).toBeGreaterThanOrEqual(before.current_tick)
    expect(server.output()).toMatch(/"digests":[1-9]\d*.*"world recovered"/)
    expect(server.output()).not.toMatch(/"level":"fatal"/)
  },
  TEST_MS_MAX,
)

test(
  'an hour that the wall clock is set back is a drift, and nothing else',
  async () => {
    const pilot = await register(server, 'Pilot_3')
    const socket = await openSocket(server, pilot.token)
    const { tick, game_time: before } = await socket.freshTick()
    process.kill(server.pid ?? 0, 'SIGUSR2')
    await socket.next('tick', (frame) => frame.tick >= tick + 20)
    const ticks = socket.messages.filter((message) => message.type === 'tick')
    const numbers = ticks.map((frame) => frame.tick)
    expect(numbers).toEqual(numbers.map((_, i) => numbers[0] + i))
    expect(Date.parse(ticks.at(-1)?.game_time ?? '')).toBeGreaterThan(Date.parse(before))
    expect((await status()).time_drift_seconds).toBeGreaterThan(3500)
    // Tokens issued before are good, and so are new ones.
    expect((await ask(server, 'GET', '/api/player/ship', { token: pilot.token })).status).toBe(200)
    admin = await adminToken(server)
    await register(server, 'Pilot_4')
    await socket.close()
    await server.kill()
    await start()
    expect((await ask(server, 'GET', '/api/player/ship', { token: pilot.token })).status).toBe(200)
  },
  TEST_MS_MAX,
)

test(
  'a damaged snapshot is named and passed over for the one before and the journal',
  async () => {
    await order('POST', '/snapshot')
    const pilot = await register(server, 'Pilot_5')
    await fly(150)
    await server.kill()
    await tamper(
      (sql) => sql`
      update snapshot_part set bytes = set_byte(bytes, 100, get_byte(bytes, 100) # 1)
      where snapshot_id = (select max(id) from snapshot) and ordinal = 0`,
    )
    await start()
    expect(server.output()).toMatch(/checksum does not match.*unusable/)
    expect((await ask(server, 'GET', '/api/player/ship', { token: pilot.token })).status).toBe(200)
    expect(server.output()).not.toMatch(/"level":"fatal"/)
  },
  TEST_MS_MAX,
)

test(
  'a digest that comes out otherwise is loud; its era is kept as evidence',
  async () => {
    await fly(150)
    await server.kill()
    const evidence: { era: number; digests: number }[] = []
    await tamper(async (sql) => {
      const [last] = await sql<[{ era: number; lattice: string }]>`
      update digest set digest = ${'0'.repeat(32)}
      where (era, lattice) =
        (select era, lattice from digest order by era desc, lattice desc limit 1)
      returning era, lattice`
      const [{ digests }] = await sql<[{ digests: number }]>`
      select count(*)::int as digests from digest where era = ${last.era}`
      evidence.push({ era: last.era, digests })
    })
    await start()
    expect(server.output()).toMatch(/"level":"fatal".*0{32}/)
    await server.kill()
    await tamper(async (sql) => {
      const [{ era, digests }] = evidence
      expect(await sql`select era, reason from era order by era desc limit 1`).toEqual([
        { era: era + 1, reason: 'mismatch' },
      ])
      const [now] = await sql`select count(*)::int as digests from digest where era = ${era}`
      expect(now).toEqual({ digests })
    })
    await start()
    expect(server.output()).not.toMatch(/"level":"fatal"/)
  },
  TEST_MS_MAX,
)

test(
  'a journal of another physics is refused with the release that must finish it',
  async () => {
    await register(server, 'Pilot_6')
    await server.kill()
    await tamper((sql) => sql`update snapshot set physics = physics + 1000`)
    const { code, stderr } = await refusedStart(variables)
    expect(code).toBe(1)
    expect(stderr).toMatch(/Cannot start: The journal was written by a release with physics 1\d{3}/)
    await tamper((sql) => sql`update snapshot set physics = physics - 1000`)
    await start()
  },
  TEST_MS_MAX,
)

test(
  'when no stored world opens the start is refused, and nothing is overwritten',
  async () => {
    await server.kill()
    await tamper((sql) => sql`update snapshot set checksum = 'x' || substr(checksum, 2)`)
    const { code, stderr } = await refusedStart(variables)
    expect(code).toBe(1)
    expect(stderr).toMatch(/Cannot start: No stored world of era \d+ opens \(snapshots: \d+/)
    await tamper(async (sql) => {
      const [{ count }] = await sql<[{ count: number }]>`select count(*)::int as count from account`
      expect(count).toBeGreaterThan(5)
    })
  },
  TEST_MS_MAX,
)
