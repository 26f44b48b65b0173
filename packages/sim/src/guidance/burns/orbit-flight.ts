import { TAU, TURN_PARTS, circlePoint } from '../../math/circle.ts'
import { cross, dot } from '../../math/triple.ts'
import { angleOf } from '../../orbits/angle.ts'
import { createStateVector } from '../../math/state-vector.ts'
import { createConic, secondsBetween } from '../../orbits/conic.ts'
import { meanState, osculatingState } from '../../orbits/mean-state.ts'
import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { type Guide, fail, isInPhase, wakeIn } from '../guide.ts'
import { bodyOf, findPresentOrbit, isOsculating, isSinking, swayOf } from './present-orbit.ts'
import { AFTER_PASSAGE } from './passage.ts'
import { PLAN } from '../../state/plan.ts'
import { velocityOfStage } from './stage-velocity.ts'
import {
  RESIDUE,
  type Wanted,
  canSpend,
  flyBurn,
  isPossible,
  leadSeconds,
  scheduleBurn,
} from './steered-burn.ts'
import { planLasting } from './urgent-burn.ts'
import { precess } from '../precession.ts'
import { BURN, BURN_DOUBLES, MEMORY } from '../../state/plan-memory.ts'
import {
  AT_APOAPSIS,
  AT_ONCE,
  AT_PERIAPSIS,
  AT_RADIUS,
  AT_RISE,
  TO_CIRCLE,
  TO_PLANE,
} from './orbit-plan.ts'
import { secondsToRadius } from './crossing.ts'

/** What an orbit may differ by: a share of a, e, and the angle between planes [rad]. */
const MISS_A = 5e-5
const MISS_E = 2e-4
const MISS_PLANE = 1e-4

/** An orbit plan is made so often at most; the last may miss by so many times as much. */
const ROUNDS_MAX = 6
const LAST_MISS = 2

const direction = new Float64Array(3)
const across = new Float64Array(3)
const point = new Float64Array(2)
const onMean = createStateVector()
const wanted = createStateVector()
const reached = createStateVector()
const precessed = createConic()

/** Rounds in which a wanted velocity and its place on the mean orbit fit each other. */
const ROUNDS = 3

/** Notes what the orbit differs from the wanted one by; returns its largest part of what it may. */
export function noteErrors(guide: Guide): number {
  const { row, orbit } = guide
  const sway = swayOf(guide) + coarseness(guide)
  cross(across, 0, orbit.normal, 0, row, MEMORY.normal)
  const sine = Math.sqrt(dot(across, 0, across, 0))
  const angle = angleOf(dot(orbit.normal, 0, row, MEMORY.normal), sine)
  row[PLAN.errors] = Math.abs(orbit.a / row[MEMORY.a] - 1)
  row[PLAN.errors + 1] = Math.abs(orbit.e - row[MEMORY.e])
  row[PLAN.errors + 2] = angle
  return Math.max(
    row[PLAN.errors] / (MISS_A + sway),
    row[PLAN.errors + 1] / (MISS_E + sway),
    row[PLAN.errors + 2] / (MISS_PLANE + sway),
  )
}

/** What burns that are too small to be made leave of the elements, as a share. */
function coarseness({ orbit: { gm, p } }: Guide): number {
  return 2 * RESIDUE * Math.sqrt(p / gm)
}

/** Plans the way from the present orbit to the wanted one, and begins with its first burn. */
export function beginOrbit(guide: Guide): void {
  const { row } = guide
  const cost = planLasting(guide)
  if (!(cost < Infinity)) return fail(guide, 'unreachable')
  if (!canSpend(guide, cost)) return fail(guide, 'out_of_fuel')
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
  const { row, onOrbit } = guide
  const where = row[MEMORY.plan + BURN_DOUBLES * row[MEMORY.stage] + BURN.where]
  const lead = leadSeconds(guide, cost)
  if (where === AT_ONCE) return scheduleBurn(guide, lead)
  if (where === AT_RADIUS) return scheduleBurn(guide, secondsToRadius(guide, lead))
  if (where === AT_PERIAPSIS || where === AT_APOAPSIS) direction.set(guide.orbit.ahead)
  else cross(direction, 0, guide.orbit.normal, 0, row, MEMORY.normal)
  const sign = where === AT_APOAPSIS || where === AT_RISE ? -1 : 1
  for (let i = 0; i < 3; i++) direction[i] *= sign
  const seconds = secondsBetween(guide.orbit, onOrbit.r, direction)
  if (seconds >= lead) scheduleBurn(guide, seconds < Infinity ? seconds : lead)
  else scheduleBurn(guide, guide.orbit.period < Infinity ? seconds + guide.orbit.period : lead)
}

/** The velocity that the burn of the present stage is to reach, from wherever it ends. */
const wantedOfStage: Wanted = (out, guide, r, v) => {
  const body = bodyOf(guide)
  if (!body.oblateness || isOsculating(guide)) return velocityOfStage(out, guide, r, v)
  reached.r.set(r)
  reached.v.set(v)
  meanState(onMean, reached, body)
  wanted.r.set(onMean.r)
  for (let round = 0; round < ROUNDS; round++) {
    if (!velocityOfStage(wanted.v, guide, wanted.r, onMean.v)) return false
    osculatingState(reached, wanted, body)
    // The place on a mean orbit changes with the velocity there.
    for (let i = 0; i < 3; i++) wanted.r[i] += r[i] - reached.r[i]
  }
  out.set(reached.v)
  return true
}

/** Flies the burn of the present stage; true when it is done. */
export function flyStage(guide: Guide): boolean {
  return flyBurn(guide, wantedOfStage)
}

/** Time before a burn at which its place is seen surely, and how much it moves meanwhile. */
const SURE_SECONDS = 1200
const MOVED = 0.1

/** Eccentricity of an orbit whose apsides are known, however far they have moved. */
const LONG = 0.1

function restSeconds({ row, n }: Guide): number {
  return (row[MEMORY.burnAt] - n) / QUANTA_PER_SECOND
}

function isFar(guide: Guide): boolean {
  return restSeconds(guide) > SURE_SECONDS
}

/** Puts the burn where its place is seen now, and looks again halfway. */
function lookAgain(guide: Guide): boolean {
  const { row, orbit } = guide
  const before = row[MEMORY.burnAt]
  const rest = restSeconds(guide)
  scheduleStage(guide, 0)
  const moved = Math.abs(restSeconds(guide) - rest)
  const isKnown = orbit.e > LONG && moved < 0.25 * orbit.period
  if (moved > MOVED * rest && !isKnown) row[MEMORY.burnAt] = before
  wakeIn(guide, 0.5 * Math.min(rest, restSeconds(guide)))
  return false
}

/** How much others may change the axis before a turn of the plane that keeps it. */
const AXIS_MOVED = 1e-3

/** Lets a turn of the plane leave the axis as others have made it. */
function keepAxis({ row, orbit }: Guide): void {
  const burn = MEMORY.plan + BURN_DOUBLES * row[MEMORY.stage]
  const moved = Math.abs(orbit.a / row[burn + BURN.apsis] - 1)
  if (row[burn + BURN.what] === TO_PLANE && moved > AXIS_MOVED) row[burn + BURN.apsis] = orbit.a
}

/** Whether others have pulled the orbit between two burns into the ground. */
function isSpoiled(guide: Guide): boolean {
  const { row } = guide
  const what = row[MEMORY.plan + BURN.what]
  const isUrgent = what === TO_CIRCLE || row[MEMORY.plan + BURN.where] === AT_ONCE
  return !isUrgent && isSinking(guide)
}

/** Whether the orbit misses the wanted one by no more than what may be without any sway. */
function isReached({ row }: Guide): boolean {
  const { errors } = PLAN
  return row[errors] < MISS_A && row[errors + 1] < MISS_E && row[errors + 2] < MISS_PLANE
}

/** Whether no further burn of a plan is needed, on an orbit that misses by so much. */
function isEnough(guide: Guide, miss: number): boolean {
  // A plan that comes after others missed has no better end where the orbit moves between burns.
  return guide.row[MEMORY.rounds] === 0 ? isReached(guide) : miss <= mostMiss(guide)
}

/** By how many times what an orbit may differ by a plan may miss: the last one by more. */
function mostMiss({ row }: Guide): number {
  return row[MEMORY.rounds] + 1 >= ROUNDS_MAX ? LAST_MISS : 1
}

/** Flies the burns of an orbit plan, one after the other; true after the last that is needed. */
export function flyStages(guide: Guide, follow: (guide: Guide) => void): boolean {
  const { row } = guide
  if (isInPhase(guide, 'waiting')) {
    findPresentOrbit(guide)
    follow(guide)
    if (row[MEMORY.burns] === AFTER_PASSAGE || isSpoiled(guide)) return planAgain(guide)
    keepAxis(guide)
    if (isFar(guide)) return lookAgain(guide)
    if (!isPossible(guide, wantedOfStage)) return planAgain(guide)
  }
  if (!flyStage(guide)) return false
  findPresentOrbit(guide)
  follow(guide)
  const miss = noteErrors(guide)
  row[MEMORY.stage]++
  // A wanted node moves on while further burns wait for their places.
  if (row[MEMORY.stage] >= row[MEMORY.burns] || isEnough(guide, miss)) return true
  scheduleStage(guide, 0)
  return false
}

/** Begins with a new plan, unless there were too many; never done. */
function planAgain(guide: Guide): false {
  if (++guide.row[MEMORY.rounds] < ROUNDS_MAX) beginOrbit(guide)
  else fail(guide, 'unreachable')
  return false
}

/** Whether the plane alone misses, by no more than it precesses within a revolution. */
function isPrecessing(guide: Guide): boolean {
  const { row, orbit } = guide
  const { errors } = PLAN
  precess(precessed, orbit, bodyOf(guide), orbit.period)
  cross(across, 0, orbit.normal, 0, precessed.normal, 0)
  const drift2 = dot(across, 0, across, 0)
  const sway = swayOf(guide) + coarseness(guide)
  const isShaped = row[errors] < MISS_A + sway && row[errors + 1] < MISS_E + sway
  return isShaped && row[errors + 2] * row[errors + 2] < drift2
}

/**
 * Flies the burns of an orbit plan, again with a new plan while it misses; true at its end.
 *
 * @param follow   writes what is wanted into the row, where that depends on the present orbit
 * @param allowed  how many times what an orbit may differ by it may miss
 */
export function flyOrbit(guide: Guide, follow: (guide: Guide) => void, allowed: number): boolean {
  const { row } = guide
  if (!flyStages(guide, follow)) return false
  if (noteErrors(guide) <= allowed * mostMiss(guide)) return true
  const isLast = row[MEMORY.rounds] + 1 >= ROUNDS_MAX
  return (isLast && isPrecessing(guide)) || planAgain(guide)
}
