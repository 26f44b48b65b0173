// Goal: while the database is away nothing that was acknowledged is lost, and commands are refused;
// a world has one owner. Method: the real server on a real PostgreSQL that is killed, started again
// and disconnected.
import { openDatabase } from '@orrery/database'
import type { ShipState } from '@orrery/protocol'
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { setTimeout } from 'node:timers/promises'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { afterAll, expect, onTestFailed, test } from 'vitest'
import {
  type Answer,
  type PlayerSocket,
  adminToken,
  ask,
  openSocket,
  register,
  shipOf,
} from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { startRefusal } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

/** Longer than any wait for the database. */
const FLOWN_MS = 11_000

/** Of all connections, each of which is opened again. */
const CUTS = byTier({ gate: 1, night: 5 })

let postgres: PostgresServer
let pilot: { readonly token: string; readonly ship_id: string }
let socket: PlayerSocket
let admin: string

afterAll(() => postgres.stop())

const server = usedServer(
  async () => {
    postgres = await startPostgresServer()
    return { DATABASE_URL: postgres.url }
  },
  async () => {
    pilot = await register(server, 'Pilot_1')
    socket = await openSocket(server, pilot.token)
    admin = await adminToken(server)
    await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  },
)

async function shipName(): Promise<string> {
  const { body } = await ask(server, 'GET', '/api/player/ship', { token: pilot.token })
  return (body as ShipState).name
}

function health(): Promise<Answer> {
  return ask(server, 'GET', '/health/ready')
}

/** Renames the ship; returns the answered name, or the code of a refusal. */
async function rename(name: string): Promise<unknown> {
  const answer = await socket.answer({ type: 'ship_rename', name })
  return answer.type === 'error' ? answer.code : 'name' in answer && answer.name
}

test('a lost connection is opened again, and no player notices', async () => {
  const other = await openDatabase({ url: postgres.url, directory: '', schema: 'elsewhere' })
  for (let round = 0; round < CUTS; round++) {
    await other.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and backend_type = 'client backend'`
    expect(await rename(`After cut ${round}`)).toBe(`After cut ${round}`)
  }
  await other.close()
  expect(server.output()).not.toMatch(/"level":"fatal"/)
})

test('read-only: answer, health and log have the reason of PostgreSQL', async () => {
  const other = await openDatabase({ url: postgres.url, directory: '', schema: 'elsewhere' })
  const change = async (setting: 'on' | 'off'): Promise<void> => {
    await other.sql.unsafe(`
      set transaction read write;
      alter database orrery set default_transaction_read_only = ${setting}`)
    await other.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and backend_type = 'client backend'`
  }
  await change('on')
  const reason = 'it is read-only: a standby, or a role that may only read (25006)'
  // Before it, the probe meets connections that were cut.
  while (!(await health()).text.includes('25006')) await setTimeout(50)
  expect((await health()).body).toEqual({
    status: 'unavailable',
    reason: `commands do not become durable: ${reason}`,
  })
  const snapshot = await ask(server, 'POST', '/api/admin/snapshot', { token: admin })
  expect(refusalOf(snapshot)).toBe('500 E008')
  expect(snapshot.text).toContain(reason)
  expect(await socket.answer({ type: 'ship_rename', name: 'Never' })).toMatchObject({
    code: 'E008',
    message: `Commands do not become durable: ${reason}.`,
  })
  const latecomer = { username: 'Latecomer', password: 'correct horse 7b' }
  const refused = await ask(server, 'POST', '/api/auth/register', { body: latecomer })
  expect(refusalOf(refused)).toBe('500 E008')
  expect(refused.text).toContain('25006')
  const lines = ['a request failed', 'the database is away; commands are refused', 'not ready']
  for (const line of lines)
    expect(server.output()).toMatch(new RegExp(`"reason":"[^"]*25006.*"msg":"${line}"`))
  await change('off')
  while ((await health()).status !== 200) await setTimeout(50)
  await other.close()
})

test('killed: commands get E008, the world flies on; back: all is kept', async () => {
  expect(await rename('Kept for good')).toBe('Kept for good')
  await postgres.kill()
  const endMs = performance.now() + FLOWN_MS
  // Executed but not durable: refused in time with an unknown outcome.
  expect(await rename('Kept later')).toBe('E008')
  expect(await rename('Never done')).toBe('E008')
  const refused = await ask(server, 'POST', '/api/auth/register', {
    body: { username: 'Latecomer', password: 'correct horse 7b' },
  })
  expect(refusalOf(refused)).toBe('500 E008')
  const { tick } = await socket.freshTick()
  while (performance.now() < endMs) await socket.freshTick()
  const { body } = await ask(server, 'GET', '/api/status')
  expect(body).toMatchObject({ paused: false })
  await postgres.restart()
  while ((await health()).status !== 200) await setTimeout(50)
  expect((await socket.freshTick()).tick).toBeGreaterThan(tick)
  expect(socket.messages.map(({ type }) => type)).not.toContain('paused')
  expect(await shipName()).toBe('Kept later')
  expect(await rename('Kept later')).toBe('Kept later')
})

test.runIf(IS_NIGHT)(
  'a second server is refused at once; a killed one can be replaced at once',
  async () => {
    expect(await startRefusal(server.variables)).toMatch(
      /^The schema "game" is in use by "orrery game on /,
    )
    // The first goes on.
    expect((await register(server, 'Pilot_2')).username).toBe('Pilot_2')
    await server.kill()
    const other = await openDatabase({ url: postgres.url, directory: '', schema: 'elsewhere' })
    await other.sql`update game.account set unflown_since = unflown_since - interval '40 days'`
    await other.close()
    await server.restart()
    expect(await shipName()).toBe('Kept later')
  },
)

test.runIf(IS_NIGHT)(
  'of accounts not used for a month one that never flew goes, with its ship',
  async () => {
    const read = async (path: string): Promise<string> =>
      (await ask(server, 'GET', path, { token: admin })).text
    const done = /^orrery_unflown_accounts_removed_total 1$/m
    while (!done.test(await read('/metrics'))) await setTimeout(50)
    const metrics = await read('/metrics')
    expect(metrics).toMatch(/^orrery_ships 1$/m)
    const players = await read('/api/admin/players')
    expect(players).toContain('Pilot_1')
    expect(players).not.toContain('Pilot_2')
    expect(server.output()).toContain('"accounts":1,"msg":"accounts that never flew are removed"')
  },
)

test.runIf(IS_NIGHT)(
  'a player who connects while the account is removed gets E014 and is closed',
  async () => {
    const { token } = await register(server, 'Pilot_3')
    const other = await openDatabase({ url: postgres.url, directory: '', schema: 'game' })
    await other.sql`
    update account set unflown_since = unflown_since - interval '40 days'
    where username = 'Pilot_3'`
    await server.kill()
    const late = await other.sql.begin(async (held) => {
      await held`select from account where username = 'Pilot_3' for share`
      await server.restart()
      const isWaiting = async (): Promise<boolean> =>
        (await held`select from pg_locks where not granted`).length > 0
      while (!(await isWaiting())) await setTimeout(50)
      return openSocket(server, token)
    })
    expect((await late.next('error')).code).toBe('E014')
    expect(await late.closed).toEqual({ code: 4004, reason: 'account deleted' })
    await other.close()
  },
)

test.runIf(IS_NIGHT)(
  'hung at an order: no client is shown it, others go on, no crash undoes a frame',
  async () => {
    const other = await register(server, 'Pilot_4')
    const [watching, ordering] = [
      await openSocket(server, other.token),
      await openSocket(server, pilot.token),
    ]
    const first = await watching.freshTick()
    const { fuel, thrust_level: level } = shipOf(first, pilot.ship_id)
    expect(level).toBe(0)
    let shown = first.game_time
    postgres.freeze()
    onTestFailed(() => postgres.kill())
    ordering.send({ type: 'control', thrust_level: 1 })
    await ordering.answer({ type: 'ping' })
    await watching.freshTick()
    const own = new Set<number>()
    for (let frame = 0; frame < 20; frame++) {
      const tick = await watching.next('tick')
      expect(shipOf(tick, pilot.ship_id)).toMatchObject({ fuel, thrust_level: 0 })
      own.add(shipOf(tick, other.ship_id).position.x)
      shown = tick.game_time
    }
    expect(own.size).toBe(20)
    await server.kill()
    await postgres.kill()
    await postgres.restart()
    await server.restart()
    const again = await (await openSocket(server, other.token)).freshTick()
    expect(shipOf(again, pilot.ship_id)).toMatchObject({ fuel, thrust_level: 0 })
    expect(Date.parse(again.game_time)).toBeGreaterThan(Date.parse(shown))
  },
)

test('stopped while the database is away, it ends and says what was not kept', async () => {
  socket = await openSocket(server, pilot.token)
  await postgres.kill()
  expect(await rename('Never kept')).toBe('E008')
  expect(await server.stop()).toBe(1)
  expect(server.output()).toContain('1 commands did not become durable within 10000 ms')
  await postgres.restart()
  const other = await openDatabase({ url: postgres.url, directory: '', schema: 'game' })
  expect(await other.sql`select id from snapshot where not complete`).toEqual([])
  await other.close()
})
