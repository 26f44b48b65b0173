import { MEET } from '../state/plan-memory.ts'
import { QUANTA_PER_SECOND } from '../lattice.ts'
import { createStateVector } from '../math/state-vector.ts'
import { cross, dot } from '../math/triple.ts'
import type { Guide } from './guide.ts'
import { type Bounds, arcPeriod, cheapestArc } from './meeting.ts'
import { boundsAt, noteDrift, targetAt } from './meeting-search.ts'
import { oblateState } from './oblate-state.ts'

/** By how much an arc under way may leave the bounds that it was searched within. */
const LOWER = 0.995
const HIGHER = 1.1

/** What Δv at the end counts on the way: the ship stays on its arc. */
const LATER = 0.2

/** First step of a moved arrival as a share of the time left, and how it shrinks. */
const STEP = 0.04
const SHRINK = 0.4
const ROUNDS = 16

/** Growth of the Δv left, as a share and by itself [m/s], at which the arrival is moved. */
const DEARER = 1.03
const DEARER_BY = 10

/** The same at which there is no arc: where the geometry is bad, a later look finds a better. */
const TOO_DEAR = 1.3
const TOO_DEAR_BY = 30

/** Looks at a departure, whose drift depends on its arc; equal arcs differ less in period. */
const LOOKS_MAX = 4
const SAME = 0.01

/** Square of the cosine of the angle above which two directions are in line: 18°. */
export const IN_LINE = 0.9

const from = createStateVector()
const to = createStateVector()
const plane = new Float64Array(3)

/** Finds the arc that departs at an index, from where the orbit leads until then. */
export function findDeparture(guide: Guide, index: number): boolean {
  const { row, n, reference, state } = guide
  const body = state.system.bodies[reference]
  oblateState(from, guide, body, (index - n) / QUANTA_PER_SECOND)
  for (let i = 0; i < LOOKS_MAX; i++) {
    const before = row[MEET.period]
    if (!find(guide, index, 1)) return false
    accept(guide)
    if (i > 0 && Math.abs(row[MEET.period] - before) < SAME * before) break
    noteDrift(guide, guide.arc, from, index)
  }
  return true
}

/**
 * Finds the arc from here to the meeting: the one that the ship is on, or nearly. False when no
 * arc is found here.
 *
 * @param drifts  whether to compute the drift on the way again
 */
export function findArc(guide: Guide, drifts: boolean): boolean {
  const { row, n } = guide
  from.r.set(guide.r)
  from.v.set(guide.v)
  const arrive = row[MEET.arrive]
  for (let i = drifts ? 0 : 2; i < 3; i++) {
    const isFound = find(guide, n, LATER)
    const most = TOO_DEAR * row[MEET.deltaV] + TOO_DEAR_BY
    if (!isFound || guide.arc.first + guide.arc.second > most) {
      row[MEET.arrive] = arrive
      return false
    }
    if (i < 2) noteDrift(guide, guide.arc, from, n)
  }
  accept(guide)
  return true
}

/** Writes the change of velocity at the begin of the arc. */
export function firstGain(out: Float64Array, { arc: { arc } }: Guide): void {
  for (let i = 0; i < 3; i++) out[i] = arc.v1[i] - from.v[i]
}

/** Finds the arc from `from` at an index; with another arrival when it is dear otherwise. */
function find(guide: Guide, index: number, later: number): boolean {
  const { row } = guide
  const bounds = boundsAt(guide)
  bounds.lowest *= LOWER
  bounds.highest *= HIGHER
  bounds.later = later
  solve(guide, bounds, index, row[MEET.arrive])
  const dear = DEARER * row[MEET.deltaV] + DEARER_BY
  if (!(guide.arc.first + guide.arc.second < dear)) moveArrival(guide, bounds, index)
  return guide.arc.first < Infinity
}

function accept({ row, state, reference, arc }: Guide): void {
  row[MEET.period] = arcPeriod(arc, from, state.system.bodies[reference].gm)
  row[MEET.deltaV] = arc.first + arc.second
}

/** How many times the target's distance a ship is far out. */
const FAR_OUT = 4

/**
 * Puts the meeting into the plane of the ship's motion where a ship far out falls straight to it:
 * the plane through both is not known well, and the way left is long enough to turn it later.
 */
function levelEnd(): void {
  const along = dot(from.r, 0, to.r, 0)
  const squares = dot(from.r, 0, from.r, 0) * dot(to.r, 0, to.r, 0)
  if (!(isFarOut(from.r, to.r) && along * along > IN_LINE * squares)) return
  cross(plane, 0, from.r, 0, from.v, 0)
  const height = dot(to.r, 0, plane, 0) / dot(plane, 0, plane, 0)
  for (let i = 0; i < 3; i++) to.r[i] -= height * plane[i]
}

/** Whether a ship is so far out that it can correct a fall straight to its target. */
export function isFarOut(r: Float64Array, end: Float64Array): boolean {
  return dot(r, 0, r, 0) > FAR_OUT * FAR_OUT * dot(end, 0, end, 0)
}

/** Finds the arc that arrives at an index, `guide.arc`; returns its cost, Infinity without one. */
function solve(guide: Guide, bounds: Bounds, index: number, arrive: number): number {
  const { row, arc } = guide
  targetAt(to, guide, bounds.gm, arrive)
  for (let i = 0; i < 3; i++) to.r[i] += row[MEET.offset + i]
  // The plane of an orbit that is left does not matter.
  if (bounds.later < 1) levelEnd()
  const seconds = (arrive - index) / QUANTA_PER_SECOND
  cheapestArc(arc, from, to, seconds, bounds, Math.floor(seconds / row[MEET.period]))
  return arc.first + bounds.later * arc.second
}

/** Moves the arrival to where the arc costs least nearby; leaves that one in `guide.arc`. */
function moveArrival(guide: Guide, bounds: Bounds, index: number): void {
  const { row } = guide
  let best = solve(guide, bounds, index, row[MEET.arrive])
  let step = Math.floor(STEP * (row[MEET.arrive] - index))
  for (let i = 0; i < ROUNDS && step > 0; i++) {
    const later = solve(guide, bounds, index, row[MEET.arrive] + step)
    const sooner = solve(guide, bounds, index, row[MEET.arrive] - step)
    if (later < best) row[MEET.arrive] += step
    else if (sooner < best) row[MEET.arrive] -= step
    else step = Math.floor(SHRINK * step)
    best = Math.min(best, later < best ? later : sooner)
  }
  solve(guide, bounds, index, row[MEET.arrive])
}
