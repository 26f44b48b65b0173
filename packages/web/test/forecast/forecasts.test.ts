// Law: the line ahead is that of the ship as it flies now, and is made again no more often than it
// must. Method: a flight by hand, and timers.
import type { Forecast } from '@orrery/client/flight'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Forecasts, createForecasts } from '../../src/forecast/forecasts.ts'
import type { ManeuverState } from '../../src/orders/ship-doing.ts'
import type { Thing } from '../../src/readings/thing.ts'
import type { Session } from '../../src/session/session.ts'
import { type HandSession, PER_HOUR, REVOLUTION, createHandSession } from '../game/hand-session.ts'

let hand: HandSession
let forecasts: Forecasts
let session: Signal<Session | undefined>
let target: Signal<Thing | undefined>
let maneuver: Signal<ManeuverState | undefined>
const page = { hidden: false }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  page.hidden = false
  hand = createHandSession()
  session = signal<Session | undefined>(hand.session)
  target = signal<Thing | undefined>(undefined)
  maneuver = signal<ManeuverState | undefined>(undefined)
  forecasts = createForecasts({ session, target, maneuver })
})

afterEach(() => {
  session.value = undefined
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Forecasts that were asked for in some time [ms]. */
async function askedIn(ms: number): Promise<number> {
  const before = hand.asked.length
  await vi.advanceTimersByTimeAsync(ms)
  return hand.asked.length - before
}

const isStale = (): boolean | undefined => forecasts.own.value?.isStale

function phase(name: string): ManeuverState {
  return { phase: name } as ManeuverState
}

test('one is made at once, and another when two fifths of it are flown', async () => {
  expect(await askedIn(249)).toBe(0)
  expect(await askedIn(1)).toBe(1)
  expect(isStale()).toBe(false)
  expect(hand.prepared()).toBe(1)
  expect(await askedIn(20_000)).toBe(0)
  const { to } = forecasts.own.value!.forecast
  expect(to / PER_HOUR).toBeCloseTo(2 * REVOLUTION, 6)
  hand.sky.time = 0.399 * to
  expect(await askedIn(5000)).toBe(0)
  hand.sky.time = 0.401 * to
  expect(await askedIn(250)).toBe(1)
  expect(forecasts.own.value?.forecast.from).toBe(0.401 * to)
  expect(hand.prepared()).toBe(1)
  hand.sky.time = 0.75 * to
  expect(await askedIn(5000)).toBe(0)
})

test.each<[string, () => void]>([
  ['an accepted order', () => hand.socket.say('accepted')],
  ['an event', () => hand.socket.say('event')],
  ['a correction', () => hand.ship.say('corrected')],
  ['another way of moving it', () => hand.ship.say('mode')],
  ['another station', () => hand.world.say('objects')],
  ['another span', () => (forecasts.hours.value = 7)],
  ['a maneuver', () => (maneuver.value = phase('burning'))],
])('%s makes it stale until the next one', async (_, happen) => {
  await askedIn(250)
  happen()
  expect(isStale()).toBe(true)
  expect(await askedIn(250)).toBeGreaterThan(0)
  expect(isStale()).toBe(false)
})

test.each([
  ['a maneuver that holds', phase('holding')],
  ['a turn of the hull', { ...phase('turning'), maneuver: 'attitude' }],
])('%s changes nothing ahead', async (_, state) => {
  await askedIn(250)
  maneuver.value = state
  expect(await askedIn(1000)).toBe(0)
})

test('another target is looked for', async () => {
  await askedIn(250)
  target.value = { kind: 'body', name: 'Moon' }
  expect(await askedIn(250)).toBe(1)
  expect(hand.asked.at(-1)?.target).toEqual({ body: 'Moon' })
  target.value = { kind: 'body', name: 'Moon' }
  expect(await askedIn(1000)).toBe(0)
})

test('a ship that leaves its line by metres is forecast again', async () => {
  await askedIn(250)
  // 5 m, and a ten-millionth of 7,000 km.
  hand.sky.r = [7e6, 4, 4]
  expect(await askedIn(1000)).toBe(0)
  hand.sky.r = [7e6, 4.1, 4.1]
  expect(await askedIn(250)).toBe(1)
  hand.sky.r = [7e6, 0, 0]
  await askedIn(1000)
  hand.sky.body = 'Sun'
  expect(await askedIn(250)).toBe(1)
  hand.sky.isKnown = false
  await askedIn(3000)
  expect(await askedIn(1000)).toBe(0)
})

test.each([
  ['asked', true],
  ['impact', false],
  ['frozen', false],
] as const)('past an end by %s another one follows: %s', async (end, follows) => {
  hand.sky.foresee = (request) => Promise.resolve(hand.forecast(request, { end }))
  await askedIn(250)
  hand.sky.time = forecasts.own.value!.forecast.to + 1
  expect((await askedIn(2000)) > 0).toBe(follows)
})

test('at most one is made at a time, and what changes meanwhile makes another', async () => {
  const made: ((forecast: Forecast) => void)[] = []
  hand.sky.foresee = () => new Promise((resolve) => made.push(resolve))
  expect(await askedIn(2000)).toBe(1)
  hand.socket.say('accepted')
  expect(await askedIn(2000)).toBe(0)
  made[0](hand.forecast({ hours: 3 }))
  expect(await askedIn(0)).toBe(0)
  expect(isStale()).toBe(true)
  expect(await askedIn(250)).toBe(1)
  made[1](hand.forecast({ hours: 3 }))
  await askedIn(0)
  expect(isStale()).toBe(false)
})

test('what changes meanwhile ends the way to a longer one', async () => {
  const made: ((forecast: Forecast) => void)[] = []
  hand.sky.foresee = () => new Promise((resolve) => made.push(resolve))
  maneuver.value = phase('burning')
  await askedIn(250)
  hand.socket.say('accepted')
  made[0](hand.forecast(hand.asked[0]))
  await askedIn(250)
  made[1](hand.forecast(hand.asked[1]))
  await askedIn(0)
  const [first, second, third] = hand.asked.map(({ hours }) => hours)
  expect([second, third]).toEqual([first, 4 * first])
})

test('a page out of sight makes none, and after a failure there is a pause', async () => {
  page.hidden = true
  expect(await askedIn(5000)).toBe(0)
  page.hidden = false
  hand.sky.foresee = () => Promise.reject(new Error('No'))
  expect(await askedIn(250)).toBe(1)
  expect(await askedIn(1999)).toBe(0)
  expect(await askedIn(250)).toBe(1)
  expect(forecasts.own.value).toBeUndefined()
})

test('another star system and the end of a session leave none', async () => {
  await askedIn(250)
  hand.world.say('system')
  expect(forecasts.own.value).toBeUndefined()
  const made: ((forecast: Forecast) => void)[] = []
  hand.sky.foresee = () => new Promise((resolve) => made.push(resolve))
  await askedIn(250)
  made[0](hand.forecast({ hours: 3 }, { systemId: 'elsewhere' }))
  await askedIn(0)
  expect(forecasts.own.value).toBeUndefined()
  hand.socket.say('event')
  await askedIn(250)
  session.value = undefined
  made[1](hand.forecast({ hours: 3 }))
  expect(await askedIn(5000)).toBe(0)
  expect(forecasts.own.value).toBeUndefined()
  expect([hand.socket, hand.ship, hand.world].map(({ count }) => count)).toEqual([0, 0, 0])
})

test('while a maneuver is under way no forecast is shorter than the shown one', async () => {
  maneuver.value = phase('burning')
  hand.sky.foresee = (request) => {
    const marks = [{ kind: 'maneuver_completed', index: 30 * PER_HOUR }] as const
    const { to } = hand.forecast(request)
    return Promise.resolve(
      hand.forecast(request, { marks: marks.filter((mark) => mark.index < to) }),
    )
  }
  await askedIn(250)
  const { to } = forecasts.own.value!.forecast
  expect(to / PER_HOUR).toBeCloseTo(32 * REVOLUTION, 6)
  hand.sky.time = PER_HOUR
  hand.socket.say('event')
  expect(await askedIn(250)).toBe(1)
  expect(forecasts.own.value?.forecast.to).toBeCloseTo(to, 3)
})

test('marks are counted from now, with altitudes and names', async () => {
  const marks: Forecast['marks'] = [
    { kind: 'approach', index: 320, shipId: 'ship-1', distance: 10, speed: 1 },
    { kind: 'approach', index: 640, stationId: 'station-1', distance: 10, speed: 1 },
    { kind: 'approach', index: 960, jumpgateId: 'gate-1', distance: 10, speed: 1 },
    { kind: 'periapsis', index: 6400, body: 'Earth', distance: 6.6e6 },
  ]
  hand.sky.foresee = (request) => Promise.resolve(hand.forecast(request, { marks }))
  expect(forecasts.marks.value).toEqual([])
  hand.sky.time = 64
  await askedIn(250)
  expect(forecasts.marks.value.map(({ name, detail, seconds }) => [name, detail, seconds])).toEqual(
    [
      ['Closest to Heron', '10.00 m at 1.000 m/s', 4],
      ['Closest to Gateway', '10.00 m at 1.000 m/s', 9],
      ['Closest to gate-1', '10.00 m at 1.000 m/s', 14],
      ['Periapsis', '200.0 km', 99],
    ],
  )
  session.value = undefined
  expect(forecasts.marks.value).toEqual([])
})
