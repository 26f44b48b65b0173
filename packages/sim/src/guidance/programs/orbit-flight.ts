import { TAU, TURN_PARTS, circlePoint } from '../../math/circle.ts'
import { cross, dot } from '../../math/triple.ts'
import { angleOf } from '../../orbits/angle.ts'
import { conicOf, secondsBetween } from '../../orbits/conic.ts'
import { type Guide, fail, isInPhase } from '../guide.ts'
import { PLAN } from '../../state/plan.ts'
import {
  type Wanted,
  deltaVLeft,
  flyBurn,
  gmOf,
  leadSeconds,
  scheduleBurn,
} from './steered-burn.ts'
import { BURN, BURN_DOUBLES, MEMORY } from '../../state/plan-memory.ts'
import {
  AT_APOAPSIS,
  AT_ONCE,
  AT_PERIAPSIS,
  AT_RISE,
  TO_CIRCLE,
  TO_ORBIT,
  TO_PLANE,
  planOrbit,
} from './orbit-plan.ts'

/** What an orbit may differ by: a share of a, e, and the angle between planes [rad]. */
const MISS_A = 4e-4
const MISS_E = 1e-3
const MISS_PLANE = 4e-4

/** How much of J2 (R/p)² the eccentricity of a low orbit moves by in a revolution. */
const OBLATE_E = 1.5

/** An orbit plan is made so often at most; the last may miss twice as much. */
const ROUNDS_MAX = 6

/** Eccentricity below which the last burn ends level, and how nearly so, as a share of speed. */
const ROUND = 0.02
const LEVEL = 4e-4

/** Relative difference of two distances that are one. */
const SAME = 0.02

const direction = new Float64Array(3)
const across = new Float64Array(3)
const point = new Float64Array(2)

/** Writes the orbit of the ship whose program runs. */
export function findPresentOrbit(guide: Guide): void {
  conicOf(guide.orbit, guide, gmOf(guide))
}

/** Notes what the orbit differs from the wanted one by; returns its largest part of what it may. */
export function noteErrors({ row, reference, state, orbit }: Guide): number {
  const { oblateness } = state.system.bodies[reference]
  const ratio = oblateness ? oblateness.referenceRadius / orbit.p : 0
  const wobble = oblateness ? OBLATE_E * oblateness.j2 * ratio * ratio : 0
  cross(across, 0, orbit.normal, 0, row, MEMORY.normal)
  const sine = Math.sqrt(dot(across, 0, across, 0))
  const angle = angleOf(dot(orbit.normal, 0, row, MEMORY.normal), sine)
  row[PLAN.errors] = Math.abs(orbit.a / row[MEMORY.a] - 1)
  row[PLAN.errors + 1] = Math.abs(orbit.e - row[MEMORY.e])
  row[PLAN.errors + 2] = angle
  return Math.max(
    row[PLAN.errors] / MISS_A,
    row[PLAN.errors + 1] / (MISS_E + wobble),
    row[PLAN.errors + 2] / MISS_PLANE,
  )
}

/** Plans the way from the present orbit to the wanted one, and begins with its first burn. */
export function beginOrbit(guide: Guide): void {
  const { row } = guide
  const cost = planOrbit(row, guide.orbit)
  if (!(cost < Infinity)) return fail(guide, 'unreachable')
  if (cost > deltaVLeft(guide)) return fail(guide, 'out_of_fuel')
  row[MEMORY.stage] = 0
  placeVia(guide, row[MEMORY.plan + BURN.share])
  scheduleStage(guide, cost)
}

/** Writes the plane between two burns, a share of the turn from the present to the wanted one. */
function placeVia({ row, orbit }: Guide, share: number): void {
  const { normal } = orbit
  cross(across, 0, normal, 0, row, MEMORY.normal)
  const sine = Math.sqrt(dot(across, 0, across, 0))
  const cosine = dot(normal, 0, row, MEMORY.normal)
  circlePoint(point, ((share * angleOf(cosine, sine)) / TAU) * TURN_PARTS)
  for (let i = 0; i < 3; i++) {
    const side = sine > 0 ? (row[MEMORY.normal + i] - cosine * normal[i]) / sine : 0
    row[MEMORY.via + i] = point[0] * normal[i] + point[1] * side
  }
}

/** Puts the burn of the present stage where its orbit passes next. */
export function scheduleStage(guide: Guide, cost: number): void {
  const { row, r } = guide
  const where = row[MEMORY.plan + BURN_DOUBLES * row[MEMORY.stage] + BURN.where]
  const lead = leadSeconds(guide, cost)
  if (where === AT_ONCE) return scheduleBurn(guide, lead)
  if (where === AT_PERIAPSIS || where === AT_APOAPSIS) direction.set(guide.orbit.ahead)
  else cross(direction, 0, guide.orbit.normal, 0, row, MEMORY.normal)
  const sign = where === AT_APOAPSIS || where === AT_RISE ? -1 : 1
  for (let i = 0; i < 3; i++) direction[i] *= sign
  const seconds = secondsBetween(guide.orbit, r, direction)
  if (seconds >= lead) scheduleBurn(guide, seconds < Infinity ? seconds : lead)
  else scheduleBurn(guide, guide.orbit.period < Infinity ? seconds + guide.orbit.period : lead)
}

/** The velocity that the burn of the present stage is to reach, from wherever it ends. */
const wantedOfStage: Wanted = (out, guide, r, v) => {
  const { row } = guide
  const burn = MEMORY.plan + BURN_DOUBLES * row[MEMORY.stage]
  const share = row[burn + BURN.share]
  const distance = Math.sqrt(dot(r, 0, r, 0))
  // Across the place, in the plane that is wanted there.
  if (share === 0) {
    cross(across, 0, r, 0, v, 0)
    cross(direction, 0, across, 0, r, 0)
  } else cross(direction, 0, row, share === 1 ? MEMORY.normal : MEMORY.via, r, 0)
  const length = Math.sqrt(dot(direction, 0, direction, 0))
  const isRound =
    row[burn + BURN.what] === TO_CIRCLE ||
    (row[burn + BURN.what] === TO_ORBIT && row[MEMORY.e] < ROUND)
  const climbMax = isRound ? LEVEL * Math.sqrt(gmOf(guide) / distance) : Infinity
  const climb = Math.max(-climbMax, Math.min(climbMax, dot(r, 0, v, 0) / distance))
  const forward2 = forwardSquare(row, burn, gmOf(guide), distance, dot(v, 0, v, 0), climb)
  if (!(forward2 >= 0)) return false
  const forward = Math.sqrt(forward2)
  for (let i = 0; i < 3; i++) {
    out[i] = (forward * direction[i]) / length + (climb * r[i]) / distance
  }
  return true
}

/** Square of the horizontal speed that a burn is to reach where it climbs at so much [m²/s²]. */
function forwardSquare(
  row: Float64Array,
  burn: number,
  gm: number,
  distance: number,
  speed2: number,
  climb: number,
): number {
  const what = row[burn + BURN.what]
  const apsis = row[burn + BURN.apsis]
  if (what === TO_CIRCLE) return gm / distance
  if (what === TO_PLANE) return speed2 - climb * climb
  if (what === TO_ORBIT) return gm * (2 / distance - 1 / row[MEMORY.a]) - climb * climb
  // Energy and momentum of an orbit that climbs so here and not at all at the apsis.
  const ratio = distance / apsis
  const level = (2 * gm) / (distance * (1 + ratio))
  return Math.abs(1 - ratio) < SAME ? level : level - (climb * climb) / (1 - ratio * ratio)
}

/** Flies the burn of the present stage; true when it is done. */
export function flyStage(guide: Guide): boolean {
  return flyBurn(guide, wantedOfStage)
}

/**
 * Flies the burns of an orbit plan, again with a new plan while it misses; true at its end.
 *
 * @param follow   writes what is wanted into the row, where that depends on the present orbit
 * @param allowed  how many times what an orbit may differ by it may miss
 */
export function flyOrbit(guide: Guide, follow: (guide: Guide) => void, allowed: number): boolean {
  const { row } = guide
  if (isInPhase(guide, 'waiting')) {
    findPresentOrbit(guide)
    follow(guide)
  }
  if (!flyStage(guide)) return false
  findPresentOrbit(guide)
  follow(guide)
  const miss = noteErrors(guide) / allowed
  row[MEMORY.stage]++
  if (row[MEMORY.stage] < row[MEMORY.burns]) scheduleStage(guide, 0)
  else if (miss <= 1) return true
  else if (++row[MEMORY.rounds] < ROUNDS_MAX) beginOrbit(guide)
  else if (miss <= 2) return true
  else fail(guide, 'unreachable')
  return false
}
