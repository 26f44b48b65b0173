import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { type StateVector, createStateVector } from '../../math/state-vector.ts'
import { cross, dot } from '../../math/triple.ts'
import { departureVelocity } from '../../orbits/departure.ts'
import { type Arc, createArc, lambert } from '../../orbits/lambert.ts'
import type { Guide } from '../guide.ts'
import { type Wanted, deltaVLeft, gmOf, leadSeconds, stateAhead } from '../burns/steered-burn.ts'
import { bodyAhead, goalPole, goalRadius } from './legs.ts'
import { COURSE, MEMORY } from '../../state/plan-memory.ts'
import { distance2 } from './departure-excess.ts'
import { SLICES, isInside, isQuick } from './transfer-search.ts'

/** Moments of two revolutions that are tried for a departure, then closer to the best. */
const MOMENTS = 128
const CLOSER = 16

const goal: StateVector = createStateVector()
const arc: Arc = createArc()
const momentum = new Float64Array(3)
const normal = new Float64Array(3)
const begin = new Float64Array(3)
const end = new Float64Array(3)
const along = new Float64Array(3)
const pole = new Float64Array(3)
const beside = new Float64Array(3)
const velocity = new Float64Array(3)

/** Finds the arc to where the ship aims, arriving in time, all in the plane of the row. */
function findArc(guide: Guide, r: Float64Array, ahead: number): boolean {
  const { row, n } = guide
  bodyAhead(goal, guide, row[MEMORY.goal], row[MEMORY.arriveAt])
  for (let i = 0; i < 3; i++) {
    normal[i] = row[MEMORY.normal + i]
    end[i] = goal.r[i] + row[MEMORY.aim + i]
    begin[i] = r[i]
  }
  const endHeight = dot(end, 0, normal, 0)
  const beginHeight = dot(begin, 0, normal, 0)
  for (let i = 0; i < 3; i++) {
    end[i] -= endHeight * normal[i]
    begin[i] -= beginHeight * normal[i]
  }
  const seconds = (row[MEMORY.arriveAt] - n) / QUANTA_PER_SECOND - ahead
  return lambert(arc, begin, end, gmOf(guide), seconds, normal)
}

/** The velocity with which the ship comes past the goal at the index of arrival. */
export const wantedArc: Wanted = (out, guide, r, _, ahead) => {
  if (!findArc(guide, r, ahead)) return false
  out.set(arc.v1)
  return true
}

/**
 * Writes the plane of the cruise: through a place and what is aimed at; but where these are nearly
 * opposite, that of the ship's motion, because then a small change turns the former.
 */
function choosePlane(guide: Guide, ahead: number): void {
  const { row } = guide
  const { r, v } = stateAhead(guide, ahead)
  bodyAhead(goal, guide, row[MEMORY.goal], row[MEMORY.arriveAt])
  for (let i = 0; i < 3; i++) end[i] = goal.r[i] + row[MEMORY.aim + i]
  cross(momentum, 0, r, 0, v, 0)
  cross(normal, 0, r, 0, end, 0)
  const span2 = dot(r, 0, r, 0) * dot(end, 0, end, 0)
  const isOpposite = dot(normal, 0, normal, 0) < OPPOSITE * OPPOSITE * span2
  const sign = dot(normal, 0, momentum, 0) < 0 ? -1 : 1
  const from = isOpposite ? momentum : normal
  const scale = (isOpposite ? 1 : sign) / Math.sqrt(dot(from, 0, from, 0))
  for (let i = 0; i < 3; i++) row[MEMORY.normal + i] = scale * from[i]
}

/** Sine of the angle between two places below which they are nearly opposite. */
const OPPOSITE = 0.1

/** The velocity of the arc to the goal's centre in whatever plane that is. */
const wantedFreely: Wanted = (out, guide, r, v, ahead) => {
  const { row, n } = guide
  bodyAhead(goal, guide, row[MEMORY.goal], row[MEMORY.arriveAt])
  cross(momentum, 0, r, 0, v, 0)
  const seconds = (row[MEMORY.arriveAt] - n) / QUANTA_PER_SECOND - ahead
  if (!lambert(arc, r, goal.r, gmOf(guide), seconds, momentum)) return false
  out.set(arc.v1)
  return true
}

/** The velocity with which the ship leaves the reference body as the search found. */
export const wantedEscape: Wanted = (out, guide, r) => {
  for (let i = 0; i < 3; i++) along[i] = guide.row[MEMORY.aim + i]
  return departureVelocity(out, r, gmOf(guide), along)
}

/**
 * Aims beside the goal's centre, so far that its pull brings the ship to the height of its last
 * orbit, which is to be as near to the goal's equator as the way there allows.
 */
export function aimBeside(guide: Guide, ahead: number): void {
  const { row, state } = guide
  row.fill(0, MEMORY.aim, MEMORY.aim + 3)
  choosePlane(guide, ahead)
  if (!findArc(guide, stateAhead(guide, ahead).r, ahead)) return
  for (let i = 0; i < 3; i++) along[i] = arc.v2[i] - goal.v[i]
  const speed2 = dot(along, 0, along, 0)
  const radius = goalRadius(guide)
  const { gm } = state.system.bodies[row[MEMORY.goal]]
  const offset = radius * Math.sqrt(1 + (2 * gm) / (radius * speed2))
  goalPole(pole, guide, normal)
  cross(beside, 0, along, 0, pole, 0)
  const length = Math.sqrt(dot(beside, 0, beside, 0))
  if (!(length > 0)) return
  for (let i = 0; i < 3; i++) row[MEMORY.aim + i] = (offset * beside[i]) / length
  choosePlane(guide, ahead)
}

/**
 * Seconds to the moment near the planned departure at which it costs least; -1 when the ship has
 * not the Δv for it.
 */
export function alignDeparture(guide: Guide): number {
  const { row, n } = guide
  const wanted = isInside(guide) ? wantedFreely : wantedEscape
  const lead = leadSeconds(guide, 0.5 * row[MEMORY.deltaV])
  const planned = (row[MEMORY.departAt] - n) / QUANTA_PER_SECOND
  const span = 2 * (isQuick(guide) ? guide.orbit.period : row[MEMORY.window] / SLICES)
  const earliest = Math.max(lead, (row[COURSE.from] - n) / QUANTA_PER_SECOND)
  let first = Math.max(earliest, planned - 0.5 * span)
  let step = span / MOMENTS
  let best = Infinity
  let found = first
  for (let pass = 0; pass < 2; pass++) {
    const moments = pass === 0 ? MOMENTS : CLOSER
    for (let i = 0; i < moments; i++) {
      const seconds = first + i * step
      const { r, v } = stateAhead(guide, seconds)
      if (!wanted(velocity, guide, r, v, seconds)) continue
      const miss2 = distance2(velocity, v)
      if (miss2 >= best) continue
      best = miss2
      found = seconds
    }
    first = Math.max(earliest, found - step)
    step *= 2 / CLOSER
  }
  return Math.sqrt(best) < deltaVLeft(guide) ? found : -1
}
