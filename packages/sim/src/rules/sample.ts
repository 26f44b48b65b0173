import { QUANTA_PER_SECOND } from '../lattice.ts'
import { copyTriple } from '../math/triple.ts'
import type { Flight } from '../ships/flight.ts'
import { shipClassOf } from '../state/class-table.ts'
import { endFuelOf, hullAt, HULL } from '../ships/hull-row.ts'

/** A ship at one index, as conditions measure it. */
export interface Sample {
  slot: number
  /** lattice index */
  n: number
  /** body index */
  reference: number
  /** relative to the reference body [m], [m/s]; to be read after `locate` */
  readonly r: Float64Array
  readonly v: Float64Array
  /** kg */
  fuel: number
  isLocated: boolean
  /** the step, while it is sampled */
  start: number
  quanta: number
  hasCurve: boolean
  /** per axis, coefficients of the quintic in the fraction of the step */
  readonly curve: Float64Array
}

export function createSample(): Sample {
  return {
    slot: 0,
    n: 0,
    reference: 0,
    r: new Float64Array(3),
    v: new Float64Array(3),
    fuel: 0,
    isLocated: false,
    start: 0,
    quanta: 0,
    hasCurve: false,
    curve: new Float64Array(18),
  }
}

/** Begins to sample a step whose end columns are made, which need not be open. */
export function sampleStep(
  sample: Sample,
  { state }: Flight,
  slot: number,
  start: number,
  quanta: number,
): void {
  sample.slot = slot
  sample.reference = state.ships.reference[slot]
  sample.start = start
  sample.quanta = quanta
  sample.hasCurve = false
}

/** Moves to an index within the step. */
export function sampleAt(sample: Sample, { state }: Flight, n: number): void {
  const { ships } = state
  const { slot, start, quanta } = sample
  const fuel = ships.fuel[slot]
  sample.n = n
  sample.fuel = fuel + ((n - start) / quanta) * (endFuelOf(ships, slot) - fuel)
  sample.isLocated = false
}

/** Samples the start columns of a ship, which are relative to a body at index n. */
export function sampleStart(
  sample: Sample,
  { state }: Flight,
  slot: number,
  reference: number,
  n: number,
): void {
  const { ships } = state
  sample.slot = slot
  sample.reference = reference
  sample.n = n
  sample.fuel = ships.fuel[slot]
  copyTriple(sample.r, 0, ships.position, 3 * slot)
  copyTriple(sample.v, 0, ships.velocity, 3 * slot)
  sample.isLocated = true
}

/** Evaluates position and velocity, once per index. */
export function locate(sample: Sample, flight: Flight): void {
  if (sample.isLocated) return
  if (!sample.hasCurve) writeCurve(sample, flight)
  sample.isLocated = true
  const { curve, quanta, r, v } = sample
  const s = (sample.n - sample.start) / quanta
  const h = quanta / QUANTA_PER_SECOND
  for (let axis = 0; axis < 3; axis++) {
    const c = 6 * axis
    const c3 = curve[c + 3]
    const c4 = curve[c + 4]
    const c5 = curve[c + 5]
    r[axis] = curve[c] + s * (curve[c + 1] + s * (curve[c + 2] + s * (c3 + s * (c4 + s * c5))))
    v[axis] =
      (curve[c + 1] + s * (2 * curve[c + 2] + s * (3 * c3 + s * (4 * c4 + s * (5 * c5))))) / h
  }
}

/** The trajectory of `segment.ts` as powers of the fraction passed. */
function writeCurve(sample: Sample, { state }: Flight): void {
  const { curve, quanta, slot } = sample
  const { ships } = state
  const h = quanta / QUANTA_PER_SECOND
  const hull = hullAt(ships, slot)
  const { dryMass } = shipClassOf(state, slot)
  const startMass = dryMass + ships.fuel[slot]
  const endMass = dryMass + endFuelOf(ships, slot)
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    const force = hull < 0 ? 0 : ships.hullStep[hull + HULL.force + axis]
    const gain = ships.endPosition[i] - ships.position[i]
    const v0 = h * ships.velocity[i]
    const v1 = h * ships.endVelocity[i]
    const a0 = h * h * (ships.gravity[i] + force / startMass)
    const a1 = h * h * (ships.endGravity[i] + force / endMass)
    const c = 6 * axis
    curve[c] = ships.position[i]
    curve[c + 1] = v0
    curve[c + 2] = 0.5 * a0
    curve[c + 3] = 10 * gain - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1
    curve[c + 4] = 8 * v0 + 7 * v1 - 15 * gain + 1.5 * a0 - a1
    curve[c + 5] = 6 * gain - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1
  }
  sample.hasCurve = true
}
