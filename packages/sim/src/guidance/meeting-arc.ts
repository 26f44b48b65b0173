import { QUANTA_PER_SECOND } from '../lattice.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { keplerState } from '../orbits/kepler.ts'
import type { Guide } from './guide.ts'
import { type Bounds, type Meeting, arcPeriod, cheapestArc, createMeeting } from './meeting.ts'
import { MEET, boundsAt } from './meeting-search.ts'
import { oblateDrift } from './oblate-drift.ts'

/** The arc that was found last. */
export const arcAhead: Meeting = createMeeting()

const to = createStateVector()
const departed = createStateVector()
const drift = new Float64Array(3)
const targetDrift = new Float64Array(3)

/** By how much an arc under way may leave the bounds that it was searched within. */
const LOWER = 0.995
const HIGHER = 1.1

/** What the first burn counts against the second when the arrival is moved. */
const SOONER = 1.1

/** First step of a moved arrival as a share of the time left, and how it shrinks. */
const STEP = 0.04
const SHRINK = 0.4
const ROUNDS = 16

/** Growth of the Δv left, as a share and by itself [m/s], at which the arrival is moved. */
const DEARER = 1.03
const DEARER_BY = 10

/** Bounds for an arc under way, which drifts about the one that was found. */
function looseBounds(guide: Guide): Bounds {
  const bounds = boundsAt(guide)
  bounds.lowest *= LOWER
  bounds.highest *= HIGHER
  return bounds
}

/**
 * Finds the arc from a state at an index to the meeting with the target, `arcAhead`; at another
 * time when none is left for this one, or only a dear one.
 */
export function findArc(guide: Guide, from: StateVector, index: number): boolean {
  const { row } = guide
  const bounds = looseBounds(guide)
  const dear = DEARER * row[MEET.deltaV] + DEARER_BY
  if (!(solve(guide, bounds, from, index, row[MEET.arrive]) < dear)) {
    moveArrival(guide, bounds, from, index)
    if (!(arcAhead.first < Infinity)) return false
    row[MEET.deltaV] = arcAhead.first + arcAhead.second
  }
  row[MEET.period] = arcPeriod(arcAhead, from, bounds.gm)
  row[MEET.deltaV] = Math.min(row[MEET.deltaV], arcAhead.first + arcAhead.second)
  return true
}

/** The same, with the drift by oblateness on the way looked at anew. */
export function findDriftingArc(guide: Guide, from: StateVector, index: number): boolean {
  const { row, n, reference, state, target } = guide
  const body = state.system.bodies[reference]
  for (let i = 0; i < 2 && body.oblateness; i++) {
    if (!findArc(guide, from, index)) return false
    departed.r.set(from.r)
    departed.v.set(arcAhead.arc.v1)
    const arrive = row[MEET.arrive]
    oblateDrift(drift, departed, body, (arrive - index) / QUANTA_PER_SECOND)
    oblateDrift(targetDrift, target, body, (arrive - n) / QUANTA_PER_SECOND)
    for (let axis = 0; axis < 3; axis++) row[MEET.offset + axis] = targetDrift[axis] - drift[axis]
  }
  return findArc(guide, from, index)
}

/** Cost of the arc that arrives at an index, `arcAhead`; Infinity without one. */
function solve(
  { row, n, target }: Guide,
  bounds: Bounds,
  from: StateVector,
  index: number,
  arrive: number,
): number {
  keplerState(to, target, bounds.gm, (arrive - n) / QUANTA_PER_SECOND)
  for (let i = 0; i < 3; i++) to.r[i] += row[MEET.offset + i]
  const seconds = (arrive - index) / QUANTA_PER_SECOND
  cheapestArc(arcAhead, from, to, seconds, bounds, Math.floor(seconds / row[MEET.period]))
  return arcAhead.first + arcAhead.second
}

/** The same, with the first burn counted more: it is better put off. */
function cost(
  guide: Guide,
  bounds: Bounds,
  from: StateVector,
  index: number,
  arrive: number,
): number {
  return solve(guide, bounds, from, index, arrive) + (SOONER - 1) * arcAhead.first
}

/** Moves the arrival to where the arc costs least nearby; leaves that one in `arcAhead`. */
function moveArrival(guide: Guide, bounds: Bounds, from: StateVector, index: number): void {
  const { row } = guide
  let best = cost(guide, bounds, from, index, row[MEET.arrive])
  let step = Math.floor(STEP * (row[MEET.arrive] - index))
  for (let i = 0; i < ROUNDS && step > 0; i++) {
    const later = cost(guide, bounds, from, index, row[MEET.arrive] + step)
    const sooner = cost(guide, bounds, from, index, row[MEET.arrive] - step)
    if (later < best) row[MEET.arrive] += step
    else if (sooner < best) row[MEET.arrive] -= step
    else step = Math.floor(SHRINK * step)
    best = Math.min(best, later < best ? later : sooner)
  }
  solve(guide, bounds, from, index, row[MEET.arrive])
}
