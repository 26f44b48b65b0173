// Law: the page shows what a ship was ordered to do at once, and goes on with what the server
// states, which it asks for until nothing is under way. Method: a held clock and a held server.
import type { Order, OwnShipState } from '@orrery/client'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ShipDoing, createShipDoing } from '../../src/orders/ship-doing.ts'
import type { Session } from '../../src/session/session.ts'
import { HeldServer, STATUS } from '../game/held-server.ts'

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const NONE = { x: 0, y: 0, z: 0 }

type Steering = OwnShipState['steering']

const REST: Steering = {
  pointing: 'rest',
  mode: 'locked',
  wheel_unloading: false,
  burn_delta_v: null,
}

const ORBIT: OwnShipState['orbit'] = {
  plane: 'equator',
  semi_major_axis: 7e6,
  eccentricity: 0,
  inclination: 0,
  ascending_node: null,
  argument_of_periapsis: null,
  true_anomaly: null,
  altitude: 6e5,
  periapsis_altitude: 6e5,
  apoapsis_altitude: 6e5,
  period: 5800,
  time_to_periapsis: null,
  time_to_apoapsis: null,
}

const MANEUVER: NonNullable<OwnShipState['maneuver']> = {
  maneuver: 'transfer',
  phase: 'waiting',
  status_text: 'Waiting',
  since: STATUS.game_time,
  target_id: null,
  target_body: 'Moon',
  element_errors: null,
  distance: null,
  effectivity: null,
  delta_v: 0,
  next_burn_at: null,
  expected_end: null,
  expected_delta_v: null,
}

function ship(steering: Partial<Steering>, more: Partial<OwnShipState> = {}): OwnShipState {
  return {
    ship_id: ID,
    name: 'Ida',
    system_id: 'sol',
    ship_class: 'courier',
    position: NONE,
    velocity: NONE,
    reference_body: 'Earth',
    relative_position: NONE,
    relative_velocity: NONE,
    attitude: { w: 1, ...NONE },
    angular_velocity: NONE,
    thrust_level: 0,
    fuel: 1,
    fuel_capacity: 1,
    mass: 2,
    delta_v: 3,
    wheel_saturation: NONE,
    orbit: ORBIT,
    mean_orbit: ORBIT,
    maneuver: null,
    last_maneuver: null,
    docked_at: null,
    steering: { ...REST, ...steering },
    ...more,
  }
}

let server: HeldServer
let session: Signal<Session | undefined>
let opened: Session
let doing: ShipDoing

beforeEach(async () => {
  vi.useFakeTimers()
  server = new HeldServer()
  opened = await server.open()
  session = signal<Session | undefined>(undefined)
  doing = createShipDoing(session)
  session.value = opened
})

afterEach(() => {
  session.value = undefined
  opened.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** What the server states from now on. */
function state(steering: Partial<Steering>, more: Partial<OwnShipState> = {}): void {
  server.replies = () => ({ status: 200, body: ship(steering, more) })
}

const asked = (): number => server.requests.filter((line) => line.endsWith('/ship')).length
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

test('the ship is asked for soon after each news, once for several', async () => {
  state({ pointing: 'prograde' })
  server.welcome()
  await pass(399)
  expect([asked(), doing.ship.value]).toEqual([0, undefined])
  await pass(1)
  expect(asked()).toBe(1)
  expect(doing.pointing.value).toBe('prograde')
  await pass(60_000)
  expect(asked()).toBe(1)
  const at = { tick: 1, game_time: STATUS.game_time }
  const news = [
    { type: 'event', event: 'locked', ...at },
    { type: 'ship_assigned', ship_id: ID },
    { type: 'restored', era: 1, ...at },
    { type: 'resumed', ...at },
  ]
  for (const [i, message] of news.entries()) {
    server.send(message)
    await pass(400)
    expect(asked()).toBe(i + 2)
  }
  doing.refresh()
  await pass(300)
  doing.refresh()
  await pass(399)
  expect(asked()).toBe(5)
  await pass(1)
  expect(asked()).toBe(6)
})

test('where it is docked and its maneuver are those that are stated', async () => {
  expect([doing.maneuver.value, doing.dockedAt.value]).toEqual([undefined, undefined])
  state({}, { docked_at: ID, maneuver: MANEUVER })
  doing.refresh()
  await pass(400)
  expect(doing.dockedAt.value).toBe(ID)
  expect(doing.maneuver.value).toEqual(MANEUVER)
  state({})
  await pass(1000)
  expect([doing.maneuver.value, doing.dockedAt.value]).toEqual([undefined, undefined])
})

test.each<[string, Partial<Steering>, Partial<OwnShipState>]>([
  ['a maneuver', {}, { maneuver: MANEUVER }],
  ['a burn', { burn_delta_v: 5 }, {}],
  ['a turn', { mode: 'turning' }, {}],
])('%s under way is read each second until it is over', async (_, steering, more) => {
  state(steering, more)
  doing.refresh()
  await pass(1399)
  expect(asked()).toBe(1)
  await pass(1)
  expect(asked()).toBe(2)
  await pass(2000)
  expect(asked()).toBe(4)
  state({})
  await pass(60_000)
  expect(asked()).toBe(5)
})

test.each<[Order, string]>([
  [{ type: 'control', pointing: 'retrograde' }, 'retrograde'],
  [{ type: 'control', angular_rate: { x: 0, y: 0.01, z: 0 } }, 'spin'],
  [{ type: 'control', angular_rate: { x: 0.01, y: 0, z: 0 } }, 'spin'],
  [{ type: 'control', angular_rate: { x: 0, y: 0, z: 0.01 } }, 'spin'],
  [{ type: 'control', angular_rate: { x: 1, y: 0, z: 0 } }, 'spin'],
  [{ type: 'control', angular_rate: { x: 0, y: 1, z: 0 } }, 'spin'],
  [{ type: 'control', angular_rate: { x: 0, y: 0, z: 1 } }, 'spin'],
  [{ type: 'control', angular_rate: NONE }, 'rest'],
  [{ type: 'control', attitude: { w: 1, ...NONE } }, 'hold'],
  [{ type: 'maneuver_abort' }, 'rest'],
  [{ type: 'maneuver_start', maneuver: 'circularize' }, 'normal'],
  [{ type: 'control', thrust_level: 1 }, 'normal'],
])('%j is shown at once as %s', async (order, pointing) => {
  state({ pointing: 'normal' })
  doing.refresh()
  await pass(400)
  doing.note(order)
  expect(doing.pointing.value).toBe(pointing)
  doing.forget()
  expect(doing.pointing.value).toBe('normal')
})

test('an order holds until the server states it, which it may do late', async () => {
  state({ pointing: 'normal' })
  doing.note({ type: 'control', pointing: 'prograde' })
  doing.note({ type: 'control', thrust_level: 1 })
  doing.refresh()
  await pass(29_000)
  expect(doing.pointing.value).toBe('prograde')
  const before = asked()
  expect(before).toBe(29)
  state({ pointing: 'prograde' })
  await pass(60_000)
  expect(asked()).toBe(before + 1)
  state({ pointing: 'radial_in' })
  doing.refresh()
  await pass(400)
  expect(doing.pointing.value).toBe('radial_in')
})

test('an order that is stated at once is read for three seconds', async () => {
  state({ pointing: 'prograde' })
  doing.note({ type: 'control', pointing: 'prograde' })
  doing.refresh()
  await pass(60_000)
  // After 0.4, 1.4, 2.4 and 3.4 s.
  expect(asked()).toBe(4)
})

test('an order that the server never states is forgotten after half a minute', async () => {
  state({ pointing: 'normal' })
  doing.note({ type: 'control', pointing: 'prograde' })
  doing.refresh()
  await pass(30_399)
  expect(doing.pointing.value).toBe('prograde')
  await pass(1)
  expect(doing.pointing.value).toBe('normal')
  await pass(60_000)
  expect(asked()).toBe(31)
})

test('an order is new for less than three seconds, and open for less than thirty', async () => {
  state({ pointing: 'prograde' })
  doing.note({ type: 'control', pointing: 'prograde' })
  await pass(2600)
  doing.refresh()
  await pass(20_000)
  expect(asked()).toBe(1)
  doing.note({ type: 'control', pointing: 'radial_in' })
  await pass(29_600)
  doing.refresh()
  await pass(400)
  expect(doing.pointing.value).toBe('prograde')
  await pass(20_000)
  expect(asked()).toBe(2)
})

test('a ship that points at the star of its system points at the sun', async () => {
  const bodies = [
    { name: 'Star', parent: -1, gm: 1e20, radius: 7e8 },
    { name: 'Globe', parent: 0, gm: 4e14, radius: 6.4e6 },
  ]
  const system = { id: 'pair', name: 'Pair', position: [0, 0, 0], bodies }
  server.welcome()
  const rest = { spheres: [null, 1e9], ship_classes: [], physics: 0 }
  server.send({ type: 'system', era: 1, system, home: 1, ...rest })
  for (const [target, pointing] of [
    ['Star', 'sun'],
    ['Globe', 'target'],
  ]) {
    state({ pointing: 'target', target_body: target })
    doing.refresh()
    await pass(400)
    expect(doing.pointing.value).toBe(pointing)
  }
  state({ pointing: 'prograde', target_body: 'Star' })
  doing.refresh()
  await pass(400)
  expect(doing.pointing.value).toBe('prograde')
  state({ pointing: 'target', target_ship_id: ID })
  doing.refresh()
  await pass(400)
  expect(doing.pointing.value).toBe('target')
})

test('an answer that was asked for before an order says nothing of it', async () => {
  state({ pointing: 'normal' })
  doing.refresh()
  await pass(400)
  let answer = (): void => undefined
  const late = ship({ pointing: 'radial_in' })
  opened.player.ship = () => new Promise((resolve) => (answer = () => resolve(late)))
  doing.refresh()
  await pass(400)
  doing.note({ type: 'control', pointing: 'prograde' })
  answer()
  await pass(0)
  expect(doing.ship.value?.steering.pointing).toBe('normal')
})

test('a ship that is gone is not shown; without an answer the last one stays', async () => {
  state({ pointing: 'normal' })
  doing.refresh()
  await pass(400)
  server.replies = () => undefined
  doing.refresh()
  await pass(400)
  expect(doing.ship.value).toMatchObject({ ship_id: ID })
  server.replies = () => ({ status: 404, body: { error: { code: 'E006', message: 'none' } } })
  doing.refresh()
  await pass(400)
  expect([doing.ship.value, doing.pointing.value]).toEqual([undefined, undefined])
})

test('an account without a ship is known to have none', () => {
  server.welcome()
  expect(doing.isShipless.value).toBe(false)
  server.send({ type: 'ship_assigned', ship_id: '' })
  expect(doing.isShipless.value).toBe(true)
  server.send({ type: 'ship_assigned', ship_id: ID })
  expect(doing.isShipless.value).toBe(false)
  server.welcome({ ship_id: '' })
  expect(doing.isShipless.value).toBe(true)
})

test('another session begins with nothing of the one before', async () => {
  state({ pointing: 'normal' })
  server.welcome({ ship_id: '' })
  await pass(400)
  doing.note({ type: 'control', pointing: 'prograde' })
  doing.refresh()
  session.value = undefined
  expect(doing.isShipless.value).toBe(false)
  expect([doing.ship.value, doing.pointing.value]).toEqual([undefined, undefined])
  server.welcome({ ship_id: '' })
  doing.refresh()
  await pass(60_000)
  expect([asked(), doing.isShipless.value]).toEqual([1, false])
})
