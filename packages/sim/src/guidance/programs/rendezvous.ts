import { MEET } from '../../state/plan-memory.ts'
import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { createStateVector } from '../../math/state-vector.ts'
import { dot } from '../../math/triple.ts'
import { conicOf, secondsBetween } from '../../orbits/conic.ts'
import { ACTIVITIES } from '../../state/activity.ts'
import { aimAlong, approach, isAligned } from '../approach.ts'
import { relativeSpeed, stoppingDistance, targetDistance } from '../approach.ts'
import { type Guide, type Program, aim, burn, complete, cutEngine } from '../guide.ts'
import { enterPhase, fail, failFor, isInPhase, wakeAt, wakeIn } from '../guide.ts'
import { IN_LINE, findArc, findDeparture, firstGain, isFarOut } from '../meeting-arc.ts'
import { arrivalDeltaV, boundsAt, searchMeeting, targetAt } from '../meeting-search.ts'
import { COMPLETED, PLAN } from '../../state/plan.ts'
import { PLAN_DOUBLES } from '../../state/plan-size.ts'
import { COURSE, MEMORY } from '../../state/plan-memory.ts'
import { beginHighTurn, findHighTurn, flyHighTurn, highTurn } from './high-turn.ts'
import { MEETING_PLACE, destinationOf } from './legs.ts'
import { sinks, targetLeaves, targetLeavesBefore, targetSinks } from './lasting-orbit.ts'
import { isStill, isSwaying } from '../burns/present-orbit.ts'
import { burnSeconds } from '../burns/steered-burn.ts'
import { hasDeparted, isAffordable, isSoonest } from '../departure-choice.ts'
import { beginRaise, flyRaise, isFalling, strikesWithin } from './raise.ts'
import { CAPTURE, SEARCH, transfer } from './transfer.ts'

const HOLD_STATION = ACTIVITIES.indexOf('hold_station')

/** A target so near, at so little speed, is approached directly [m], [m/s]. */
const NEAR = 20_000
const SLOW = 30

/** Where a rendezvous ends [m], [m/s], and for how long it is held [quanta]. */
const ARRIVED = 100
const STILL = 0.1
const HELD = 640

/** How the way is flown: on an arc to the target, to the body it moves about, turned, or raised. */
const MEETING = 0
export const LEG = 1
export const TURN_OUT = 2
export const RAISE = 3

/** Δv of corrections and of the approach [m/s]. */
const APPROACH = 25

/** Share of the Δv of an arc that a turn far out, which takes days, has to save. */
const WORTH = 0.1

/** What the rest of the way after a turn's first burn may cost, with phasing: a multiple. */
const UNPHASED = 1.25

/** New searches after an arc that missed, before and after the first burn. */
const TRIES_MAX = 5
const TRIES_UNDER_WAY = 25

/** The same for an arc that the fuel suffices for; three of them from other places of the orbit. */
const TRIES_DEAR = TRIES_MAX + 3

/** Time in which the hull turns to any direction [s]. */
const TURN = 110

/** Δv of a correction that need not be looked at again soon, and the least one [m/s]. */
const SETTLED = 2
const LEAST = 0.03

/** A correction of less than this displacement of the meeting can wait [m]. */
const MISS = 100

/** Share of the time left after which an arc under way is looked at again. */
const AGAIN = 0.4

/** Δv that one without a solution counts as [m/s]. */
const DEAREST = 1e6

/** Share of a revolution after which an arc is looked at that others pull strongly. */
const PULLED = 0.1

/** Time to the ground in which a fall is given up [s]. */
const URGENT = 1000

/** Radii of the body below which a periapsis is looked at before it is passed. */
const LOW = 4

const to = createStateVector()
const gain = new Float64Array(3)

/** Brings a ship to rest beside its target, on the cheapest arc that a search finds. */
export const rendezvous: Program = (guide) => {
  const { row } = guide
  if (!guide.targetKnown) return wakeIn(guide, 1)
  row[PLAN.distance] = targetDistance(guide)
  if (guide.fuel <= 0) return fail(guide, 'out_of_fuel')
  if (row[COURSE.stage] === LEG) return flyLeg(guide)
  if (row[COURSE.stage] === TURN_OUT) {
    if (flyHighTurn(guide)) beginStage(guide, MEETING)
    return
  }
  if (row[COURSE.stage] === RAISE) {
    if (flyRaise(guide)) beginStage(guide, MEETING)
    return
  }
  if (isInPhase(guide, 'approaching') || isInPhase(guide, 'holding')) return meet(guide)
  if (row[PLAN.distance] < NEAR && relativeSpeed(guide) < SLOW) return meet(guide)
  if (isInPhase(guide, 'planning')) return plan(guide)
  if (guide.reference !== row[MEET.reference]) return replan(guide)
  if (isInPhase(guide, 'waiting')) return turn(guide)
  if (isInPhase(guide, 'turning')) return depart(guide)
  if (isInPhase(guide, 'correcting')) return correct(guide)
  return coast(guide)
}

function plan(guide: Guide): void {
  const { row } = guide
  const isAway = guide.targetReference !== guide.reference
  const isPassing = targetLeaves(guide)
  const isLost = isAway && isPassing && !isPassedByMoon(guide)
  if (targetSinks(guide) || isLost) return fail(guide, 'unreachable')
  // A moon on the way may have the ship, too, and pull it down.
  if (hasDeparted(guide) && sinks(guide, guide, guide.reference)) return beginRaise(guide, RAISE)
  if (isAway) return beginStage(guide, LEG)
  if (guide.n < row[COURSE.from]) {
    const look = lookBefore(guide, Infinity) * QUANTA_PER_SECOND
    return wakeAt(guide, Math.min(row[COURSE.from], guide.n + look))
  }
  if (sinks(guide, guide, guide.reference)) return fail(guide, 'unreachable')
  if (!searchMeeting(guide)) return
  const direct = row[MEET.deltaV] < 0 ? Infinity : row[MEET.deltaV] + APPROACH + brakeLoss(guide)
  findHighTurn(guide)
  const turned = highTurn.deltaV + APPROACH
  const isWorth =
    turned < (1 - WORTH) * direct && !(isSoonest(guide) && isAffordable(guide, direct))
  const most = highTurn.first + UNPHASED * (turned - highTurn.first)
  if (isWorth && !isPassing && isAffordable(guide, most)) return beginHighTurn(guide, TURN_OUT)
  if (!(direct < Infinity)) {
    return hasDeparted(guide) ? searchElsewhere(guide) : fail(guide, 'unreachable')
  }
  if (isPassing && targetLeavesBefore(guide, row[MEET.arrive])) return fail(guide, 'unreachable')
  const seconds = (row[MEET.arrive] - guide.n) / QUANTA_PER_SECOND
  if (!isAffordable(guide, direct)) {
    // The cheapest arc may end where its plane is not known well, and then be dear.
    if (hasDeparted(guide) && row[MEET.tries] < TRIES_DEAR) return searchElsewhere(guide)
    const [deltaV, time] = turned < direct ? [turned, highTurn.seconds] : [direct, seconds]
    return failFor(guide, 'out_of_fuel', deltaV, time)
  }
  enterPhase(guide, 'waiting')
  turn(guide)
}

/** Share of the square of the angle flown meanwhile that braking beside a target costs more. */
const BRAKE_LOSS = 0.25

/** What braking beside the target costs more than impulses, where it falls past meanwhile [m/s]. */
function brakeLoss(guide: Guide): number {
  const { row, reference, state, target } = guide
  const second = arrivalDeltaV(guide)
  const square = dot(target.r, 0, target.r, 0)
  const pace2 = state.system.bodies[reference].gm / (square * Math.sqrt(square))
  const deltaV = row[MEET.deltaV]
  const seconds = burnSeconds(guide, deltaV) - burnSeconds(guide, deltaV - second)
  return BRAKE_LOSS * pace2 * seconds * seconds * second
}

/** Whether a moon of the target's body has the ship on its way. */
function isPassedByMoon(guide: Guide): boolean {
  const { reference, state, targetReference } = guide
  return hasDeparted(guide) && state.system.bodies[reference].parent === targetReference
}

/** Begins a part of the way. */
function beginStage(guide: Guide, stage: number): void {
  const { row } = guide
  row.fill(0, PLAN.memory, PLAN_DOUBLES)
  row[COURSE.stage] = stage
  cutEngine(guide)
  enterPhase(guide, 'planning')
  wakeIn(guide, 1)
}

/** Flies to the body that the target moves about, or towards the target about that body. */
function flyLeg(guide: Guide): void {
  const { row, reference } = guide
  const isThere = reference === destinationOf(guide)
  if (row[MEMORY.part] === SEARCH && isThere) return beginStage(guide, MEETING)
  // Others have pulled the orbit between two burns of the arrival into the ground.
  const isBetween = row[MEMORY.part] === CAPTURE && isInPhase(guide, 'waiting')
  if (isThere && isBetween && isFalling(guide)) return beginRaise(guide, RAISE)
  transfer(guide)
  if (row[PLAN.outcome] !== COMPLETED) return
  row[PLAN.outcome] = 0
  if (row[MEMORY.goal] === MEETING_PLACE) joinArc(guide)
  else beginStage(guide, MEETING)
}

/** Share of the Δv of a leg that the rest of it may cost, and what it may besides [m/s]. */
const REST_SHARE = 0.5
const REST_BESIDES = 300

/** Goes on along an arc to the target that an escape has led to. */
function joinArc(guide: Guide): void {
  const { row, orbit, reference, state } = guide
  const [arrive, deltaV] = [row[MEMORY.arriveAt], row[MEMORY.deltaV]]
  beginStage(guide, MEETING)
  conicOf(orbit, guide, state.system.bodies[reference].gm)
  row[MEET.reference] = reference
  row[MEET.arrive] = arrive
  row[MEET.deltaV] = REST_SHARE * deltaV + REST_BESIDES
  row[MEET.period] = Math.min(orbit.period, PERIOD_MAX)
  enterPhase(guide, 'coasting')
}

/** Longest period that revolutions are counted by [s]. */
const PERIOD_MAX = 1e12

/** Share of a revolution after which a search begins again that found no way. */
const ELSEWHERE = 0.3

/** Searches again, after some searches from another place of the orbit. */
function searchElsewhere(guide: Guide): void {
  const { orbit, row, n, reference, state } = guide
  conicOf(orbit, guide, state.system.bodies[reference].gm)
  const seconds = ELSEWHERE * Math.min(orbit.period, PERIOD_MAX)
  const isSoon = row[MEET.tries] < TRIES_MAX
  row[COURSE.from] = isSoon ? n : n + Math.floor(seconds * QUANTA_PER_SECOND)
  replan(guide)
}

/** Begins a search again, unless there were too many. */
function replan(guide: Guide): void {
  const { row } = guide
  row[MEET.tries]++
  const most = hasDeparted(guide) ? TRIES_UNDER_WAY : TRIES_MAX
  if (row[MEET.tries] > most) return fail(guide, 'unreachable')
  row[MEET.cell] = 0
  row[MEET.dear] = 0
  enterPhase(guide, 'planning')
  cutEngine(guide)
  wakeIn(guide, 1)
}

/** Waits for the departure, then turns to its direction. */
function turn(guide: Guide): void {
  const { row, n } = guide
  const departure = row[MEET.depart]
  if (!findDeparture(guide, departure)) {
    return hasDeparted(guide) ? searchElsewhere(guide) : replan(guide)
  }
  const begin = departure - 0.5 * burnSeconds(guide, guide.arc.first) * QUANTA_PER_SECOND
  const early = begin - TURN * QUANTA_PER_SECOND
  if (n < early) {
    const rest = (early - n) / QUANTA_PER_SECOND
    const look = lookBefore(guide, Infinity)
    // Others may pull the orbit into the ground meanwhile, where a departure is to be low, too.
    const soon = Math.min(rest + TURN, 2 * look)
    if (look < Infinity && isFalling(guide) && strikesWithin(guide, soon)) return replan(guide)
    return wakeAt(guide, Math.min(early, n + look * QUANTA_PER_SECOND))
  }
  enterPhase(guide, 'turning')
  firstGain(gain, guide)
  aim(guide, gain[0], gain[1], gain[2])
  row[MEET.lack] = guide.arc.first
  wakeAt(guide, begin)
}

/** Burns what the arc needs at its begin, half before it and half after, in one direction. */
function depart(guide: Guide): void {
  const { row } = guide
  for (let i = 0; i < 3; i++) gain[i] = row[PLAN.nose + i]
  if (!isAligned(guide, gain)) return wakeIn(guide, 2)
  burn(guide, row[MEET.lack], 1)
  enterPhase(guide, 'burning')
  wakeIn(guide, burnSeconds(guide, row[MEET.lack]) + 1)
}

/** Looks at the arc from here: corrects it, or waits, or begins the approach. */
function coast(guide: Guide): void {
  const { row, n } = guide
  const rest = (row[MEET.arrive] - n) / QUANTA_PER_SECOND
  enterPhase(guide, 'coasting')
  cutEngine(guide)
  if (rest < 10) return row[PLAN.distance] < 5 * NEAR ? meet(guide) : replan(guide)
  if (isInLine(guide)) {
    // Others may have pulled a fall so that it ends below its target.
    if (isFalling(guide) && strikesWithin(guide, Math.min(rest, URGENT)))
      return beginRaise(guide, RAISE)
    return wakeIn(guide, Math.max(5, 0.05 * rest))
  }
  const soon = lookBefore(guide, rest)
  const isPulled = isSwaying(guide)
  if (!findArc(guide, true)) {
    if (isFalling(guide)) return beginRaise(guide, RAISE)
    if (isPulled && getsDearer(guide)) return replan(guide)
    return wakeIn(guide, Math.max(5, Math.min(0.1 * rest, soon)))
  }
  row[MEET.dear] = 0
  const speed = Math.max(0.1, guide.arc.second)
  const stopping = stoppingDistance(guide, speed) / speed
  if (rest < stopping) return meet(guide)
  if (guide.arc.first > Math.max(LEAST, MISS / rest) && row[MEET.settled] === 0) {
    enterPhase(guide, 'correcting')
    return correct(guide)
  }
  row[MEET.settled] = 0
  const look = Math.min(AGAIN * rest, rest - stopping, soon)
  wakeIn(guide, Math.max(2, isPulled ? Math.min(look, PULLED * guide.orbit.period) : look))
}

/** Whether an arc that has become too dear is dearer than at the look before; notes its Δv. */
function getsDearer({ row, arc }: Guide): boolean {
  const before = row[MEET.dear]
  row[MEET.dear] = Math.min(arc.first + arc.second, DEAREST)
  return before > 0 && row[MEET.dear] >= before
}

/** Time until a look before a low periapsis on the way that others pull up and down [s]. */
function lookBefore(guide: Guide, rest: number): number {
  const { orbit, r, reference, state } = guide
  const { gm, radius } = state.system.bodies[reference]
  conicOf(orbit, guide, gm)
  if (!(orbit.periapsis < LOW * radius) || isStill(guide, orbit)) return Infinity
  const seconds = secondsBetween(orbit, r, orbit.ahead)
  return seconds < rest ? Math.max(60, 0.5 * seconds) : Infinity
}

/** Whether ship and meeting are in line with the centre: the plane of an arc is not known then. */
function isInLine(guide: Guide): boolean {
  const { row, n, r } = guide
  const { gm } = boundsAt(guide)
  const seconds = (row[MEET.arrive] - n) / QUANTA_PER_SECOND
  targetAt(to, guide, gm, row[MEET.arrive])
  if (isFarOut(r, to.r)) return false
  const along = dot(r, 0, to.r, 0)
  const square = dot(r, 0, r, 0) * dot(to.r, 0, to.r, 0)
  const radius = Math.sqrt(Math.sqrt(square))
  const motion = Math.sqrt(gm / radius) / radius
  return along * along > IN_LINE * square && seconds * motion > 0.5
}

/** Burns along what the arc from here lacks, seen again and again. */
function correct(guide: Guide): void {
  const { row, mass, ship } = guide
  cutEngine(guide)
  if (isInLine(guide) || !findArc(guide, false)) {
    enterPhase(guide, 'coasting')
    return wakeIn(guide, 10)
  }
  const a = ship.thrustMax / mass
  const lack = guide.arc.first
  firstGain(gain, guide)
  aimAlong(guide, gain)
  if (!isAligned(guide, gain)) return wakeIn(guide, 2)
  if (lack > 4 * a) {
    burn(guide, lack, 1)
    return wakeIn(guide, Math.min(4, lack / a - 2))
  }
  burn(guide, lack, Math.min(1, lack / (2 * a)))
  enterPhase(guide, 'coasting')
  row[MEET.settled] = lack < SETTLED ? 1 : 0
  wakeIn(guide, 60)
}

/** Approaches and stays; a rendezvous ends when the ship has been at rest beside its target. */
function meet(guide: Guide): void {
  const { row, n, state, slot } = guide
  const isStill = row[PLAN.distance] < ARRIVED && relativeSpeed(guide) < STILL
  approach(guide)
  enterPhase(guide, isStill ? 'holding' : 'approaching')
  if (!isStill) row[MEET.held] = 0
  else if (row[MEET.held] === 0) row[MEET.held] = n
  else if (n - row[MEET.held] >= HELD && state.ships.activity[slot] !== HOLD_STATION) {
    complete(guide)
  }
}
