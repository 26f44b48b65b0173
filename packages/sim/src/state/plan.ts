import { IDLE, PLANNED } from './activity.ts'
import { PLAN_DOUBLES, PLAN_NODE_DOUBLES } from './plan-size.ts'
import type { ShipColumns } from './state.ts'

/**
 * Places in a row of `plan`: one ship's autopilot. What it asks of the ship stands in the row
 * too: putting a row in force can then be repeated after a thread was stopped.
 */
export const PLAN = {
  /** see `PHASES` */
  phase: 0,
  /** lattice index at which the program runs next */
  wake: 1,
  /** lattice index at which it ran and made this row; -1 before it has */
  ranAt: 2,
  /** lattice index of the order; 0 in a row that is none */
  since: 3,
  /** lattice index at which it fails if it has not ended */
  deadline: 4,
  /** see `TARGETS` */
  targetKind: 5,
  /** body index, row of the rails table or ship number */
  target: 6,
  /** 1 where the next three hold */
  commands: 7,
  /** wanted throttle, 0 to 1 */
  throttle: 8,
  /** wanted `fuelFloor` [kg] */
  floor: 9,
  /** wanted `pointing`; with `HOLD` along `nose` */
  pointing: 10,
  /** 1 where the hull is to be turned */
  turns: 11,
  /** direction, inertial axes, three values */
  nose: 12,
  /** 0 under way, 1 completed, 2 failed, 3 docked */
  outcome: 15,
  /** see `REASONS` */
  reason: 16,
  /** to the target [m]; -1 unknown */
  distance: 17,
  /** of thrust at this place, 0 to 1; -1 unknown */
  effectivity: 18,
  /** what elements differ from wanted, five values: see `ELEMENT_ERRORS`; -1 unknown */
  errors: 19,
  /** Δv spent so far [m/s] */
  spent: 24,
  /** mass up to which `spent` counts [kg] */
  mass: 25,
  /** lattice index of the last sample event */
  sampledAt: 26,
  /** the values of the order, eight of them, see `maneuver-order.ts` */
  params: 27,
  /** up to the end of the row: belongs to the program */
  memory: 35,
} as const

export const COMPLETED = 1
export const FAILED = 2
/** Completed, and the ship is docked at the rail that is the target. */
export const MOORED = 3

/** Names of a plan's element errors: of a share of the size, the others of radians or of 1. */
export const ELEMENT_ERRORS = [
  'semi_major_axis',
  'eccentricity',
  'inclination',
  'ascending_node',
  'argument_of_periapsis',
] as const

/** Lattice index at which a ship's autopilot runs next; Infinity without one. */
export function wakeOf(ships: ShipColumns, slot: number): number {
  if (ships.activity[slot] === IDLE) return Infinity
  return ships.plan[PLAN_DOUBLES * slot + PLAN.wake]
}

/** Runs the program of a ship that stands at n there, unless it flies burns at fixed times. */
export function wakePlan(ships: ShipColumns, slot: number, n: number): void {
  const { activity, plan } = ships
  if (activity[slot] === IDLE || activity[slot] === PLANNED) return
  plan[PLAN_DOUBLES * slot + PLAN.wake] = n
}

/** Ends a ship's plan, if it has one. */
export function dropPlan(ships: ShipColumns, slot: number): void {
  if (ships.activity[slot] === IDLE) return
  ships.sighting[slot] = -1
  if (ships.activity[slot] === PLANNED) {
    ships.burnNodes.fill(0, PLAN_NODE_DOUBLES * slot, PLAN_NODE_DOUBLES * (slot + 1))
  }
  // A row of zeros with an activity is an ended plan whose thread was stopped here.
  ships.plan.fill(0, PLAN_DOUBLES * slot, PLAN_DOUBLES * (slot + 1))
  ships.activity[slot] = IDLE
}
