import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { TAU } from '../../math/circle.ts'
import { type StateVector, createStateVector } from '../../math/state-vector.ts'
import { cross, dot } from '../../math/triple.ts'
import { type Conic, conicOf, createConic } from '../../orbits/conic.ts'
import { type Arc, createArc, lambert } from '../../orbits/lambert.ts'
import type { Guide } from '../guide.ts'
import { type Bounds, cheapestArc, createMeeting } from '../meeting.ts'
import { MEETING_PLACE, bodyAhead, canCapture, captureDeltaV } from './legs.ts'
import { goalPole, goalRadius, goalSpeed, isToBody, targetAhead } from './legs.ts'
import { MEMORY } from '../../state/plan-memory.ts'

const circuit: Conic = createConic()
const place: StateVector = createStateVector()
const start: StateVector = createStateVector()
const goal: StateVector = createStateVector()
const arc: Arc = createArc()
const velocity = new Float64Array(3)
const east = new Float64Array(3)
const pole = new Float64Array(3)

/** Of the way that was found last: Δv at its end, what a turn there is worth [m/s], its quanta. */
export const found = { arrival: 0, turn: 0, descent: 0 }

/** Whether the leg ends beside a target that moves about the body that it cruises about. */
export function endsBeside({ row }: Guide): boolean {
  return row[MEMORY.goal] === MEETING_PLACE
}

/** Whether the leg ends about the body that it cruises about. */
export function isHomeward({ row }: Guide): boolean {
  return row[MEMORY.frame] === row[MEMORY.goal]
}

/** The orbit that a body is on now about the one that it circles. */
export function circuitOf(guide: Guide, body: number): Conic {
  const { bodies } = guide.state.system
  bodyAhead(place, guide, body, guide.n)
  conicOf(circuit, place, bodies[body].gm + bodies[bodies[body].parent].gm)
  return circuit
}

/**
 * Writes `guide.excess`, with which a ship that leaves the origin's surroundings at one index comes
 * to the goal at another; to the goal's last orbit at any time where the leg cruises about it.
 */
export function findExcess(guide: Guide, departAt: number, arriveAt: number): boolean {
  if (isHomeward(guide)) return findDescent(guide, departAt)
  const { row, state, excess } = guide
  const { gm } = state.system.bodies[row[MEMORY.frame]]
  const seconds = (arriveAt - departAt) / QUANTA_PER_SECOND
  bodyAhead(start, guide, row[MEMORY.origin], departAt)
  if (endsBeside(guide)) return findMeeting(guide, arriveAt, seconds)
  bodyAhead(goal, guide, row[MEMORY.goal], arriveAt)
  cross(velocity, 0, start.r, 0, start.v, 0)
  if (!lambert(arc, start.r, goal.r, gm, seconds, velocity)) return false
  const excess2 = distance2(arc.v2, goal.v)
  if (!canCapture(guide, excess2)) return false
  for (let i = 0; i < 3; i++) excess[i] = arc.v1[i] - start.v[i]
  found.arrival = captureDeltaV(guide, excess2)
  return true
}

const meeting = createMeeting()
const bounds: Bounds = { gm: 0, lowest: 0, highest: 0, later: 1, most: Infinity }

/** What Δv at the end counts against the velocity far from the origin, where a burn is cheaper. */
const LATER = 3

/** Leaves the origin, which is at `start`, for the target itself, with full revolutions or none. */
function findMeeting(guide: Guide, arriveAt: number, seconds: number): boolean {
  const { row, state, spheres, excess } = guide
  const frame = row[MEMORY.frame]
  targetAhead(goal, guide, arriveAt)
  bounds.gm = state.system.bodies[frame].gm
  bounds.lowest = LOWEST * state.system.bodies[frame].radius
  bounds.highest = spheres[frame]
  bounds.later = LATER
  const revolutions = Math.floor(seconds / circuitOf(guide, row[MEMORY.origin]).period)
  if (!cheapestArc(meeting, start, goal, seconds, bounds, revolutions)) return false
  for (let i = 0; i < 3; i++) excess[i] = meeting.arc.v1[i] - start.v[i]
  found.arrival = meeting.second
  return true
}

/** Least distance from the centre of such an arc, in radii of the body. */
const LOWEST = 1.01

/** Share of the Δv of a turn onto the equator that a descent near to it may cost more. */
const TURN_SHARE = 0.2
const STATION_TURN_SHARE = 0.6

/** Rounds in which the edge of the origin's surroundings and the speed there fit each other. */
const EDGE_ROUNDS = 5

/** Leaves the origin so that at its edge an orbit down to the goal begins, as level as it can. */
function findDescent(guide: Guide, departAt: number): boolean {
  const { row, spheres, state, excess } = guide
  const { bodies } = state.system
  const { gm } = bodies[row[MEMORY.frame]]
  const edge = spheres[row[MEMORY.origin]]
  const pull = (2 * bodies[row[MEMORY.origin]].gm) / edge
  const radius = goalRadius(guide)
  bodyAhead(start, guide, row[MEMORY.origin], departAt)
  cross(east, 0, start.r, 0, start.v, 0)
  goalPole(pole, guide, east)
  for (let i = 0; i < 3; i++) excess[i] = -start.v[i]
  for (let round = 0; round < EDGE_ROUNDS; round++) {
    const speed = Math.sqrt(dot(excess, 0, excess, 0))
    const seconds = edge / Math.sqrt(speed * speed + pull)
    bodyAhead(start, guide, row[MEMORY.origin], departAt + seconds * QUANTA_PER_SECOND)
    for (let i = 0; i < 3; i++) velocity[i] = start.r[i] + (edge / speed) * excess[i]
    const distance = Math.sqrt(dot(velocity, 0, velocity, 0))
    const level = Math.sqrt((2 * gm * radius) / (distance * (distance + radius)))
    cross(east, 0, pole, 0, velocity, 0)
    const across = Math.sqrt(dot(east, 0, east, 0))
    for (let i = 0; i < 3; i++) excess[i] = (level * east[i]) / across - start.v[i]
    const edge2 = dot(excess, 0, excess, 0)
    if (!(edge2 > pull)) return false
    const share = Math.sqrt((edge2 - pull) / edge2)
    for (let i = 0; i < 3; i++) excess[i] *= share
    const axis = 0.5 * (radius + distance)
    const fall = 0.5 * TAU * axis * Math.sqrt(axis / gm)
    found.descent = Math.floor((seconds + fall) * QUANTA_PER_SECOND)
    const low2 = 2 * gm * (1 / radius - 1 / (distance + radius))
    // From a moon within the long ellipse that it ends in, the ship speeds up there.
    found.arrival = Math.abs(Math.sqrt(low2) - goalSpeed(guide))
    // The turn onto the equator is no part of the transfer, but worth a wait.
    const height = dot(pole, 0, velocity, 0) / distance
    const worth = isToBody(guide) ? TURN_SHARE : STATION_TURN_SHARE
    found.turn = worth * Math.sqrt(gm / radius) * Math.abs(height)
  }
  return true
}

/**
 * out = state at the periapsis of the orbit about the goal in which a way of the leg ends that
 * `findExcess` finds; false when it finds no way.
 */
export function stateAtEnd(out: StateVector, guide: Guide): boolean {
  const { row } = guide
  if (!findExcess(guide, row[MEMORY.departAt], row[MEMORY.arriveAt])) return false
  const radius = goalRadius(guide)
  const speed = goalSpeed(guide)
  if (isHomeward(guide)) {
    // A fall begins at the place `velocity`, level and along `east`.
    const distance = Math.sqrt(dot(velocity, 0, velocity, 0))
    const across = Math.sqrt(dot(east, 0, east, 0))
    for (let i = 0; i < 3; i++) {
      out.r[i] = (-radius * velocity[i]) / distance
      out.v[i] = (-speed * east[i]) / across
    }
    return true
  }
  // A hyperbola comes in as near to the plane of the pole as its asymptote allows.
  const { gm } = guide.state.system.bodies[row[MEMORY.goal]]
  for (let i = 0; i < 3; i++) velocity[i] = arc.v2[i] - goal.v[i]
  const excess2 = dot(velocity, 0, velocity, 0)
  const cosine = 1 / (1 + (radius * excess2) / gm)
  const sine = Math.sqrt(1 - cosine * cosine)
  cross(east, 0, start.r, 0, arc.v1, 0)
  goalPole(pole, guide, east)
  cross(east, 0, pole, 0, velocity, 0)
  const across = Math.sqrt(dot(east, 0, east, 0))
  const along = Math.sqrt(excess2)
  for (let i = 0; i < 3; i++) {
    const ahead = velocity[i] / along
    const aside = east[i] / across
    out.r[i] = radius * (cosine * ahead - sine * aside)
    out.v[i] = speed * (sine * ahead + cosine * aside)
  }
  return true
}

export function distance2(a: Float64Array, b: Float64Array): number {
  const x = a[0] - b[0]
  const y = a[1] - b[1]
  const z = a[2] - b[2]
  return x * x + y * y + z * z
}
