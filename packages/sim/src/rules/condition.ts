import { bodyState } from '../ephemeris/ephemeris.ts'
import { createStateVector } from '../math/state-vector.ts'
import { copyTriple, dot } from '../math/triple.ts'
import { meanState } from '../orbits/mean-state.ts'
import { isRail, railRowState } from '../rails/rail-table.ts'
import type { Flight } from '../ships/flight.ts'
import { shipClassOf } from '../state/class-table.ts'
import type { WorldState } from '../state/state.ts'
import { TARGETS } from '../state/activity.ts'
import { ALTITUDE, APSIS, FUEL, MANEUVER_END, SPEED, TIME } from './condition-kinds.ts'
import { type Sample, locate } from './sample.ts'

/** Whether the condition in a row of the rule table holds for a ship at one index. */
export function holds(flight: Flight, sample: Sample, row: number): boolean {
  const { whenAbove, whenKind, whenValue } = flight.state.rules
  if (whenKind[row] === MANEUVER_END) return hasEnded(flight, sample, row)
  // NaN, of a target that is gone, is on neither side.
  const value = measured(flight, sample, row)
  return whenAbove[row] === 1 ? value >= whenValue[row] : value <= whenValue[row]
}

/** Whether no maneuver is under way, and the last one ended so, or in any way where that is 0. */
function hasEnded({ state }: Flight, { slot }: Sample, row: number): boolean {
  const end = state.ships.maneuverEnd[slot]
  const wanted = state.rules.whenValue[row]
  return end !== 0 && (wanted === 0 || wanted === end)
}

function measured(flight: Flight, sample: Sample, row: number): number {
  const kind = flight.state.rules.whenKind[row]
  if (kind === TIME) return sample.n
  if (kind === FUEL) return sample.fuel / shipClassOf(flight.state, sample.slot).fuelCapacity
  locate(sample, flight)
  const { r, v } = sample
  if (kind === APSIS) return climb(flight, sample)
  if (!locateTarget(flight, sample, row)) return NaN
  if (kind === SPEED) return separation(v, target.v)
  const distance = separation(r, target.r)
  if (kind !== ALTITUDE) return distance
  const { rules, system } = flight.state
  const isReference = rules.whenTargetKind[row] === NO_TARGET
  return distance - system.bodies[isReference ? sample.reference : rules.whenTarget[row]].radius
}

const onMean = createStateVector()

/** Whose sign changes at apsides: of the mean orbit, which has two a revolution. */
function climb({ state }: Flight, { r, v, reference }: Sample): number {
  onMean.r.set(r)
  onMean.v.set(v)
  meanState(onMean, onMean, state.system.bodies[reference])
  return dot(onMean.r, 0, onMean.v, 0)
}

const NO_TARGET = TARGETS.indexOf('none')
const BODY = TARGETS.indexOf('body')
const RAIL = TARGETS.indexOf('rail')

const target = createStateVector()
const origin = createStateVector()

/** Writes where a condition's target is, from the ship's reference body; false if nowhere. */
function locateTarget({ state }: Flight, { n, reference }: Sample, row: number): boolean {
  const { ephemeris, rails, rules } = state
  const kind = rules.whenTargetKind[row]
  const place = rules.whenTarget[row]
  if (kind === NO_TARGET) {
    target.r.fill(0)
    target.v.fill(0)
    return true
  }
  if (kind === BODY) {
    bodyState(target, ephemeris, place, reference, n, 0)
    return true
  }
  if (kind === RAIL) {
    if (!isRail(rails, place)) return false
    moveOrigin(state, railRowState(target, state, place, n), reference, n)
    return true
  }
  return locateSighted(state, rules.whenSighting[row], reference, n)
}

/** The same for a ship, which is seen at beats. */
function locateSighted(state: WorldState, row: number, reference: number, n: number): boolean {
  const { sightings } = state
  if (sightings.sightedAt[row] !== n) return false
  copyTriple(target.r, 0, sightings.sightedPosition, 3 * row)
  copyTriple(target.v, 0, sightings.sightedVelocity, 3 * row)
  moveOrigin(state, sightings.sightedReference[row], reference, n)
  return true
}

/** Turns the target's state from one body into that from another. */
function moveOrigin({ ephemeris }: WorldState, from: number, to: number, n: number): void {
  if (from === to) return
  bodyState(origin, ephemeris, from, to, n, 0)
  for (let axis = 0; axis < 3; axis++) {
    target.r[axis] += origin.r[axis]
    target.v[axis] += origin.v[axis]
  }
}

function separation(a: Float64Array, b: Float64Array): number {
  const x = a[0] - b[0]
  const y = a[1] - b[1]
  const z = a[2] - b[2]
  return Math.sqrt(x * x + y * y + z * z)
}
