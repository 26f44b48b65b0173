// Law: star systems of one universe are owned by different hosts at the same time: each is moved
// live, commands reach its owner through the leader, an owner that dies loses only what it had, and
// all digests are those of a replay in one process. Method: two real server processes and a
// gateway on a real PostgreSQL.
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { replayed } from '@orrery/testkit/replayed'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, openOrders, openSocket, register } from '../player-client.ts'
import { type ServerProcess, dataDirectory, environment, startServer } from '../server-process.ts'
import { type StoredWorld, openStoredWorld, ownerOf, until, untilFollowing } from './hosts.ts'

const FAR = 'alpha-centauri'

const directory = dataDirectory()
let postgres: PostgresServer
let variables: ReturnType<typeof environment>
let leader: ServerProcess
let flyer: ServerProcess
/** serves clients from a mirror of both hosts' systems */
let gateway: ServerProcess
let stored: StoredWorld
let order: Awaited<ReturnType<typeof openOrders>>
/** renames so far */
let acknowledged = 0
let pilots: { readonly token: string; readonly ship_id: string }[]

beforeAll(async () => {
  postgres = await startPostgresServer()
  variables = environment(directory.path, { DATABASE_URL: postgres.url, STANDBY: 'true' })
  leader = await startServer(variables)
  await ownerOf([leader])
  order = await openOrders(leader)
  await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  await order('PUT', '/api/admin/game/time-scale', { time_scale: 20 })
  pilots = [await register(leader, 'Pilot_1'), await register(leader, 'Pilot_2')]
  await order('POST', `/api/admin/ship/${pilots[1].ship_id}/system`, { system_id: FAR })
  flyer = await startServer(variables)
  await untilFollowing(flyer, leader)
  gateway = await startServer({ ...variables, ROLES: 'gateway', STANDBY: 'false' })
  await ownerOf([gateway])
  stored = await openStoredWorld(postgres.url)
})

afterAll(async () => {
  for (const server of [leader, flyer, gateway]) await server.kill()
  await stored.close()
  await postgres.stop()
  directory.remove()
})

/** The systems of each host, by its URL. */
async function systemsOf({ url }: ServerProcess): Promise<string[]> {
  const { hosts } = await order('GET', '/api/admin/hosts')
  return hosts.find((host: { url: string }) => host.url === url)?.system_ids ?? []
}

async function move(systemId: string, { url }: ServerProcess): Promise<void> {
  const { hosts } = await order('GET', '/api/admin/hosts')
  const { host_id: id } = hosts.find((host: { url: string }) => host.url === url)
  await order('POST', `/api/admin/hosts/${id}/systems`, { system_id: systemId })
}

/** Renames and steers both ships over a server that has clients. */
async function steerBoth(name: string, server = leader): Promise<void> {
  for (const [place, { token }] of pilots.entries()) {
    const socket = await openSocket(server, token)
    const renamed = await socket.answer({ type: 'ship_rename', name: `${name} ${place}` })
    expect(renamed).toMatchObject({ type: 'ship_renamed', name: `${name} ${place}` })
    acknowledged++
    socket.send({ type: 'control', thrust_level: 0.25 * (place + 1) })
    const ship = await ask(server, 'GET', '/api/player/ship', { token })
    expect(ship.body).toMatchObject({ name: `${name} ${place}` })
    await socket.close()
  }
}

async function fenceOf(systemId: string): Promise<number> {
  const [{ fence }] = await stored.sql<[{ fence: number }]>`
    select fence::int from system_owner where system = ${systemId}`
  return fence
}

/** The star system of a ship, as the leader sees it. */
async function placeOf(shipId: string): Promise<string | undefined> {
  const { players } = await order('GET', `/api/admin/players?search=${shipId}`)
  return (await order('GET', `/api/admin/players/${players[0].player_id}`)).system_id
}

/** Waits until a system has so many digests more. */
async function untilDigests(systemId: string, more: number): Promise<void> {
  const count = async (): Promise<number> => {
    const [row] = await stored.sql<[{ count: number }]>`
      select count(*)::int from digest where system = ${systemId}`
    return row.count
  }
  const enough = (await count()) + more
  await until(async () => (await count()) >= enough)
}

test('moved live: each host flies its own, and commands reach both', async () => {
  await steerBoth('First')
  await move(FAR, flyer)
  await until(async () => (await systemsOf(flyer)).includes(FAR))
  await until(() => flyer.output().includes('"msg":"flying star systems"'))
  await steerBoth('Second')
  await steerBoth('Remote', gateway)
  await untilDigests(FAR, 2)
  expect(await systemsOf(leader)).toEqual(['sol', 'trappist-1'])
  expect(await systemsOf(flyer)).toEqual([FAR])
})

test('moved there and back under commands: none is refused', async () => {
  const ending = new AbortController()
  const steer = async ({ token }: (typeof pilots)[number]): Promise<void> => {
    const socket = await openSocket(leader, token)
    for (let count = 0; !ending.signal.aborted; count++) {
      const answer = await socket.answer({ type: 'ship_rename', name: `Ship ${count}` })
      expect(answer).toMatchObject({ type: 'ship_renamed', name: `Ship ${count}` })
      acknowledged++
      // A ship has a budget of commands.
      await setTimeout(50)
    }
    await socket.close()
  }
  const steering = Promise.all(pilots.map(steer))
  for (const server of [leader, flyer, leader, flyer]) {
    await move(FAR, server)
    await until(async () => (await systemsOf(server)).includes(FAR))
    const enough = acknowledged + 20
    // A refusal ends the steering.
    await Promise.race([until(() => acknowledged > enough), steering])
  }
  ending.abort()
  await steering
})

test('a ship goes from a system of one host to one of the other, once', async () => {
  const [{ ship_id: shipId, token }] = pilots
  const stateOf = async (): Promise<unknown> => {
    const [row] = await stored.sql`select state from hand_off where ship_id = ${shipId}`
    return row?.['state']
  }
  // No host can look at the others meanwhile: an arrival waits for none of it.
  await stored.sql.begin(async (transaction) => {
    await transaction`lock table host in access exclusive mode`
    await order('POST', `/api/admin/ship/${shipId}/system`, { system_id: FAR })
    await until(async () => (await stateOf()) === 'arrived')
  })
  for (const server of [leader, gateway]) {
    await until(async () => {
      const { status, text } = await ask(server, 'GET', '/api/player/ship', { token })
      return status === 200 && text.includes(`"system_id":"${FAR}"`)
    })
  }
  await steerBoth('Crossed')
  expect(await stateOf()).toBe('arrived')
})

test('an admin sends a ship out of a system of the other host', async () => {
  const [, { ship_id: shipId, token }] = pilots
  await order('POST', `/api/admin/ship/${shipId}/system`, { system_id: 'trappist-1' })
  await until(async () => {
    const { text } = await ask(leader, 'GET', '/api/player/ship', { token })
    return text.includes('"system_id":"trappist-1"')
  })
  const { entries } = await order('GET', '/api/admin/audit')
  expect(entries[0]).toMatchObject({ action: 'transfer_ship', detail: { ship: shipId } })
})

test('an admin changes what is in a system of the other host, over any server', async () => {
  expect(await systemsOf(flyer)).toEqual([FAR])
  for (const server of [leader, gateway]) {
    const command = await openOrders(server)
    const far = { name: 'Far', parent_body: 'Proxima b', altitude: 2e6 }
    const { station_id: stationId } = await command('POST', '/api/admin/station', far)
    const { stations } = await command('GET', '/api/admin/stations')
    expect(JSON.stringify(stations)).toContain(stationId)
    await command('DELETE', `/api/admin/station/${stationId}`)
    const nowhere = { ...far, parent_body: 'Nowhere' }
    await expect(command('POST', '/api/admin/station', nowhere)).rejects.toThrow('400')
    const level = server === leader ? 'verbose' : 'normal'
    await command('POST', '/api/admin/maneuver-logging', { level })
    const levels = await stored.sql<{ system: string; level: string }[]>`
      select distinct on (system) system, command->>'level' as level from journal
      where command->>'kind' = 'maneuver_logging' order by system, sequence desc`
    expect(levels.map((row) => row.level)).toEqual([level, level, level])
    const { ship_id: shipId, player_id: playerId } = await register(server, `Leaving_${level}`)
    await command('POST', `/api/admin/ship/${shipId}/system`, { system_id: FAR })
    const isThere = async (): Promise<boolean> =>
      (await command('GET', `/api/admin/players/${playerId}`)).system_id === FAR
    await until(isThere)
    await command('DELETE', `/api/admin/players/${playerId}`)
    const gone = command('GET', `/api/admin/players/${playerId}`)
    await expect(gone).rejects.toThrow('404')
    const [removal] = await stored.sql`
      select system from journal
      where command->>'kind' = 'remove_ship' and command->>'shipId' = ${shipId}`
    expect(removal).toEqual({ system: FAR })
  }
})

test('a program sends a ship out of a system of the other host once, over any server', async () => {
  const { player_id: playerId, ship_id: shipId } = await register(gateway, 'Prize')
  await order('POST', `/api/admin/ship/${shipId}/system`, { system_id: FAR })
  await until(async () => (await placeOf(shipId)) === FAR)
  const wanted = { name: 'shop', scopes: ['commands'] }
  const { token } = await order('POST', '/api/admin/service-tokens', wanted)
  const send = async (server: ServerProcess): Promise<unknown> => {
    const body = { system_id: 'trappist-1' }
    const headers = { 'idempotency-key': 'prize' }
    const path = `/api/service/ships/${shipId}/system`
    return (await ask(server, 'PUT', path, { token, body, headers })).body
  }
  expect(await send(gateway)).toEqual({ ship_id: shipId })
  await until(async () => (await placeOf(shipId)) === 'trappist-1')
  expect(await send(leader)).toEqual({ ship_id: shipId })
  // As a crash of the leader leaves it, between the act of the other host and its own answer.
  await stored.sql`update service_answer set answer = null`
  expect(await send(gateway)).toEqual({ ship_id: shipId })
  const departures = await stored.sql`
    select from journal where command->>'kind' = 'depart_ship' and command->>'shipId' = ${shipId}
      and command->>'to' = 'trappist-1'`
  expect(departures).toHaveLength(1)
  await order('DELETE', `/api/admin/players/${playerId}`)
})

test('its owner is killed: the leader takes the system, and nothing else changes', async () => {
  await flyer.kill()
  await until(async () => (await systemsOf(leader)).length === 3)
  expect(flyer.running()).toBe(false)
  await steerBoth('Third')
  await untilDigests(FAR, 1)
})

test('the leader is killed: the flyer leads with what it flies, and takes the rest', async () => {
  flyer = await startServer(variables)
  await untilFollowing(flyer, leader)
  await move(FAR, flyer)
  await until(() => flyer.output().includes('"msg":"flying star systems"'))
  await steerBoth('Fourth')
  await leader.kill()
  leader = await ownerOf([flyer])
  order = await openOrders(leader)
  await steerBoth('Fifth')
  await steerBoth('Last', gateway)
  await until(async () => (await systemsOf(leader)).length === 3)
  expect(leader.output()).toContain('it is to lead')
})

test('the leader is killed while a third host stands by: the flyer flies on', async () => {
  flyer = await startServer(variables)
  await untilFollowing(flyer, leader)
  await move(FAR, flyer)
  await until(() => flyer.output().includes('"msg":"flying star systems"'))
  const heir = await startServer(variables)
  await untilFollowing(heir, leader)
  const fence = await fenceOf(FAR)
  // It dies before the index of a pause, at which both others stand.
  const pausing = order('POST', '/api/admin/game/pause').catch(() => undefined)
  const planned = async (): Promise<number | undefined> => {
    const [row] = await stored.sql<[{ lattice: number }?]>`
      select lattice::float8 as lattice from clock_plan where paused`
    return row?.lattice
  }
  await until(async () => (await planned()) !== undefined)
  const index = await planned()
  await leader.kill()
  await pausing
  leader = await ownerOf([heir])
  order = await openOrders(leader)
  const clocks = (): Promise<{ lattice: number; paused: boolean }[]> =>
    stored.sql<{ lattice: number; paused: boolean }[]>`
      select distinct on (system) lattice::float8 as lattice, paused
      from clock order by system, sequence desc`
  await until(async () => (await clocks()).every(({ paused }) => paused))
  expect((await clocks()).map(({ lattice }) => lattice)).toEqual([index, index, index])
  await order('POST', '/api/admin/game/resume')
  await steerBoth('Sixth')
  await untilDigests(FAR, 2)
  expect(await fenceOf(FAR)).toBe(fence)
  expect(flyer.output()).not.toContain('flying star systems no more')
})

test('all digests are those of a replay in one process', async () => {
  expect(await stored.renamed()).toHaveLength(acknowledged)
  expect(await flyer.stop()).toBe(0)
  expect(await leader.stop()).toBe(0)
  const report = await replayed(variables)
  expect(report).toMatchObject({ differences: 0, ships: 2 })
  expect(report.digests_compared).toBeGreaterThan(3)
})
