// Goal: after a server that is killed while it recovers its world, the next start recovers the same
// world. Method: the real server on a PostgreSQL server where a table is locked; once the recovery
// waits for the lock, the server is killed.
import type { AdminStatusResponse } from '@orrery/protocol'
import { openFreshDatabase, startService } from '@orrery/testkit'
import { migrations } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { adminToken, ask, openSocket, register } from '../player-client.ts'
import { MAIN, killedStart } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

/** Of the server's database; the tables in its own schema are not used. */
let observer: Awaited<ReturnType<typeof openFreshDatabase>>
let token: string
/** of a recovery without a kill */
let undisturbed: unknown

afterAll(async () => {
  await observer.close()
})

const server = usedServer(
  async () => {
    observer = await openFreshDatabase({ schema: 'observer', migrations })
    return { DATABASE_URL: observer.url }
  },
  async () => {
    await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 10 })
    await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
    token = (await register(server, 'Pilot_1')).token
    const socket = await openSocket(server, token)
    socket.send({ type: 'control', id: 'burn', thrust_level: 0.5, pointing: 'prograde' })
    const { game_time: start } = await socket.next('accepted')
    // A digest is due each 64 s, and is written up to 64 s later.
    const end = Date.parse(start) + 300_000
    await socket.next('tick', ({ game_time: time }) => Date.parse(time) > end)
    await server.order('POST', '/api/admin/game/pause')
    await server.kill()
    await server.restart()
    undisturbed = await outcome()
    await server.kill()
  },
)

/** The world after a recovery, and the number of compared digests. */
async function outcome(): Promise<unknown> {
  const ship = await ask(server, 'GET', '/api/player/ship', { token })
  const admin = await adminToken(server)
  const { body } = await ask(server, 'GET', '/api/admin/status', { token: admin })
  const { current_tick: tick, game_time: time, paused } = body as AdminStatusResponse
  const digests = Number(/"digests":(\d+).*"world recovered"/.exec(server.output())?.[1])
  expect(digests).toBeGreaterThan(2)
  expect(server.output()).not.toMatch(/"level":"(?:error|fatal)"/)
  return { ship: ship.body, status: ship.status, tick, time, paused, digests }
}

/** Locks a table of the game until it is released; it can be read when `isReadable`. */
async function hold(table: string, isReadable = false): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<undefined>()
  const over = Promise.withResolvers<undefined>()
  const holding = observer.sql.begin(async (transaction) => {
    const mode = isReadable ? transaction`exclusive` : transaction`access exclusive`
    await transaction`lock table ${transaction(`game.${table}`)} in ${mode} mode`
    held.resolve(undefined)
    await over.promise
  })
  await Promise.race([held.promise, holding])
  return {
    release: async () => {
      over.resolve(undefined)
      await holding
    },
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(10)
}

async function isWaitedFor(table: string): Promise<boolean> {
  const waiting = await observer.sql`
    select from pg_locks where relation = ${`game.${table}`}::regclass and not granted`
  return waiting.length > 0
}

async function isAlone(): Promise<boolean> {
  const others = await observer.sql`
    select from pg_stat_activity
    where datname = current_database() and application_name like 'orrery game%'`
  return others.length === 0
}

/** In the order of a recovery, with the tables that are locked one after the other. */
const MOMENTS: readonly (readonly [name: string, tables: readonly string[]])[] = [
  ['it takes the world', ['system_owner']],
  ['it reads the stored world', ['snapshot_part']],
  ['it reads the journal', ['journal']],
  ['it has flown, and looks for more', ['journal', 'clock']],
  ['it compares digests', ['digest']],
  ['it has recovered, and reads the accounts', ['digest', 'account']],
]

test.each(MOMENTS)('killed when %s', async (_, tables) => {
  let held = await hold(tables[0])
  const moment = async (): Promise<void> => {
    await until(() => isWaitedFor(tables[0]))
    for (const [i, next] of tables.slice(1).entries()) {
      const nextHeld = await hold(next)
      await held.release()
      held = nextHeld
      await until(() => isWaitedFor(tables[i + 1]))
    }
  }
  const output = await killedStart(server.variables, moment)
  await held.release()
  // Sessions of the killed server end before the next one starts.
  await until(isAlone)
  expect(output.includes('"world recovered"')).toBe(tables.includes('account'))
  expect(output).not.toContain('listens on')
})

test('the recovered world equals that of a recovery without a kill', async () => {
  await server.restart()
  expect(await outcome()).toEqual(undisturbed)
})

test('a start waits for the ships that it makes, however long the journal takes', async () => {
  await server.stop()
  await until(isAlone)
  await observer.sql`update game.account set ship_id = ${randomUUID()} where ship_id is not null`
  const held = await hold('journal', true)
  const starting = startService({ main: MAIN, variables: server.variables })
  await until(async () => starting.output().stderr.includes('the database is away'))
  await held.release()
  await starting.ready
  expect(await starting.stop()).toBe(0)
})
