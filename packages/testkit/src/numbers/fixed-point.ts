import type { MassiveState, StarSystem } from '@orrery/sim'

/** Bits behind the point: 8e-31, far finer than any low part is known. */
const BITS = 100

/** GM counts in units of 2^-40 m³/s², which holds all that are larger than 4,096 exactly. */
const GM_BITS = 40

/** A double in units of 2^-100; exact when its last bit weighs as much. */
export function fixedPoint(value: number): bigint {
  return BigInt(Math.trunc(value * 2 ** BITS))
}

/** The double next to a number in units of 2^-100. */
export function floatingPoint(value: bigint): number {
  return Number(value) / 2 ** BITS
}

/** Mean of one triple per body, each weighed by its GM, in units of 2^-100. */
export function barycentre(system: StarSystem, high: Float64Array, low: Float64Array): bigint[] {
  const weights = system.bodies.map(({ gm }) => BigInt(Math.trunc(gm * 2 ** GM_BITS)))
  const whole = weights.reduce((sum, weight) => sum + weight)
  return [0, 1, 2].map((axis) => {
    const moments = weights.map((weight, body) => weight * element(high, low, 3 * body + axis))
    return moments.reduce((sum, moment) => sum + moment) / whole
  })
}

/** Place of a body relative to its parent (the root: to the origin), in units of 2^-100 m. */
export function placeFromParent(system: StarSystem, state: MassiveState, body: number): bigint[] {
  return fromParent(system, state.x, state.xLow, body)
}

/** Its velocity relative to its parent, in units of 2^-100 m/s. */
export function speedFromParent(system: StarSystem, state: MassiveState, body: number): bigint[] {
  return fromParent(system, state.v, state.vLow, body)
}

/** Length of the difference of two vectors in units of 2^-100, as a double. */
export function distance(a: readonly bigint[], b: readonly bigint[]): number {
  return Math.hypot(...a.map((value, axis) => floatingPoint(value - b[axis])))
}

function element(high: Float64Array, low: Float64Array, at: number): bigint {
  return fixedPoint(high[at]) + fixedPoint(low[at])
}

function fromParent(
  system: StarSystem,
  high: Float64Array,
  low: Float64Array,
  body: number,
): bigint[] {
  const { parent } = system.bodies[body]
  return [0, 1, 2].map((axis) => {
    const own = element(high, low, 3 * body + axis)
    return parent < 0 ? own : own - element(high, low, 3 * parent + axis)
  })
}
