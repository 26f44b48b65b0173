// Law: an upgrade of a module is of the world, whoever flies it. Method: an owner that has the
// older version alone, and two servers that stand by with both; the first that takes over upgrades,
// which the other follows, and takes over after it.
import { createModulesClient } from '@orrery/client/flight'
import type { PostgresServer } from '@orrery/testkit'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrders, register } from '../player-client.ts'
import {
  MAIN,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
} from '../server-process.ts'
import { ownerOf, untilFollowing } from './hosts.ts'

const BANK = new URL('../modules/bank.ts', import.meta.url).pathname
const directory = dataDirectory()
let postgres: PostgresServer
const servers: ServerProcess[] = []

beforeAll(async () => {
  postgres = await startGamePostgres(MAIN)
})

afterAll(async () => {
  for (const server of servers) await server.kill()
  await postgres.stop()
  directory.remove()
})

/** The file of a version that counts in cents. */
function inCents(): string {
  mkdirSync(directory.path, { recursive: true })
  const file = join(directory.path, 'bank-2.ts')
  const from = 'from: { 1: { account: ({ credits }) => ({ credits: 100 * Number(credits) }) } },'
  writeFileSync(file, readFileSync(BANK, 'utf8').replace('version: 1,', `version: 2, ${from}`))
  return file
}

test('one that stands by takes over, and another follows it through the upgrade', async () => {
  const variables = environment(directory.path, { DATABASE_URL: postgres.url, STANDBY: 'true' })
  const first = await startServer({ ...variables, MODULES: BANK })
  servers.push(await ownerOf([first]))
  await (
    await openOrders(first)
  )('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  const { token } = await register(first, 'Banker')
  const modulesAt = ({ url }: ServerProcess) => createModulesClient({ url, token })
  await modulesAt(first).command('bank', 'earn', { credits: 120 })
  const both = { ...variables, MODULES: `${inCents()},${BANK}` }
  const standbys = await Promise.all([startServer(both), startServer(both)])
  servers.push(...standbys)
  for (const server of standbys) await untilFollowing(server, first)
  const kept = async (server: ServerProcess): Promise<unknown> => {
    const { modules } = await modulesAt(server).list()
    const { ship_values: values } = await modulesAt(server).read()
    return { version: modules[0].version, ...values['bank'] }
  }
  await first.kill()
  const second = await ownerOf(standbys)
  const third = standbys.find((server) => server !== second)!
  expect(await kept(second)).toEqual({ version: 2, credits: 12_000, title: 'Baron' })
  await modulesAt(second).command('bank', 'earn', { credits: 5 })
  await untilFollowing(third, second)
  await second.kill()
  await ownerOf([third])
  expect(await kept(third)).toEqual({ version: 2, credits: 12_005, title: 'Baron' })
  for (const server of [second, third]) {
    expect(server.output()).not.toContain('did not come out as it was kept')
  }
})
