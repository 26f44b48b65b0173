import { effectivePlan, placeInPlan, plannedIndex } from '@orrery/engine'
import { QUANTA_PER_SECOND } from '@orrery/sim'
import type { Clock, ClockPlan } from '@orrery/store'

/** Time that passes without an owner beyond this is lost. */
const AWAY_SECONDS_MAX = 60

/** An owner is so late with a tick, or with its clock, without being held to be late. */
const LATE_SECONDS = 0.25

/** Of a world whose owner was killed, or of one whose owner has written where it ended. */
export type Departure = 'now' | 'given'

/** The plan by which its clock ran, and the time by the database's clock. */
type Planned = Awaited<ReturnType<ClockPlan['load']>>

/**
 * Where a world goes on whose owner has ended: whatever was shown of it lies before, and without
 * commands its flight is known. A pause holds it.
 *
 * @param clock       the last durable one; its tick may have been published a period before
 * @param ageSeconds  wall time since then
 * @param planned     as the plan has it, where there is one
 * @param until       nothing was shown past the last clock of a world that was given
 */
export function presentClock<Row extends Clock>(
  clock: Row,
  ageSeconds: number,
  planned?: Planned,
  until: Departure = 'now',
): Row {
  const lateSeconds = until === 'given' ? 0 : LATE_SECONDS
  const byPlan = planned && plannedClock(clock, { ageSeconds, lateSeconds }, planned)
  if (byPlan) return byPlan
  const { lattice, paused, tick, tickRate, timeScale } = clock
  if (paused) return clock
  const ownSeconds = until === 'given' ? 0 : 1 / tickRate + lateSeconds
  const seconds = Math.min(Math.max(0, ageSeconds), AWAY_SECONDS_MAX) + ownSeconds
  return {
    ...clock,
    lattice: lattice + Math.floor(seconds * timeScale * QUANTA_PER_SECOND),
    tick: tick + Math.floor(seconds * tickRate),
  }
}

/** Undefined where the plan has nothing of that moment. */
function plannedClock<Row extends Clock>(
  clock: Row,
  { ageSeconds, lateSeconds }: { readonly ageSeconds: number; readonly lateSeconds: number },
  { nowMs, rows }: Planned,
): Row | undefined {
  const plan = effectivePlan(rows)
  const lostSeconds = Math.max(0, ageSeconds - AWAY_SECONDS_MAX)
  const utcMs = nowMs + 1000 * (lateSeconds - lostSeconds)
  const index = plannedIndex(plan, utcMs)
  if (index === undefined) return undefined
  const lattice = Math.max(clock.lattice, Math.floor(index))
  const { tickRate, timeScale, paused } = placeInPlan(plan, lattice, utcMs).inForce ?? clock
  const ticks = ((lattice - clock.lattice) * tickRate) / (timeScale * QUANTA_PER_SECOND)
  const tick = clock.tick + Math.floor(ticks)
  const remainder = lattice > clock.lattice ? (['0', '1'] as const) : clock.remainder
  return { ...clock, lattice, remainder, tick, tickRate, timeScale, paused }
}
