import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { dot } from '../../math/triple.ts'
import { secondsBetween } from '../../orbits/conic.ts'
import { type Guide, complete, cutEngine, enterPhase, fail, failFor, isInPhase } from '../guide.ts'
import { wakeAt, wakeIn } from '../guide.ts'
import { PLAN } from '../../state/plan.ts'
import { canSpend, flyBurn, leadSeconds, scheduleBurn } from '../burns/steered-burn.ts'
import { MEETING_PLACE, canArrive, captureDeltaV, chooseLeg } from './legs.ts'
import { destinationOf, goalApoapsis, goalPole, goalRadius, isToBody } from './legs.ts'
import { beginPrice, noteLaterLegs, priceSlice } from './later-legs.ts'
import { findPresentOrbit } from '../burns/present-orbit.ts'
import { BURN, COURSE, MEMORY } from '../../state/plan-memory.ts'
import { beginOrbit, flyOrbit, flyStage, flyStages, scheduleStage } from '../burns/orbit-flight.ts'
import { AT_ONCE, AT_PERIAPSIS, TO_APSIS, TO_CIRCLE } from '../burns/orbit-plan.ts'
import { aimBeside, alignDeparture, wantedArc, wantedEscape } from './transfer-burns.ts'
import { PRICE, hasDeparted, isAffordable, wholeDeltaV } from '../departure-choice.ts'
import { findExcess } from './departure-excess.ts'
import { beginSearch, isInside } from './transfer-search.ts'
import { searchFurther, searchSlice } from './transfer-search.ts'

/** What a transfer does, in this order; corrections come back to the cruise or approach. */
export const SEARCH = 0
const DEPART = 1
const CRUISE = 2
const CORRECT = 3
const APPROACH = 4
const ADJUST = 5
export const CAPTURE = 6

/** Between two slices of a search [s]. */
const SLICE_SECONDS = 1
const STAGGER = 16

/** A departure sooner than this [s] or these periods is flown as found, a later one not. */
const SOON = 20_000
const SOON_PERIODS = 2.5

/** Share of the wait after which it is searched again, over so many times the rest of it. */
const WAIT_SHARE = 0.6
const WINDOW_SHARE = 2

/**
 * Shares of the time to the goal after which it is corrected: first, when the pull of what the
 * ship has left is done with, and then again and again.
 */
const FIRST_SHARE = 0.12
const NEXT_SHARE = 0.5

/** Between two looks at an orbit that leaves [s]. */
const LEAVING_SECONDS = 3600

/** Longest wait between two looks at the way [s]: it must not miss the goal's surroundings. */
const LOOK_SECONDS = 43_200
const LOOK_SHARE = 0.02

/** Share of a fall from a moon's distance before its first correction. */
const FALL_SHARE = 0.3
const FALL_SECONDS = 1e7

/** Distance within which the periapsis is left as it is, in radii of the last orbit. */
const FAR_RADII = 6

/** Height of a periapsis that an approach takes as it is, as a share of that of the last orbit. */
const ABOVE = 0.5

/** How much more the last orbit may miss by than one that is ordered. */
const NEARLY = 8

/** A transfer is searched again so often at most. */
const ROUNDS_MAX = 4

/** What the periapsis of an approach may differ by, as a share of its radius. */
export const PERIAPSIS_MISS = 2e-3

const pole = new Float64Array(3)

/** Flies to a low orbit of another body of the system. */
export function transfer(guide: Guide): void {
  const { row, target } = guide
  row[PLAN.distance] = Math.sqrt(dot(target.r, 0, target.r, 0))
  if (isAstray(guide)) return replan(guide)
  switch (row[MEMORY.part]) {
    case SEARCH:
      return search(guide)
    case PRICE:
      return price(guide)
    case DEPART:
      return depart(guide)
    case CRUISE:
      return cruise(guide)
    case CORRECT:
      return correct(guide)
    case APPROACH:
      return approach(guide)
    case ADJUST:
      return adjust(guide)
    default:
      return capture(guide)
  }
}

/** Whether the reference body is not the one that the present part of the leg is flown about. */
function isAstray({ row, reference }: Guide): boolean {
  const part = row[MEMORY.part]
  if (part === SEARCH || part === PRICE || part === CRUISE) return false
  if (part === DEPART) return reference !== row[MEMORY.origin]
  return reference !== row[part === CORRECT ? MEMORY.frame : MEMORY.goal]
}

function search(guide: Guide): void {
  const { row, n, reference } = guide
  findPresentOrbit(guide)
  if (row[MEMORY.window] === 0 || reference !== row[MEMORY.origin]) {
    chooseLeg(guide, reference)
    if (!canArrive(guide)) return fail(guide, 'unreachable')
    if (reference === destinationOf(guide)) return stay(guide)
    if (!lasts(guide)) return
    noteLaterLegs(guide)
    beginSearch(guide, Infinity)
    return wakeIn(guide, staggerSeconds(guide))
  } else if (isInPhase(guide, 'waiting')) {
    const rest = (row[MEMORY.departAt] - n) / QUANTA_PER_SECOND
    enterPhase(guide, 'planning')
    beginSearch(guide, WINDOW_SHARE * rest)
  }
  if (!searchSlice(guide)) return wakeIn(guide, SLICE_SECONDS)
  if (!(row[MEMORY.cost] < Infinity) && row[MEMORY.late] === 0) return fail(guide, 'unreachable')
  if (!suffices(guide)) return
  if (beginPrice(guide)) wakeIn(guide, SLICE_SECONDS)
  else leave(guide)
}

/** Prices the legs after the one that was found, which may end the plan. */
function price(guide: Guide): void {
  const { row } = guide
  if (!priceSlice(guide)) return wakeIn(guide, SLICE_SECONDS)
  if (guide.reference !== row[MEMORY.origin]) return replan(guide)
  if (!(row[COURSE.laterSeconds] < Infinity)) return fail(guide, 'unreachable')
  findPresentOrbit(guide)
  if (suffices(guide)) leave(guide)
}

/** Begins the departure that was found, or waits for it. */
function leave(guide: Guide): void {
  const { row, n } = guide
  const wait = (row[MEMORY.departAt] - n) / QUANTA_PER_SECOND
  if (wait > Math.max(SOON, SOON_PERIODS * Math.min(guide.orbit.period, wait))) {
    enterPhase(guide, 'waiting')
    return wakeIn(guide, WAIT_SHARE * wait)
  }
  beginDeparture(guide)
}

/** Whether fuel and time suffice for the whole way; else the search goes on, or the plan fails. */
function suffices(guide: Guide): boolean {
  const { row, n } = guide
  const isFound = row[MEMORY.cost] < Infinity
  const arriveAt = isFound ? row[MEMORY.arriveAt] : row[MEMORY.late]
  const deltaV = wholeDeltaV(guide, row[MEMORY.deltaV])
  const end = arriveAt + row[COURSE.laterSeconds] * QUANTA_PER_SECOND
  const isInTime = isFound && end <= row[PLAN.deadline]
  if (isInTime && isAffordable(guide, deltaV)) return true
  if (isFound && searchFurther(guide)) wakeIn(guide, SLICE_SECONDS)
  else {
    const reason = isInTime ? 'out_of_fuel' : 'timed_out'
    failFor(guide, reason, deltaV, (end - n) / QUANTA_PER_SECOND)
  }
  return false
}

/**
 * Whether the present orbit goes on as it is. From one that leaves the sphere of influence the
 * search begins there; one that ends in the ground is no place to wait.
 */
function lasts(guide: Guide): boolean {
  const { orbit, reference, spheres, state } = guide
  if (orbit.periapsis <= state.system.bodies[reference].radius) fail(guide, 'unreachable')
  else if (orbit.apoapsis < spheres[reference]) return true
  else wakeIn(guide, LEAVING_SECONDS)
  return false
}

/** Changes an orbit about the target itself. */
function stay(guide: Guide): void {
  const { row, reference, spheres } = guide
  row[MEMORY.goal] = reference
  if (!(guide.orbit.apoapsis < spheres[reference])) return beginApproach(guide)
  if (goalApoapsis(guide) > goalRadius(guide)) return complete(guide)
  wantLastOrbit(guide)
  row[MEMORY.part] = CAPTURE
  beginOrbit(guide)
}

/** A moment for the slices of a ship's search that many ships at once do not share. */
function staggerSeconds({ state, slot }: Guide): number {
  return SLICE_SECONDS * (1 + (state.ships.shipNumber[slot] % STAGGER) / STAGGER)
}

function beginDeparture(guide: Guide): void {
  const { row, n } = guide
  if (isInside(guide)) row.fill(0, MEMORY.aim, MEMORY.aim + 3)
  else {
    if (!findExcess(guide, row[MEMORY.departAt], row[MEMORY.arriveAt])) {
      return fail(guide, 'unreachable')
    }
    row.set(guide.excess, MEMORY.aim)
  }
  const seconds = alignDeparture(guide)
  if (seconds < 0) return fail(guide, 'out_of_fuel')
  if (isInside(guide)) aimBeside(guide, seconds)
  row[MEMORY.departAt] = n + Math.floor(seconds * QUANTA_PER_SECOND)
  row[MEMORY.part] = DEPART
  scheduleBurn(guide, seconds)
}

function depart(guide: Guide): void {
  const { row, n } = guide
  if (!flyBurn(guide, isInside(guide) ? wantedArc : wantedEscape)) return
  row[MEMORY.part] = CRUISE
  row[MEMORY.correctAt] = n + FIRST_SHARE * (row[MEMORY.arriveAt] - n)
  enterPhase(guide, 'coasting')
  cruise(guide)
}

function cruise(guide: Guide): void {
  const { row, n, reference } = guide
  if (reference === row[MEMORY.goal]) return beginApproach(guide)
  const isBeyond = row[MEMORY.goal] === MEETING_PLACE && reference === row[MEMORY.frame]
  if (isBeyond) return complete(guide)
  if (n >= row[MEMORY.arriveAt]) return replan(guide)
  if (reference !== row[MEMORY.frame]) return wakeIn(guide, look(guide))
  if (n < row[MEMORY.correctAt]) {
    return wakeAt(guide, Math.min(n + look(guide) * QUANTA_PER_SECOND, row[MEMORY.correctAt]))
  }
  const lead = leadSeconds(guide, 0)
  aimBeside(guide, lead)
  row[MEMORY.part] = CORRECT
  scheduleBurn(guide, lead)
  wakeIn(guide, 0)
}

/** Time until the way has to be looked at again [s]. */
function look({ row, n }: Guide): number {
  const rest = (row[MEMORY.arriveAt] - n) / QUANTA_PER_SECOND
  return Math.min(LOOK_SECONDS, Math.max(600, LOOK_SHARE * rest))
}

function correct(guide: Guide): void {
  const { row, n } = guide
  if (!flyBurn(guide, wantedArc)) return
  row[MEMORY.part] = CRUISE
  row[MEMORY.correctAt] = n + NEXT_SHARE * (row[MEMORY.arriveAt] - n)
  enterPhase(guide, 'coasting')
  cruise(guide)
}

/** Begins again from the present orbit. */
function replan(guide: Guide): void {
  const { row } = guide
  if (++row[MEMORY.rounds] > ROUNDS_MAX) return fail(guide, 'unreachable')
  row[MEMORY.part] = SEARCH
  row[MEMORY.window] = 0
  cutEngine(guide)
  enterPhase(guide, 'planning')
  wakeIn(guide, 1)
}

function beginApproach(guide: Guide): void {
  const { row } = guide
  row[MEMORY.part] = APPROACH
  enterPhase(guide, 'arriving')
  findPresentOrbit(guide)
  // On the way down from a moon it still pulls for a while.
  if (isFall(guide)) wakeOnWay(guide, FALL_SHARE)
  else approach(guide)
}

/** Whether the leg leads from a moon down to its planet. */
function isFall({ row }: Guide): boolean {
  return row[MEMORY.frame] === row[MEMORY.goal] && row[MEMORY.origin] !== row[MEMORY.goal]
}

/** Runs the program again after a share of the way to the periapsis. */
function wakeOnWay(guide: Guide, share: number): void {
  const seconds = share * secondsBetween(guide.orbit, guide.r, guide.orbit.ahead)
  wakeIn(guide, Math.min(seconds, FALL_SECONDS))
}

function wantLastOrbit(guide: Guide): void {
  const { row } = guide
  const radius = goalRadius(guide)
  const apoapsis = goalApoapsis(guide)
  row[MEMORY.a] = 0.5 * (radius + apoapsis)
  row[MEMORY.e] = (apoapsis - radius) / (apoapsis + radius)
  row[MEMORY.rounds] = 0
  keepPlane(guide)
}

/** Looks at the periapsis, corrects it from afar, and prepares the last burns. */
function approach(guide: Guide): void {
  const { row, r, v } = guide
  findPresentOrbit(guide)
  wantLastOrbit(guide)
  const radius = goalRadius(guide)
  const apoapsis = goalApoapsis(guide)
  const ground = guide.state.system.bodies[guide.reference].radius
  // The sphere of influence of a small moon ends so near that nothing was corrected before.
  const isAbove = guide.orbit.periapsis > ground + ABOVE * (radius - ground)
  const isNear = isAbove && dot(r, 0, r, 0) < FAR_RADII * FAR_RADII * radius * radius
  const hasPassed = dot(r, 0, v, 0) > 0 && !(guide.orbit.period < Infinity)
  if (isNear || hasPassed || Math.abs(guide.orbit.periapsis / radius - 1) < PERIAPSIS_MISS) {
    row[MEMORY.part] = CAPTURE
    const where = hasPassed ? AT_ONCE : AT_PERIAPSIS
    const what = apoapsis > radius ? TO_APSIS : TO_CIRCLE
    // Before any burn the whole way is reckoned with, from a high periapsis down too.
    if (what === TO_CIRCLE && !hasDeparted(guide)) return beginOrbit(guide)
    return beginBurn(guide, where, what, apoapsis, captureDeltaV(guide, 0))
  }
  const excess2 = dot(v, 0, v, 0) - (2 * guide.orbit.gm) / Math.sqrt(dot(r, 0, r, 0))
  const capture = captureDeltaV(guide, excess2)
  if (!hasDeparted(guide) && !canSpend(guide, capture)) return fail(guide, 'out_of_fuel')
  row[MEMORY.part] = ADJUST
  // Far out it costs little to come down near the equator, or in the plane of the target.
  goalPole(pole, guide, guide.orbit.normal)
  if (isFall(guide) || !isToBody(guide)) row.set(pole, MEMORY.normal)
  beginBurn(guide, AT_ONCE, TO_APSIS, radius, 0)
}

/** One burn in the present plane, with the goal's last orbit as what it may be made for. */
function beginBurn(guide: Guide, where: number, what: number, apsis: number, deltaV: number): void {
  const { row } = guide
  row[MEMORY.stage] = 0
  row[MEMORY.burns] = 1
  row[MEMORY.plan + BURN.where] = where
  row[MEMORY.plan + BURN.what] = what
  row[MEMORY.plan + BURN.apsis] = apsis
  row[MEMORY.plan + BURN.share] = 1
  scheduleStage(guide, deltaV)
}

function keepPlane({ row, orbit }: Guide): void {
  row.set(orbit.normal, MEMORY.normal)
}

function adjust(guide: Guide): void {
  const { row } = guide
  if (!flyStage(guide)) return
  row[MEMORY.part] = APPROACH
  enterPhase(guide, 'arriving')
  findPresentOrbit(guide)
  wakeOnWay(guide, NEXT_SHARE)
}

function capture(guide: Guide): void {
  const { row, reference } = guide
  if (row[MEMORY.e] > 0) {
    if (!flyStages(guide, keepPlane)) return
    if (!(guide.orbit.apoapsis < guide.spheres[reference])) return replan(guide)
  } else if (!flyOrbit(guide, keepPlane, NEARLY)) return
  const sinks = guide.orbit.periapsis <= guide.state.system.bodies[reference].radius
  if (reference === destinationOf(guide) && !sinks) return complete(guide)
  if (!sinks) row[MEMORY.rounds] = 0
  replan(guide)
}
