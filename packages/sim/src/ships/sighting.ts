import { TARGET } from '../attitude/pointing.ts'
import { bodyState } from '../ephemeris/ephemeris.ts'
import { QUANTA_PER_SECOND } from '../lattice.ts'
import { createStateVector } from '../math/state-vector.ts'
import { RULE_BITS } from '../state/rule-bits.ts'
import { RULES_PER_SHIP } from '../state/layout.ts'
import type { ShipColumns, SightingColumns, WorldState } from '../state/state.ts'
import { FLYING } from '../state/condition.ts'
import { noteEvent } from '../state/events.ts'
import { segmentAcceleration, segmentState } from './segment.ts'
import { shipClassOf } from '../state/class-table.ts'

/**
 * A ship watches another when it points at it or its autopilot needs it, and by its rules; then
 * every beat is an end of its steps. This one watches by pointing or autopilot.
 */
export function watches(ships: ShipColumns, slot: number): boolean {
  return ships.sighting[slot] >= 0
}

/**
 * What a row of the sighting table is for, as kept in `sightingUse`: a ship's pointing; from here
 * on the condition of one of its rules, by its place; and behind those what a rule will point at.
 */
export const USE_POINTING = 0
export const USE_CONDITION = 1
export const USE_ACTION: number = USE_CONDITION + RULES_PER_SHIP

/**
 * Gives a row of the sighting table to a watcher, nothing sighted yet.
 *
 * @param watcher  slot
 * @param watched  slot of its target; -1 when that is gone
 * @param number   ship number of the target
 */
export function beginSighting(
  sightings: SightingColumns,
  row: number,
  watcher: number,
  watched: number,
  number: number,
): void {
  sightings.watcher[row] = watcher
  sightings.watched[row] = watched
  sightings.watchedNumber[row] = number
  sightings.sightedAt[row] = -1
  // They are hashed before the first sighting; the row holds another watch's values.
  sightings.sightedPosition.fill(0, 3 * row, 3 * row + 3)
  sightings.sightedVelocity.fill(0, 3 * row, 3 * row + 3)
  sightings.sightedAcceleration.fill(0, 3 * row, 3 * row + 3)
  sightings.sightedReference[row] = 0
}

/** The place of the armed rule that a row belongs to; -1 when there is none. */
export function armedRuleOf(
  ships: ShipColumns,
  { sightingUse, watcher }: SightingColumns,
  row: number,
): number {
  const use = sightingUse[row]
  if (use === USE_POINTING) return -1
  const place = (use - USE_CONDITION) % RULES_PER_SHIP
  return (ships.ruleArmed[watcher[row]] & RULE_BITS[place]) === 0 ? -1 : place
}

/** The watcher whose sightings a row holds; -1 when it is free, also after use. */
export function watcherOf(ships: ShipColumns, sightings: SightingColumns, row: number): number {
  const slot = sightings.watcher[row]
  const use = sightings.sightingUse[row]
  if (use >= USE_CONDITION && use < USE_ACTION) {
    return armedRuleOf(ships, sightings, row) < 0 ? -1 : slot
  }
  return slot >= 0 && ships.sighting[slot] === row ? slot : -1
}

/** Whether a ship points at a target and has no sighting of it yet. */
export function awaitsSighting(
  ships: ShipColumns,
  sightings: SightingColumns,
  slot: number,
): boolean {
  if (ships.pointing[slot] !== TARGET || !watches(ships, slot)) return false
  const row = ships.sighting[slot]
  return sightings.sightedAt[row] < 0 && sightings.watched[row] >= 0
}

const seen = createStateVector()
const a = new Float64Array(3)

/**
 * Writes every watcher's sighting: the state of its target on the open step at a beat. All ships
 * concerned must be flown to just before the beat. No trajectory changes, so the order of
 * watchers has no effect. A repeated call after an interruption skips sightings of this beat.
 *
 * @param end  of the rows in use
 */
export function updateSightings(
  state: WorldState,
  beat: number,
  end: number = state.sightings.watcher.length,
): void {
  const { ships, sightings } = state
  for (let row = 0; row < end; row++) {
    if (sightings.watcher[row] < 0) continue
    const watcher = watcherOf(ships, sightings, row)
    // Every step of a watcher ends at the next beat at the latest.
    if (watcher < 0 || ships.stepEnd[watcher] > beat || sightings.sightedAt[row] >= beat) continue
    const watched = sightings.watched[row]
    const isRule = sightings.sightingUse[row] !== USE_POINTING && ships.sighting[watcher] !== row
    if (!isInSight(state, row, watched)) {
      if (watched >= 0 && !isRule) noteEvent(state, 'lost', watcher, beat, ships.reference[watcher])
      sightings.sightedAt[row] = -1
      sightings.watched[row] = -1
      continue
    }
    if (sightings.sightedAt[row] < 0 && !isRule) {
      noteEvent(state, 'sighted', watcher, beat, ships.reference[watcher])
    }
    const ship = shipClassOf(state, watched)
    segmentState(seen, ships, watched, ship, beat, 0)
    segmentAcceleration(a, ships, watched, ship, beat)
    sightings.sightedPosition.set(seen.r, 3 * row)
    sightings.sightedVelocity.set(seen.v, 3 * row)
    sightings.sightedAcceleration.set(a, 3 * row)
    sightings.sightedReference[row] = ships.reference[watched]
    sightings.sightedAt[row] = beat
  }
}

function isInSight(state: WorldState, row: number, watched: number): boolean {
  const { ships, sightings } = state
  if (watched < 0 || ships.condition[watched] !== FLYING) return false
  return ships.shipNumber[watched] === sightings.watchedNumber[row]
}

const origin = createStateVector()

/**
 * The last sighting extrapolated under constant acceleration, relative to the watcher; zeros
 * without a sighting.
 *
 * @param out        position (0-2) [m] and velocity (3-5) [m/s]
 * @param reference  body that the watcher's start columns are relative to
 * @param n          lattice index at which they stand
 */
export function extrapolateTarget(
  out: Float64Array,
  { ships, sightings, ephemeris }: WorldState,
  slot: number,
  reference: number,
  n: number,
): void {
  out.fill(0)
  if (!watches(ships, slot)) return
  const row = ships.sighting[slot]
  const beat = sightings.sightedAt[row]
  if (beat < 0) return
  const seconds = (n - beat) / QUANTA_PER_SECOND
  const theirs = sightings.sightedReference[row]
  origin.r.fill(0)
  origin.v.fill(0)
  if (theirs !== reference) bodyState(origin, ephemeris, theirs, reference, n, 0)
  for (let axis = 0; axis < 3; axis++) {
    const at = 3 * row + axis
    const gain = seconds * sightings.sightedAcceleration[at]
    const velocity = sightings.sightedVelocity[at]
    const position = sightings.sightedPosition[at] + seconds * (velocity + 0.5 * gain)
    out[axis] = position + origin.r[axis] - ships.position[3 * slot + axis]
    out[3 + axis] = velocity + gain + origin.v[axis] - ships.velocity[3 * slot + axis]
  }
}
