// Law: a pilot's client flies the pilot's own ship as the server does, to the bit; what it cannot
// fly it shows as it was sent, and what it was not sent of it finds by the checks. What modules
// load it is sent at once.
// Method: real sockets of a real engine and the client under one simulated clock.
import { type Order, ClientError, connectSocket } from '@orrery/client'
import { createShipSample, openFlight } from '@orrery/client/flight'
import { loadShip } from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit/chance'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { smallUniverse } from '../small-universe.ts'
import { type BinaryServer, shipsOf, usedBinaryServers } from './binary-server.ts'

const open = usedBinaryServers()
const { below, pick, share } = createChance(testSeed('own ship'))

async function pilot(server: BinaryServer) {
  const shipId = await server.launch()
  const opened: WebSocket[] = []
  class Opened extends WebSocket {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given)
      opened.push(this)
    }
  }
  const socket = connectSocket({
    url: server.url,
    token: server.join(shipId),
    wire: 'binary',
    clock: server.clock,
    WebSocket: Opened,
  })
  const { clock, ship, world } = openFlight({ socket, clock: server.clock })
  const corrections: string[] = []
  const modes: string[] = []
  const checks: boolean[] = []
  ship.on('checked', ({ isEqual }) => checks.push(isEqual))
  ship.on('corrected', ({ metres, reason }) => corrections.push(`${reason} ${metres > 0}`))
  ship.on('mode', (mode) => modes.push(mode.mode === 'received' ? mode.reason : mode.mode))
  await socket.opened
  await server.pass(1)
  await socket.ping()
  return { checks, clock, corrections, modes, opened, ship, shipId, socket, world }
}

type Pilot = Awaited<ReturnType<typeof pilot>>

/** Time passes for the server, and what it has sent has come. */
async function pass(server: BinaryServer, { clock, shipId, socket, world }: Pilot, seconds = 1) {
  // A client that gets nothing for long takes its connection for lost.
  for (let left = seconds; left > 0; left -= 4) {
    await server.pass(Math.min(left, 4))
    await socket.ping()
  }
  return world.shipAt(createShipSample(), shipId, clock.now())
}

/** Where the client has the ship, and where it is published. */
async function places(server: BinaryServer, { shipId, socket, world }: Pilot, systemId = 'sol') {
  await socket.ping()
  const [{ index }] = server.engine.universe.worlds
  const out = createShipSample()
  expect(world.shipAt(out, shipId, index)).toBe(true)
  return [[...out.r, ...out.v], shipsOf(server, systemId).get(shipId)]
}

function anyOrder(): Order {
  const part = (): number => 2 * share() - 1
  return pick<() => Order>([
    () => ({ type: 'control', thrust_level: share() }),
    () => ({ type: 'control', thrust_level: 0 }),
    () => ({ type: 'control', thrust_level: 1, delta_v: 3 }),
    () => ({ type: 'control', attitude: { w: part(), x: part(), y: part(), z: part() } }),
    () => ({ type: 'control', pointing: 'sun', wheel_unloading: false }),
    () => ({ type: 'control', angular_rate: { x: 0.01 * part(), y: 0, z: 0 } }),
    () => ({ type: 'maneuver_start', maneuver: 'kill_rotation' }),
    () => ({ type: 'maneuver_start', maneuver: 'circularize' }),
    () => ({ type: 'maneuver_start', maneuver: 'set_orbit', inclination: 1, timeout: 30 }),
  ])()
}

test('its own ship is where the server flies it, under fifty orders', async () => {
  const server = await open()
  const me = await pilot(server)
  expect(me.ship.mode).toEqual({ mode: 'flown' })
  for (let i = 0; i < 50; i++) {
    expect(await pass(server, me, below(4))).toBe(true)
    await me.ship.order(anyOrder())
  }
  await pass(server, me, 2)
  const [here, there] = await places(server, me)
  expect(here).toEqual(there)
  expect(me.corrections).toEqual([])
  expect(me.modes).toEqual(['flown'])
  expect(me.ship.drift).toBe('matched')
})

test('what the server refuses is taken back', async () => {
  const server = await open()
  const me = await pilot(server)
  await pass(server, me)
  const strong = me.ship.order({ type: 'control', thrust_level: 2 })
  await expect(strong).rejects.toMatchObject({ code: 'E001' })
  const undock = me.ship.order({ type: 'undock' })
  await expect(undock).rejects.toMatchObject({ code: 'E003' })
  const nowhere = me.ship.order({ type: 'dock', station_id: randomUUID() })
  await expect(nowhere).rejects.toMatchObject({ code: 'E002' })
  await pass(server, me, 70)
  const [here, there] = await places(server, me)
  expect(here).toEqual(there)
  expect(me.modes).toEqual(['flown'])
  expect(me.ship.drift).toBe('matched')
})

test.runIf(IS_NIGHT)('an order after ticks that were dropped acts as soon as it can', async () => {
  const server = await open()
  const me = await pilot(server)
  await pass(server, me)
  server.clock.work(4000)
  await server.pass(0.25)
  const shown = me.clock.now()
  const { index = NaN } = await me.ship.order({ type: 'control', thrust_level: 1 })
  expect(shown - index).toBeGreaterThan(100)
  await pass(server, me, 70)
  const [here, there] = await places(server, me)
  expect(here).toEqual(there)
  expect(me.checks).not.toContain(false)
  expect(me.modes).toEqual(['flown'])
  expect(me.ship.drift).toBe('matched')
})

test.runIf(IS_NIGHT)(
  'an order given before a slower time is known acts as soon as it can',
  async () => {
    const server = await open()
    const me = await pilot(server)
    server.engine.changeTimeScale(10)
    await pass(server, me)
    const [wire] = me.opened
    wire.pause()
    server.engine.changeTimeScale(1)
    await server.pass(1)
    const shown = me.clock.now()
    const order = me.ship.order({ type: 'control', thrust_level: 1 })
    wire.resume()
    const { index = NaN } = await order
    expect(shown - index).toBeGreaterThan(100)
    await pass(server, me, 70)
    const [here, there] = await places(server, me)
    expect(here).toEqual(there)
    expect(me.modes).toEqual(['flown'])
    expect(me.ship.drift).toBe('matched')
  },
)

test.runIf(IS_NIGHT)('an older order that is refused so does not undo a newer one', async () => {
  const server = await open()
  const me = await pilot(server)
  await pass(server, me)
  server.clock.work(4000)
  await server.pass(0.25)
  const older = me.ship.order({ type: 'control', thrust_level: 1 })
  const newer = me.ship.order({ type: 'control', thrust_level: 0.5 })
  await expect(older).rejects.toMatchObject({ code: 'E001' })
  await newer
  await pass(server, me, 70)
  const state = createShipSample()
  expect(me.world.shipAt(state, me.shipId, me.clock.now())).toBe(true)
  expect(state.thrustLevel).toBe(0.5)
})

test('an order past the flight is found with the next seed', async () => {
  const server = await open()
  const me = await pilot(server)
  await pass(server, me)
  await me.socket.control({ thrust_level: 1 })
  for (let i = 0; i < 3; i++) await pass(server, me)
  const [here, there] = await places(server, me)
  expect(here).toEqual(there)
  expect(me.modes).toEqual(['flown'])
})

test('a check finds an order that was not announced', async () => {
  const server = await open()
  const me = await pilot(server)
  await pass(server, me)
  server.engine.control(me.shipId, { thrustLevel: 1, pointing: 'prograde' })
  for (let i = 0; i < 70; i++) await pass(server, me)
  expect(me.corrections).toEqual(['unknown true'])
  const [here, there] = await places(server, me)
  expect(here).toEqual(there)
  expect(me.modes).toEqual(['flown'])
  expect(me.ship.drift).toBe('correcting')
  await pass(server, me, 64)
  expect(me.ship.drift).toBe('matched')
  expect(me.checks).toEqual([false, true])
})

test('what a module loads is flown with from the next frame on', async () => {
  const universe = smallUniverse()
  const server = await open(universe)
  const me = await pilot(server)
  await me.ship.order({ type: 'control', thrust_level: 0.5, pointing: 'prograde' })
  await pass(server, me, 3)
  const [{ flight, index, roster }] = universe.worlds
  loadShip(flight, roster.byId.get(me.shipId)!.slot, index, { payload: 4321 })
  await pass(server, me, 3)
  const [here, there] = await places(server, me)
  expect(here).toEqual(there)
  const state = createShipSample()
  me.world.shipAt(state, me.shipId, me.clock.now())
  expect(state.payload).toBe(4321)
  await pass(server, me, 64)
  expect(me.checks).not.toContain(false)
  expect(me.modes).toEqual(['flown'])
})

test('a ship that watches another is shown as sent, and flown again afterwards', async () => {
  const server = await open()
  const other = await server.launch('Max')
  const me = await pilot(server)
  await pass(server, me)
  await me.ship.order({ type: 'control', pointing: 'target', target_ship_id: other })
  expect(me.ship.mode).toEqual({ mode: 'received', reason: 'watching' })
  await pass(server, me, 130)
  expect(me.ship.mode).toEqual({ mode: 'received', reason: 'watching' })
  await me.ship.order({ type: 'control', pointing: 'prograde', thrust_level: 0.1 })
  for (let i = 0; i < 4; i++) await pass(server, me)
  expect(me.ship.mode).toEqual({ mode: 'flown' })
  const [here, there] = await places(server, me)
  expect(here).toEqual(there)
})

test('it flies on after a lost connection, another era and another star system', async () => {
  const server = await open()
  const me = await pilot(server)
  await me.ship.order({ type: 'control', thrust_level: 0.3 })
  me.socket.reconnect()
  await expect(me.ship.order({ type: 'control', thrust_level: 0.5 })).rejects.toThrow(ClientError)
  const welcomes: unknown[] = []
  me.socket.on('welcome', (message) => welcomes.push(message))
  while (welcomes.length === 0) {
    await server.pass(0.25)
    await setTimeout(1)
  }
  await pass(server, me, 3)
  expect(me.modes).toEqual(['flown'])
  const [here, there] = await places(server, me)
  expect(here).toEqual(there)
  await server.engine.execute({ kind: 'transfer_ship', shipId: me.shipId, systemId: 'alpha' })
  await pass(server, me, 3)
  expect(me.modes).toEqual(['flown', 'no_seed', 'flown'])
  const [afar, published] = await places(server, me, 'alpha')
  expect(afar).toEqual(published)
  await server.replace('reset')
  await pass(server, me, 1)
  expect(me.ship.mode).toEqual({ mode: 'received', reason: 'no_seed' })
})

test.each([0.125, 100])('at a scale of %s it is where the server flies it', async (scale) => {
  const server = await open()
  const me = await pilot(server)
  server.engine.changeTimeScale(scale)
  for (let i = 0; i < 20; i++) {
    await pass(server, me, 0.25)
    await me.ship.order(anyOrder())
  }
  for (let i = 0; i < 4; i++) await pass(server, me)
  const [here, there] = await places(server, me)
  expect(here).toEqual(there)
  // Orders reach two seconds ahead, which are 20 ms at the greatest scale.
  expect(scale < 1 ? me.corrections : []).toEqual([])
  expect(me.modes).toEqual(['flown'])
})

test.runIf(IS_NIGHT)('orders to a paused ship act when the game goes on', async () => {
  const server = await open()
  const me = await pilot(server)
  await pass(server, me)
  await server.engine.pause()
  await pass(server, me)
  await me.ship.order({ type: 'control', thrust_level: 1 })
  await pass(server, me, 3)
  const paused = await places(server, me)
  expect(paused[0]).toEqual(paused[1])
  await server.engine.resume()
  for (let i = 0; i < 4; i++) await pass(server, me)
  const [here, there] = await places(server, me)
  expect(here).toEqual(there)
  expect(me.corrections).toEqual([])
})
