import {
  type Body,
  type BurnNode,
  type BurnSpan,
  QUANTA_PER_SECOND,
  type StateVector,
  createStateVector,
  fromFrame,
  keplerState,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { osculatingOrbit } from '../views/orbit.ts'
import { loadRelative, relative } from '../views/ship-place.ts'
import { lengthText } from '../world/length-text.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/** A burn of a plan as it will take place. */
export interface SpannedBurn extends BurnSpan {
  readonly node: BurnNode
  /** [m/s] */
  readonly deltaV: number
}

/** Share of the radius below ground at which impulses on conics are surely right. */
const DEPTH = 0.01

const at = createStateVector()
const gain = new Float64Array(3)

/**
 * Refuses burns whose way runs far into the ground of the ship's reference body: between two of
 * them, or on the orbit that they leave. They count as impulses at their middles, between conics;
 * nothing is said of a way that leaves the body's sphere of influence.
 *
 * @throws {EngineError} 'ERR_CONTROL' naming the burn
 */
export function requireAboveGround(
  world: World,
  burns: readonly SpannedBurn[],
  { slot }: RosterEntry,
): void {
  const { index, setup, state } = world
  const reference = state.ships.reference[slot]
  const body = state.system.bodies[reference]
  const sphere = setup.system.territory.spheres[reference]
  loadRelative(world, slot, 0)
  at.r.set(relative.r)
  at.v.set(relative.v)
  let now = index
  for (const [i, { startAt, quanta, node, deltaV }] of burns.entries()) {
    const middle = startAt + 0.5 * quanta
    const seconds = (middle - now) / QUANTA_PER_SECOND
    const depth = depthOnWay(at, body, seconds)
    if (depth > 0) throw refused(i, `the ship is ${lengthText(depth)} in the ground of`, body)
    keplerState(at, at, body.gm, seconds)
    now = middle
    const isOwn = !('frame' in node) || node.body === undefined || node.body === reference
    if (!(Math.hypot(...at.r) < sphere) || !isOwn || !burn(node, deltaV)) return
  }
  const { apoapsisAltitude, periapsisAltitude } = orbitOf(at, body)
  const isBound = apoapsisAltitude !== null && apoapsisAltitude + body.radius < sphere
  const depth = isBound ? -periapsisAltitude : depthOnWay(at, body, Infinity)
  if (depth <= DEPTH * body.radius) return
  const last = burns.length - 1
  throw refused(last, `the orbit after the burn is ${lengthText(depth)} in the ground of`, body)
}

/** How deep a ship comes into the ground within some seconds [m]; 0 where that is not sure. */
function depthOnWay(from: StateVector, body: Body, seconds: number): number {
  const { periapsisAltitude, timeToPeriapsis } = orbitOf(from, body)
  const depth = -periapsisAltitude
  if (!(depth > DEPTH * body.radius) || timeToPeriapsis === null) return 0
  if (timeToPeriapsis <= seconds) return depth
  if (seconds === Infinity) return 0
  const to = createStateVector()
  keplerState(to, from, body.gm, seconds)
  const below = body.radius - Math.hypot(...to.r)
  return below > DEPTH * body.radius ? below : 0
}

function orbitOf({ r, v }: StateVector, body: Body): ReturnType<typeof osculatingOrbit> {
  return osculatingOrbit([r[0], r[1], r[2]], [v[0], v[1], v[2]], body)
}

/** What holding a pointing comes to: a Δv along an axis of a frame. */
const AXES = {
  prograde: ['prograde', 0, 1],
  retrograde: ['prograde', 0, -1],
  normal: ['prograde', 1, 1],
  antinormal: ['prograde', 1, -1],
  radial_out: ['radial', 0, 1],
  radial_in: ['radial', 0, -1],
} as const

/** Adds a burn's Δv to `at`; false where its frame has no axes. */
function burn(node: BurnNode, deltaV: number): boolean {
  const vector = new Float64Array(3)
  if ('frame' in node) vector.set(node.vector)
  else vector[AXES[node.pointing][1]] = AXES[node.pointing][2] * deltaV
  const frame = 'frame' in node ? node.frame : AXES[node.pointing][0]
  if (!fromFrame(gain, frame, vector, 0, at)) return false
  for (let axis = 0; axis < 3; axis++) at.v[axis] += gain[axis]
  return true
}

function refused(node: number, what: string, { name }: Body): EngineError {
  return new EngineError('ERR_CONTROL', `nodes.${node}: ${what} ${name}.`)
}
