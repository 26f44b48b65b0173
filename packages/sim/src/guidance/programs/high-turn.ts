import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { TAU, TURN_PARTS, circlePoint } from '../../math/circle.ts'
import { cross, dot } from '../../math/triple.ts'
import { angleOf } from '../../orbits/angle.ts'
import { radiusTowards, secondsBetween } from '../../orbits/conic.ts'
import { PLAN } from '../../state/plan.ts'
import { PLAN_DOUBLES } from '../../state/plan-size.ts'
import { BURN, BURN_DOUBLES, COURSE, MEMORY } from '../../state/plan-memory.ts'
import type { Guide } from '../guide.ts'
import { flyStages, scheduleStage } from '../burns/orbit-flight.ts'
import { AT_FALL, AT_RISE, TO_APSIS, TO_PLANE } from '../burns/orbit-plan.ts'
import { HIGHEST } from '../meeting-search.ts'
import { findPresentOrbit, isStill } from '../burns/present-orbit.ts'

/** A turn of the plane where a ship is slow: out, turned there, and back. */
export interface HighTurn {
  /** of all burns, up to the target's speed [m/s] */
  deltaV: number
  /** of the first [m/s] */
  first: number
  /** `AT_RISE` or `AT_FALL` */
  where: number
  /** radius of the turn [m]; 0 for a turn at once */
  apoapsis: number
  /** of the orbit after it, where the target is met; the axis after a turn at once [m] */
  periapsis: number
  /** until the target is met, without phasing [s] */
  seconds: number
}

/** Angle between planes below which a turn far out is not tried [rad]. */
const LEAST = 0.15

/** Eccentricity of a long ellipse, and how many times its periapsis away it is turned at once. */
const LONG = 0.3
const FAR = 2

/** Radii that are tried: so many times the larger one of both orbits, in so many steps. */
const STEPS = 24
const GROWTH = 1.15

const line = new Float64Array(3)
const wanted = new Float64Array(3)
const point = new Float64Array(2)
export const highTurn: HighTurn = {
  deltaV: 0,
  first: 0,
  where: AT_RISE,
  apoapsis: 0,
  periapsis: 0,
  seconds: 0,
}

/** Writes the cheapest turn onto the target's plane to `highTurn`; its Δv is infinite without. */
export function findHighTurn(guide: Guide): void {
  const { orbit, target } = guide
  highTurn.deltaV = Infinity
  findPresentOrbit(guide)
  if (!(orbit.period < Infinity)) return
  cross(wanted, 0, target.r, 0, target.v, 0)
  const length = Math.sqrt(dot(wanted, 0, wanted, 0))
  for (let i = 0; i < 3; i++) wanted[i] /= length
  cross(line, 0, orbit.normal, 0, wanted, 0)
  const sine = Math.sqrt(dot(line, 0, line, 0))
  const angle = angleOf(dot(orbit.normal, 0, wanted, 0), sine)
  if (angle < LEAST || !(sine > 0)) return
  tryEnd(guide, AT_FALL, angle)
  for (let i = 0; i < 3; i++) line[i] = -line[i]
  tryEnd(guide, AT_RISE, angle)
}

/** Leaves at the end of the planes' line that `line` points to. */
function tryEnd(guide: Guide, where: number, angle: number): void {
  const { orbit, target } = guide
  const { gm, a, p } = orbit
  const from = radiusTowards(orbit, line, 0)
  const to = Math.sqrt(dot(target.r, 0, target.r, 0))
  const speed2 = gm * (2 / from - 1 / a)
  const forward = Math.sqrt(gm * p) / from
  const climb2 = Math.max(0, speed2 - forward * forward)
  circlePoint(point, (angle / TAU) * TURN_PARTS)
  const wait = secondsBetween(orbit, guide.onOrbit.r, line)
  tryTurn(guide, where, from, forward * chordOf(angle), wait)
  let apoapsis = Math.max(from, to)
  for (let i = 0; i < STEPS; i++) {
    apoapsis *= GROWTH
    if (!isStill(guide, { periapsis: Math.min(from, to), apoapsis })) return
    const out = 0.5 * (from + apoapsis)
    const back = 0.5 * (to + apoapsis)
    const leave = Math.sqrt(gm * (2 / from - 1 / out)) - forward
    const slow = Math.sqrt(gm * (2 / apoapsis - 1 / out))
    const turned = Math.sqrt(gm * (2 / apoapsis - 1 / back))
    const turn = Math.sqrt(slow * slow + turned * turned - 2 * slow * turned * point[0])
    const meet = Math.sqrt(gm * (2 / to - 1 / back)) - Math.sqrt(dot(target.v, 0, target.v, 0))
    const first = Math.sqrt(climb2 + leave * leave)
    const deltaV = first + turn + Math.abs(meet)
    if (deltaV >= highTurn.deltaV) continue
    highTurn.deltaV = deltaV
    highTurn.first = first
    highTurn.where = where
    highTurn.apoapsis = apoapsis
    highTurn.periapsis = to
    highTurn.seconds = wait + 0.5 * TAU * (paceOf(out, gm) + paceOf(back, gm))
  }
}

/** Two sines of half an angle. */
function chordOf(angle: number): number {
  circlePoint(point, (angle / TAU) * TURN_PARTS)
  return Math.sqrt(Math.max(0, 2 - 2 * point[0]))
}

/** Turns at once where a long ellipse crosses the wanted plane, and meets the target low on it. */
function tryTurn(guide: Guide, where: number, from: number, turn: number, wait: number): void {
  const { orbit, reference, spheres, target } = guide
  const { a, gm, e, periapsis } = orbit
  // Near the edge of the sphere of influence, another body has the ship before it turns.
  const isWithin = from > FAR * periapsis && from < HIGHEST * spheres[reference]
  if (!(e > LONG && isWithin && comesBack(guide, wait))) return
  const to = Math.sqrt(dot(target.r, 0, target.r, 0))
  const meet = Math.sqrt(gm * (2 / to - 1 / a)) - Math.sqrt(dot(target.v, 0, target.v, 0))
  if (!(turn + Math.abs(meet) < highTurn.deltaV)) return
  highTurn.deltaV = turn + Math.abs(meet)
  highTurn.first = turn
  highTurn.where = where
  highTurn.apoapsis = 0
  highTurn.periapsis = a
  highTurn.seconds = wait + orbit.period
}

/** Whether a ship that turns after some seconds is back at its periapsis before it leaves. */
function comesBack({ onOrbit, orbit, reference, spheres }: Guide, wait: number): boolean {
  if (orbit.apoapsis < spheres[reference]) return true
  return dot(onOrbit.r, 0, onOrbit.v, 0) < 0 && wait < secondsBetween(orbit, onOrbit.r, orbit.ahead)
}

/** Time in which an orbit of an axis turns by a radian, on average [s]. */
function paceOf(axis: number, gm: number): number {
  return axis * Math.sqrt(axis / gm)
}

/** Begins the turn that was found last. */
export function beginHighTurn(guide: Guide, stage: number): void {
  const { row, n } = guide
  const { apoapsis, deltaV, first, periapsis, seconds, where } = highTurn
  row.fill(0, PLAN.memory, PLAN_DOUBLES)
  row[COURSE.stage] = stage
  row.set(wanted, MEMORY.normal)
  row[MEMORY.a] = 0.5 * (apoapsis + periapsis)
  row[MEMORY.e] = (apoapsis - periapsis) / (apoapsis + periapsis)
  row[MEMORY.burns] = apoapsis > 0 ? 2 : 1
  row[MEMORY.deltaV] = deltaV
  row[MEMORY.arriveAt] = n + Math.floor(seconds * QUANTA_PER_SECOND)
  if (apoapsis > 0) place(row, 0, where, TO_APSIS, apoapsis, 0)
  else place(row, 0, where, TO_PLANE, periapsis, 1)
  if (apoapsis > 0) place(row, 1, where === AT_RISE ? AT_FALL : AT_RISE, TO_APSIS, periapsis, 1)
  scheduleStage(guide, first)
}

function place(
  row: Float64Array,
  burn: number,
  where: number,
  what: number,
  apsis: number,
  share: number,
): void {
  const at = MEMORY.plan + BURN_DOUBLES * burn
  row[at + BURN.where] = where
  row[at + BURN.what] = what
  row[at + BURN.apsis] = apsis
  row[at + BURN.share] = share
}

const stays = (): void => undefined

/** Flies both burns of a turn; true after the second, on the target's plane. */
export function flyHighTurn(guide: Guide): boolean {
  return flyStages(guide, stays)
}
