import { PLAN } from '../plan.ts'

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
  /** of a transfer */
  transfer: 26,
} as const

type Places = Record<keyof typeof NAMES, number>

/** Places in a plan's row that the programs for high thrust use, all in `PLAN.memory`. */
export const MEMORY: Readonly<Places> = placed()

function placed(): Places {
  const places: Record<string, number> = { ...NAMES }
  for (const name of Object.keys(places)) places[name] += PLAN.memory
  return places as Places
}
