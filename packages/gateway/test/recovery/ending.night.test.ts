// Law: hosts that end at once leave a stored world: the next start replays next to nothing.
// Method: a leader and a host that flies for it, real server processes on a real PostgreSQL.
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { replayed } from '@orrery/testkit/replayed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrders, register } from '../player-client.ts'
import { type ServerProcess, dataDirectory, environment, startServer } from '../server-process.ts'
import { type StoredWorld, openStoredWorld, ownerOf, until, untilFollowing } from './hosts.ts'

const FAR = 'alpha-centauri'

const directory = dataDirectory()
let postgres: PostgresServer
let variables: ReturnType<typeof environment>
let servers: ServerProcess[]
let stored: StoredWorld

beforeAll(async () => {
  postgres = await startPostgresServer()
  variables = environment(directory.path, { DATABASE_URL: postgres.url, STANDBY: 'true' })
  stored = await openStoredWorld(postgres.url)
  await startHosts()
})

afterAll(async () => {
  for (const server of servers) await server.kill()
  await stored.close()
  await postgres.stop()
  directory.remove()
})

async function startHosts(): Promise<void> {
  const leader = await startServer(variables)
  servers = [leader]
  await ownerOf(servers)
  const other = await startServer(variables)
  servers.push(other)
  await untilFollowing(other, leader)
}

/** What the newest stored world lacks of each star system. */
async function lacking(): Promise<unknown> {
  const rows = await stored.sql`
    select system, sequence::int - (newest.sequences ->> system)::int as commands
    from system_owner, (select sequences from snapshot where complete order by id desc limit 1)
      as newest order by system`
  return [...rows]
}

const WHOLE = [FAR, 'sol', 'trappist-1'].map((system) => ({ system, commands: 0 }))

test('an owner and a host that follows it', async () => {
  await register(servers[0], 'Pilot_1')
  const codes = await Promise.all(servers.map((server) => server.stop()))
  expect(codes).toEqual([0, 0])
  expect(await lacking()).toEqual(WHOLE)
})

test('a leader and a host that flies for it', async () => {
  await startHosts()
  const [leader, flyer] = servers
  const order = await openOrders(leader)
  const { hosts } = await order('GET', '/api/admin/hosts')
  const { host_id: id } = hosts.find((host: { url: string }) => host.url === flyer.url)
  await order('POST', `/api/admin/hosts/${id}/systems`, { system_id: FAR })
  await until(() => flyer.output().includes('"msg":"flying star systems"'))
  await register(leader, 'Pilot_2')
  const codes = await Promise.all(servers.map((server) => server.stop()))
  expect(codes).toEqual([0, 0])
  expect(await lacking()).toEqual(WHOLE)
})

test('all digests are those of a replay', async () => {
  expect(await replayed(variables)).toMatchObject({ differences: 0, ships: 2 })
})
