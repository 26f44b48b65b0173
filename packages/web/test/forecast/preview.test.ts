// Law: what is previewed is the last that was asked for, with what it costs and leaves, and is kept
// up to date at a fifth of the time at most. Method: a flight by hand, and timers.
import { ClientError, type PredictionMessage } from '@orrery/client'
import type { Forecast } from '@orrery/client/flight'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Preview, type Tank, costOf, createPreview } from '../../src/forecast/preview.ts'
import type { Thing } from '../../src/readings/thing.ts'
import type { Session } from '../../src/session/session.ts'
import { type HandSession, createHandSession } from '../game/hand-session.ts'

const FULL = [{ order: { type: 'control', thrust_level: 1 } }] as const
const HALF = [{ order: { type: 'control', thrust_level: 0.5 } }] as const

let hand: HandSession
let preview: Preview
let session: Signal<Session | undefined>
let tank: Tank | undefined
const page = { hidden: false }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  page.hidden = false
  hand = createHandSession()
  session = signal<Session | undefined>(hand.session)
  tank = { mass: 25_000, fuel: 5000, deltaV: 700 }
  preview = createPreview({ session, target: signal<Thing | undefined>(), own: () => tank })
})

afterEach(() => {
  session.value = undefined
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function askedIn(ms: number): Promise<number> {
  const before = hand.asked.length
  await vi.advanceTimersByTimeAsync(ms)
  return hand.asked.length - before
}

/** Forecasts that are made when the test says so. */
function madeByHand(): ((forecast: Forecast) => void)[] {
  const made: ((forecast: Forecast) => void)[] = []
  hand.sky.foresee = () => new Promise((resolve) => made.push(resolve))
  return made
}

test('orders are shown at once, and what they do as soon as it is known', async () => {
  const marks = [{ kind: 'burn_end', index: 6400, deltaV: 30 }] as const
  hand.sky.foresee = (request) =>
    Promise.resolve(hand.forecast(request, { marks, deltaV: 30, fuel: 4800 }))
  preview.show(FULL)
  const pending = { forecast: undefined, cost: undefined, problem: undefined }
  expect(preview.shown.value).toEqual({ orders: FULL, ...pending })
  await askedIn(0)
  expect(hand.asked[0].orders).toBe(FULL)
  const { cost, problem, forecast } = preview.shown.value!
  expect([forecast?.deltaV, problem]).toEqual([30, undefined])
  expect(cost).toMatchObject({ deltaV: 30, fuel: 200, seconds: 100, end: 'coasting' })
  expect(cost).not.toHaveProperty('needed')
  expect(cost?.after?.periapsis).toBeCloseTo(600_000, 3)
})

test('it is made again every three seconds', async () => {
  preview.show(FULL)
  expect(await askedIn(3000)).toBe(0)
  expect(await askedIn(500)).toBe(1)
  page.hidden = true
  expect(await askedIn(9000)).toBe(0)
  page.hidden = false
  expect(await askedIn(500)).toBe(1)
})

test('one that takes two seconds is made again after ten', async () => {
  const made = madeByHand()
  preview.show(FULL)
  await askedIn(2000)
  made[0](hand.forecast({ hours: 1 }))
  expect(await askedIn(10_000)).toBe(0)
  expect(await askedIn(500)).toBe(1)
  // Meanwhile what is shown stays, and no other one is begun.
  expect(await askedIn(20_000)).toBe(0)
  expect(preview.shown.value?.forecast).toBeDefined()
})

test('of many orders the last ones are shown, made one after another', async () => {
  const made = madeByHand()
  preview.show(FULL)
  preview.show(HALF)
  expect(await askedIn(1000)).toBe(0)
  expect(hand.asked).toHaveLength(1)
  made[0](hand.forecast({ hours: 1 }, { deltaV: 1 }))
  expect(await askedIn(0)).toBe(1)
  expect(preview.shown.value).toMatchObject({ orders: HALF, forecast: undefined })
  made[1](hand.forecast({ hours: 1 }, { deltaV: 2 }))
  await askedIn(0)
  expect(preview.shown.value?.cost?.deltaV).toBe(2)
})

test('what is cleared does not come back, and the end of a session clears it', async () => {
  const made = madeByHand()
  preview.show(FULL)
  await askedIn(0)
  preview.clear()
  made[0](hand.forecast({ hours: 1 }))
  expect(await askedIn(9000)).toBe(0)
  expect(preview.shown.value).toBeUndefined()
  preview.show(HALF)
  session.value = undefined
  expect(preview.shown.value).toBeUndefined()
  expect(await askedIn(9000)).toBe(0)
})

test('a flight that cannot be says what it takes, a long one what all of it does', async () => {
  const takes = { deltaV: 12_000, duration: 864_000 }
  const failed = [{ kind: 'maneuver_failed', index: 640, reason: 'timed_out', ...takes }] as const
  const about = { deltaVUncertainty: 300, secondsUncertainty: 8e5 }
  const leg = { fromBody: 'Earth', body: 'Mars', arrivesAt: 64e7, deltaV: 5600, ...about }
  hand.sky.foresee = (request) =>
    Promise.resolve(hand.forecast(request, { marks: failed, flightLegs: [leg] }))
  preview.show(FULL)
  await askedIn(0)
  expect(hand.asked).toHaveLength(1)
  const { cost, forecast } = preview.shown.value!
  const flight = { deltaV: 5600, ...about }
  expect(cost).toMatchObject({ needed: 12_000, neededSeconds: 864_000, flight })
  const seconds = (64e7 - (forecast?.from ?? 0)) / 64
  expect(cost?.flight?.seconds).toBe(seconds)
  expect(cost?.legs).toEqual([{ from: 'Earth', to: 'Mars', deltaV: 5600, seconds }])
})

test('a long flight is reckoned first, then shown as the server flies it to its end', async () => {
  const about = { deltaVUncertainty: 300, secondsUncertainty: 8e5 }
  const leg = { fromBody: 'Earth', body: 'Mars', arrivesAt: 64e7, deltaV: 5600, ...about }
  const marks = [{ kind: 'maneuver_phase', index: 640, phase: 'waiting' }] as const
  hand.sky.foresee = (request) =>
    Promise.resolve(hand.forecast(request, { marks, flightLegs: [leg] }))
  const requests: unknown[] = []
  const { promise, resolve } = Promise.withResolvers<PredictionMessage>()
  hand.sky.predict = (request) => {
    requests.push(request)
    return promise
  }
  preview.show(FULL)
  await askedIn(0)
  expect(preview.shown.value!.cost?.flight).toMatchObject({ deltaV: 5600, ...about })
  const completed = { mark: 'maneuver_completed', seconds: 9e6 } as const
  const game_time = new Date(0).toISOString()
  resolve({ game_time, delta_v: 5712, marks: [completed] } as unknown as PredictionMessage)
  const exact = { deltaV: 5712, deltaVUncertainty: 0, secondsUncertainty: 0 }
  await askedIn(0)
  expect(preview.shown.value!.cost?.flight).toEqual({ ...exact, seconds: 9e6 })
  hand.sky.time = 640
  await askedIn(9000)
  expect(preview.shown.value!.cost?.flight).toEqual({ ...exact, seconds: 9e6 - 10 })
  expect(requests).toEqual([{ hours: 0.1, to_end: true, orders: FULL }])
})

test('why there is none is said', async () => {
  const said = async (): Promise<string | undefined> => {
    preview.show([...FULL])
    await askedIn(0)
    expect(preview.shown.value).toMatchObject({ forecast: undefined, cost: undefined })
    return preview.shown.value?.problem
  }
  hand.sky.foresee = () => Promise.reject(new ClientError('E003', 'The ship is docked'))
  expect(await said()).toBe('The ship is docked')
  hand.sky.foresee = () => Promise.reject(new Error('a defect'))
  expect(await said()).toBe('It cannot be forecast now')
  session.value = undefined
  expect(await said()).toBe('No player is signed in')
})

test('a way that the fuel does not suffice for says what it would take', async () => {
  const failed = [{ kind: 'maneuver_failed', index: 640, reason: 'out_of_fuel' }] as const
  let end: 'maneuver_completed' | 'maneuver_failed' = 'maneuver_completed'
  hand.sky.foresee = (request) => {
    if (request.fuel === undefined)
      return Promise.resolve(hand.forecast(request, { marks: failed }))
    const marks = [{ kind: end, index: 640 }] as const
    return Promise.resolve(hand.forecast(request, { marks, deltaV: 4000 }))
  }
  preview.show(FULL)
  await askedIn(0)
  expect(preview.shown.value?.cost).toMatchObject({ end: 'failed', needed: 4000 })
  expect(hand.asked[1].fuel).toBeGreaterThan(50_000)
  end = 'maneuver_failed'
  preview.show(HALF)
  await askedIn(0)
  expect(preview.shown.value?.cost).toMatchObject({ end: 'failed', reason: 'out_of_fuel' })
  expect(preview.shown.value?.cost).not.toHaveProperty('needed')
})

const cost = (marks: Forecast['marks'], more?: Partial<Forecast>): ReturnType<typeof costOf> =>
  costOf(hand.forecast({ hours: 1 }, { marks, ...more }), tank, 64)

test('it ends as the maneuver does, and takes until then', () => {
  const burn = { kind: 'burn_end', index: 128, deltaV: 1 } as const
  const phase = { kind: 'maneuver_phase', index: 640, phase: 'waiting' } as const
  expect(cost([])).toMatchObject({ end: 'coasting', seconds: 0, fuel: 1000 })
  expect(cost([burn])).toMatchObject({ end: 'coasting', seconds: 1 })
  expect(cost([burn, phase])).toMatchObject({ end: 'open', seconds: 1 })
  expect(cost([burn, { kind: 'maneuver_completed', index: 6464 }])).toMatchObject({
    end: 'completed',
    seconds: 100,
  })
  expect(cost([phase, { kind: 'maneuver_failed', index: 704, reason: 'timed_out' }])).toMatchObject(
    { end: 'failed', seconds: 10, reason: 'timed_out' },
  )
  expect(cost([{ kind: 'maneuver_completed', index: 0 }], { end: 'impact' })).toMatchObject({
    end: 'impact',
    seconds: 0,
  })
})

test('a dock with an empty tank, and a tank that is not known', () => {
  tank = { mass: 20_000, fuel: 0, deltaV: 0 }
  expect(cost([{ kind: 'docked', index: 640 }]).fuel).toBe(0)
  tank = undefined
  expect(cost([]).fuel).toBeNaN()
})
