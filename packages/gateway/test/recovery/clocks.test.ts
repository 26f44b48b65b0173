// Law: a server whose clock is wrong flies on while it is alone, and says so; one that follows it
// gets all that it owns, nothing acknowledged is lost, and all digests are those of a replay.
// Method: two real server processes, one of which is two seconds ahead, on a real PostgreSQL.
import type { PostgresServer } from '@orrery/testkit'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { replayed } from '@orrery/testkit/replayed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Loose,
  type PlayerSocket,
  ask,
  openOrders,
  openSocket,
  register,
} from '../player-client.ts'
import {
  MAIN,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
} from '../server-process.ts'
import { clockOff, openStoredWorld, ownerOf, until } from './hosts.ts'

const SYSTEMS = ['alpha-centauri', 'sol', 'trappist-1']

/** A busy machine reads its clock less exactly. */
const WORDS = /its clock is \d\.\d s ahead of the database's/

const directory = dataDirectory()
let postgres: PostgresServer
let variables: ReturnType<typeof environment>
let wrong: ServerProcess
let right: ServerProcess | undefined
let token: string
/** names that were acknowledged, in their order */
const acknowledged: string[] = []

beforeAll(async () => {
  postgres = await startGamePostgres(MAIN)
  variables = environment(directory.path, { DATABASE_URL: postgres.url, STANDBY: 'true' })
  wrong = await ownerOf([await startServer({ ...variables, ...clockOff(2000) })])
  token = (await register(wrong, 'Pilot_1')).token
})

afterAll(async () => {
  await wrong.kill()
  await right?.kill()
  await postgres.stop()
  directory.remove()
})

/** Renames a ship again and again, until its socket is closed. */
async function steer(socket: PlayerSocket): Promise<void> {
  for (let count = 0; ; count++) {
    const answer = await socket.answer({ type: 'ship_rename', name: `Ship ${count}` })
    if (answer.type === 'ship_renamed') acknowledged.push(answer.name)
  }
}

test('alone it flies on, and says so', async () => {
  await until(() => wrong.output().includes('"msg":"the clock of this machine is wrong'))
  const health = await ask(wrong, 'GET', '/health/ready')
  expect([health.status, health.body]).toEqual([
    200,
    { status: 'ok', warning: expect.stringMatching(WORDS) },
  ])
  const order = await openOrders(wrong)
  await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  await order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  const seen = async (): Promise<Loose> => (await order('GET', '/api/admin/hosts')).hosts[0]
  // The next beat has what was seen with the last one.
  await until(async () => (await seen()).clock_state === 'wrong')
  expect(await seen()).toMatchObject({ url: wrong.url, drained: false, system_ids: SYSTEMS })
  expect((await seen()).clock_offset_seconds).toBeGreaterThan(0.5)
})

test('one that follows it gets all, and nothing acknowledged is lost', async () => {
  const socket = await openSocket(wrong, token)
  steer(socket).catch(() => undefined)
  await until(() => acknowledged.length > 10)
  right = await startServer(variables)
  expect(await ownerOf([right])).toBe(right)
  await until(() => !wrong.running())
  expect(wrong.output()).toMatch(RegExp(`${WORDS.source}: another server takes the world`))
  const order = await openOrders(right)
  const { hosts } = await order('GET', '/api/admin/hosts')
  expect(hosts[0]).toMatchObject({
    url: right.url,
    clock_state: 'right',
    system_ids: SYSTEMS,
  })
  const stored = await openStoredWorld(postgres.url)
  const names = await stored.renamed()
  await stored.close()
  expect(names.filter((name) => acknowledged.includes(name))).toEqual(acknowledged)
  const ship = await ask(right, 'GET', '/api/player/ship', { token })
  expect(ship.body).toMatchObject({ name: names.at(-1) })
})

test('all digests of both are those of a replay', async () => {
  const flying = right!
  const order = await openOrders(flying)
  const now = async (): Promise<number> => Date.parse((await order('GET', '/api/status')).game_time)
  // Some multiples of 64 s, at which digests are made.
  const endMs = (await now()) + 300_000
  await until(async () => (await now()) > endMs)
  expect(await flying.stop()).toBe(0)
  const report = await replayed(variables)
  expect(report).toMatchObject({ differences: 0, ships: 1 })
  expect(report.digests_compared).toBeGreaterThan(3)
})
