import { QUANTA_PER_SECOND } from '@orrery/sim'
import type { Clock } from '@orrery/store'

/** Time that passes without an owner beyond this is lost. */
const AWAY_SECONDS_MAX = 60

/** An owner is so late with a tick, or with its clock, without being held to be late. */
const LATE_SECONDS = 0.25

/**
 * Where a world goes on whose owner has ended: whatever was shown of it lies before, and without
 * commands its flight is known. A pause holds it.
 *
 * @param clock       the last durable one; its tick may have been published a period before
 * @param ageSeconds  wall time since then
 */
export function presentClock<Row extends Clock>(clock: Row, ageSeconds: number): Row {
  const { lattice, paused, tick, tickRate, timeScale } = clock
  if (paused) return clock
  const seconds = Math.min(Math.max(0, ageSeconds), AWAY_SECONDS_MAX) + 1 / tickRate + LATE_SECONDS
  return {
    ...clock,
    lattice: lattice + Math.floor(seconds * timeScale * QUANTA_PER_SECOND),
    tick: tick + Math.floor(seconds * tickRate),
  }
}
