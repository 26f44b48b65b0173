// Goal: pilots turn their ships by commands and maneuvers, towards directions and other ships, and
// admins read the events of maneuvers, by ship and kind, at the level they choose. Method: one
// server process, two pilots, game time at a hundred times its pace.
import {
  type ManeuverEventEntry,
  type ShipState,
  type Vec3,
  maneuverEventsResponse,
} from '@orrery/protocol'
import { COURIER } from '@orrery/sim'
import * as v from 'valibot'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { dot, length, nose, plus } from './orbit.ts'
import { type PlayerSocket, openSocket, register, shipOf } from '../player-client.ts'
import { sharedServer } from '../used-server.ts'

const EVENTS = '/api/admin/maneuver-events'
const LOGGING = '/api/admin/maneuver-logging'
const DEBUG = '/api/admin/maneuver-debug'
const NO_ID = '00000000-0000-4000-8000-000000000000'

/** Ticks in which a hull must have turned: ten minutes of game time. */
const LOOKS_MAX = 60

let ida: PlayerSocket
let idaShip: string
let idaToken: string
let lastOfIda: unknown
let max: PlayerSocket
let maxShip: string
let maxToken: string

const server = sharedServer(async () => {
  const pilots = [await register(server, 'Ida'), await register(server, 'Max')] as const
  idaShip = pilots[0].ship_id
  maxShip = pilots[1].ship_id
  idaToken = pilots[0].token
  maxToken = pilots[1].token
  ida = await openSocket(server, pilots[0].token)
  max = await openSocket(server, pilots[1].token)
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 10 })
})

async function events(query = ''): Promise<readonly ManeuverEventEntry[]> {
  return v.parse(maneuverEventsResponse, await server.order('GET', EVENTS + query)).events
}

/** The events of a query, once there are `count` and the newest fits. */
async function eventsOnce(
  query: string,
  count: number,
  fits: (newest: ManeuverEventEntry) => boolean = () => true,
): Promise<readonly ManeuverEventEntry[]> {
  for (;;) {
    const found = await events(query)
    if (found.length >= count && fits(found[0])) return found
    await ida.freshTick()
  }
}

async function changeLevel(level: string): Promise<void> {
  expect(await server.order('POST', LOGGING, { level })).toEqual({ success: true, level })
}

test('a turn has an event for its start and one for its end', async () => {
  const turn = { type: 'maneuver_start', maneuver: 'attitude', pointing: 'retrograde' }
  const accepted = await ida.answer(turn)
  await ida.next('event', ({ event }) => event === 'locked')
  const [end, start, ...more] = await eventsOnce(`?ship_id=${idaShip}`, 2)
  expect(more).toEqual([])
  const same = { ship_id: idaShip, maneuver_type: 'attitude', element_errors: null, distance: null }
  const extra = {
    reference_body: 'Earth',
    target_id: null,
    pointing: 'retrograde',
    attitude: null,
  }
  expect(start).toMatchObject({ ...same, event_type: 'started', phase: 'turning' })
  expect(start).toMatchObject({ from_phase: null, effectivity: null, status_text: null })
  expect(start.extra).toEqual(extra)
  expect(accepted).toMatchObject({ type: 'accepted', game_time: start.game_time })
  expect(end).toMatchObject({ ...same, event_type: 'completed', phase: 'locked' })
  expect(end.from_phase).toBe('turning')
  const { seconds } = end.extra as { readonly seconds: number }
  expect(end.extra).toEqual({ ...extra, seconds })
  expect(Date.parse(end.game_time) - Date.parse(start.game_time)).toBeCloseTo(1000 * seconds, -1)
  expect(end.tick).toBeGreaterThanOrEqual(start.tick)
  expect(end.id).toBeGreaterThan(start.id)
})

test('without a maneuver an abort is refused', async () => {
  expect(await ida.answer({ type: 'maneuver_abort' })).toMatchObject({ code: 'E003' })
})

test('the level verbose records an abort, a replacement and a chase in full', async () => {
  await changeLevel('verbose')
  const attitude = { w: 0, x: 1, y: 0, z: 0 }
  max.send({ type: 'control', attitude })
  await max.freshTick()
  const stop = await max.answer({ type: 'maneuver_start', maneuver: 'kill_rotation' })
  expect(stop.type).toBe('accepted')
  await max.next('event', ({ event }) => event === 'locked')
  max.send({ type: 'maneuver_start', maneuver: 'attitude', attitude: { ...attitude, y: 1 } })
  // Both act at one moment, or after the start: either way no maneuver is left.
  expect((await max.answer({ type: 'maneuver_abort' })).type).toBe('accepted')
  const pursuit = { type: 'maneuver_start', maneuver: 'attitude', pointing: 'target' }
  await max.answer({ ...pursuit, target_ship_id: idaShip.toUpperCase() })
  await max.next('event', ({ event }) => event === 'sighted')
  await max.next('event', ({ event }) => event === 'locked')
  const chase = await eventsOnce(`?ship_id=${maxShip}&event_type=phase_changed`, 1)
  expect(chase[0]).toMatchObject({ phase: 'turning', from_phase: 'seeking' })
  const [end] = await eventsOnce(`?ship_id=${maxShip}&event_type=completed`, 2)
  expect(end.extra).toMatchObject({ target_id: idaShip, pointing: 'target' })
  expect(end.distance).toBeGreaterThan(0)
  const all = await events(`?ship_id=${maxShip}`)
  const recorded = all
    .map(({ event_type: type, maneuver_type: kind }) => `${type} ${kind}`)
    .toReversed()
  expect(recorded.slice(0, 4)).toEqual([
    'started attitude',
    'replaced attitude',
    'started kill_rotation',
    'completed kill_rotation',
  ])
  expect(recorded.slice(-3)).toEqual([
    'started attitude',
    'phase_changed attitude',
    'completed attitude',
  ])
  const first = all.at(-1)
  expect(first?.extra).toMatchObject({ attitude, angle: expect.any(Number), rate: 0 })
  expect(first?.extra).toHaveProperty('wheel_momentum.x')
  await changeLevel('normal')
})

test('events are filtered by ship and kind, the newest first', async () => {
  const all = await events('?limit=500')
  expect(all.length).toBeGreaterThan(6)
  const ids = all.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect(await events()).toEqual(all.slice(0, 50))
  expect(await events('?limit=1')).toEqual(all.slice(0, 1))
  expect(await events('?colour=red')).toEqual(all.slice(0, 50))
  const started = all.filter(({ event_type: type }) => type === 'started')
  expect(await events('?event_type=started')).toEqual(started)
  const upper = `?ship_id=${idaShip.toUpperCase()}&event_type=started&limit=5`
  expect(await events(upper)).toEqual(started.filter(({ ship_id: id }) => id === idaShip))
})

test('the level off records nothing, except everything of a debugged ship', async () => {
  await changeLevel('off')
  await server.order('POST', DEBUG, { ship_id: maxShip, enabled: true })
  const before = await events()
  for (const pilot of [ida, max]) {
    pilot.send({ type: 'maneuver_start', maneuver: 'attitude', pointing: 'normal' })
    await pilot.next('event', ({ event }) => event === 'locked')
  }
  const after = await eventsOnce(
    `?ship_id=${maxShip}&limit=500`,
    8,
    ({ event_type: type, extra }) => type === 'completed' && extra['pointing'] === 'normal',
  )
  expect(after[1].extra).toHaveProperty('angle')
  expect(await events(`?ship_id=${idaShip}`)).toEqual(
    before.filter(({ ship_id: id }) => id === idaShip),
  )
})

/** Cosine of the angle between a ship's nose and a direction. */
function along(state: ShipState, direction: Vec3): number {
  return dot(nose(state), direction) / length(direction)
}

test('a hull that points retrograde sends an event once it does, and stays so', async () => {
  await ida.answer({ type: 'control', pointing: 'retrograde' })
  const event = await ida.next('event')
  expect(event).toMatchObject({ event: 'locked', ship_id: idaShip, body: 'Earth' })
  for (let look = 0; look < 3; look++) {
    const state = shipOf(await ida.freshTick(), idaShip)
    expect(along(state, state.relative_velocity)).toBeLessThan(-0.999_999)
  }
})

test('a hull follows another ship', async () => {
  await ida.answer({ type: 'control', pointing: 'target', target_ship_id: maxShip })
  let aligned = 0
  for (let look = 0; look < LOOKS_MAX && aligned < 3; look++) {
    const tick = await ida.freshTick()
    const own = shipOf(tick, idaShip)
    // A view is up to a second of game time old, and ships pass at up to 15 km/s.
    const line = plus(shipOf(tick, maxShip).relative_position, own.relative_position, -1)
    const cosine = Math.cos(Math.min(1, 30_000 / length(line)) + 1e-3)
    aligned = along(own, line) > cosine ? aligned + 1 : 0
  }
  expect(aligned, 'ticks in a row').toBe(3)
})

test('pointing at an unknown ship, or at none, is refused', async () => {
  const target = { type: 'control', pointing: 'target' }
  expect(await ida.answer({ ...target, target_ship_id: NO_ID })).toMatchObject({ code: 'E002' })
  expect(await ida.answer({ ...target, target_ship_id: idaShip })).toMatchObject({ code: 'E001' })
  expect(await ida.answer(target)).toMatchObject({ code: 'E001' })
})

test('a flight shows its phases to its pilot and in the log, until it is aborted', async () => {
  await changeLevel('normal')
  const order = { type: 'maneuver_start', maneuver: 'escape', timeout: 1e6 }
  expect(await ida.answer(order)).toMatchObject({ type: 'accepted' })
  const phase = await ida.next('event', ({ event }) => event === 'maneuver_phase')
  expect(phase).toMatchObject({ ship_id: idaShip, body: 'Earth' })
  expect(phase).toMatchObject({ maneuver: 'escape', phase: 'waiting', from_phase: 'planning' })
  expect(phase.status_text).toBe('Waiting for the next burn')
  const { maneuver: waiting, last_maneuver: before } = shipOf(await ida.freshTick(), idaShip)
  // The ship may have begun to turn or to burn by now.
  const hasWait = waiting?.phase === 'waiting' || waiting?.phase === 'turning'
  expect(typeof waiting?.next_burn_at === 'string').toBe(hasWait)
  expect(before).toBeNull()
  await ida.next('tick', (tick) => shipOf(tick, idaShip).maneuver?.phase === 'burning')
  const { maneuver } = shipOf(await ida.freshTick(), idaShip)
  expect(maneuver).toMatchObject({ maneuver: 'escape', target_id: null, target_body: null })
  expect(maneuver?.status_text).toMatch(/engine/)
  expect(maneuver).toMatchObject({ next_burn_at: null, expected_end: null })
  expect(await ida.answer({ type: 'maneuver_abort' })).toMatchObject({ type: 'accepted' })
  await ida.next('tick', (tick) => shipOf(tick, idaShip).maneuver === null)
  expect(shipOf(await ida.freshTick(), idaShip).thrust_level).toBe(0)
  const all = await eventsOnce(`?ship_id=${idaShip}`, 4, ({ event_type: type }) => {
    return type === 'aborted'
  })
  const start = all.findIndex(({ event_type: type }) => type === 'started')
  // On its orbit, which is no exact circle, the ship may wait for the periapsis.
  expect([all[0], all[1], all[start]]).toMatchObject([
    { maneuver_type: 'escape', event_type: 'aborted', status_text: 'By its pilot' },
    { event_type: 'phase_changed', phase: 'burning', from_phase: 'turning' },
    { maneuver_type: 'escape', phase: 'planning', from_phase: null },
  ])
  expect(all[0].extra).toMatchObject({ reference_body: 'Earth', target_id: null })
  const ended = { maneuver: 'escape', outcome: 'aborted', reason: null, ended_at: all[0].game_time }
  expect(shipOf(await ida.freshTick(), idaShip).last_maneuver).toMatchObject(ended)
  await changeLevel('off')
})

test('a failure has its maneuver, phase and reason, and is kept until the next order', async () => {
  const order = { type: 'maneuver_start', maneuver: 'escape', timeout: 1 }
  expect(await ida.answer(order)).toMatchObject({ type: 'accepted' })
  const failed = await ida.next('event', ({ event }) => event === 'maneuver_failed')
  const reason = { maneuver: 'escape', reason: 'timed_out', status_text: 'The time is over' }
  expect(failed).toMatchObject({ ...reason, phase: expect.any(String) })
  const { maneuver, last_maneuver: last } = shipOf(await ida.freshTick(), idaShip)
  expect(maneuver).toBeNull()
  expect(last).toMatchObject({ ...reason, outcome: 'failed', ended_at: failed.game_time })
  lastOfIda = last
})

test('a maneuver to what is not there is refused', async () => {
  const start = { type: 'maneuver_start' }
  for (const order of [
    { maneuver: 'transfer', target_body: 'Vulcan' },
    { maneuver: 'rendezvous', target_station_id: NO_ID },
    { maneuver: 'rendezvous', target_ship_id: NO_ID },
    { maneuver: 'hold_station', target_jumpgate_id: NO_ID },
  ] as const) {
    const [, field] = Object.keys(order)
    const message = expect.stringMatching(`^${field} names no .* in Sol\\.$`)
    expect(await ida.answer({ ...start, ...order })).toMatchObject({ code: 'E002', message })
  }
})

test('a maneuver to where no ship can be is refused, with its field and limits', async () => {
  const { mean_orbit: orbit } = shipOf(await ida.freshTick(), idaShip)
  expect(orbit?.periapsis_altitude).toBeGreaterThan(0)
  for (const [order, message] of [
    [{ maneuver: 'rendezvous', target_ship_id: idaShip }, /^target_ship_id names the ship itself/],
    [{ maneuver: 'set_orbit', semi_major_axis: 6e6 }, /^semi_major_axis: .* ground of Earth\.$/],
    [{ maneuver: 'set_orbit', eccentricity: 0.9 }, /^eccentricity: .* km below the ground/],
    [{ maneuver: 'set_orbit', semi_major_axis: 2e9 }, /^semi_major_axis: .* sphere of influence/],
    [{ maneuver: 'set_orbit', apoapsis_altitude: 2e9 }, /^apoapsis_altitude: .* sphere of/],
    [{ maneuver: 'transfer', target_body: 'Moon', altitude: 300 }, /at least 6\.\d+ km/],
    [{ maneuver: 'transfer', target_body: 'Moon', altitude: 1e9 }, /^altitude .* Moon .* below/],
    [{ maneuver: 'transfer', target_body: 'Phobos' }, /^target_body: no orbit about Phobos/],
  ] as const) {
    const answer = await ida.answer({ type: 'maneuver_start', ...order })
    expect(answer).toMatchObject({ code: 'E001', message: expect.stringMatching(message) })
  }
})

test('a hull points at the Sun, and at a station until that is removed', async () => {
  const toSun = await max.answer({ type: 'control', pointing: 'sun' })
  expect(toSun.type).toBe('accepted')
  await max.next('event', ({ event }) => event === 'locked')
  const state = shipOf(await max.freshTick(), maxShip)
  expect(state.steering).toMatchObject({ pointing: 'target', target_body: 'Sun', mode: 'locked' })
  // The barycentre of the system is in the Sun or near it.
  expect(along(state, state.position)).toBeLessThan(-0.9999)
  const { stations } = await max.freshTick()
  const [{ station_id: target_station_id }] = stations
  await max.answer({ type: 'control', pointing: 'target', target_station_id })
  await max.next('event', ({ event }) => event === 'locked')
  const { steering } = shipOf(await max.freshTick(), maxShip)
  expect(steering).toMatchObject({ target_station_id, mode: 'locked', wheel_unloading: true })
  await server.order('DELETE', `/api/admin/station/${target_station_id}`)
  await max.next('event', ({ event }) => event === 'lost')
  const after = shipOf(await max.freshTick(), maxShip)
  expect(after.steering).not.toHaveProperty('target_station_id')
  const gone = { type: 'control', pointing: 'target', target_station_id }
  expect(await max.answer(gone)).toMatchObject({ code: 'E002' })
})

test('a hull turns at a rate until it is stopped', async () => {
  const angular_rate = { x: 0.01, y: -0.02, z: 0.005 }
  expect((await max.answer({ type: 'control', angular_rate })).type).toBe('accepted')
  await max.next('event', ({ event }) => event === 'locked')
  const state = shipOf(await max.freshTick(), maxShip)
  expect(state.steering).toMatchObject({ pointing: 'spin', mode: 'locked' })
  for (const axis of ['x', 'y', 'z'] as const) {
    expect(state.angular_velocity[axis]).toBeCloseTo(angular_rate[axis], 12)
  }
  await max.answer({ type: 'control', angular_rate: { x: 0, y: 0, z: 0 } })
  await max.next('event', ({ event }) => event === 'locked')
  const still = shipOf(await max.freshTick(), maxShip)
  expect(still.steering).toMatchObject({ pointing: 'rest', mode: 'locked' })
  expect(length(still.angular_velocity)).toBeLessThan(1e-12)
})

test('an order that would fail after its burn fails before', async () => {
  // Slow enough that it has not burnt before it is flown ahead.
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 0.1 })
  const before = shipOf(await max.freshTick(), maxShip)
  const order = { type: 'maneuver_start', maneuver: 'escape', timeout: 1200 }
  expect(await max.answer(order)).toMatchObject({ type: 'accepted' })
  const failed = await max.next('event', ({ event }) => event === 'maneuver_failed')
  const status_text = expect.stringMatching(
    /^Flown ahead, it would fail in \d+ minutes: the time is over$/,
  )
  const reason = { maneuver: 'escape', reason: 'timed_out', status_text }
  expect(failed).toMatchObject(reason)
  const after = shipOf(await max.freshTick(), maxShip)
  expect(after).toMatchObject({ fuel: before.fuel, thrust_level: 0, maneuver: null })
  expect(after.last_maneuver).toMatchObject({ ...reason, outcome: 'failed' })
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
})

test('a burn of so much Δv ends by itself', async () => {
  const before = shipOf(await max.freshTick(), maxShip)
  const burn = { type: 'control', thrust_level: 0.5, delta_v: 300, wheel_unloading: false }
  expect((await max.answer(burn)).type).toBe('accepted')
  await max.next('event', ({ event }) => event === 'burn_ended')
  const after = shipOf(await max.freshTick(), maxShip)
  expect(after.thrust_level).toBe(0)
  expect(COURIER.exhaustVelocity * Math.log(before.mass / after.mass)).toBeCloseTo(300, 6)
  expect(await max.answer({ ...burn, delta_v: 0 })).toMatchObject({ code: 'E001' })
})

test('a burn that ends while its pilot is away is in the news at the return', async () => {
  // Slow enough that it does not end before the socket does.
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 1 })
  await max.answer({ type: 'control', thrust_level: 0.5, delta_v: 500, wheel_unloading: false })
  await max.close()
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  while (shipOf(await ida.freshTick(), maxShip).thrust_level > 0);
  max = await openSocket(server, maxToken)
  expect(await max.next('event')).toMatchObject({ event: 'burn_ended', ship_id: maxShip })
})

test.runIf(IS_NIGHT)('level, flags, events and last maneuvers outlive the process', async () => {
  const before = await events('?limit=500')
  expect(await server.stop()).toBe(0)
  await server.restart()
  expect(await server.order('GET', LOGGING)).toEqual({ level: 'off' })
  for (const [ship_id, debug] of [
    [maxShip, true],
    [idaShip, false],
  ] as const) {
    expect(await server.order('GET', `${DEBUG}?ship_id=${ship_id}`)).toEqual({ ship_id, debug })
  }
  expect(await events('?limit=500')).toEqual(before)
  ida = await openSocket(server, idaToken)
  expect(shipOf(await ida.freshTick(), idaShip).last_maneuver).toEqual(lastOfIda)
})
