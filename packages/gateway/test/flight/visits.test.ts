// Goal: a pilot jumps from Sol to each other star system and back, docks at a station, is refuelled
// and undocks, over the socket and HTTP, with events; what cannot be is refused with its reason.
// Method: the real server in this process, so that ships can be placed beside gates and stations.
import {
  type ClientError,
  type GameSocket,
  type PlayerClient,
  connectSocket,
  createGameClient,
} from '@orrery/client'
import { openDatabase } from '@orrery/database'
import { type Universe, findShip, gatePairs, inside, systemClock } from '@orrery/engine/testing'
import { openRecords } from '@orrery/game'
import { createLogger, serve } from '@orrery/http'
import type { EventMessage } from '@orrery/protocol'
import { createStateVector, launch, railState } from '@orrery/sim'
import type { StreamedEvent } from '@orrery/store'
import { join } from 'node:path'
import { prepareData } from '@orrery/testkit/prepared-data'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { gameConfig, gatewayConfig } from '../../src/config.ts'
import { type Game, openGame } from '../../src/game.ts'
import { openGameListener } from '../../src/listener.ts'
import { createPastFlights } from '../../src/past/past-flights.ts'
import { createMetrics } from '../../src/operations/metrics.ts'
import { PASSWORD } from '../player-client.ts'
import { MAIN, dataDirectory, environment } from '../server-process.ts'

const directory = dataDirectory()
let game: Game
let url: string
let stop: () => Promise<void>

beforeAll(async () => {
  await prepareData(directory.path, MAIN)
  const config = gatewayConfig(environment(directory.path, {}))
  const logger = createLogger({ level: 'warn', destination: 'stderr' })
  const listener = await openGameListener(config, logger)
  const service = await serve(listener, async (opened) => {
    const database = await openDatabase({
      directory: join(config.dataDirectory, 'game'),
      schema: 'game',
    })
    opened.defer(() => database.close())
    const records = await openRecords({
      database,
      config: gameConfig(config),
      logger,
      clock: systemClock,
      watched: (snapshots) => snapshots,
    })
    const metrics = createMetrics()
    const onFenced = (): never => expect.fail('fenced')
    game = await openGame({
      records,
      prepared: undefined,
      config,
      ships: {},
      logger,
      metrics,
      onFenced,
    })
    opened.defer(() => game.stop())
    game.sockets.attach(listener.server)
    game.start()
    return {
      app: createApp({
        ...game,
        pastFlights: createPastFlights({ ...records, config, clock: systemClock }),
        page: async () => undefined,
        config,
        logger,
      }),
      closeUpgraded: () => game.sockets.close(),
    }
  })
  url = service.address.href
  stop = () => service.stop()
})

afterAll(async () => {
  await stop?.()
  directory.remove()
})

/** Puts a ship beside a gate or station of its system, at rest, its tank not full. */
function place({ worlds }: Universe, shipId: string, id: string, metres = 50): void {
  const { world, entry } = findShip({ worlds, shipsMax: 0 }, shipId)!
  const { state, flight, index, ship } = world
  const { ships, ephemeris } = state
  const { rail } = (world.jumpgates.get(id) ?? world.stations.get(id))!
  const there = createStateVector()
  railState(there, ephemeris, rail, index, 0)
  ships.reference[entry.slot] = rail.parent
  for (let axis = 0; axis < 3; axis++) {
    ships.position[3 * entry.slot + axis] = there.r[axis] + (axis === 1 ? metres : 0)
    ships.velocity[3 * entry.slot + axis] = there.v[axis]
  }
  ships.fuel[entry.slot] = 0.99 * ship.fuelCapacity
  launch(flight, entry.slot, index)
}

interface Pilot {
  readonly shipId: string
  readonly player: PlayerClient
  readonly socket: GameSocket
  /** The next event of a kind. */
  readonly next: (kind: EventMessage['event']) => Promise<EventMessage>
}

async function pilot(name: string): Promise<Pilot> {
  const client = createGameClient({ url })
  const { token, ship_id: shipId } = await client.register(name, PASSWORD)
  const socket = connectSocket({ url, token })
  await socket.opened
  const next = (kind: EventMessage['event']): Promise<EventMessage> =>
    new Promise((resolve) => {
      socket.on('event', (event) => void (event.event === kind && resolve(event)))
    })
  return { shipId, player: client.player(token), socket, next }
}

test('there and back, by both gates', async () => {
  const client = createGameClient({ url })
  const { shipId, player, socket, next } = await pilot('Ida')
  const { jumpgates } = await client.system('sol')
  for (const { jumpgate_id: gate, paired_jumpgate_id: exit } of jumpgates) {
    const far = await refusalOf(socket.jump(gate))
    expect(far).toMatchObject({
      code: 'E003',
      message: expect.stringMatching(/^The ship is too far/),
    })
    const universe = inside(game.engine.universe)
    await game.engine.whenSettled(() => place(universe, shipId, gate))
    const outward = next('jumped')
    expect((await socket.jump(gate.toUpperCase())).type).toBe('accepted')
    const to = gatePairs(universe).get(gate)!.world.state.system.id
    expect(await player.ship()).toMatchObject({ system_id: to, thrust_level: 0 })
    expect(await outward).toMatchObject({ from_system: 'sol', to_system: to })
    const homeward = next('jumped')
    const back = { success: true, previous_system: to, new_system: 'sol' }
    expect(await player.jump(exit!)).toEqual(back)
    expect(await homeward).toMatchObject({ from_system: to, to_system: 'sol' })
    const moved = next('transferred')
    await game.engine.execute({ kind: 'transfer_ship', shipId, systemId: to })
    expect(await moved).toMatchObject({ from_system: 'sol', to_system: to })
    await game.engine.execute({ kind: 'transfer_ship', shipId, systemId: 'sol' })
  }
  for (const [gate, code, status] of [
    ['6d0d2b0e-64d0-4a5e-8a6f-2f5c1b6f5f10', 'E002', 404],
    [jumpgates[0].jumpgate_id, 'E003', 409],
    ['gate', 'E001', 400],
  ] as const) {
    expect(await refusalOf(player.jump(gate))).toMatchObject({ code, status })
    expect(await refusalOf(socket.jump(gate))).toMatchObject({ code })
  }
  expect(await refusalOf(client.player('x.y.z').jump('gate'))).toMatchObject({ code: 'E005' })
  socket.close()
})

test('meets a station, docks, is refuelled, and undocks', async () => {
  const { shipId, player, socket, next } = await pilot('Max')
  const { stations } = await createGameClient({ url }).system('sol')
  const { station_id: station } = stations.find(({ name }) => name === 'Moon Station')!
  const { engine } = game
  expect(await refusalOf(player.undock())).toMatchObject({ code: 'E003', status: 409 })
  expect(await refusalOf(player.dock(shipId))).toMatchObject({
    code: 'E002',
    status: 404,
    message: 'station_id names no station in Sol.',
  })
  expect(await refusalOf(player.dock('there'))).toMatchObject({ code: 'E001', status: 400 })
  expect(await refusalOf(socket.dock('there'))).toMatchObject({ code: 'E001' })
  const poor = player.dock(station, { depart: 'never' })
  expect(await refusalOf(poor)).toMatchObject({ code: 'E001', status: 400 })
  await engine.whenSettled(() => place(inside(engine.universe), shipId, station, 300))
  const [docked, full] = [next('docked'), next('refuelled')]
  const leaving = { depart: 'soonest', delta_v_max: 500 }
  expect(await player.dock(station.toUpperCase(), leaving)).toMatchObject({ success: true })
  engine.changeTimeScale(100)
  expect(await docked).toMatchObject({ ship_id: shipId, station_id: station, body: 'Moon' })
  expect(await player.ship()).toMatchObject({ docked_at: station, maneuver: null })
  const refused = await refusalOf(socket.control({ thrust_level: 1 }))
  expect(refused).toMatchObject({ code: 'E003', message: expect.stringMatching(/is docked/) })
  expect(await full).toMatchObject({ station_id: station })
  const { fuel, fuel_capacity } = await player.ship()
  expect(fuel).toBe(fuel_capacity)
  const undocked = next('undocked')
  expect((await socket.undock()).type).toBe('accepted')
  expect(await undocked).toMatchObject({ ship_id: shipId, station_id: station })
  expect(await player.ship()).toMatchObject({ docked_at: null })
  const visit = ['docked', 'refuelled', 'undocked']
  let logged: readonly StreamedEvent[] = []
  while (logged.length < visit.length) {
    const all = await game.maneuverEvents.after({ era: game.settings.era, places: {}, limit: 500 })
    logged = all?.filter(({ eventType }) => visit.includes(eventType)) ?? []
  }
  const extra = expect.objectContaining({ target_id: station, reference_body: 'Moon' })
  expect(logged).toMatchObject(visit.map((eventType) => ({ shipId, eventType, extra })))
  engine.changeTimeScale(1)
  socket.close()
})

const refusalOf = (request: Promise<unknown>): Promise<ClientError> =>
  request.then(
    () => expect.fail('It was answered.'),
    (error: ClientError) => error,
  )
