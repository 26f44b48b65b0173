// Law: what modules keep of an account follows its ships from host to host, once. Method: two real
// server processes, each of which flies one of an account's two ships.
import { createGameClient } from '@orrery/client'
import { createModulesClient } from '@orrery/client/flight'
import type { PostgresServer } from '@orrery/testkit'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrders, register } from '../player-client.ts'
import {
  MAIN,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
} from '../server-process.ts'
import { ownerOf, until, untilFollowing } from './hosts.ts'

const FAR = 'trappist-1'
const MODULES = new URL('../modules/bank.ts', import.meta.url).pathname

const directory = dataDirectory()
let postgres: PostgresServer
let servers: readonly ServerProcess[] = []

beforeAll(async () => {
  postgres = await startGamePostgres(MAIN)
})

afterAll(async () => {
  for (const server of servers) await server.kill()
  await postgres.stop()
  directory.remove()
})

test('credits go to the ship of another host, and back', async () => {
  const given = { DATABASE_URL: postgres.url, STANDBY: 'true', MODULES, SHIPS_PER_PLAYER: '2' }
  const variables = environment(directory.path, given)
  const leader = await startServer(variables)
  servers = [await ownerOf([leader])]
  const order = await openOrders(leader)
  const { token, ship_id: first } = await register(leader, 'Banker')
  const pilot = createGameClient({ url: leader.url }).player(token)
  const modules = createModulesClient({ url: leader.url, token })
  const { ships } = await pilot.ships.create()
  const second = ships[1].ship_id
  await order('POST', `/api/admin/ship/${second}/system`, { system_id: FAR })
  const flyer = await startServer(variables)
  servers = [leader, flyer]
  await untilFollowing(flyer, leader)
  const hosts = async (): Promise<
    readonly { url: string; host_id: string; system_ids: string[] }[]
  > => (await order('GET', '/api/admin/hosts')).hosts
  const other = (await hosts()).find(({ url }) => url === flyer.url)!
  await order('POST', `/api/admin/hosts/${other.host_id}/systems`, { system_id: FAR })
  await until(async () => {
    return (await hosts()).some(
      ({ url, system_ids: ids }) => url === flyer.url && ids.includes(FAR),
    )
  })
  const credits = async () => (await modules.read()).ship_values['bank']['credits']
  await modules.command('bank', 'earn', { credits: 120 })
  await pilot.ships.fly(second)
  await until(async () => (await credits()) === 120)
  await modules.command('bank', 'earn', { credits: 3 })
  await until(async () => (await credits()) === 123)
  await pilot.ships.fly(first)
  await until(async () => (await credits()) === 123)
  await pilot.ships.giveUp(second)
  expect(await credits()).toBe(123)
})
