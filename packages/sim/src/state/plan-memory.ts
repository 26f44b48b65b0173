import { SimError } from '../sim-error.ts'
import { PLAN } from './plan.ts'
import { PLAN_DOUBLES } from './plan-size.ts'

// How many doubles each value takes, in their order in a plan's row.

/** Of the programs for high thrust. */
const FLIGHT = {
  /** lattice index of the middle of the next burn */
  burnAt: 1,
  /** lattice index at which it begins */
  startAt: 1,
  /** trims of it so far */
  trims: 1,
  /** which burn of an orbit plan, how many it has, and how often it was made */
  stage: 1,
  burns: 1,
  rounds: 1,
  /** wanted orbit: a [m], e, unit normal */
  a: 1,
  e: 1,
  normal: 3,
  /** burns of an orbit plan, three of `BURN` */
  plan: 12,
  /** unit normal of the plane between two burns that share its turn */
  via: 3,
  /** of a transfer, see `PARTS` */
  part: 1,
  /** bodies of its present leg: where from, where to, and about which it cruises */
  origin: 1,
  goal: 1,
  frame: 1,
  /** search: which slice, from which index, over how many seconds */
  slice: 1,
  from: 1,
  window: 1,
  /** least and greatest time of flight that it tries [s] */
  shortest: 1,
  longest: 1,
  /** the best so far: Δv with a charge for waiting [m/s], and indices of departure and arrival */
  cost: 1,
  departAt: 1,
  arriveAt: 1,
  /** velocity far away [m/s], or offset of the aim from the goal's centre [m] */
  aim: 3,
  /** lattice index of the next correction */
  correctAt: 1,
  /** Δv of the best so far, without the charge [m/s] */
  deltaV: 1,
  /** after which the bodies of the leg stand alike [s] */
  natural: 1,
  /** the soonest arrival that the search found after the plan's deadline, 0 without */
  late: 1,
} as const

/** Of programs that meet a target. */
const MEETING = {
  /** place of the grid that is looked at next */
  cell: 1,
  /** lattice index at which the search began, and the reference body then */
  epoch: 1,
  reference: 1,
  /** Δv of the best so far and what it costs with its time [m/s]; negative without */
  deltaV: 1,
  cost: 1,
  /** lattice indices of its two ends */
  depart: 1,
  arrive: 1,
  /** period of its arc [s] */
  period: 1,
  /** steps of the refinement [quanta] */
  departStep: 1,
  arriveStep: 1,
  /** Δv of the first burn [m/s] */
  lack: 1,
  /** searches again so far */
  tries: 1,
  /** lattice index since which the ship is at rest beside its target; 0 when it is not */
  held: 1,
  /** 1 after a correction that leaves nothing to correct soon */
  settled: 1,
  /** by how much oblateness brings ship and target apart on the way [m] */
  offset: 3,
  /** what it changes of the departure: place [m] and velocity [m/s] */
  shift: 6,
  /** rounds of refinement so far */
  round: 1,
  /** Δv left at the last look under way where that was too much [m/s], otherwise 0 */
  dear: 1,
} as const

/** Of a plan of timed burns. */
const TIMED = {
  /** which burn is next or under way */
  node: 1,
  /** lattice index at which it begins */
  startAt: 1,
  /** of all burns, as reckoned at the begin of the plan [m/s] */
  deltaV: 1,
  /** lattice index at which the last one ends, likewise */
  endAt: 1,
} as const

/** Of a docked ship. */
const MOORING = {
  /** its fuel when it docked [kg] */
  fuelBefore: 1,
} as const

/** Of an order to change an orbit, see `ManeuverOrder`. */
const ORBIT = {
  a: 1,
  e: 1,
  cosInclination: 1,
  sinInclination: 1,
  /** towards the node, in the reference plane */
  nodeX: 1,
  nodeY: 1,
  /** the greatest; 0 for full thrust */
  throttle: 1,
  /** what a and e, or the radius of a circle, are: `OSCULATING` and `HEIGHTS`, or 0 */
  reading: 1,
} as const

/**
 * Values of `reading`, and their sum: of the osculating orbit, otherwise of the mean one; a and e
 * are heights of periapsis and apoapsis, -1 for one that stays.
 */
export const OSCULATING = 1
export const HEIGHTS = 2

/**
 * Values of `manner`, and their sum: leaves as soon as its Δv allows, not when that is least; also
 * leaves without the fuel for the whole way.
 */
export const SOONEST = 1
export const REGARDLESS = 2

/** Of a plan of timed burns: how many. */
const COUNT = { count: 1 } as const

/** Of an order with one value: radius of a circle. */
const SIZE = { size: 1 } as const

/** Of an order to fly to a target. */
const COURSE_VALUES = {
  /** of the last orbit of a transfer [m], 0 for a low one */
  altitude: 1,
  /** `SOONEST`, `REGARDLESS`, their sum or 0 */
  manner: 1,
  /** lattice index before which it does not leave, and time after it in which it does [s] or 0 */
  from: 1,
  within: 1,
  /** the most that it may cost [m/s], 0 for what the fuel gives */
  budget: 1,
  /** of a rendezvous: which part of the way is flown */
  stage: 1,
  /** of the legs after the present one, as reckoned before it: Δv [m/s] and time [s] */
  laterDeltaV: 1,
  laterSeconds: 1,
} as const

type Table = Readonly<Record<string, number>>
type Places<Widths> = Readonly<Record<keyof Widths, number>>

/** Places in a plan's row, by who reads them. */
export const MEMORY: Places<typeof FLIGHT> = placed(FLIGHT, PLAN.memory, PLAN_DOUBLES)
export const MEET: Places<typeof MEETING> = placed(MEETING, PLAN.memory, PLAN_DOUBLES)
export const BURNS: Places<typeof TIMED> = placed(TIMED, PLAN.memory, PLAN_DOUBLES)
export const DOCKING: Places<typeof MOORING> = placed(MOORING, PLAN.memory, PLAN_DOUBLES)
export const ORBIT_ORDER: Places<typeof ORBIT> = placed(ORBIT, PLAN.params, PLAN.memory)
export const BURNS_ORDER: Places<typeof COUNT> = placed(COUNT, PLAN.params, PLAN.memory)
export const SIZE_ORDER: Places<typeof SIZE> = placed(SIZE, PLAN.params, PLAN.memory)
export const COURSE: Places<typeof COURSE_VALUES> = placed(COURSE_VALUES, PLAN.params, PLAN.memory)

/** Values of a burn in an orbit plan, and their places in it. */
export const BURN_DOUBLES = 4
export const BURN = {
  /** see `AT_PERIAPSIS` */
  where: 0,
  /** see `TO_APSIS` */
  what: 1,
  /** the other apsis, or the axis that a turn of the plane keeps [m] */
  apsis: 2,
  /** of the turn of the plane */
  share: 3,
} as const

/** @throws {SimError} 'ERR_STATE_SIZE' when values end beyond their part of the row */
function placed<Widths extends Table>(widths: Widths, begin: number, end: number): Places<Widths> {
  let at = begin
  const places = Object.entries(widths).map(([name, doubles]) => {
    at += doubles
    return [name, at - doubles]
  })
  if (at > end) throw new SimError('ERR_STATE_SIZE', `A plan's row ends at ${at}, beyond ${end}.`)
  return Object.fromEntries(places) as Places<Widths>
}
