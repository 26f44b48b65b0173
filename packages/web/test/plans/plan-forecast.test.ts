// Law: a plan is forecast as it is changed, one forecast at a time, and the last one stays until
// the next. Method: a flight by hand, and timers.
import { ClientError } from '@orrery/client'
import type { Forecast } from '@orrery/client/flight'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Plan, createPlan } from '../../src/plans/plan.ts'
import { type PlanForecast, createPlanForecast } from '../../src/plans/plan-forecast.ts'
import type { Thing } from '../../src/readings/thing.ts'
import type { Session } from '../../src/session/session.ts'
import { type HandSession, PER_HOUR, REVOLUTION, createHandSession } from '../game/hand-session.ts'

let hand: HandSession
let plan: Plan
let session: Signal<Session | undefined>
let target: Signal<Thing | undefined>
let made: PlanForecast
const page = { hidden: false }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  page.hidden = false
  hand = createHandSession()
  hand.sky.foresee = (request) => Promise.resolve(completed(request))
  plan = createPlan()
  session = signal<Session | undefined>(hand.session)
  target = signal<Thing | undefined>(undefined)
  made = createPlanForecast({ session, target, nodes: plan.nodes })
})

afterEach(() => {
  made.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A forecast at whose begin the plan is complete. */
function completed(request: (typeof hand.asked)[number]): Forecast {
  return hand.forecast(request, { marks: [{ kind: 'maneuver_completed', index: 1 }] })
}

function burn(hours: number, prograde = 10): number {
  const id = plan.add(hours * PER_HOUR)!
  plan.change(id, { deltaV: [prograde, 0, 0] })
  return id
}

async function askedIn(ms: number): Promise<number> {
  const before = hand.asked.length
  await vi.advanceTimersByTimeAsync(ms)
  return hand.asked.length - before
}

test('nodes without Δv ask for nothing', async () => {
  plan.add(PER_HOUR)
  expect(await askedIn(9000)).toBe(0)
  expect(made.flown.value).toBeUndefined()
})

test('a plan is forecast beyond its last node, with the target', async () => {
  target.value = { kind: 'body', name: 'Moon' }
  burn(30)
  await askedIn(0)
  const [{ hours, orders, target: asked }] = hand.asked
  expect(hours).toBeCloseTo(30.6, 9)
  expect(orders).toMatchObject([{ order: { maneuver: 'plan', nodes: [{ index: 30 * PER_HOUR }] } }])
  expect(asked).toEqual({ body: 'Moon' })
  expect(made.flown.value?.nodes).toBe(plan.nodes.value)
})

test('while it is dragged one is made at a time, and the last one stays until then', async () => {
  const answers: ((forecast: Forecast) => void)[] = []
  hand.sky.foresee = () => new Promise((resolve) => answers.push(resolve))
  const id = burn(30)
  await askedIn(0)
  for (let i = 0; i < 9; i++) plan.change(id, { deltaV: [i, 1, 0] })
  await askedIn(0)
  expect(answers).toHaveLength(1)
  answers[0](completed(hand.asked[0]))
  await askedIn(0)
  const first = made.flown.value?.forecast
  expect(first).toBeDefined()
  expect(made.flown.value?.nodes).not.toBe(plan.nodes.value)
  expect(answers).toHaveLength(2)
  // It begins nearly as far as the last one reaches.
  expect(hand.asked[1].hours).toBeCloseTo(30.6, 9)
  plan.change(id, { deltaV: [9, 9, 9] })
  expect(made.flown.value?.forecast).toBe(first)
  answers[1](completed(hand.asked[1]))
  await askedIn(0)
  answers[2](completed(hand.asked[2]))
  await askedIn(0)
  expect(made.flown.value?.nodes).toBe(plan.nodes.value)
  expect(answers).toHaveLength(3)
})

test('the way soon after a dragged node is drawn first, then all, and again at rest', async () => {
  const [first, second] = [burn(30), burn(90)]
  const marks: Forecast['marks'] = [
    { kind: 'burn_end', index: 30 * PER_HOUR },
    { kind: 'burn_end', index: 90 * PER_HOUR },
    { kind: 'maneuver_completed', index: 90 * PER_HOUR },
  ]
  hand.sky.foresee = (request) => {
    const to = request.hours * PER_HOUR
    return Promise.resolve(
      hand.forecast(request, { marks: marks.filter((mark) => mark.index < to) }),
    )
  }
  await askedIn(0)
  const whole = made.flown.value!.forecast
  hand.asked.length = 0
  const drawn: unknown[] = []
  const stop = made.drawn.subscribe((value) => {
    drawn.push([value?.forecast.to, made.flown.peek() === value])
  })
  plan.change(first, { deltaV: [12, 0, 0] })
  await askedIn(0)
  stop()
  expect(hand.asked.map(({ draft }) => draft)).toEqual([whole, whole])
  expect(hand.asked[0].hours).toBeCloseTo(30 + 1.05 * REVOLUTION, 9)
  expect(hand.asked[1].hours * PER_HOUR).toBeCloseTo(whole.to, 6)
  expect(drawn.length).toBe(3)
  expect(made.flown.value?.nodes).toBe(plan.nodes.value)
  expect(await askedIn(1000)).toBe(1)
  expect(hand.asked[2].draft).toBe(true)
  const again = made.flown.value?.forecast
  plan.change(second, { deltaV: [1, 1, 0] })
  await askedIn(0)
  expect(hand.asked[3].draft).toBe(again)
})

test('all of a plan gives way to a change, what is drawn soon does not', async () => {
  const burnt = (request: (typeof hand.asked)[number]): Forecast =>
    hand.forecast(request, {
      marks: [
        { kind: 'burn_end', index: 30 * PER_HOUR },
        { kind: 'maneuver_completed', index: 90 * PER_HOUR },
      ],
    })
  hand.sky.foresee = (request) => Promise.resolve(burnt(request))
  const id = burn(30)
  burn(90)
  await askedIn(0)
  const answers: (() => void)[] = []
  hand.sky.foresee = (request) =>
    new Promise((resolve) => answers.push(() => resolve(burnt(request))))
  const after = async (act: () => void): Promise<number> => {
    const before = hand.asked.length
    act()
    await askedIn(0)
    return hand.asked.length - before
  }
  const drag = (deltaV: number): Promise<number> =>
    after(() => plan.change(id, { deltaV: [deltaV, 0, 0] }))
  expect(await drag(11)).toBe(1)
  expect(await drag(12)).toBe(0)
  expect(await after(() => answers[0]())).toBe(1)
  expect(await after(() => answers[1]())).toBe(1)
  expect(await drag(13)).toBe(1)
  expect(hand.asked.slice(-2).map(({ hours }) => hours < 40)).toEqual([false, true])
})

test('it is made again as time passes, on a page that is seen', async () => {
  burn(1)
  await askedIn(0)
  expect(await askedIn(3000)).toBe(0)
  expect(await askedIn(500)).toBe(1)
  page.hidden = true
  expect(await askedIn(9000)).toBe(0)
})

test('without a node or a session nothing is shown', async () => {
  const id = burn(1)
  await askedIn(0)
  plan.remove(id)
  await askedIn(0)
  expect(made.flown.value).toBeUndefined()
  burn(1)
  await askedIn(0)
  session.value = undefined
  expect(made.flown.value).toBeUndefined()
  expect(await askedIn(9000)).toBe(0)
})

test('what cannot be forecast is a sentence', async () => {
  hand.sky.foresee = () => Promise.reject(new ClientError('E001', 'nodes.0 is amiss'))
  burn(1)
  await askedIn(0)
  expect(made.problem.value).toBe('nodes.0 is amiss')
  hand.sky.foresee = () => Promise.reject(new Error('broken'))
  burn(2)
  await askedIn(0)
  expect(made.problem.value).toBe('It cannot be forecast now')
  hand.sky.foresee = (request) => Promise.resolve(completed(request))
  burn(3)
  await askedIn(0)
  expect(made.problem.value).toBeUndefined()
})

test('an answer after the last node went is not shown', async () => {
  let answer: (forecast: Forecast) => void = () => undefined
  hand.sky.foresee = () => new Promise((resolve) => (answer = resolve))
  const id = burn(1)
  await askedIn(0)
  plan.remove(id)
  answer(completed(hand.asked[0]))
  await askedIn(0)
  expect(made.flown.value).toBeUndefined()
})
