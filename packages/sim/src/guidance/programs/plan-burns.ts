import { bodyState } from '../../ephemeris/ephemeris.ts'
import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { type StateVector, createStateVector } from '../../math/state-vector.ts'
import { dot } from '../../math/triple.ts'
import { keplerState } from '../../orbits/kepler.ts'
import { BURN_FRAMES, FRAME_CODE, NODE } from '../../state/burn-node.ts'
import { PHASES, PLANNED } from '../../state/activity.ts'
import { PLAN } from '../../state/plan.ts'
import { BURNS, BURNS_ORDER } from '../../state/plan-memory.ts'
import { NODE_DOUBLES, PLAN_DOUBLES, PLAN_NODE_DOUBLES } from '../../state/plan-size.ts'
import type { ShipColumns } from '../../state/state.ts'
import { fromFrame } from '../burn-frame.ts'
import { type BurnSpan, burnSpan, isFramed, pointsAlike } from '../burn-span.ts'
import { type Guide, aim, complete, enterPhase, fail, isInPhase, point, wakeAt } from '../guide.ts'
import { oblateState } from '../oblate-state.ts'
import { deltaVBetween } from '../rocket.ts'

/** The hull turns so long before a burn, where the burn before leaves as much [s]. */
const LEAD_SECONDS = 200

const WAITING = PHASES.indexOf('waiting')

const span: BurnSpan = { startAt: 0, quanta: 0, fuelAfter: 0 }
const from = createStateVector()
const there = createStateVector()
const body = createStateVector()
const nose = new Float64Array(3)

/**
 * Flies the burns of `burnNodes` one after the other, each at its time: engine on and off at exact
 * lattice indices, with the amount of fuel that its Δv or duration takes. A burn never begins late:
 * when the hull does not yet point along it, the plan fails.
 */
export function timedBurns(guide: Guide): void {
  if (isInPhase(guide, 'planning')) begin(guide)
  else if (isInPhase(guide, 'waiting')) turn(guide)
  else if (isInPhase(guide, 'turning')) ignite(guide)
  else if (guide.burning) wakeAt(guide, guide.n + 1)
  else if (++guide.row[BURNS.node] < guide.row[BURNS_ORDER.count]) schedule(guide)
  else complete(guide)
}

/** Where the burn that is next or under way begins in `burnNodes`. */
function nodeAt({ row, slot }: Guide): number {
  return PLAN_NODE_DOUBLES * slot + NODE_DOUBLES * row[BURNS.node]
}

function begin(guide: Guide): void {
  if (reckon(guide)) schedule(guide)
}

/** Reckons the fuel of all burns, before the first; false where it does not suffice. */
function reckon(guide: Guide): boolean {
  const { row, ship, state } = guide
  let { fuel } = guide
  for (let node = 0; node < row[BURNS_ORDER.count]; node++) {
    row[BURNS.node] = node
    burnSpan(span, ship, fuel, state.ships.burnNodes, nodeAt(guide))
    if (!(span.fuelAfter > 0)) {
      fail(guide, 'out_of_fuel')
      return false
    }
    fuel = span.fuelAfter
  }
  row[BURNS.node] = 0
  row[BURNS.deltaV] = deltaVBetween(ship, guide.mass, ship.dryMass + fuel)
  row[BURNS.endAt] = span.startAt + span.quanta
  return true
}

function schedule(guide: Guide): void {
  const { row, ship, fuel, n, state } = guide
  burnSpan(span, ship, fuel, state.ships.burnNodes, nodeAt(guide))
  row[BURNS.startAt] = span.startAt
  enterPhase(guide, 'waiting')
  const turnAt = span.startAt - LEAD_SECONDS * QUANTA_PER_SECOND
  if (n < turnAt) wakeAt(guide, turnAt)
  else turn(guide)
}

function turn(guide: Guide): void {
  const { row, n, state } = guide
  const { burnNodes } = state.ships
  const at = nodeAt(guide)
  enterPhase(guide, 'turning')
  if (row[BURNS.node] > 0 && pointsAlike(burnNodes, at - NODE_DOUBLES, at)) {
    if (row[BURNS.startAt] <= n) return ignite(guide)
  } else if (row[BURNS.startAt] <= n) return fail(guide, 'late')
  else if (!isFramed(burnNodes, at)) point(guide, burnNodes[at + NODE.aim])
  else if (findNose(guide, at)) aim(guide, nose[0], nose[1], nose[2])
  else return fail(guide, 'unreachable')
  wakeAt(guide, row[BURNS.startAt])
}

function ignite(guide: Guide): void {
  const { row, ship, fuel, n, state } = guide
  const { burnNodes } = state.ships
  const at = nodeAt(guide)
  if (n !== row[BURNS.startAt] || !guide.locked) return fail(guide, 'late')
  burnSpan(span, ship, fuel, burnNodes, at)
  if (!(span.fuelAfter > 0)) return fail(guide, 'out_of_fuel')
  row[PLAN.commands] = 1
  row[PLAN.throttle] = burnNodes[at + NODE.throttle]
  row[PLAN.floor] = span.fuelAfter
  enterPhase(guide, 'burning')
  wakeAt(guide, n + span.quanta)
}

/** Writes `nose`, a burn's Δv on inertial axes; false where its frame has no axes, or it is 0. */
function findNose(guide: Guide, at: number): boolean {
  const { burnNodes } = guide.state.ships
  findPlace(guide, at)
  const frame = BURN_FRAMES[burnNodes[at + NODE.aim] - FRAME_CODE]
  return fromFrame(nose, frame, burnNodes, at + NODE.vector, there) && dot(nose, 0, nose, 0) > 0
}

/** Writes `there`, the ship from the frame's body at the burn's index, as if it did not burn. */
function findPlace({ n, r, v, reference, state }: Guide, at: number): void {
  const { ephemeris, ships, system } = state
  const { bodies } = system
  const seconds = (ships.burnNodes[at + NODE.index] - n) / QUANTA_PER_SECOND
  from.r.set(r)
  from.v.set(v)
  oblateState(there, from, bodies[reference], seconds)
  const center = ships.burnNodes[at + NODE.body]
  if (center < 0 || center === reference) return
  // Bodies go on about each other as they do now, whatever the ephemeris reaches.
  bodyState(body, ephemeris, reference, center, n, 0)
  keplerState(body, body, bodies[reference].gm + bodies[center].gm, seconds)
  add(there, body)
}

function add(to: StateVector, { r, v }: StateVector): void {
  for (let axis = 0; axis < 3; axis++) {
    to.r[axis] += r[axis]
    to.v[axis] += v[axis]
  }
}

/** Which burn a plan waits for; -1 where it does not, or its open step may be cut for the burn. */
export function awaitedBurn({ activity, plan, stepEnd }: ShipColumns, slot: number): number {
  const at = PLAN_DOUBLES * slot
  const isWaiting = activity[slot] === PLANNED && plan[at + PLAN.phase] === WAITING
  return isWaiting && stepEnd[slot] < plan[at + PLAN.wake] ? plan[at + BURNS.node] : -1
}

/**
 * Takes over other burns from the awaited one on, as if they had been ordered from the start;
 * returns when the plan wakes, NaN where it would have failed.
 *
 * @param fuelAtBegin  of the plan [kg]
 * @param fuel         with which the awaited burn was scheduled [kg]
 */
export function replan(guide: Guide, fuelAtBegin: number, fuel: number): number {
  const { row, ship } = guide
  const burn = row[BURNS.node]
  guide.fuel = fuelAtBegin
  guide.mass = ship.dryMass + fuelAtBegin
  if (!reckon(guide)) return NaN
  row[BURNS.node] = burn
  guide.fuel = fuel
  schedule(guide)
  return isInPhase(guide, 'waiting') ? row[PLAN.wake] : guide.n
}
