import { QUANTA_PER_SECOND } from '../lattice.ts'
import { PLAN } from '../state/plan.ts'
import { COURSE, MEMORY, REGARDLESS, SOONEST } from '../state/plan-memory.ts'
import type { Guide } from './guide.ts'
import { canSpend } from './burns/steered-burn.ts'

/** Share of its Δv that a transfer may cost more to begin one whole window sooner. */
const CHARGE = 0.1

/** Δv from which a flight has left [m/s]. */
const LEFT = 0.5

/** Part of a transfer in which a leg after the present one is searched, for its price. */
export const PRICE = 7

/** Lattice index from which the orbit is known that the searched leg begins on. */
export function epochOf({ row, n }: Guide): number {
  return row[MEMORY.part] === PRICE ? row[MEMORY.from] : n
}

/** Whether the flight has burnt, or will have where the searched leg begins. */
export function hasDeparted({ row }: Guide): boolean {
  return row[PLAN.spent] > LEFT || row[MEMORY.part] === PRICE
}

/** Lattice index after which a flight does not leave any more. */
export function latestDeparture(guide: Guide): number {
  const { row } = guide
  const within = row[COURSE.within]
  if (!(within > 0) || hasDeparted(guide)) return Infinity
  return Math.max(row[PLAN.since], row[COURSE.from]) + within * QUANTA_PER_SECOND
}

/** Whether a flight may cost so much more: within its budget, and its fuel where that counts. */
export function isAffordable(guide: Guide, deltaV: number): boolean {
  const { row } = guide
  const budget = row[COURSE.budget]
  if (budget > 0 && row[PLAN.spent] + deltaV > budget) return false
  return row[COURSE.manner] >= REGARDLESS || canSpend(guide, deltaV)
}

/** What later legs may cost more than they are reckoned with. */
const LATER_MARGIN = 1.15

/** Δv of a flight whose present leg costs so much, with a margin for later ones [m/s]. */
export function wholeDeltaV({ row }: Guide, deltaV: number): number {
  return deltaV + LATER_MARGIN * row[COURSE.laterDeltaV]
}

/** Whether it leaves, and meets a target of the same body, as soon as it can. */
export function isSoonest({ row }: Guide): boolean {
  return row[COURSE.manner] % REGARDLESS === SOONEST
}

/** Cost of a departure that is dearer than it may be, above that of any other. */
export const TOO_DEAR = 1e12

/**
 * What a way counts: its Δv with a charge for time, or its departure where that is to be soon.
 *
 * @param until  lattice index up to which time counts
 * @param turn   Δv that is worth a wait, but no part of the way [m/s]
 */
export function costOf(
  guide: Guide,
  departAt: number,
  until: number,
  deltaV: number,
  turn: number,
): number {
  const { row } = guide
  const begin = epochOf(guide)
  if (!isSoonest(guide) || hasDeparted(guide)) {
    const waited = (until - begin) / QUANTA_PER_SECOND
    return (deltaV + turn) * (1 + (CHARGE * waited) / row[MEMORY.natural])
  }
  if (!isAffordable(guide, wholeDeltaV(guide, deltaV))) return TOO_DEAR + deltaV
  return (departAt - begin) / QUANTA_PER_SECOND + deltaV
}
