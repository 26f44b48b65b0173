/**
 * Laws of the Q-law: it flies the published transfer in the published time, leaves out thrust
 * that does little, and keeps the periapsis above its wall.
 */
import {
  createSteering,
  createStateVector,
  equinoctialElements,
  equinoctialState,
  steer,
} from '@orrery/sim'
import { expect, it } from 'vitest'

const GM = 3.9860049e14
const STEP = 64
const DAY = 86_400

/** 300 kg with 1 N and a specific impulse of 3100 s. */
const FORCE = 1
const FLOW = FORCE / (3100 * 9.80665)
const MASS = 300

/** Case A, tan(i/2) for 0.05°: from a low to a high orbit of the same small eccentricity. */
const HALF_TILT = Math.tan((0.025 * Math.PI) / 180)
const START = Float64Array.of(7e6, 0.01, 0, HALF_TILT, 0, 1, 0)
const CASE_A = {
  elements: Float64Array.of(4.2e7, 0.01, 0, HALF_TILT, 0),
  weights: Float64Array.of(1, 1, 1, 0, 0),
  periapsisMin: 6.578e6,
}

interface Flown {
  readonly days: number
  readonly fuel: number
  /** least distance from the centre [m] */
  readonly lowest: number
}

/**
 * Flies to 60 km of the goal's a and 0.001 of its e, whatever the direction of the periapsis, with
 * thrust where the effectivity is above a level.
 */
function fly(start: Float64Array, to: typeof CASE_A, level: number): Flown {
  const state = createStateVector()
  const elements = start.slice()
  equinoctialState(state, elements, GM)
  const steering = createSteering()
  const { direction, errors } = steering
  const goal = { ...to, elements: to.elements.slice() }
  let mass = MASS
  let lowest = Infinity
  for (let seconds = 0; seconds < 40 * DAY; seconds += STEP) {
    equinoctialElements(elements, state, GM)
    const scale = to.elements[1] / Math.hypot(elements[1], elements[2])
    goal.elements[1] = scale * elements[1]
    goal.elements[2] = scale * elements[2]
    steer(steering, state, GM, goal)
    lowest = Math.min(lowest, Math.hypot(...state.r))
    if (isThere(errors, goal)) return { days: seconds / DAY, fuel: MASS - mass, lowest }
    const acceleration = steering.effectivity >= level ? FORCE / mass : 0
    move(
      state.r,
      state.v,
      direction.map((x) => x * acceleration),
    )
    if (acceleration > 0) mass -= FLOW * STEP
  }
  throw new Error(`Not there after 40 days: ${errors.join(' ')}`)
}

function isThere(errors: Float64Array, goal: typeof CASE_A): boolean {
  const [da, df, dg, dh, dk] = errors.map((error, i) => (goal.weights[i] > 0 ? error : 0))
  return Math.abs(da) * goal.elements[0] <= 60_000 && Math.hypot(df, dg, dh, dk) <= 1e-3
}

/** One Runge-Kutta step about one body with a constant acceleration by thrust. */
function move(r: Float64Array, v: Float64Array, thrust: Float64Array): void {
  const pull = (x: Float64Array): Float64Array => {
    const distance = Math.hypot(...x)
    return x.map((value, i) => thrust[i] - (GM / distance ** 3) * value)
  }
  const moved = (x: Float64Array, by: Float64Array, h: number): Float64Array =>
    x.map((value, i) => value + h * by[i])
  const a1 = pull(r)
  const v2 = moved(v, a1, STEP / 2)
  const a2 = pull(moved(r, v, STEP / 2))
  const v3 = moved(v, a2, STEP / 2)
  const a3 = pull(moved(r, v2, STEP / 2))
  const v4 = moved(v, a3, STEP)
  const a4 = pull(moved(r, v3, STEP))
  for (let i = 0; i < 3; i++) {
    r[i] += (STEP / 6) * (v[i] + 2 * v2[i] + 2 * v3[i] + v4[i])
    v[i] += (STEP / 6) * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i])
  }
}

it('flies case A in 14.0 to 15.5 days, to 60 km of the semi-major axis', () => {
  const { days } = fly(START, CASE_A, 0.2)
  expect(days).toBeGreaterThan(14)
  expect(days).toBeLessThan(15.5)
})

it('saves fuel where it thrusts only at effective places', () => {
  const eccentric = Float64Array.of(2.4e7, 0.7, 0, HALF_TILT, 0, 1, 0)
  const soon = fly(eccentric, CASE_A, 0.1)
  const chosen = fly(eccentric, CASE_A, 0.3)
  expect(chosen.fuel).toBeLessThan(0.92 * soon.fuel)
  expect(chosen.days).toBeGreaterThan(soon.days)
})

it('keeps the periapsis above its wall', () => {
  const start = Float64Array.of(9e6, 0.25, 0, 0, 0, 1, 0)
  const elements = Float64Array.of(2.4e7, 0.72, 0, 0, 0)
  const [free, bounded] = [1e6, 6.578e6].map((periapsisMin) =>
    fly(start, { ...CASE_A, elements, periapsisMin }, 0.1),
  )
  expect(free.lowest).toBeLessThan(6.1e6)
  expect(bounded.lowest).toBeGreaterThan(6.578e6)
})
