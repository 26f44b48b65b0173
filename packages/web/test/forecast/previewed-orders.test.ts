// Laws: orders are previewed with what they cost, or why they cannot be; only the last ones are
// shown, and they are made again as time passes. Method: a flight that the test scripts.
import { ClientError } from '@orrery/client'
import type { Forecast } from '@orrery/client/flight'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SupposedOrder } from '../../src/forecast/flight-ahead.ts'
import { type Preview, type Tank, createPreview } from '../../src/forecast/preview.ts'
import type { Session } from '../../src/session/session.ts'
import type { Thing } from '../../src/readings/thing.ts'
import { ScriptedFlight } from '../game/scripted-flight.ts'

const BURN: readonly SupposedOrder[] = [{ order: { type: 'control', thrust_level: 1, delta_v: 5 } }]
const ABORT: readonly SupposedOrder[] = [{ order: { type: 'maneuver_abort' } }]
const TANK: Tank = { mass: 3000, fuel: 1000, deltaV: 2000 }

const page = { hidden: false }

let scripted: ScriptedFlight
let session: Signal<Session | undefined>
let target: Signal<Thing | undefined>
let preview: Preview
let tank: Tank | undefined

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  page.hidden = false
  scripted = new ScriptedFlight()
  tank = TANK
  session = signal<Session | undefined>({ flight: scripted.flight } as unknown as Session)
  target = signal<Thing | undefined>(undefined)
  preview = createPreview({ session, target, own: () => tank })
})

afterEach(() => {
  session.value = undefined
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

const burnt: Partial<Forecast> = {
  marks: [{ kind: 'burn_end', index: 64 + 640, deltaV: 5 }],
  deltaV: 5,
  fuel: 990,
}

test('what orders cost is shown once it is known, as far as it is', async () => {
  scripted.answer = () => ({ ...burnt, stateAt: () => false })
  target.value = { kind: 'body', name: 'Moon' }
  preview.show(BURN)
  const unknown = { forecast: undefined, cost: undefined, problem: undefined }
  expect(preview.shown.value).toEqual({ orders: BURN, ...unknown })
  await pass(0)
  expect(scripted.asked[0]).toMatchObject({ orders: BURN, target: { body: 'Moon' } })
  const { forecast, cost, problem } = preview.shown.value ?? {}
  expect([forecast?.deltaV, problem]).toEqual([5, undefined])
  expect(cost).toMatchObject({ deltaV: 5, fuel: 10, seconds: 10, end: 'coasting' })
  expect(cost).not.toHaveProperty('after')
  expect(cost).not.toHaveProperty('needed')
  preview.clear()
  expect(preview.shown.value).toBeUndefined()
})

test('the orbit after a burn is that of the body by which it ends', async () => {
  scripted.answer = () => ({
    ...burnt,
    stateAt: (out) => {
      out.r.set([7e6, 0, 0])
      out.v.set([0, Math.sqrt(4e14 / 7e6), 0])
      out.reference = 0
      return true
    },
  })
  preview.show(BURN)
  await pass(0)
  const { body, periapsis } = preview.shown.value?.cost?.after ?? {}
  expect(body).toBe('Globe')
  expect(periapsis).toBeCloseTo(6e5, 0)
})

test('without a tank the fuel is not known', async () => {
  tank = undefined
  preview.show(BURN)
  await pass(0)
  expect(preview.shown.value?.cost?.fuel).toBeNaN()
})

test('why nothing can be forecast is said', async () => {
  const problem = async (): Promise<string | undefined> => {
    preview.show(BURN)
    await pass(0)
    expect(preview.shown.value?.forecast).toBeUndefined()
    return preview.shown.value?.problem
  }
  scripted.answer = () => Promise.reject(new ClientError('E001', 'thrust_level is wrong'))
  expect(await problem()).toBe('thrust_level is wrong')
  scripted.answer = () => Promise.reject(new TypeError('defect'))
  expect(await problem()).toBe('It cannot be forecast now')
  session.value = undefined
  expect(await problem()).toBe('No player is signed in')
})

test('of orders that follow each other quickly only the last are shown', async () => {
  const answers: ((made: Partial<Forecast>) => void)[] = []
  scripted.answer = () => new Promise((resolve) => answers.push(resolve))
  preview.show(BURN)
  preview.show(ABORT)
  await pass(0)
  expect(scripted.asked).toHaveLength(1)
  answers[0]({ deltaV: 1, marks: [{ kind: 'maneuver_phase', phase: 'burning', index: 65 }] })
  await pass(0)
  // The first is not followed any farther.
  expect(scripted.asked.map(({ orders }) => orders)).toEqual([BURN, ABORT])
  expect(preview.shown.value).toMatchObject({ orders: ABORT, forecast: undefined })
  answers[1]({ deltaV: 2 })
  await pass(0)
  expect(preview.shown.value?.cost?.deltaV).toBe(2)
})

test('what is cleared meanwhile stays away', async () => {
  let answer: (made: Partial<Forecast>) => void = () => undefined
  scripted.answer = () => new Promise((resolve) => (answer = resolve))
  preview.show(BURN)
  await pass(0)
  preview.clear()
  answer({})
  await pass(10_000)
  expect(preview.shown.value).toBeUndefined()
  expect(scripted.asked).toHaveLength(1)
})

test('it is made again after three seconds, while the page is seen', async () => {
  preview.show(BURN)
  await pass(3000)
  expect(scripted.asked).toHaveLength(1)
  scripted.now += 6400
  await pass(500)
  expect(scripted.asked).toHaveLength(2)
  expect(preview.shown.value?.forecast?.from).toBe(scripted.now)
  page.hidden = true
  await pass(10_000)
  expect(scripted.asked).toHaveLength(2)
  page.hidden = false
  await pass(500)
  expect(scripted.asked).toHaveLength(3)
  session.value = undefined
  expect(preview.shown.value).toBeUndefined()
  await pass(10_000)
  expect(scripted.asked).toHaveLength(3)
})

test('one that takes long rests five times as long, and only one is made at a time', async () => {
  scripted.answer = () => new Promise((resolve) => setTimeout(() => resolve({}), 2000))
  preview.show(BURN)
  await pass(2000 + 10_000)
  expect(scripted.asked).toHaveLength(1)
  await pass(500)
  expect(scripted.asked).toHaveLength(2)
  await pass(1000)
  expect(scripted.asked).toHaveLength(2)
  scripted.answer = () => new Promise((resolve) => setTimeout(() => resolve({}), 8000))
  await pass(11_500)
  expect(scripted.asked).toHaveLength(3)
  await pass(7000)
  expect(scripted.asked).toHaveLength(3)
})

const fails: Partial<Forecast> = {
  marks: [{ kind: 'maneuver_failed', reason: 'out_of_fuel', index: 65 }],
  deltaV: 5,
  fuel: 0,
}
const completes: Partial<Forecast> = {
  marks: [{ kind: 'maneuver_completed', index: 65 }],
  deltaV: 9000,
}

test('orders for which the fuel does not suffice have what they need', async () => {
  scripted.answer = ({ fuel }) => (fuel === undefined ? fails : completes)
  preview.show(BURN)
  await pass(0)
  expect(scripted.asked.map(({ fuel }) => fuel)).toEqual([undefined, 100_000])
  expect(preview.shown.value?.cost).toMatchObject({
    end: 'failed',
    reason: 'out_of_fuel',
    deltaV: 5,
    needed: 9000,
  })
})

test.each<[string, Partial<Forecast>]>([
  ['that fail all the same', fails],
  ['that do not end', { deltaV: 9000 }],
])('orders %s have none', async (_, ample) => {
  scripted.answer = ({ fuel }) => (fuel === undefined ? fails : ample)
  preview.show(BURN)
  await pass(0)
  expect(preview.shown.value?.cost?.reason).toBe('out_of_fuel')
  expect(preview.shown.value?.cost).not.toHaveProperty('needed')
})

test('orders that fail for another reason are not tried with ample fuel', async () => {
  scripted.answer = () => ({ marks: [{ kind: 'maneuver_failed', reason: 'timed_out', index: 65 }] })
  preview.show(BURN)
  await pass(0)
  expect(scripted.asked).toHaveLength(1)
})

test('what orders need is not reckoned for those that are replaced', async () => {
  const open: Partial<Forecast> = {
    marks: [{ kind: 'maneuver_phase', phase: 'burning', index: 65 }],
  }
  scripted.answer = ({ fuel, orders }) => {
    if (orders === ABORT) return {}
    if (fuel === undefined) return fails
    preview.show(ABORT)
    return open
  }
  preview.show(BURN)
  await pass(0)
  expect(scripted.asked.map(({ orders }) => orders)).toEqual([BURN, BURN, ABORT])
  expect(preview.shown.value).toMatchObject({ orders: ABORT, problem: undefined })
})
