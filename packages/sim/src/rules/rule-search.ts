import { BEAT_QUANTA, CHUNK_SLOTS, beatAfter } from '../lattice.ts'
import { isDocked } from '../ships/docked.ts'
import type { Flight } from '../ships/flight.ts'
import type { ShipColumns } from '../state/state.ts'
import { holds } from './condition.ts'
import { APSIS, MODULE } from './condition-kinds.ts'
import { RULE_BITS } from '../state/rule-bits.ts'
import { createSample, sampleAt, sampleStart, sampleStep } from './sample.ts'

const sample = createSample()

/** `ruleAt` of a ship whose step a command has cut before a beat of its rules. */
const CUT = -1

/** Whether an armed rule of a ship names another in its condition: then it watches that one. */
export function watchesByRule({ ruleArmed, ruleWatching }: ShipColumns, slot: number): boolean {
  return (ruleArmed[slot] & ruleWatching[slot]) !== 0
}

/**
 * Searches a new step, as made, for the first beat at which a condition of an armed rule holds
 * and did not at the beat before. Conditions that name a ship are known at the beat only.
 *
 * @param start   lattice index of the step's start
 * @param last    where the step ends, or the ship runs into a body
 * @param quanta  the step's length
 */
export function searchRules(
  flight: Flight,
  slot: number,
  start: number,
  last: number,
  quanta: number,
): void {
  const { ships } = flight.state
  if (ships.ruleCount[slot] === 0) return
  let held = ships.ruleHeld[slot]
  let rising = 0
  let at = 0
  if (ships.ruleArmed[slot] !== 0) {
    sampleStep(sample, flight, slot, start, quanta)
    for (let beat = beatAfter(start); beat <= last && rising === 0; beat += BEAT_QUANTA) {
      sampleAt(sample, flight, beat)
      const now = heldBits(flight, slot, held, isDocked(ships, slot))
      rising = now & ~held
      held = now
      if (rising !== 0) at = beat
    }
  }
  // Together: what happens at the start of the step is not repeated once `ruleAt` has changed.
  ships.ruleFires[slot] = rising
  ships.ruleEndHeld[slot] = held
  ships.ruleAt[slot] = at
}

/**
 * Samples the open step of a ship, which is about to be cut at n, at the last beat: the cut makes
 * its end again.
 */
export function sampleCut(flight: Flight, slot: number, n: number): void {
  const { ships } = flight.state
  const at = ships.ruleAt[slot]
  // After an interruption the end may be half made, but is sampled.
  if (ships.ruleCount[slot] === 0 || at === n || at === CUT) return
  const start = ships.stepStart[slot]
  const beat = BEAT_QUANTA * Math.floor(n / BEAT_QUANTA)
  let held = ships.ruleHeld[slot]
  if (beat > start) {
    sampleStep(sample, flight, slot, start, ships.stepEnd[slot] - start)
    sampleAt(sample, flight, beat)
    held = heldBits(flight, slot, held, isDocked(ships, slot))
  }
  ships.ruleEndHeld[slot] = held
  ships.ruleAt[slot] = CUT
}

/**
 * Completes the rules of a ship whose step has ended at n and whose start columns are written:
 * ships are seen at beats, and an apsis belongs to one body.
 *
 * @param reference  body that the start columns are relative to
 */
export function completeRules(flight: Flight, slot: number, reference: number, n: number): void {
  const { ships } = flight.state
  const watching = n % BEAT_QUANTA === 0 && watchesByRule(ships, slot)
  if (!watching && reference === ships.reference[slot]) return
  sampleStart(sample, flight, slot, reference, n)
  let held = ships.ruleEndHeld[slot]
  let rising = ships.ruleAt[slot] === n ? ships.ruleFires[slot] : 0
  const { rules } = flight.state
  const row = ships.ruleRow[slot]
  for (let place = 0; place < ships.ruleCount[slot]; place++) {
    const bit = RULE_BITS[place]
    if ((ships.ruleArmed[slot] & bit) === 0) continue
    const isWatch = (ships.ruleWatching[slot] & bit) !== 0
    if (isWatch ? !watching : rules.whenKind[row + place] !== APSIS) continue
    const isHeld = holds(flight, sample, row + place)
    if (isWatch && isHeld && (ships.ruleHeld[slot] & bit) === 0) rising |= bit
    if (isHeld) held |= bit
    else held &= ~bit
  }
  ships.ruleFires[slot] = rising
  ships.ruleEndHeld[slot] = held
  if (rising !== 0) ships.ruleAt[slot] = n
}

/**
 * Notes which conditions that are known outside hold at n, a beat within a tick, between two
 * rounds; rules fire there whose condition did not hold before, with those that fire anyway.
 *
 * @param n      lattice index after the one that the ship's chunk has flown to
 * @param known  bits of the rules that this is about
 */
export function noteHeld(
  flight: Flight,
  slot: number,
  n: number,
  known: number,
  held: number,
): void {
  const { chunk: chunks, ships } = flight.state
  const before = ships.ruleHeld[slot]
  const rising = known & held & ~before
  const isFiring = ships.ruleAt[slot] === n
  ships.ruleHeld[slot] = (before & ~known) | (known & held)
  if (rising !== 0) sampleCut(flight, slot, n)
  ships.ruleEndHeld[slot] = (ships.ruleEndHeld[slot] & ~known) | (known & held)
  if (rising === 0) return
  ships.ruleFires[slot] = isFiring ? ships.ruleFires[slot] | rising : rising
  ships.ruleAt[slot] = n
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  chunks.chunkFires[chunk] = Math.min(chunks.chunkFires[chunk], n)
  chunks.chunkDue[chunk] = Math.min(chunks.chunkDue[chunk], n)
}

/** The conditions that hold at the start of a ship's step, and all that name a ship. */
export function heldAtStart(flight: Flight, slot: number): number {
  const { ships } = flight.state
  sampleStart(sample, flight, slot, ships.reference[slot], ships.stepStart[slot])
  return heldBits(flight, slot, ships.ruleWatching[slot], false)
}

/** Lets no apsis have passed while a ship was docked that stands at the start of its step. */
export function skipApsides(flight: Flight, slot: number): void {
  const { rules, ships } = flight.state
  const row = ships.ruleRow[slot]
  const now = heldAtStart(flight, slot)
  for (let place = 0; place < ships.ruleCount[slot]; place++) {
    if (rules.whenKind[row + place] !== APSIS) continue
    const bit = RULE_BITS[place]
    ships.ruleHeld[slot] = (ships.ruleHeld[slot] & ~bit) | (now & bit)
  }
}

/**
 * The conditions of armed rules that hold now; of those that name a ship, or a column of a module,
 * and of apsides of a docked one, what held before.
 */
function heldBits(flight: Flight, slot: number, before: number, docked: boolean): number {
  const { ships } = flight.state
  const armed = ships.ruleArmed[slot]
  const watching = ships.ruleWatching[slot]
  const row = ships.ruleRow[slot]
  let bits = 0
  for (let place = 0; place < ships.ruleCount[slot]; place++) {
    const bit = RULE_BITS[place]
    if ((armed & bit) === 0) continue
    const kind = flight.state.rules.whenKind[row + place]
    const isKept = kind === MODULE || (kind === APSIS && docked)
    if ((watching & bit) !== 0 || isKept) bits |= before & bit
    else if (holds(flight, sample, row + place)) bits |= bit
  }
  return bits
}
