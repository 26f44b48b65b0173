/** How something moves about a body that pulls as a point, for seconds or minutes. */
import { type Vector, vector } from '@orrery/page-kit'

interface State {
  readonly r: Float64Array
  readonly v: Float64Array
}

/** Radians of an orbit in one step of the integration: the error is below a metre in low orbit. */
const STEP_ANGLE = 0.1

/** More are not worth it: by then the server has been asked again. */
const STEPS_MAX = 64

const pull = vector()
const place = vector()

/**
 * Writes a state after some seconds, by the method of Runge and Kutta of the fourth order.
 *
 * @param seconds  may be negative
 * @param gm       of the body [m³/s²]
 */
export function coasted(out: State, from: State, seconds: number, gm: number): void {
  out.r.set(from.r)
  out.v.set(from.v)
  const rate = Math.sqrt(gm / Math.hypot(...from.r) ** 3)
  const steps = Math.min(Math.ceil(Math.abs(seconds * rate) / STEP_ANGLE) || 0, STEPS_MAX)
  for (let step = 0; step < steps; step++) advance(out, seconds / steps, gm)
}

const slopes = Array.from({ length: 4 }, () => ({ r: vector(), v: vector() }))
const SHARES = [0, 0.5, 0.5, 1]
const WEIGHTS = [1 / 6, 1 / 3, 1 / 3, 1 / 6]

function advance({ r, v }: State, h: number, gm: number): void {
  for (const [k, slope] of slopes.entries()) {
    const before = slopes[k - 1] ?? slope
    const reach = SHARES[k] * h
    for (let axis = 0; axis < 3; axis++) {
      place[axis] = r[axis] + reach * before.r[axis]
      slope.r[axis] = v[axis] + reach * before.v[axis]
    }
    slope.v.set(pulled(place, gm))
  }
  for (const [k, slope] of slopes.entries()) {
    for (let axis = 0; axis < 3; axis++) {
      r[axis] += h * WEIGHTS[k] * slope.r[axis]
      v[axis] += h * WEIGHTS[k] * slope.v[axis]
    }
  }
}

function pulled([x, y, z]: Vector, gm: number): Vector {
  const share = -gm / Math.hypot(x, y, z) ** 3
  pull[0] = share * x
  pull[1] = share * y
  pull[2] = share * z
  return pull
}
