import type { WorldState } from '../state/state.ts'
import type { ShipClass } from '../state/ship-class.ts'
import { HOLD } from '../attitude/pointing.ts'
import { QUANTA_PER_SECOND } from '../lattice.ts'
import { type Phase, PHASES, type Reason, REASONS } from '../state/activity.ts'
import { COMPLETED, FAILED, PLAN } from '../state/plan.ts'
import { PLAN_DOUBLES } from '../state/plan-size.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { type Conic, createConic } from '../orbits/conic.ts'
import { type Meeting, createMeeting } from './meeting.ts'
import type { FlightNeeds } from '../state/events.ts'
import { fuelAfterBurn } from './rocket.ts'

/** A ship at the index at which its program runs, and the plan row that the program changes. */
export interface Guide {
  readonly state: WorldState
  ship: ShipClass
  /** radius of each body's sphere of influence [m] */
  readonly spheres: Float64Array
  /** body that ships spawn at */
  readonly home: number
  readonly row: Float64Array
  slot: number
  /** lattice index */
  n: number
  /** body index */
  reference: number
  /** relative to the reference body [m], [m/s] */
  readonly r: Float64Array
  readonly v: Float64Array
  /** [kg] */
  mass: number
  fuel: number
  /** the hull is locked, as it was aimed */
  locked: boolean
  /** the engine burns */
  burning: boolean
  /** the target, relative to the reference body [m], [m/s] */
  readonly target: { readonly r: Float64Array; readonly v: Float64Array }
  /** body that the target moves about; -1 of a body */
  targetReference: number
  /** `target` holds; a ship is not known before the first sighting */
  targetKnown: boolean
  /** there is no such target any more */
  targetLost: boolean
  /** the present orbit and the ship's state on it, as a program found them last */
  readonly orbit: Conic
  readonly onOrbit: StateVector
  /** velocity far from the body that a transfer leaves [m/s] */
  readonly excess: Float64Array
  /** the arc to a meeting that was found last */
  readonly arc: Meeting
  /** what a flight takes that cannot be */
  readonly needs: FlightNeeds
}

export function createGuide(
  state: WorldState,
  { spheres, home }: { readonly spheres: Float64Array; readonly home: number },
): Guide {
  return {
    state,
    ship: state.classes[0],
    spheres,
    home,
    row: new Float64Array(PLAN_DOUBLES),
    slot: 0,
    n: 0,
    reference: 0,
    r: new Float64Array(3),
    v: new Float64Array(3),
    mass: 0,
    fuel: 0,
    locked: false,
    burning: false,
    target: { r: new Float64Array(3), v: new Float64Array(3) },
    targetReference: -1,
    targetKnown: false,
    targetLost: false,
    orbit: createConic(),
    onOrbit: createStateVector(),
    excess: new Float64Array(3),
    arc: createMeeting(),
    needs: { deltaV: -1, seconds: -1 },
  }
}

/** What flies a ship of one activity: runs at the plan's wakes and changes `guide.row`. */
export type Program = (guide: Guide) => void

/** Runs the program again after so many seconds, rounded to quanta, the next one at least. */
export function wakeIn({ row, n }: Guide, seconds: number): void {
  wakeAt({ row, n }, n + Math.floor(seconds * QUANTA_PER_SECOND + 0.5))
}

/** Runs the program again at a lattice index, the next one at least. */
export function wakeAt({ row, n }: Pick<Guide, 'row' | 'n'>, index: number): void {
  row[PLAN.wake] = Math.max(n + 1, Math.floor(index))
}

export function enterPhase({ row }: Guide, phase: Phase): void {
  row[PLAN.phase] = PHASES.indexOf(phase)
}

export function isInPhase({ row }: Guide, phase: Phase): boolean {
  return row[PLAN.phase] === PHASES.indexOf(phase)
}

/** Turns the nose to a direction of any length, inertial axes, and holds it there. */
export function aim({ row }: Guide, x: number, y: number, z: number): void {
  row[PLAN.commands] = 1
  row[PLAN.turns] = 1
  row[PLAN.pointing] = HOLD
  row[PLAN.nose] = x
  row[PLAN.nose + 1] = y
  row[PLAN.nose + 2] = z
}

/** Turns the nose to a pointing that follows the trajectory, and keeps it there. */
export function point({ row }: Guide, pointing: number): void {
  row[PLAN.commands] = 1
  row[PLAN.turns] = 1
  row[PLAN.pointing] = pointing
}

/**
 * Burns along the nose until so much Δv is spent [m/s], or the fuel; the engine stops by itself
 * then, and the program wakes there.
 *
 * @param throttle  above 0, to 1
 */
export function burn(guide: Guide, deltaV: number, throttle: number): void {
  const { row, ship, fuel, n } = guide
  const floor = fuelAfterBurn(ship, fuel, deltaV)
  const seconds = ((fuel - floor) * ship.exhaustVelocity) / (throttle * ship.thrustMax)
  row[PLAN.commands] = 1
  row[PLAN.throttle] = throttle
  row[PLAN.floor] = floor
  wakeAt(guide, n + Math.floor(seconds * QUANTA_PER_SECOND) + 1)
}

/** Stops the engine. */
export function cutEngine({ row }: Guide): void {
  row[PLAN.commands] = 1
  row[PLAN.throttle] = 0
  row[PLAN.floor] = 0
}

/** Ends the plan as it should end; engine off. */
export function complete(guide: Guide): void {
  cutEngine(guide)
  guide.row[PLAN.outcome] = COMPLETED
}

/** Ends the plan for a reason; engine off. */
export function fail(guide: Guide, reason: Reason): void {
  cutEngine(guide)
  guide.row[PLAN.outcome] = FAILED
  guide.row[PLAN.reason] = REASONS.indexOf(reason)
}

/** Ends the plan, which the fuel or the time does not suffice for, and notes what it takes. */
export function failFor(guide: Guide, reason: Reason, deltaV: number, seconds: number): void {
  fail(guide, reason)
  guide.needs.deltaV = deltaV
  guide.needs.seconds = seconds
}
