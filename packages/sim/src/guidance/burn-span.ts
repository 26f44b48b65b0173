import { dot } from '../math/triple.ts'
import { FRAME_CODE, NODE } from '../state/burn-node.ts'
import type { ShipClass } from '../state/ship-class.ts'
import { burningQuanta, fuelAfterBurn, fuelAfterSeconds } from './rocket.ts'

/** Cosine of an angle that a hull need not turn by: 1.4e-7 rad. */
const ALIKE = 1 - 1e-14

/** When a burn of a plan takes place, and what it leaves. */
export interface BurnSpan {
  /** lattice index */
  startAt: number
  quanta: number
  /** [kg]; 0 where it takes all fuel or more */
  fuelAfter: number
}

/**
 * out = the span of a burn.
 *
 * @param fuel  with which it begins [kg]
 * @param at    where the burn begins in `nodes`, see `NODE`
 */
export function burnSpan(
  out: BurnSpan,
  ship: ShipClass,
  fuel: number,
  nodes: Float64Array,
  at: number,
): void {
  const index = nodes[at + NODE.index]
  const throttle = nodes[at + NODE.throttle]
  const seconds = isFramed(nodes, at) ? 0 : nodes[at + NODE.seconds]
  out.fuelAfter =
    seconds > 0
      ? fuelAfterSeconds(ship, fuel, throttle, seconds)
      : fuelAfterBurn(ship, fuel, deltaVOf(nodes, at))
  out.quanta = burningQuanta(ship, fuel - out.fuelAfter, throttle)
  out.startAt = nodes[at + NODE.centered] === 1 ? index - Math.floor(0.5 * out.quanta) : index
}

/** Whether a burn has a Δv along the axes of a frame; others hold a pointing. */
export function isFramed(nodes: Float64Array, at: number): boolean {
  return nodes[at + NODE.aim] >= FRAME_CODE
}

/** [m/s]; 0 with a duration */
function deltaVOf(nodes: Float64Array, at: number): number {
  if (!isFramed(nodes, at)) return nodes[at + NODE.deltaV]
  return Math.sqrt(dot(nodes, at + NODE.vector, nodes, at + NODE.vector))
}

/**
 * Whether a burn points exactly as the one before it in `nodes`, so that no time passes between
 * them: in the same pointing, or along the same direction of inertial axes.
 */
export function pointsAlike(nodes: Float64Array, before: number, at: number): boolean {
  if (nodes[at + NODE.aim] !== nodes[before + NODE.aim]) return false
  if (!isFramed(nodes, at)) return true
  if (nodes[at + NODE.aim] !== FRAME_CODE) return false
  const along = dot(nodes, before + NODE.vector, nodes, at + NODE.vector)
  const size = deltaVOf(nodes, before) * deltaVOf(nodes, at)
  return along >= size * ALIKE
}
