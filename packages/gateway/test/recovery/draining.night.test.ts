// Law: a drained host gives all that it owns to others, whose clients keep their sockets and their
// commands; it owns nothing until that is undone, also when it starts again. A host that ends on
// SIGTERM gives its world away before. All digests are those of a replay in one process.
// Method: three real server processes and a gateway on a real PostgreSQL.
import { freePort } from '@orrery/database/embedded'
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { replayed } from '@orrery/testkit/replayed'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Loose,
  type PlayerSocket,
  ask,
  openOrders,
  openSocket,
  register,
} from '../player-client.ts'
import { type ServerProcess, dataDirectory, environment, startServer } from '../server-process.ts'
import { ownerOf, until, untilFollowing } from './hosts.ts'

const HOME = 'sol'

const directory = dataDirectory()
let postgres: PostgresServer
let variables: ReturnType<typeof environment>
let hosts: ServerProcess[]
let gateway: ServerProcess
let order: Awaited<ReturnType<typeof openOrders>>
let socket: PlayerSocket
/** names that were acknowledged */
const renamed: string[] = []
const ending = new AbortController()
let steering: Promise<void>

async function startHost(port: number): Promise<ServerProcess> {
  return startServer({ ...variables, PORT: String(port) })
}

beforeAll(async () => {
  postgres = await startPostgresServer()
  variables = environment(directory.path, { DATABASE_URL: postgres.url, STANDBY: 'true' })
  const first = await startHost(await freePort())
  await ownerOf([first])
  order = await openOrders(first)
  await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  await order('PUT', '/api/admin/game/time-scale', { time_scale: 20 })
  const { token } = await register(first, 'Pilot_1')
  hosts = [first, await startHost(await freePort()), await startHost(await freePort())]
  for (const host of hosts.slice(1)) await untilFollowing(host, first)
  gateway = await startServer({ ...variables, ROLES: 'gateway', STANDBY: 'false' })
  await ownerOf([gateway])
  order = await openOrders(gateway)
  socket = await openSocket(gateway, token)
  steering = steer()
})

afterAll(async () => {
  ending.abort()
  for (const server of [...hosts, gateway]) await server.kill()
  await postgres.stop()
  directory.remove()
})

/** Renames a ship again and again. */
async function steer(): Promise<void> {
  for (let count = 0; !ending.signal.aborted; count++) {
    const answer = await socket.answer({ type: 'ship_rename', name: `Ship ${count}` })
    expect(answer).toMatchObject({ type: 'ship_renamed', name: `Ship ${count}` })
    renamed.push(`Ship ${count}`)
    // A ship has a budget of commands.
    await setTimeout(50)
  }
}

async function untilSteered(): Promise<void> {
  const enough = renamed.length + 20
  await Promise.race([until(() => renamed.length > enough), steering])
}

/** A host as it is listed, once an owner answers; one that has just ended may be listed, too. */
async function listed({ url }: Pick<ServerProcess, 'url'>): Promise<Loose> {
  const answer: Loose = await order('GET', '/api/admin/hosts').catch(() => undefined)
  if (!answer) return setTimeout(10).then(() => listed({ url }))
  const all = answer.hosts.filter((one: Loose) => one.url === url)
  return all.toSorted((a: Loose, b: Loose) => b.started_at.localeCompare(a.started_at))[0]
}

async function saysDrained(server: ServerProcess): Promise<boolean> {
  return (await ask(server, 'GET', '/health/ready')).text.includes('This server is drained')
}

/** How often a host has begun to fly for a leader. */
function flightsOf(server: ServerProcess): number {
  return server.output().split('"msg":"flying star systems"').length
}

/** The host that owns the home system, by the list. */
async function leaderOf(): Promise<ServerProcess> {
  for (;;) {
    for (const host of hosts) {
      if (host.running() && (await listed(host))?.system_ids.includes(HOME)) return host
    }
    await setTimeout(10)
  }
}

test('the leader is drained: others fly all, and it stays so when it starts again', async () => {
  await untilSteered()
  const drained = hosts[0]
  const { host_id: id } = await listed(drained)
  await order('POST', `/api/admin/hosts/${id}/drain`)
  await until(() => !drained.running())
  const owners = hosts.slice(1)
  await until(async () => {
    const owned = await Promise.all(owners.map(listed))
    return owned.every(({ system_ids: own }) => own.length > 0)
  })
  await untilSteered()
  const leader = await leaderOf()
  hosts[0] = await startHost(drained.port)
  await untilFollowing(hosts[0], leader)
  await until(() => saysDrained(hosts[0]))
  expect(await listed(hosts[0])).toMatchObject({ drained: true, state: 'standby', system_ids: [] })
})

test('one that flies for the leader is drained: it goes on, and owns nothing', async () => {
  const leader = await leaderOf()
  const flyer = hosts.slice(1).find((host) => host !== leader)!
  await order('POST', `/api/admin/hosts/${(await listed(flyer)).host_id}/drain`)
  await until(async () => (await listed(flyer)).system_ids.length === 0)
  await until(() => saysDrained(flyer))
  expect((await listed(leader)).system_ids).toHaveLength(3)
  expect(flyer.running()).toBe(true)
  await untilSteered()
})

test('a host that gets SIGTERM gives its world to a host that is drained no more', async () => {
  const leader = await leaderOf()
  await order('DELETE', `/api/admin/hosts/${(await listed(hosts[0])).host_id}/drain`)
  await until(async () => !(await listed(hosts[0])).drained)
  await until(async () => !(await saysDrained(hosts[0])))
  expect(await leader.stop()).toBe(0)
  expect(leader.output()).toContain('the world is given to another host')
  expect(await ownerOf(hosts.filter((host) => host !== leader))).toBe(hosts[0])
  await untilSteered()
})

test('the leader is drained beside one that flies for it: that goes on with all', async () => {
  // It opens the stored world, which may take longer than commands wait.
  ending.abort()
  await steering
  const flyer = hosts.find((host) => host !== hosts[0] && host.running())!
  const { host_id: id } = await listed(flyer)
  const flights = flightsOf(flyer)
  await order('DELETE', `/api/admin/hosts/${id}/drain`)
  await order('POST', `/api/admin/hosts/${id}/systems`, { system_id: 'alpha-centauri' })
  await until(() => flightsOf(flyer) > flights)
  await order('POST', `/api/admin/hosts/${(await listed(hosts[0])).host_id}/drain`)
  await until(() => !hosts[0].running())
  expect(await ownerOf([flyer])).toBe(flyer)
  await until(async () => (await listed(flyer)).system_ids.length === 3)
})

test('all digests are those of a replay in one process', async () => {
  expect(socket.socket.readyState).toBe(socket.socket.OPEN)
  await socket.close()
  for (const host of hosts.filter((one) => one.running()).toReversed()) {
    expect(await host.stop()).toBe(0)
  }
  const report = await replayed(variables)
  expect(report).toMatchObject({ differences: 0, ships: 1 })
  expect(report.digests_compared).toBeGreaterThan(3)
})
