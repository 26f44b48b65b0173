import { BEAT_QUANTA, QUANTA_PER_SECOND } from '../lattice.ts'
import { TAU } from '../math/circle.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { dot } from '../math/triple.ts'
import { conicOf, secondsBetween } from '../orbits/conic.ts'
import { keplerState } from '../orbits/kepler.ts'
import { type Guide, wakeAt } from './guide.ts'
import { burnSeconds } from './burns/steered-burn.ts'
import { TOO_DEAR, hasDeparted, isAffordable, isSoonest } from './departure-choice.ts'
import { type Bounds, type Meeting, arcPeriod, cheapestArc, createMeeting } from './meeting.ts'
import { oblateShift } from './oblate-state.ts'
import { isCircle, railRowState } from '../rails/rail-table.ts'
import { TARGETS } from '../state/activity.ts'
import { MEET } from '../state/plan-memory.ts'
import { PLAN } from '../state/plan.ts'

/** Departures in a revolution, and flights for each. */
interface Grid {
  readonly departures: number
  readonly flights: number
}

/** A fall from afar, in periods of the target, has to come when that passes. */
const NEAR_GRID: Grid = { departures: 24, flights: 160 }
const FAR_GRID: Grid = { departures: 4, flights: 960 }
const FAR_PERIODS = 8

/** How many of them a wake looks at. */
const AT_ONCE = 64

/** Revolutions that the ship waits at most: a share of the target's. */
const WAITING = 0.5
const WAITS_MAX = 4

/** Refinements: each looks at the neighbours of the best, and halves its steps without a better. */
const ROUNDS = 40
const ROUNDS_AT_ONCE = 4
const ROUNDS_NOTED = 20

/** First departure after the search's begin [s]: planning and a turn of the hull. */
const LEAD = 300

/** Revolutions of the faster of both orbits that a flight takes at most, and of one between. */
const FASTER = 10
const BETWEEN = 1.3

/** Longest fall from the apoapsis of a long ellipse, in revolutions of it. */
const FALL = 0.65

/** What a revolution costs, as a share of Δv and at least [m/s], and what an hour does [m/s]. */
const PATIENCE = 0.01
const PATIENCE_LEAST = 2
const HOUR = 0.25

/** Share of the radius of a body that an arc stays above, of its sphere of influence below. */
const LOWEST = 1.01
export const HIGHEST = 0.9

/** The most that it stays higher, as a share of the radius, where the parent pulls it down. */
const TIDE_MAX = 0.03

/** How many times its distance a ship beyond the sphere of influence gets away to at least. */
const EDGE = 1.1

/** What a way costs with its corrections and its approach: a multiple, and besides [m/s]. */
const BESIDES_SHARE = 1.05
const BESIDES = 30

const place = new Float64Array(3)
const meeting = createMeeting()
const from = createStateVector()
const to = createStateVector()
const departed = createStateVector()
const shift = createStateVector()
const bounds: Bounds = { gm: 0, lowest: 0, highest: 0, later: 1, most: Infinity }

/** Bounds of arcs about the reference body of a ship. */
export function boundsAt({ state, reference, spheres }: Guide): Bounds {
  const { gm, radius } = state.system.bodies[reference]
  bounds.gm = gm
  const size = radius / spheres[reference]
  bounds.lowest = (LOWEST + Math.min(TIDE_MAX, size * size * size)) * radius
  bounds.highest = HIGHEST * spheres[reference]
  bounds.later = 1
  bounds.most = Infinity
  return bounds
}

// Periods: of the ship, the target and an orbit between; time until the ship leaves the body [s].
const periods = { ship: 0, target: 0, between: 0, stay: Infinity }
let grid: Grid = NEAR_GRID

/**
 * Looks at some more ways to the target, and wakes the ship for the next ones; true when the search
 * is over. The best is in `MEET` then, if there is one.
 */
export function searchMeeting(guide: Guide): boolean {
  const { row, n, slot } = guide
  boundsAt(guide)
  findPeriods(guide)
  findStay(guide)
  const cells = grid.departures * grid.flights * waits()
  if (row[MEET.cell] === 0) begin(guide)
  if (row[MEET.cell] < cells) {
    for (let i = 0; i < AT_ONCE; i++) lookAtCell(guide)
  } else if (row[MEET.deltaV] < 0 || row[MEET.round] >= ROUNDS) {
    return true
  } else {
    if (row[MEET.round] % ROUNDS_NOTED === 0) noteBest(guide)
    for (let i = 0; i < ROUNDS_AT_ONCE; i++) refine(guide)
  }
  // Searches that begin together are spread over a second.
  wakeAt(guide, (Math.floor(n / BEAT_QUANTA) + 1) * BEAT_QUANTA + (slot % BEAT_QUANTA))
  return false
}

function begin({ row, n, reference }: Guide): void {
  row[MEET.epoch] = n
  row[MEET.reference] = reference
  row[MEET.deltaV] = -1
  row.fill(0, MEET.offset, MEET.shift + 6)
  row[MEET.round] = 0
  row[MEET.departStep] = (0.5 * periods.ship * QUANTA_PER_SECOND) / grid.departures
  row[MEET.arriveStep] = (0.5 * longestFlight() * QUANTA_PER_SECOND) / grid.flights
}

const RAIL = TARGETS.indexOf('rail')

/** Whether the ship falls to a station from so far that oblateness does not move both alike. */
function fallsToStation(guide: Guide): boolean {
  const { row, state } = guide
  if (row[PLAN.targetKind] !== RAIL || !isCircle(state.rails, row[PLAN.target])) return false
  findPeriods(guide)
  return grid === FAR_GRID
}

/** out = state of the target at an index: as on its orbit now, or exact for a fall from afar. */
export function targetAt(out: StateVector, guide: Guide, gm: number, index: number): void {
  const { row, n, state, target } = guide
  if (fallsToStation(guide)) railRowState(out, state, row[PLAN.target], index)
  else keplerState(out, target, gm, (index - n) / QUANTA_PER_SECOND)
}

/** Notes what oblateness does on the best way so far, and what that then costs. */
function noteBest(guide: Guide): void {
  const { row, n, reference, state } = guide
  const depart = row[MEET.depart]
  const body = state.system.bodies[reference]
  // Without a way there is no arc, but what another ship's search has left.
  if (!look(guide, depart, row[MEET.arrive], Infinity)) return
  noteDrift(guide, meeting, from, depart)
  oblateShift(shift, guide, body, (depart - n) / QUANTA_PER_SECOND)
  for (let i = 0; i < 3; i++) {
    row[MEET.shift + i] = shift.r[i]
    row[MEET.shift + 3 + i] = shift.v[i]
  }
  row[MEET.cost] = 1e12
  keep(guide, depart, row[MEET.arrive])
}

/** Notes by how much oblateness brings ship and target apart on an arc that departs at an index. */
export function noteDrift(guide: Guide, { arc }: Meeting, { r }: StateVector, index: number): void {
  const { row, n, reference, state, target } = guide
  const body = state.system.bodies[reference]
  const arrive = row[MEET.arrive]
  departed.r.set(r)
  departed.v.set(arc.v1)
  oblateShift(shift, departed, body, (arrive - index) / QUANTA_PER_SECOND)
  for (let axis = 0; axis < 3; axis++) row[MEET.offset + axis] = -shift.r[axis]
  if (fallsToStation(guide)) return
  oblateShift(shift, target, body, (arrive - n) / QUANTA_PER_SECOND)
  for (let axis = 0; axis < 3; axis++) row[MEET.offset + axis] += shift.r[axis]
}

function findPeriods({ r, v, target }: Guide): void {
  const shipAxis = meanAxis(r, v)
  const targetAxis = meanAxis(target.r, target.v)
  periods.ship = period(shipAxis)
  periods.target = period(targetAxis)
  periods.between = period(0.5 * (shipAxis + targetAxis))
  grid = periods.ship > FAR_PERIODS * periods.target ? FAR_GRID : NEAR_GRID
}

/** Writes the time that the ship stays with the body on an orbit that leaves it. */
function findStay({ onOrbit, orbit, r, reference, spheres, v }: Guide): void {
  onOrbit.r.set(r)
  onOrbit.v.set(v)
  conicOf(orbit, onOrbit, bounds.gm)
  const distance = Math.sqrt(dot(r, 0, r, 0))
  const edge = Math.max(spheres[reference], EDGE * distance)
  periods.stay = Infinity
  if (orbit.apoapsis < edge) return
  const cosine = (orbit.p / edge - 1) / orbit.e
  const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine))
  for (let i = 0; i < 3; i++) place[i] = cosine * orbit.ahead[i] + sine * orbit.side[i]
  periods.stay = secondsBetween(orbit, r, place)
}

/** Half the larger axis of an orbit; the distance of one that leaves. */
function meanAxis(r: Float64Array, v: Float64Array): number {
  const distance = Math.sqrt(dot(r, 0, r, 0))
  const inverse = 2 / distance - dot(v, 0, v, 0) / bounds.gm
  return inverse * bounds.highest > 1 ? 1 / inverse : distance
}

function period(a: number): number {
  return TAU * Math.sqrt((a * a * a) / bounds.gm)
}

/** Revolutions over which departures are looked at. */
function waits(): number {
  return Math.min(WAITS_MAX, Math.max(1, Math.floor((WAITING * periods.target) / periods.ship)))
}

function longestFlight(): number {
  const revolutions = FASTER * Math.min(periods.ship, periods.target)
  return Math.max(BETWEEN * periods.between, revolutions, FALL * periods.ship)
}

function lookAtCell(guide: Guide): void {
  const { row } = guide
  const cell = row[MEET.cell]++
  const departure = Math.floor(cell / grid.flights)
  const share = departure / grid.departures
  // Flights of neighbouring departures differ by less than a place of the grid.
  const place = cell - departure * grid.flights + 1 - (share % 1)
  const flight = (place / grid.flights) * longestFlight()
  const depart = row[MEET.epoch] + QUANTA_PER_SECOND * (LEAD + share * periods.ship)
  keep(guide, Math.floor(depart), Math.floor(depart + QUANTA_PER_SECOND * flight))
}

/** Keeps the way between two lattice indices when it is the best so far; returns whether. */
function keep(guide: Guide, depart: number, arrive: number): boolean {
  const { row } = guide
  if (arrive > row[PLAN.deadline]) return false
  const seconds = (arrive - row[MEET.epoch]) / QUANTA_PER_SECOND
  const isSoon = isSoonest(guide) && !hasDeparted(guide)
  const patience = isSoon ? seconds : seconds * (PATIENCE_LEAST / periods.between + HOUR / 3600)
  // Half a millimetre per second is more than the sums are off by.
  const most = row[MEET.deltaV] < 0 ? Infinity : row[MEET.cost] - patience + 5e-4
  if (!look(guide, depart, arrive, most)) return false
  const deltaV = meeting.first + meeting.second
  if (isSoon && depart < earliest(guide, meeting.first)) return false
  const revolution = Math.max(PATIENCE_LEAST, PATIENCE * deltaV)
  const cost = isSoon
    ? soonCost(guide, seconds, deltaV)
    : deltaV + seconds * (revolution / periods.between + HOUR / 3600)
  if (row[MEET.deltaV] >= 0 && cost >= row[MEET.cost]) return false
  row[MEET.deltaV] = deltaV
  row[MEET.cost] = cost
  row[MEET.depart] = depart
  row[MEET.arrive] = arrive
  row[MEET.period] = arcPeriod(meeting, from, bounds.gm)
  return true
}

/** Lattice index before which a ship cannot have turned and be halfway through its first burn. */
function earliest(guide: Guide, first: number): number {
  return guide.row[MEET.epoch] + (LEAD + 0.5 * burnSeconds(guide, first)) * QUANTA_PER_SECOND
}

/** What an arrival counts that is to be soon. */
function soonCost(guide: Guide, seconds: number, deltaV: number): number {
  const most = BESIDES_SHARE * deltaV + BESIDES
  return seconds + deltaV + (isAffordable(guide, most) ? 0 : TOO_DEAR)
}

/** Looks at the way between two lattice indices; false when none has less Δv than `most` [m/s]. */
function look(guide: Guide, depart: number, arrive: number, most: number): boolean {
  const { row, n } = guide
  const seconds = (arrive - depart) / QUANTA_PER_SECOND
  if (seconds <= 0 || depart < row[MEET.epoch] + LEAD * QUANTA_PER_SECOND) return false
  if (depart > n + periods.stay * QUANTA_PER_SECOND) return false
  keplerState(from, guide, bounds.gm, (depart - n) / QUANTA_PER_SECOND)
  targetAt(to, guide, bounds.gm, arrive)
  for (let i = 0; i < 3; i++) {
    from.r[i] += row[MEET.shift + i]
    from.v[i] += row[MEET.shift + 3 + i]
    to.r[i] += row[MEET.offset + i]
  }
  bounds.most = most
  return cheapestArc(meeting, from, to, seconds, bounds, Math.floor(seconds / periods.between))
}

/** Δv at the end of the way that was found last [m/s]. */
export function arrivalDeltaV(guide: Guide): number {
  const { row } = guide
  const isSeen = look(guide, row[MEET.depart], row[MEET.arrive], Infinity)
  return isSeen ? meeting.second : row[MEET.deltaV]
}

function refine(guide: Guide): void {
  const { row } = guide
  row[MEET.round]++
  const dx = Math.floor(row[MEET.departStep])
  const dy = Math.floor(row[MEET.arriveStep])
  const x = row[MEET.depart]
  const y = row[MEET.arrive]
  let better = keep(guide, x + dx, y)
  better = keep(guide, x - dx, y) || better
  better = keep(guide, x, y + dy) || better
  better = keep(guide, x, y - dy) || better
  better = keep(guide, x + dx, y + dx) || better
  better = keep(guide, x - dx, y - dx) || better
  if (better) return
  row[MEET.departStep] *= 0.5
  row[MEET.arriveStep] *= 0.5
}
