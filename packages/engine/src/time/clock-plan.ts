import { QUANTA_PER_SECOND } from '@orrery/sim'

/** How game time runs from a lattice index on, the same on every host of a universe. */
export interface PlannedPace {
  /** order in which the rows of a plan were written */
  readonly number: number
  readonly lattice: number
  /** when a clock that goes by the plan is there [Unix ms] */
  readonly atMs: number
  /** ticks per second, and game seconds per second, as set */
  readonly tickRate: number
  readonly timeScale: number
  /** game seconds per second in force: others in a hurry, and towards UTC */
  readonly pace: number
  readonly paused: boolean
  readonly adaptiveTickRate: boolean
  /** lattice index that game time hurries to; null while it does not */
  readonly goal: number | null
}

/** The rows that count, in their order: a newer one cancels older ones from its index on. */
export function effectivePlan(rows: readonly PlannedPace[]): readonly PlannedPace[] {
  const plan: PlannedPace[] = []
  for (const row of rows.toSorted((a, b) => a.number - b.number)) {
    while (plan.length > 0 && !isBefore(plan[plan.length - 1], row)) plan.pop()
    plan.push(row)
  }
  return plan
}

function isBefore(row: PlannedPace, next: PlannedPace): boolean {
  return row.lattice < next.lattice || (row.lattice === next.lattice && row.atMs <= next.atMs)
}

/**
 * Index that a moment has by a plan, with its part of a quantum; undefined before the first row.
 *
 * @param plan   the rows that count
 * @param utcMs  [Unix ms]
 */
export function plannedIndex(plan: readonly PlannedPace[], utcMs: number): number | undefined {
  const at = plan.findLastIndex(({ atMs }) => atMs <= utcMs)
  if (at < 0) return undefined
  const { atMs, lattice, pace, paused } = plan[at]
  const seconds = paused ? 0 : (utcMs - atMs) / 1000
  return Math.min(
    plan.at(at + 1)?.lattice ?? Infinity,
    lattice + seconds * pace * QUANTA_PER_SECOND,
  )
}

/** What a clock goes by, and what follows. */
interface PlaceInPlan {
  readonly inForce: PlannedPace | undefined
  readonly next: PlannedPace | undefined
}

/**
 * What a clock at an index goes by. While it runs, the index alone decides; in a pause, the moment
 * of the next row.
 */
export function placeInPlan(
  plan: readonly PlannedPace[],
  index: number,
  utcMs: number,
): PlaceInPlan {
  let at = -1
  for (const { atMs, lattice } of plan) {
    const isHeld = lattice === index && plan.at(at)?.paused === true && at >= 0
    if (lattice > index || (isHeld && atMs > utcMs)) break
    at++
  }
  return { inForce: at < 0 ? undefined : plan[at], next: plan.at(at + 1) }
}
