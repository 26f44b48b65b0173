// Goal: what was acknowledged survives any end, a reader of events that goes on by its cursor gets
// each once through it, and damage to what is stored is found. Method: the real server, killed, at
// night with its database; the stored rows damaged by hand between starts.
import { type Database, openDatabase } from '@orrery/database'
import type { AdminStatusResponse, ShipState } from '@orrery/protocol'
import { type PostgresServer, QUICK_PASSWORDS } from '@orrery/testkit'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, expect, test } from 'vitest'
import { readThroughKills } from '../events/event-reader.ts'
import { ask, openSocket, register } from '../player-client.ts'
import { MAIN, startRefusal } from '../server-process.ts'
import { usedServer } from '../used-server.ts'
import {
  expectKeptClasses,
  expectRefusedFiles,
  moreClasses,
  shipClassLaws,
} from './ship-classes.ts'

/** Lets a signal set the wall clock back by an hour. */
const CLOCK_HAND = `data:text/javascript,${encodeURIComponent(`
  const now = Date.now
  let offset = 0
  Date.now = () => now() + offset
  process.on('SIGUSR2', () => { offset -= 3_600_000 })`)}`

let postgres: PostgresServer | undefined

afterAll(() => postgres?.stop())

const onPostgres = async (): Promise<{ readonly DATABASE_URL: string }> => {
  postgres = await startGamePostgres(MAIN)
  return { DATABASE_URL: postgres.url }
}

const NODE_OPTIONS = `${QUICK_PASSWORDS['NODE_OPTIONS']} --import=${CLOCK_HAND}`

const started = async () => ({ NODE_OPTIONS, ...(!IS_NIGHT && (await onPostgres())) })

const server = usedServer(started, async () => {
  await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 10 })
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
})

const status = (): Promise<AdminStatusResponse> => server.order('GET', '/api/admin/status')

/** Changes the stored rows while no server runs. */
async function tamper(work: (sql: Database['sql']) => Promise<unknown>): Promise<void> {
  const directory = join(server.variables['DATA_DIR'] ?? '', 'game')
  const { url } = postgres ?? {}
  const database = await openDatabase({ directory, schema: 'game', ...(url && { url }) })
  try {
    await work(database.sql)
  } finally {
    await database.close()
  }
}

/** Waits for game time to pass: a digest is due each 64 s of it, and is written 64 s later. */
async function fly(gameSeconds: number): Promise<void> {
  const from = Date.parse((await status()).game_time)
  while (Date.parse((await status()).game_time) < from + 1000 * gameSeconds) await setTimeout(50)
}

async function expectIn({ token }: { readonly token: string }): Promise<void> {
  expect((await ask(server, 'GET', '/api/player/ship', { token })).status).toBe(200)
}

/** Makes a ship beside another as a program does, under the same key each time. */
async function openPatrol(beside: string): Promise<() => ReturnType<typeof ask>> {
  const wanted = { name: 'shop', scopes: ['commands'] }
  const { token } = await server.order('POST', '/api/admin/service-tokens', wanted)
  const command = { token, body: { name: 'Patrol One', beside } }
  const headers = { 'idempotency-key': 'patrol' }
  return () => ask(server, 'POST', '/api/service/ships', { ...command, headers })
}

/** Whose token was issued before the wall clock was set back. */
let early: { readonly token: string }

test('a kill right after answers loses nothing acknowledged, and no event', async () => {
  const pilot = await register(server, 'Pilot_1')
  const socket = await openSocket(server, pilot.token)
  socket.send({ type: 'control', id: 'burn', thrust_level: 0.5, pointing: 'prograde' })
  await socket.next('accepted', ({ id }) => id === 'burn')
  socket.send({ type: 'ship_rename', id: 'name', name: 'Dauntless' })
  await socket.next('ship_renamed')
  await fly(150)
  const before = await status()
  const more = await moreClasses(server)
  const patrol = await openPatrol(pilot.ship_id)
  const kill = async (): Promise<void> => {
    const late = await register(server, 'Pilot_2')
    const made = await patrol()
    expect(made.status).toBe(201)
    await server.kill()
    await server.restart(more)
    // Under its key it acts once.
    expect((await patrol()).body).toEqual(made.body)
    for (const { token, ship_id: id } of [pilot, late]) {
      const { body } = await ask(server, 'GET', '/api/player/ship', { token })
      expect((body as ShipState).ship_id).toBe(id)
    }
  }
  const { begun, turns } = await readThroughKills(server, [kill])
  expect(begun).toBe(turns)
  const { body } = await ask(server, 'GET', '/api/player/ship', { token: pilot.token })
  const ship = body as ShipState
  expect(ship.name).toBe('Dauntless')
  // At scale 100 a clock row a second is 100 s of game time; the answer to Pilot_2 came later.
  expect((await status()).current_tick).toBeGreaterThanOrEqual(before.current_tick)
  expect(server.output()).toMatch(/"digests":[1-9]\d*.*"world recovered"/)
  expect(server.output()).not.toMatch(/"level":"fatal"/)
})

shipClassLaws()

test('a wall clock set back by an hour changes only the drift', async () => {
  await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 10 })
  early = await register(server, 'Pilot_3')
  const socket = await openSocket(server, early.token)
  const { tick, game_time: before } = await socket.freshTick()
  const { time_drift_seconds: drift } = await status()
  process.kill(server.pid ?? 0, 'SIGUSR2')
  await socket.next('tick', (frame) => frame.tick >= tick + 20)
  const ticks = socket.messages.filter((message) => message.type === 'tick')
  const numbers = ticks.map((frame) => frame.tick)
  expect(numbers).toEqual(numbers.map((_, i) => numbers[0] + i))
  expect(Date.parse(ticks.at(-1)?.game_time ?? '')).toBeGreaterThan(Date.parse(before))
  expect((await status()).time_drift_seconds - drift).toBeGreaterThan(3500)
  // Tokens issued before stay valid, and so are new ones.
  await expectIn(early)
  await expectIn(await register(server, 'Pilot_4'))
  await socket.close()
})

test.runIf(IS_NIGHT)(
  'a damaged snapshot is logged, and the one before is used with the journal',
  async () => {
    await server.order('POST', '/api/admin/snapshot')
    const pilot = await register(server, 'Pilot_5')
    await fly(150)
    await server.kill()
    await tamper(
      (sql) => sql`
      update snapshot_part set bytes = set_byte(bytes, 100, get_byte(bytes, 100) # 1)
      where snapshot_id = (select max(id) from snapshot) and ordinal = 0`,
    )
    await server.restart()
    expect(server.output()).toMatch(/checksum does not match.*unusable/)
    await expectIn(pilot)
    // The wall clock is right again.
    await expectIn(early)
    expect(server.output()).not.toMatch(/"level":"fatal"/)
  },
)

test('a digest that differs is logged as fatal; its era is kept as evidence', async () => {
  await fly(150)
  await server.kill()
  await expectRefusedFiles()
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
  // Without the admin's password: the stored account is enough.
  await server.restart({ ADMIN_USERNAME: undefined, ADMIN_PASSWORD: undefined })
  expect(server.output()).toMatch(/"level":"fatal".*0{32}/)
  await expectKeptClasses()
  await server.kill()
  await tamper(async (sql) => {
    const [{ era, digests }] = evidence
    expect(await sql`select era, reason from era order by era desc limit 1`).toEqual([
      { era: era + 1, reason: 'mismatch' },
    ])
    const [now] = await sql`select count(*)::int as digests from digest where era = ${era}`
    expect(now).toEqual({ digests })
  })
  if (!IS_NIGHT) return
  await server.restart()
  expect(server.output()).not.toMatch(/"level":"fatal"/)
  await register(server, 'Pilot_7')
  await server.kill()
})

test('a journal of another physics is refused with the release that wrote it', async () => {
  await tamper((sql) => sql`update snapshot set physics = physics - 1`)
  expect(await startRefusal(server.variables)).toMatch(
    /^The journal was written by a release with physics \d, this one has/,
  )
  await tamper((sql) => sql`update snapshot set physics = physics + 1000`)
  expect(await startRefusal(server.variables)).toMatch(
    /^The world is flown by a release with physics \d{4}, this one has/,
  )
})

test('without a usable snapshot the start is refused, and nothing is overwritten', async () => {
  await tamper(
    (sql) => sql`
      update snapshot set physics = physics - 1000, checksum = 'x' || substr(checksum, 2)`,
  )
  expect(await startRefusal(server.variables)).toMatch(
    /^No stored world of era \d+ opens \(snapshots: \d+/,
  )
  await tamper(async (sql) => {
    const [{ count }] = await sql<[{ count: number }]>`select count(*)::int as count from account`
    expect(count).toBeGreaterThan(5)
  })
})
