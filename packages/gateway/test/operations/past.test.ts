// Law: a past moment of a running server is flown again in a process of its own, to what pilots saw
// and the digests that were recorded; what goes wrong there is said, and the game flies on.
// Method: the real server under a pilot at 100-fold time; its database is read as its flights do.
import { connectSocket, createGameClient } from '@orrery/client'
import { api } from '@orrery/client/routes'
import { type Database, openDatabase } from '@orrery/database'
import { systemClock } from '@orrery/engine'
import type { OwnShipState, PastResponse, PastSkyResponse } from '@orrery/protocol'
import { join } from 'node:path'
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type PastFlights,
  type PastFlightsOptions,
  type PastViewer,
  createPastFlights,
} from '../../src/past/past-flights.ts'
import { PASSWORD } from '../player-client.ts'
import { ADMIN } from '../server-process.ts'
import { sharedServer } from '../used-server.ts'

const OPERATOR: PastViewer = { accountId: 'admin', shipId: undefined }

let database: Database
let flights: PastFlights
let config: PastFlightsOptions['config']
let shipId: string
let pilotToken: string
/** what the pilot saw in a pause */
let seen: OwnShipState
let seenMs: number

const server = sharedServer(async () => {
  const { order, url, variables } = server
  await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 10 })
  await order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  const game = createGameClient({ url })
  const pilot = await game.register('Dallas', PASSWORD)
  shipId = pilot.ship_id
  pilotToken = pilot.token
  const socket = connectSocket({ url, token: pilot.token })
  await socket.opened
  await socket.control({ thrust_level: 0.5, pointing: 'prograde' })
  await gameSeconds(210)
  await order('POST', '/api/admin/game/pause')
  seen = await game.player(pilot.token).ship()
  seenMs = await gameMs()
  await order('POST', '/api/admin/game/resume')
  await socket.control({ thrust_level: 0, pointing: 'retrograde' })
  await gameSeconds(20)
  await order('POST', '/api/admin/snapshot')
  await gameSeconds(150)
  socket.close()
  config = {
    dataDirectory: variables['DATA_DIR'] ?? '',
    databaseUrl: undefined,
    shipsMax: 2000,
    moduleFiles: [],
    pastFlightsMax: 1,
    pastFlightBytesMax: 2 ** 30,
  }
})

beforeAll(async () => {
  const directory = join(config.dataDirectory, 'game')
  database = await openDatabase({ directory, schema: 'game', readOnly: 'joined' })
  flights = opened()
})

afterEach(() => flights.stop())

afterAll(() => database.close())

function opened(changes: Partial<PastFlightsOptions['config']> = {}): PastFlights {
  return createPastFlights({
    sql: database.sql,
    config: { ...config, ...changes },
    clock: systemClock,
  })
}

async function gameMs(): Promise<number> {
  return Date.parse((await server.order('GET', '/api/status')).game_time)
}

async function gameSeconds(seconds: number): Promise<void> {
  const endMs = (await gameMs()) + 1000 * seconds
  while ((await gameMs()) < endMs) await setTimeout(20)
}

/** Processes of flights that a server has, or all. */
function flightsOf(serverPid: number | undefined): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const isFlight = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('past-process')
      const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      return isFlight && (serverPid === undefined || parent === String(serverPid))
    } catch {
      // It is no process, or has ended.
      return false
    }
  })
}

/** Looks back until that is done or has failed. */
async function lookedBack(
  at: number,
  viewer: PastViewer = OPERATOR,
  of: PastFlights = flights,
): Promise<PastResponse> {
  const { past_id: id } = await of.open({ systemId: 'sol', at }, viewer)
  while (of.state(id, viewer).state === 'flying') await setTimeout(10)
  return of.state(id, viewer)
}

async function sky(id: string, at: number, viewer = OPERATOR): Promise<PastSkyResponse> {
  return JSON.parse(Buffer.from(await flights.sky(id, at, viewer)).toString())
}

/** Looks at two moments, forwards and back. */
async function expectSeen(look: (at: number) => Promise<PastSkyResponse>): Promise<void> {
  const past = await look(seenMs)
  const [{ attitude, fuel, relative_position: place, ...ship }] = past.ships
  const { name, reference_body, ship_id } = seen
  expect(ship).toMatchObject({ name, reference_body, ship_id, thrust_level: 0.5 })
  // What is seen is up to a quantum, 1/64 s, behind the moment.
  expect(Math.abs(fuel - seen.fuel)).toBeLessThan(1)
  expect(Math.abs(attitude.w - seen.attitude.w)).toBeLessThan(1e-3)
  for (const axis of ['x', 'y', 'z'] as const) {
    expect(Math.abs(place[axis] - seen.relative_position[axis])).toBeLessThan(150)
  }
  expect(past.bodies.map(({ name }) => name)).toContain('Moon')
  expect(past.stations.length).toBeGreaterThan(0)
  const later = await look(seenMs + 140_000)
  expect(later.digests.compared).toBeGreaterThan(0)
  expect(later.digests.equal).toBe(later.digests.compared)
  expect(await look(seenMs)).toEqual({ ...past, digests: later.digests })
}

// By day a pilot looks back over HTTP.
test.runIf(IS_NIGHT)('the past is what was seen, with equal digests', async () => {
  const { past_id: id, state } = await lookedBack(seenMs)
  expect(state).toBe('ready')
  await expectSeen((at) => sky(id, at))
})

test.runIf(IS_NIGHT)('a pilot sees what the own ship could, and only the own flight', async () => {
  const pilot = { accountId: 'pilot', shipId }
  const { past_id: id } = await flights.open({ systemId: 'sol', at: seenMs }, pilot)
  const stranger = { accountId: 'other', shipId }
  expect(() => flights.state(id, stranger)).toThrow('No such flight through the past')
  const open = flights.open({ systemId: 'sol', at: seenMs }, stranger)
  await expect(open).rejects.toMatchObject({ code: 'E003', status: 409 })
  await expect(flights.open({ systemId: 'sol', at: 0 }, OPERATOR)).rejects.toThrow('nothing before')
  const ships = JSON.parse(Buffer.from(await flights.sky(id, seenMs, pilot)).toString()).ships
  expect(ships).toHaveLength(1)
  flights.end(id, pilot)
  const gone = { accountId: 'other', shipId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }
  const { reason } = await lookedBack(seenMs, gone)
  expect(reason).toBe('Your ship was not in this star system then')
})

test.runIf(IS_NIGHT)(
  'an admin who looks back ends the flight of a pilot, not one of an admin',
  async () => {
    const pilot = { accountId: 'pilot', shipId }
    const { past_id: id } = await flights.open({ systemId: 'sol', at: seenMs }, pilot)
    expect((await lookedBack(seenMs)).state).toBe('ready')
    expect(() => flights.state(id, pilot)).toThrow('it may have ended')
    const second = flights.open({ systemId: 'sol', at: seenMs }, OPERATOR)
    await expect(second).rejects.toMatchObject({ code: 'E003', status: 409 })
  },
)

test('what cannot be flown is said by name, and needs no process', async () => {
  const asked = (systemId: string, at: number): Promise<PastResponse> =>
    flights.open({ systemId, at }, OPERATOR)
  await expect(asked('nowhere', seenMs)).rejects.toMatchObject({ code: 'E002', status: 404 })
  await expect(asked('sol', 4e12)).rejects.toThrow(/is not past: sol is known up to/)
  await expect(asked('sol', 0)).rejects.toThrow(/^(This world began at|The past is kept since) /)
  const off = opened({ pastFlightsMax: 0 })
  await expect(off.open({ systemId: 'sol', at: seenMs }, OPERATOR)).rejects.toThrow('switched off')
  if (!IS_NIGHT) return
  const small = opened({ pastFlightBytesMax: 1e8 })
  const failed = await lookedBack(seenMs, OPERATOR, small)
  small.stop()
  expect(failed).toMatchObject({ state: 'failed', reason: expect.stringContaining('memory') })
})

test('pilots and admins look back over HTTP; a killed server takes its flight along', async () => {
  const game = createGameClient({ url: server.url })
  const { call } = game.player(pilotToken)
  const at = new Date(seenMs).toISOString()
  const { past_id } = await call(api.openOwnPast, { system_id: 'sol', at })
  const second = call(api.openOwnPast, { system_id: 'sol', at })
  await expect(second).rejects.toMatchObject({ code: 'E003', status: 409 })
  while ((await call(api.readOwnPast, { past_id })).state === 'flying') await setTimeout(20)
  const look = (ms: number): Promise<PastSkyResponse> =>
    call(api.readOwnPastSky, { past_id, at: new Date(ms).toISOString() })
  await expectSeen(look)
  expect((await look(seenMs)).ships.map(({ ship_id }) => ship_id)).toEqual([shipId])
  expect(await call(api.readOwnPast, { past_id })).toMatchObject({ state: 'ready' })
  const { token } = await game.adminLogin(ADMIN.username, ADMIN.password)
  await game.admin(token).call(api.endPast, { past_id })
  const ended = call(api.readOwnPast, { past_id })
  await expect(ended).rejects.toMatchObject({ code: 'E002', status: 404 })
  if (!IS_NIGHT) return
  const again = await game.admin(token).call(api.openPast, { system_id: 'sol', at })
  expect(again).toMatchObject({ system_id: 'sol', state: 'flying' })
  const pids = flightsOf(server.pid)
  expect(pids).toHaveLength(1)
  await server.kill()
  while (flightsOf(undefined).includes(pids[0] ?? '')) await setTimeout(10)
  await server.restart()
})

test.runIf(IS_NIGHT)(
  'a changed journal makes digests unequal, a damaged one is named; all flies on',
  async () => {
    const change = (set: string): Promise<unknown> =>
      database.sql.begin('read write', (sql) => sql.unsafe(`update journal set command = ${set}`))
    const was = "command #>> '{control,thrustLevel}' = '0.5'"
    await change(`jsonb_set(command, '{control,thrustLevel}', '0.6') where ${was}`)
    const unequal = await lookedBack(seenMs)
    expect(unequal.state).toBe('ready')
    expect(unequal.digests.equal).toBeLessThan(unequal.digests.compared)
    flights.stop()
    await change(`'{"kind":"warp"}' where command ->> 'kind' = 'control'`)
    const damaged = await lookedBack(seenMs)
    expect(damaged).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/is damaged: /),
    })
    await gameSeconds(20)
  },
)
