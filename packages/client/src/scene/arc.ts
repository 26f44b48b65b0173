import { QUANTA_PER_SECOND, type StateVector, createStateVector, keplerState } from '@orrery/sim'

/**
 * Places in a record of one step: indices of its start and end [quanta], then position, velocity
 * and acceleration at both, relative to the reference body, and its index. A ship that stands has
 * its end at its start; with an end before it, only the state at the start is known.
 */
export const ARC = {
  start: 0,
  end: 1,
  r0: 2,
  v0: 5,
  a0: 8,
  r1: 11,
  v1: 14,
  a1: 17,
  reference: 20,
} as const
export const ARC_DOUBLES = 21

/** So long what is left of the acceleration beside the two-body one counts beyond an end [s]. */
const RESIDUAL_SECONDS_MAX = 60

const from = createStateVector()

/**
 * State of a ship: within its step the quintic, in the very operations of the core's
 * `segmentState`; before and after it the two-body orbit, with what the acceleration there has
 * beside for a minute at most.
 *
 * @param out   relative to the reference body
 * @param at    place of the record in `arcs`
 * @param gm    of the reference body [m³/s²]
 * @param time  lattice index, need not be whole
 */
export function arcState(
  out: StateVector,
  arcs: Float64Array,
  at: number,
  gm: number,
  time: number,
): void {
  const start = arcs[at + ARC.start]
  const end = arcs[at + ARC.end]
  if (isInside(arcs, at, time)) {
    insidePosition(out.r, 0, arcs, at, time)
    return insideVelocity(out.v, arcs, at, time)
  }
  const isAfter = end > start && time > end
  const base = at + (isAfter ? ARC.r1 : ARC.r0)
  if (end !== start) return continuedState(out, arcs, base, gm, time - (isAfter ? end : start))
  for (let axis = 0; axis < 3; axis++) {
    out.r[axis] = arcs[base + axis]
    out.v[axis] = arcs[base + 3 + axis]
  }
}

/** Whether a time lies in the step of a record, where `insidePosition` applies. */
export function isInside(arcs: Float64Array, at: number, time: number): boolean {
  const start = arcs[at + ARC.start]
  const end = arcs[at + ARC.end]
  return end > start && time >= start && time <= end
}

/**
 * The position of `arcState` within a step, without its velocity.
 *
 * @param to  place of the triple in `out` [m]
 */
export function insidePosition(
  out: Float64Array,
  to: number,
  arcs: Float64Array,
  at: number,
  time: number,
): void {
  const quanta = arcs[at + ARC.end] - arcs[at + ARC.start]
  const h = quanta / QUANTA_PER_SECOND
  const s = (time - arcs[at + ARC.start]) / quanta
  const s2 = s * s
  const s3 = s2 * s
  const rise = s3 * (10 + s * (6 * s - 15))
  const v0 = s * (1 + s2 * (s * (8 - 3 * s) - 6))
  const v1 = s3 * (s * (7 - 3 * s) - 4)
  const a0 = 0.5 * s2 * (1 + s * (s * (3 - s) - 3))
  const a1 = 0.5 * s3 * (1 + s * (s - 2))
  for (let axis = 0; axis < 3; axis++) {
    const i = at + axis
    const gain = arcs[i + ARC.r1] - arcs[i + ARC.r0]
    const curve = h * (arcs[i + ARC.a0] * a0 + arcs[i + ARC.a1] * a1)
    const steady = arcs[i + ARC.v0] * v0 + arcs[i + ARC.v1] * v1
    out[to + axis] = arcs[i + ARC.r0] + (gain * rise + h * (steady + curve))
  }
}

function insideVelocity(out: Float64Array, arcs: Float64Array, at: number, time: number): void {
  const quanta = arcs[at + ARC.end] - arcs[at + ARC.start]
  const h = quanta / QUANTA_PER_SECOND
  const s = (time - arcs[at + ARC.start]) / quanta
  const s2 = s * s
  const riseRate = 30 * s2 * (1 + s * (s - 2))
  const v0Rate = 1 + s2 * (s * (32 - 15 * s) - 18)
  const v1Rate = s2 * (s * (28 - 15 * s) - 12)
  const a0Rate = s * (1 + s * (s * (6 - 2.5 * s) - 4.5))
  const a1Rate = s2 * (1.5 + s * (2.5 * s - 4))
  for (let axis = 0; axis < 3; axis++) {
    const i = at + axis
    const gain = arcs[i + ARC.r1] - arcs[i + ARC.r0]
    const curveRate = arcs[i + ARC.a0] * a0Rate + arcs[i + ARC.a1] * a1Rate
    const steadyRate = arcs[i + ARC.v0] * v0Rate + arcs[i + ARC.v1] * v1Rate
    out[axis] = (gain * riseRate) / h + steadyRate + h * curveRate
  }
}

/**
 * @param base    place of a position, a velocity and an acceleration
 * @param quanta  since then; negative before
 */
function continuedState(
  out: StateVector,
  arcs: Float64Array,
  base: number,
  gm: number,
  quanta: number,
): void {
  const seconds = quanta / QUANTA_PER_SECOND
  for (let axis = 0; axis < 3; axis++) {
    from.r[axis] = arcs[base + axis]
    from.v[axis] = arcs[base + 3 + axis]
  }
  const distance2 = from.r[0] * from.r[0] + from.r[1] * from.r[1] + from.r[2] * from.r[2]
  const pull = gm / (distance2 * Math.sqrt(distance2))
  if (!(pull > 0 && pull < Infinity)) {
    for (let axis = 0; axis < 3; axis++) {
      out.r[axis] = from.r[axis] + seconds * from.v[axis]
      out.v[axis] = from.v[axis]
    }
    return
  }
  keplerState(out, from, gm, seconds)
  const felt = Math.max(-RESIDUAL_SECONDS_MAX, Math.min(RESIDUAL_SECONDS_MAX, seconds))
  for (let axis = 0; axis < 3; axis++) {
    const rest = arcs[base + 6 + axis] + pull * from.r[axis]
    out.r[axis] += rest * felt * (seconds - 0.5 * felt)
    out.v[axis] += rest * felt
  }
}
