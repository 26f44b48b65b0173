import {
  type DoubleDouble,
  difference,
  product,
  quotient,
  squareRoot,
  sum,
  twoProduct,
} from '../math/double-double.ts'
import type { MassiveState } from './ephemeris.ts'
import type { Body, StarSystem } from './star-system.ts'

/**
 * What the massive bodies conserve, times G: energy and the three components of angular
 * momentum about the origin, each a double-double (8 doubles). Both already minus the ledgers
 * of what the non-conservative terms did.
 */
export type Invariants = Float64Array

const ZERO: DoubleDouble = [0, 0]

/** Evaluates the invariants of a state in double-double; cold, about a millisecond. */
export function massiveInvariants(system: StarSystem, state: MassiveState): Invariants {
  const { bodies } = system
  const { x, xLow, v, vLow, energyWork, angularWork } = state
  const position = triples(x, xLow)
  const velocity = triples(v, vLow)
  let energy: DoubleDouble = [-energyWork[0], -energyWork[1]]
  const momentum: DoubleDouble[] = [0, 1, 2].map((axis) => [
    -angularWork[2 * axis],
    -angularWork[2 * axis + 1],
  ])
  for (let i = 0; i < bodies.length; i++) {
    const gm: DoubleDouble = [bodies[i].gm, 0]
    const square = dot(velocity[i], velocity[i])
    energy = sum(energy, product([0.5 * gm[0], 0], square))
    for (let axis = 0; axis < 3; axis++) {
      const p = (axis + 1) % 3
      const q = (axis + 2) % 3
      const spin = difference(
        product(position[i][p], velocity[i][q]),
        product(position[i][q], velocity[i][p]),
      )
      momentum[axis] = sum(momentum[axis], product(gm, spin))
    }
    for (let j = i + 1; j < bodies.length; j++) {
      const d = position[j].map((value, axis) => difference(value, position[i][axis]))
      const r = squareRoot(dot(d, d))
      const newton = quotient(twoProduct(gm[0], bodies[j].gm), r)
      energy = difference(energy, newton)
      // A hundred-millionth of Newton's part and less: plain doubles hold it far beyond need.
      const high = d.map((value) => value[0])
      const shape = zonalShape(bodies[i], high, r[0]) + zonalShape(bodies[j], high, r[0])
      if (shape !== 0) energy = sum(energy, twoProduct(newton[0], shape))
    }
  }
  return Float64Array.from([energy, ...momentum].flat())
}

/** Signed relative residuals of energy and angular momentum. */
export interface Drift {
  /** (E - E0)/|E0|: positive when energy appeared */
  readonly energy: number
  /** |L - L0|/|L0|, negative when L - L0 points against L0 */
  readonly momentum: number
}

/** How far the invariants have moved from a reference. */
export function drift(now: Invariants, reference: Invariants): Drift {
  const moved = [0, 1, 2, 3].map((k) => {
    const change = difference(
      [now[2 * k], now[2 * k + 1]],
      [reference[2 * k], reference[2 * k + 1]],
    )
    return change[0]
  })
  const [energy, lx, ly, lz] = moved
  const along = lx * reference[2] + ly * reference[4] + lz * reference[6]
  const size = length(reference[2], reference[4], reference[6])
  return {
    energy: energy / Math.abs(reference[0]),
    momentum: ((along < 0 ? -1 : 1) * length(lx, ly, lz)) / size,
  }
}

function length(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z)
}

function triples(high: Float64Array, low: Float64Array): DoubleDouble[][] {
  return Array.from({ length: high.length / 3 }, (_, i) =>
    [3 * i, 3 * i + 1, 3 * i + 2].map((at): DoubleDouble => sum([high[at], 0], [low[at], 0])),
  )
}

function dot(a: readonly DoubleDouble[], b: readonly DoubleDouble[]): DoubleDouble {
  return a.reduce((total, value, axis) => sum(total, product(value, b[axis])), ZERO)
}

/** Zonal potential of a body over its Newtonian one, with the sign of a positive energy. */
function zonalShape(body: Body, d: readonly number[], r: number): number {
  if (!body.oblateness) return 0
  const { j2, j4 = 0, pole, referenceRadius } = body.oblateness
  const sine = (d[0] * pole[0] + d[1] * pole[1] + d[2] * pole[2]) / r
  const q = sine * sine
  const ratio = referenceRadius / r
  const square = ratio * ratio
  return j2 * square * (1.5 * q - 0.5) + j4 * square * square * ((35 * q - 30) * q + 3) * 0.125
}
