import { BEAT_QUANTA, QUANTA_PER_SECOND } from '../lattice.ts'
import { TAU } from '../math/circle.ts'
import { createStateVector } from '../math/state-vector.ts'
import { dot } from '../math/triple.ts'
import { keplerState } from '../orbits/kepler.ts'
import { type Guide, wakeAt } from './guide.ts'
import { type Bounds, arcPeriod, cheapestArc, createMeeting } from './meeting.ts'
import { PLAN } from './plan.ts'

const NAMES = {
  /** what is looked at next: places of the grid, then rounds of refinement */
  cell: 0,
  /** lattice index at which the search began, and the reference body then */
  epoch: 1,
  reference: 2,
  /** Δv of the best so far and what it costs with its time [m/s]; negative without */
  deltaV: 3,
  cost: 4,
  /** lattice indices of its two ends */
  depart: 5,
  arrive: 6,
  /** period of its arc [s] */
  period: 7,
  /** steps of the refinement [quanta] */
  departStep: 8,
  arriveStep: 9,
  /** Δv of the first burn [m/s] */
  lack: 10,
  /** searches again so far */
  tries: 11,
  /** lattice index since which the ship is at rest beside its target; 0 when it is not */
  held: 12,
  /** 1 after a correction that leaves nothing to correct soon */
  settled: 13,
  /** by how much oblateness brings ship and target apart on the way [m], three values */
  offset: 14,
} as const

type Places = Record<keyof typeof NAMES, number>

/** Places in a plan's row that programs which meet a target use, all in `PLAN.memory`. */
export const MEET: Readonly<Places> = placed()

function placed(): Places {
  const places: Record<string, number> = { ...NAMES }
  for (const name of Object.keys(places)) places[name] += PLAN.memory
  return places as Places
}

/** Departures over one revolution, flights for each, and how many of both a wake looks at. */
const DEPARTURES = 24
const FLIGHTS = 160
const CELLS = DEPARTURES * FLIGHTS
const AT_ONCE = 32

/** Refinements: each looks at the neighbours of the best, and halves its steps without a better. */
const ROUNDS = 40

/** First departure after the search's begin [s]: planning and a turn of the hull. */
const LEAD = 300

/** Revolutions of the faster of both orbits that a flight takes at most, and of one between. */
const FASTER = 10
const BETWEEN = 1.3

/** What a revolution costs, as a share of Δv and at least [m/s]. */
const PATIENCE = 0.01
const PATIENCE_LEAST = 2

/** Share of the radius of a body that an arc stays above, of its sphere of influence below. */
const LOWEST = 1.01
const HIGHEST = 0.9

const meeting = createMeeting()
const from = createStateVector()
const to = createStateVector()
const bounds: Bounds = { gm: 0, lowest: 0, highest: 0 }

/** Bounds of arcs about the reference body of a ship. */
export function boundsAt({ state, reference, spheres }: Guide): Bounds {
  const { gm, radius } = state.system.bodies[reference]
  bounds.gm = gm
  bounds.lowest = LOWEST * radius
  bounds.highest = HIGHEST * spheres[reference]
  return bounds
}

// Periods: of the ship, the target and an orbit between [s].
const periods = { ship: 0, target: 0, between: 0 }

/**
 * Looks at some more ways to the target, and wakes the ship for the next ones; true when the search
 * is over. The best is in `MEET` then, if there is one.
 */
export function searchMeeting(guide: Guide): boolean {
  const { row, n, slot } = guide
  boundsAt(guide)
  findPeriods(guide)
  if (row[MEET.cell] === 0) {
    row[MEET.epoch] = n
    row[MEET.reference] = guide.reference
    row[MEET.deltaV] = -1
    row.fill(0, MEET.offset, MEET.offset + 3)
    row[MEET.departStep] = (0.5 * periods.ship * QUANTA_PER_SECOND) / DEPARTURES
    row[MEET.arriveStep] = (0.5 * longestFlight() * QUANTA_PER_SECOND) / FLIGHTS
  }
  for (let i = 0; i < AT_ONCE && row[MEET.cell] < CELLS; i++) lookAtCell(guide)
  if (row[MEET.cell] >= CELLS) {
    if (row[MEET.deltaV] < 0) return true
    for (let i = 0; i < 4; i++) refine(guide)
    if (row[MEET.cell] >= CELLS + ROUNDS) return true
  }
  // Searches that begin together are spread over a second.
  wakeAt(guide, (Math.floor(n / BEAT_QUANTA) + 1) * BEAT_QUANTA + (slot % BEAT_QUANTA))
  return false
}

function findPeriods({ r, v, target }: Guide): void {
  const shipAxis = meanAxis(r, v)
  const targetAxis = meanAxis(target.r, target.v)
  periods.ship = period(shipAxis)
  periods.target = period(targetAxis)
  periods.between = period(0.5 * (shipAxis + targetAxis))
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

function longestFlight(): number {
  return Math.max(BETWEEN * periods.between, FASTER * Math.min(periods.ship, periods.target))
}

function lookAtCell(guide: Guide): void {
  const { row } = guide
  const cell = row[MEET.cell]++
  const departure = Math.floor(cell / FLIGHTS)
  const share = departure / DEPARTURES
  const flight = ((cell - departure * FLIGHTS + 1 - share) / FLIGHTS) * longestFlight()
  const depart = row[MEET.epoch] + QUANTA_PER_SECOND * (LEAD + share * periods.ship)
  lookAt(guide, Math.floor(depart), Math.floor(depart + QUANTA_PER_SECOND * flight))
}

/** Looks at a way of two lattice indices, and keeps it when it is the best; returns whether. */
function lookAt(guide: Guide, depart: number, arrive: number): boolean {
  const { row, n, target } = guide
  const { gm } = bounds
  const seconds = (arrive - depart) / QUANTA_PER_SECOND
  if (seconds <= 0 || depart < row[MEET.epoch] + LEAD * QUANTA_PER_SECOND) return false
  keplerState(from, guide, gm, (depart - n) / QUANTA_PER_SECOND)
  keplerState(to, target, gm, (arrive - n) / QUANTA_PER_SECOND)
  const around = Math.floor(seconds / periods.between)
  if (!cheapestArc(meeting, from, to, seconds, bounds, around)) return false
  const deltaV = meeting.first + meeting.second
  const wait = (arrive - row[MEET.epoch]) / (QUANTA_PER_SECOND * periods.between)
  const cost = deltaV + wait * Math.max(PATIENCE_LEAST, PATIENCE * deltaV)
  if (row[MEET.deltaV] >= 0 && cost >= row[MEET.cost]) return false
  row[MEET.deltaV] = deltaV
  row[MEET.cost] = cost
  row[MEET.depart] = depart
  row[MEET.arrive] = arrive
  row[MEET.period] = arcPeriod(meeting, from, gm)
  return true
}

function refine(guide: Guide): void {
  const { row } = guide
  row[MEET.cell]++
  const dx = Math.floor(row[MEET.departStep])
  const dy = Math.floor(row[MEET.arriveStep])
  const x = row[MEET.depart]
  const y = row[MEET.arrive]
  let better = lookAt(guide, x + dx, y)
  better = lookAt(guide, x - dx, y) || better
  better = lookAt(guide, x, y + dy) || better
  better = lookAt(guide, x, y - dy) || better
  better = lookAt(guide, x + dx, y + dx) || better
  better = lookAt(guide, x - dx, y - dx) || better
  if (better) return
  row[MEET.departStep] *= 0.5
  row[MEET.arriveStep] *= 0.5
}
