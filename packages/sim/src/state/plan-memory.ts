import { PLAN } from './plan.ts'

const NAMES = {
  /** lattice index of the middle of the next burn */
  burnAt: 0,
  /** lattice index at which it begins */
  startAt: 1,
  /** trims of it so far */
  trims: 2,
  /** which burn of an orbit plan, how many it has, and how often it was made */
  stage: 3,
  burns: 4,
  rounds: 5,
  /** wanted orbit: a [m], e, unit normal (three values) */
  a: 6,
  e: 7,
  normal: 8,
  /** burns of an orbit plan, see `BURN_DOUBLES` */
  plan: 11,
  /** unit normal of the plane between two burns that share its turn */
  via: 23,
  /** of a transfer, see `PARTS` */
  part: 26,
  /** bodies of its present leg: where from, where to, and about which it cruises */
  origin: 27,
  goal: 28,
  frame: 29,
  /** search: which slice, from which index, over how many seconds */
  slice: 30,
  from: 31,
  window: 32,
  /** least and greatest time of flight that it tries [s] */
  shortest: 33,
  longest: 34,
  /** the best so far: Δv with a charge for waiting [m/s], and indices of departure and arrival */
  cost: 35,
  departAt: 36,
  arriveAt: 37,
  /** velocity far away [m/s], or offset of the aim from the goal's centre [m]; three values */
  aim: 38,
  /** lattice index of the next correction */
  correctAt: 41,
  /** Δv of the best so far, without the charge [m/s] */
  deltaV: 42,
  /** after which the bodies of the leg stand alike [s] */
  natural: 43,
  /** 1 where the search found what arrives after the plan's deadline */
  late: 44,
} as const

type Places = Record<keyof typeof NAMES, number>

/** Places in a plan's row that the programs for high thrust use, all in `PLAN.memory`. */
export const MEMORY: Readonly<Places> = placed()

function placed(): Places {
  const places: Record<string, number> = { ...NAMES }
  for (const name of Object.keys(places)) places[name] += PLAN.memory
  return places as Places
}
