import { cross, dot } from '../../math/triple.ts'
import { BURN, BURN_DOUBLES, MEMORY } from '../../state/plan-memory.ts'
import type { Guide } from '../guide.ts'
import { AT_FALL, AT_RISE, TO_APSIS, TO_CIRCLE, TO_ORBIT, TO_PLANE } from './orbit-plan.ts'
import { bodyOf } from './present-orbit.ts'

/** Eccentricity below which the last burn ends level, and how nearly so, as a share of speed. */
const ROUND = 0.02
const LEVEL = 1e-4

/** The most that an earlier burn onto a nearly round orbit may climb or sink at its end. */
const SAG = 0.01

/** Relative difference of two distances that are one, and of those between which a climb weighs. */
const SAME = 0.02
const NEARLY = 0.1

const direction = new Float64Array(3)
const across = new Float64Array(3)

/**
 * out = the velocity that the burn of the present stage is to reach at a place of the orbit, as
 * conics go; false where there is none.
 */
export function velocityOfStage(
  out: Float64Array,
  guide: Guide,
  r: Float64Array,
  v: Float64Array,
): boolean {
  const { row } = guide
  const { gm, radius } = bodyOf(guide)
  const burn = MEMORY.plan + BURN_DOUBLES * row[MEMORY.stage]
  const share = row[burn + BURN.share]
  const distance = Math.sqrt(dot(r, 0, r, 0))
  // Across the place, in the plane that is wanted there.
  if (share === 0) {
    cross(across, 0, r, 0, v, 0)
    cross(direction, 0, across, 0, r, 0)
  } else cross(direction, 0, row, share === 1 ? MEMORY.normal : MEMORY.via, r, 0)
  const length = Math.sqrt(dot(direction, 0, direction, 0))
  const climbMax = climbShare(row, burn, distance) * Math.sqrt(gm / distance)
  const climb = Math.max(-climbMax, Math.min(climbMax, dot(r, 0, v, 0) / distance))
  const apsis = opposite(row, burn, radius, distance)
  const forward2 = forwardSquare(row, burn, gm, distance, climb, apsis)
  if (!(forward2 >= 0)) return false
  const forward = Math.sqrt(forward2)
  for (let i = 0; i < 3; i++) {
    out[i] = (forward * direction[i]) / length + (climb * r[i]) / distance
  }
  return true
}

/** How fast the ship may climb or sink after a burn, as a share of the speed of a circle. */
function climbShare(row: Float64Array, burn: number, distance: number): number {
  const what = row[burn + BURN.what]
  if (what === TO_CIRCLE || (what === TO_ORBIT && row[MEMORY.e] < ROUND)) return LEVEL
  const isEarlier = what === TO_APSIS || what === TO_PLANE
  const where = row[burn + BURN.where]
  const isTurn = what === TO_APSIS && (where === AT_RISE || where === AT_FALL)
  // In a long turn of a low orbit the ship is slow, and sinks towards the ground.
  const isRound = Math.abs(1 - distance / row[burn + BURN.apsis]) < (isTurn ? NEARLY : SAME)
  return isEarlier && isRound ? SAG : Infinity
}

/**
 * The apsis that a burn aims at [m]; 0 of one that is for the wanted axis. Where others have lifted
 * a last burn, that axis would have its other end in the ground.
 */
function opposite(row: Float64Array, burn: number, ground: number, distance: number): number {
  if (row[burn + BURN.what] !== TO_ORBIT) return row[burn + BURN.apsis]
  const periapsis = row[MEMORY.a] * (1 - row[MEMORY.e])
  return 2 * row[MEMORY.a] - distance < 0.5 * (ground + periapsis) ? periapsis : 0
}

/** Square of the horizontal speed that a burn is to reach where it climbs at so much [m²/s²]. */
function forwardSquare(
  row: Float64Array,
  burn: number,
  gm: number,
  distance: number,
  climb: number,
  apsis: number,
): number {
  const what = row[burn + BURN.what]
  if (what === TO_CIRCLE) return gm / distance
  if (what === TO_PLANE) return gm * (2 / distance - 1 / apsis) - climb * climb
  if (apsis === 0) return gm * (2 / distance - 1 / row[MEMORY.a]) - climb * climb
  // Energy and momentum of an orbit that climbs so here and not at all at the apsis.
  const ratio = distance / apsis
  const level = (2 * gm) / (distance * (1 + ratio))
  return Math.abs(1 - ratio) < SAME ? level : level - (climb * climb) / (1 - ratio * ratio)
}
