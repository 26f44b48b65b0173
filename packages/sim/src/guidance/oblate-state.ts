import type { Body } from '../ephemeris/star-system.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { dot } from '../math/triple.ts'
import { keplerState } from '../orbits/kepler.ts'

/** Step as a share of the local dynamical time, and most steps: longer ways count as Kepler's. */
const FRACTION = 0.08
const STEPS_MAX = 4000

const moved = createStateVector()
const plain = createStateVector()
const place = new Float64Array(3)
const speed = new Float64Array(3)
const rates = new Float64Array(24)

/**
 * out = the state of an orbit some seconds later, with the oblateness of its body. Integrated by
 * Runge and Kutta's method of fourth order; within 100 m after a revolution.
 */
export function oblateState(
  out: StateVector,
  from: StateVector,
  body: Body,
  seconds: number,
): void {
  moved.r.set(from.r)
  moved.v.set(from.v)
  let left = body.oblateness ? seconds : 0
  for (let i = 0; left > 0 && i < STEPS_MAX; i++) {
    const square = dot(moved.r, 0, moved.r, 0)
    const h = Math.min(left, FRACTION * Math.sqrt((square * Math.sqrt(square)) / body.gm))
    step(body, h)
    left -= h
  }
  if (left > 0 || !body.oblateness) keplerState(moved, from, body.gm, seconds)
  out.r.set(moved.r)
  out.v.set(moved.v)
}

/** out = by how much oblateness changes the state some seconds later. */
export function oblateShift(
  out: StateVector,
  from: StateVector,
  body: Body,
  seconds: number,
): void {
  keplerState(plain, from, body.gm, seconds)
  oblateState(moved, from, body, seconds)
  for (let i = 0; i < 3; i++) {
    out.r[i] = moved.r[i] - plain.r[i]
    out.v[i] = moved.v[i] - plain.v[i]
  }
}

function step(body: Body, h: number): void {
  const { r, v } = moved
  for (let stage = 0; stage < 4; stage++) {
    const share = stage === 0 ? 0 : stage === 3 ? h : 0.5 * h
    const before = 6 * Math.max(0, stage - 1)
    for (let i = 0; i < 3; i++) {
      place[i] = r[i] + share * rates[before + i]
      speed[i] = v[i] + share * rates[before + 3 + i]
    }
    for (let i = 0; i < 3; i++) rates[6 * stage + i] = speed[i]
    pull(6 * stage + 3, body)
  }
  for (let i = 0; i < 3; i++) {
    r[i] += (h / 6) * (rates[i] + 2 * rates[6 + i] + 2 * rates[12 + i] + rates[18 + i])
    v[i] += (h / 6) * (rates[3 + i] + 2 * rates[9 + i] + 2 * rates[15 + i] + rates[21 + i])
  }
}

/** Writes the acceleration at `place`. */
function pull(at: number, { gm, oblateness }: Body): void {
  if (!oblateness) return
  const { j2, pole, referenceRadius } = oblateness
  const square = dot(place, 0, place, 0)
  const distance = Math.sqrt(square)
  const sine = (place[0] * pole[0] + place[1] * pole[1] + place[2] * pole[2]) / distance
  const scale = gm / (square * distance)
  const share = (1.5 * j2 * referenceRadius * referenceRadius) / square
  const along = -scale * (1 + share * (1 - 5 * sine * sine))
  const polar = -2 * scale * share * sine * distance
  for (let i = 0; i < 3; i++) rates[at + i] = along * place[i] + polar * pole[i]
}
