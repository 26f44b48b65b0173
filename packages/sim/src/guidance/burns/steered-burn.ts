import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { type StateVector, createStateVector } from '../../math/state-vector.ts'
import { dot } from '../../math/triple.ts'
import { keplerState } from '../../orbits/kepler.ts'
import { type Guide, aim, burn, cutEngine, enterPhase, fail } from '../guide.ts'
import { isInPhase, wakeAt, wakeIn } from '../guide.ts'
import { PLAN } from '../../state/plan.ts'
import { oblateState } from '../oblate-state.ts'
import { deltaVBetween, fuelAfterBurn } from '../rocket.ts'
import { bodyOf } from './present-orbit.ts'
import { MEMORY } from '../../state/plan-memory.ts'

/**
 * Writes the velocity wanted at a place of the orbit, some seconds ahead; the engine burns what it
 * differs by from the ship's. False where there is none.
 */
export type Wanted = (
  out: Float64Array,
  guide: Guide,
  r: Float64Array,
  v: Float64Array,
  ahead: number,
) => boolean

/** How long a burn may begin late when the hull is not yet locked. */
const LATE_SECONDS = 120

/** A long burn is steered so often [s]; in its last seconds the nose is held. */
const STEER_SECONDS = 8
const HOLD_SECONDS = 6

/** What a burn may leave, and the least one that is made [m/s]; how often it is trimmed. */
export const RESIDUE = 0.01
const TRIMS_MAX = 8

/** A trim lasts so long at least [s]; throttle is lowered for it. */
const TRIM_SECONDS = 2
const THROTTLE_MIN = 0.005

/** Cosine of the angle off the nose above which the hull need not turn: 0.3°, in a trim 3°. */
const ALIGNED = 0.999986
const TRIM_ALIGNED = 0.9986

const now: StateVector = createStateVector()
const later: StateVector = createStateVector()
const wantedV = new Float64Array(3)
const gain = new Float64Array(3)

/** Gravitational parameter of the reference body [m³/s²]. */
export function gmOf({ state, reference }: Guide): number {
  return state.ephemeris.system.bodies[reference].gm
}

/** Δv that the fuel gives [m/s]. */
export function deltaVLeft({ ship, mass }: Guide): number {
  return deltaVBetween(ship, mass, ship.dryMass)
}

/** Share of a Δv that its burns may cost more than impulses. */
const EXTRA = 0.02

/** Whether the fuel gives a Δv of impulses here, with what long burns cost more. */
export function canSpend(guide: Guide, deltaV: number): boolean {
  const square = dot(guide.r, 0, guide.r, 0)
  const pace2 = gmOf(guide) / (square * Math.sqrt(square))
  const seconds = burnSeconds(guide, deltaV)
  return deltaV * (1 + EXTRA + (pace2 * seconds * seconds) / 24) < deltaVLeft(guide)
}

/** Time that a Δv takes at full throttle [s]. */
export function burnSeconds({ ship, fuel }: Guide, deltaV: number): number {
  return ((fuel - fuelAfterBurn(ship, fuel, deltaV)) * ship.exhaustVelocity) / ship.thrustMax
}

/** Puts the middle of the next burn so many seconds ahead. */
export function scheduleBurn(guide: Guide, seconds: number): void {
  const { row, n } = guide
  row[MEMORY.burnAt] = n + Math.floor(seconds * QUANTA_PER_SECOND)
  row[MEMORY.trims] = 0
  enterPhase(guide, 'waiting')
}

/** Least time to the middle of a burn that is scheduled now [s]. */
export function leadSeconds(guide: Guide, deltaV: number): number {
  return guide.ship.turnSeconds + 0.5 * burnSeconds(guide, deltaV) + 2
}

/** The orbit's state so many seconds ahead, relative to the reference body. */
export function stateAhead(guide: Guide, seconds: number): StateVector {
  now.r.set(guide.r)
  now.v.set(guide.v)
  keplerState(later, now, gmOf(guide), seconds)
  return later
}

/**
 * Waits for the scheduled burn, turns, burns and trims, steered all the way by what is still
 * wanted. Returns true when it is done; the plan may have failed instead.
 */
export function flyBurn(guide: Guide, wanted: Wanted): boolean {
  if (isInPhase(guide, 'waiting')) return awaitBurn(guide, wanted)
  if (isInPhase(guide, 'turning')) return turn(guide, wanted)
  if (isInPhase(guide, 'burning')) return steer(guide, wanted)
  return trim(guide, wanted)
}

/** Longest way ahead, in radians of a circle here, on which oblateness is reckoned with. */
const OBLATE_WAY = 10

/** The same with the oblateness of the body, where that is not long. */
function oblateStateAhead(guide: Guide, seconds: number): StateVector {
  const square = dot(guide.r, 0, guide.r, 0)
  const pace = Math.sqrt(gmOf(guide) / (square * Math.sqrt(square)))
  if (!(seconds >= 0 && pace * seconds < OBLATE_WAY)) return stateAhead(guide, seconds)
  now.r.set(guide.r)
  now.v.set(guide.v)
  oblateState(later, now, bodyOf(guide), seconds)
  return later
}

/** Writes `gain`, what is still wanted so many seconds ahead; its size, or -1. */
function findGain(guide: Guide, wanted: Wanted, seconds: number): number {
  const { r, v } = oblateStateAhead(guide, seconds)
  if (!wanted(wantedV, guide, r, v, seconds)) return -1
  for (let i = 0; i < 3; i++) gain[i] = wantedV[i] - v[i]
  return Math.sqrt(dot(gain, 0, gain, 0))
}

/** Whether there is a velocity wanted where the scheduled burn is. */
export function isPossible(guide: Guide, wanted: Wanted): boolean {
  const seconds = (guide.row[MEMORY.burnAt] - guide.n) / QUANTA_PER_SECOND
  return findGain(guide, wanted, seconds) >= 0
}

function awaitBurn(guide: Guide, wanted: Wanted): boolean {
  const { row, n } = guide
  const deltaV = findGain(guide, wanted, (row[MEMORY.burnAt] - n) / QUANTA_PER_SECOND)
  if (!(deltaV >= 0)) fail(guide, 'unreachable')
  else if (deltaV > deltaVLeft(guide)) fail(guide, 'out_of_fuel')
  else {
    const half = 0.5 * burnSeconds(guide, deltaV)
    const start = row[MEMORY.burnAt] - Math.floor(half * QUANTA_PER_SECOND)
    const turnAt = start - guide.ship.turnSeconds * QUANTA_PER_SECOND
    row[MEMORY.startAt] = Math.max(start, n + 1)
    if (n < turnAt) wakeAt(guide, turnAt)
    else if (deltaV <= RESIDUE) return true
    else beginTurn(guide, wanted)
  }
  return false
}

function beginTurn(guide: Guide, wanted: Wanted): void {
  const { row, n } = guide
  const seconds = (row[MEMORY.startAt] - n) / QUANTA_PER_SECOND
  if (!(findGain(guide, wanted, seconds) >= 0)) return fail(guide, 'unreachable')
  cutEngine(guide)
  aim(guide, gain[0], gain[1], gain[2])
  enterPhase(guide, 'turning')
  wakeAt(guide, row[MEMORY.startAt])
}

function turn(guide: Guide, wanted: Wanted): boolean {
  const { row, n } = guide
  const late = n - row[MEMORY.startAt]
  if (late < 0) wakeAt(guide, row[MEMORY.startAt])
  else if (!guide.locked && late < LATE_SECONDS * QUANTA_PER_SECOND) wakeIn(guide, 1)
  else {
    enterPhase(guide, 'burning')
    return steer(guide, wanted)
  }
  return false
}

/** Cosine of the angle between the nose's direction and `gain`. */
function alignment({ row }: Guide, size: number): number {
  const length = Math.sqrt(dot(row, PLAN.nose, row, PLAN.nose))
  return dot(row, PLAN.nose, gain, 0) / (length * size)
}

function steer(guide: Guide, wanted: Wanted): boolean {
  const size = findGain(guide, wanted, 0)
  const along = alignment(guide, size)
  const seconds = burnSeconds(guide, size)
  if (guide.fuel <= 0) fail(guide, 'out_of_fuel')
  else if (!(size > RESIDUE && along > 0)) {
    cutEngine(guide)
    enterPhase(guide, 'trimming')
    return trim(guide, wanted)
  } else if (seconds > HOLD_SECONDS) {
    if (along < ALIGNED) aim(guide, gain[0], gain[1], gain[2])
    burn(guide, size, 1)
    wakeIn(guide, Math.min(STEER_SECONDS, seconds - 0.5 * HOLD_SECONDS))
  } else {
    burn(guide, size * along, 1)
    enterPhase(guide, 'trimming')
  }
  return false
}

function trim(guide: Guide, wanted: Wanted): boolean {
  const { row, mass, ship } = guide
  const size = findGain(guide, wanted, 0)
  if (!(size > RESIDUE) || row[MEMORY.trims] >= TRIMS_MAX) {
    cutEngine(guide)
    return true
  }
  if (guide.fuel <= 0) fail(guide, 'out_of_fuel')
  else if (alignment(guide, size) < TRIM_ALIGNED) {
    row[MEMORY.trims]++
    cutEngine(guide)
    aim(guide, gain[0], gain[1], gain[2])
    wakeIn(guide, 1)
  } else if (guide.locked) {
    row[MEMORY.trims]++
    const throttle = (size * mass) / (ship.thrustMax * TRIM_SECONDS)
    burn(guide, size, Math.min(1, Math.max(THROTTLE_MIN, throttle)))
  } else wakeIn(guide, 1)
  return false
}
