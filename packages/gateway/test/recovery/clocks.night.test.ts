// Law: a server whose clock is off by 120 ms warns once and keeps what it owns; of two whose clocks
// are wrong one owns all; one whose clock is wrong takes the world where no other can, and gives it
// to one whose clock is right. Method: real server processes, whose clocks are shifted, on a real
// PostgreSQL.
import type { PostgresServer } from '@orrery/testkit'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { replayed } from '@orrery/testkit/replayed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Loose, ask, openOrders, openSocket, register } from '../player-client.ts'
import {
  MAIN,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
} from '../server-process.ts'
import {
  type StoredWorld,
  clockOff,
  openStoredWorld,
  ownerOf,
  until,
  untilFollowing,
} from './hosts.ts'

const SYSTEMS = ['alpha-centauri', 'sol', 'trappist-1']

const WARNED = '"msg":"the clock of this machine is off"'
const IS_WRONG = '"msg":"the clock of this machine is wrong'

const directory = dataDirectory()
let postgres: PostgresServer
let variables: ReturnType<typeof environment>
let stored: StoredWorld
const servers: ServerProcess[] = []
let owner: ServerProcess
let token: string

async function start(ms: number): Promise<ServerProcess> {
  const server = await startServer({ ...variables, ...clockOff(ms) })
  servers.push(server)
  return server
}

beforeAll(async () => {
  postgres = await startGamePostgres(MAIN)
  variables = environment(directory.path, { DATABASE_URL: postgres.url, STANDBY: 'true' })
  owner = await ownerOf([await start(120)])
  stored = await openStoredWorld(postgres.url)
  const order = await openOrders(owner)
  await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  await order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  token = (await register(owner, 'Pilot_1')).token
})

afterAll(async () => {
  for (const server of servers) await server.kill()
  await stored.close()
  await postgres.stop()
  directory.remove()
})

/** Waits for the beats of three seconds of an owner: it looks twice a second whether to give. */
async function untilBeaten({ url }: ServerProcess): Promise<void> {
  const beats = async (): Promise<number> => {
    const [row] = await stored.sql<[{ beats: number }]>`
      select max(beats)::int as beats from host where address = ${url}`
    return row.beats
  }
  const enough = (await beats()) + 15
  await until(async () => (await beats()) > enough)
}

async function listed({ url }: ServerProcess): Promise<Loose> {
  const order = await openOrders(owner)
  const { hosts } = await order('GET', '/api/admin/hosts')
  return hosts.find((one: Loose) => one.url === url)
}

/** Renames a ship, which is acknowledged. */
async function rename(name: string): Promise<void> {
  const socket = await openSocket(owner, token)
  expect(await socket.answer({ type: 'ship_rename', name })).toMatchObject({ name })
  await socket.close()
}

test('off by 120 ms: it warns once, and keeps all while another one follows it', async () => {
  const other = await start(0)
  await untilFollowing(other, owner)
  await until(() => owner.output().includes(WARNED))
  await untilBeaten(owner)
  expect(owner.output().split(WARNED)).toHaveLength(2)
  expect(await listed(owner)).toMatchObject({ clock_state: 'off', system_ids: SYSTEMS })
  expect(await listed(other)).toMatchObject({ clock_state: 'right', state: 'standby' })
  const { body } = await ask(owner, 'GET', '/health/ready')
  expect(body).toMatchObject({ status: 'ok', warning: expect.stringContaining('ms ahead') })
  await rename('Off')
  await other.kill()
})

test('of two whose clocks are wrong one takes the world, and keeps it', async () => {
  const both = [await start(2000), await start(-2000)]
  for (const one of both) await untilFollowing(one, owner)
  for (const one of both) await until(() => one.output().includes(IS_WRONG))
  await owner.kill()
  owner = await ownerOf(both)
  const other = both.find((one) => one !== owner)!
  await untilFollowing(other, owner)
  await untilBeaten(owner)
  expect(await listed(owner)).toMatchObject({ clock_state: 'wrong', system_ids: SYSTEMS })
  expect(await listed(other)).toMatchObject({ clock_state: 'wrong', state: 'standby' })
  await rename('Wrong')
})

test('one whose clock is right gets all from it, and keeps it', async () => {
  const wrong = owner
  const right = await start(0)
  owner = await ownerOf([right])
  await until(() => !wrong.running())
  await untilBeaten(owner)
  expect(await listed(owner)).toMatchObject({ clock_state: 'right', system_ids: SYSTEMS })
  await rename('Right')
  const names = await stored.renamed()
  expect(names).toEqual(['Off', 'Wrong', 'Right'])
})

test('all digests of the owners are those of a replay', async () => {
  // None that is left is given the world.
  for (const server of servers) if (server !== owner) await server.kill()
  expect(await owner.stop()).toBe(0)
  const report = await replayed(variables)
  expect(report).toMatchObject({ differences: 0, ships: 1 })
  expect(report.digests_compared).toBeGreaterThan(3)
})
