import { FREE, LOCKED, TURNING } from '../attitude/attitude-mode.ts'
import { HOLD } from '../attitude/pointing.ts'
import { BLOCK_QUANTA } from '../lattice.ts'
import { normalizeQuaternion, rotateBack } from '../math/quaternion.ts'
import { dot } from '../math/triple.ts'
import { FLYING } from '../state/condition.ts'
import { dockShip } from '../ships/docked.ts'
import { noteNeeds, notePlan } from '../state/events.ts'
import type { Flight } from '../ships/flight.ts'
import { HULL, isPowered, takeHullRow } from '../ships/hull-row.ts'
import type { ShipColumns } from '../state/state.ts'
import { ACTIVITIES, DOCKED, ENDED_COMPLETED, ENDED_FAILED, IDLE } from '../state/activity.ts'
import { type Guide, createGuide, fail } from '../guidance/guide.ts'
import { FAILED, MOORED, PLAN, dropPlan } from '../state/plan.ts'
import { shipClassOf } from '../state/class-table.ts'
import { PLAN_DOUBLES } from '../state/plan-size.ts'
import { PROGRAMS } from '../guidance/programs/programs.ts'
import { deltaVBetween } from '../guidance/rocket.ts'
import { locateTarget } from './target.ts'

/** Samples of a plan are noted at most once in so many quanta: 64 s. */
const SAMPLE_QUANTA = BLOCK_QUANTA

/**
 * Runs the programs of the ships that stand at n and wake there, one after the other; each has its
 * effect at once.
 *
 * @param count  entries of `flight.due`
 */
export function guideShips(flight: Flight, chunk: number, count: number, n: number): void {
  const { ships, nextPlans } = flight.state
  const { nextPlanSlot } = nextPlans
  // The row of a thread that was stopped is whole, and may be in force in part.
  if (nextPlanSlot[chunk] >= 0) putInForce(flight, chunk, nextPlanSlot[chunk], n)
  for (let i = 0; i < count; i++) {
    const slot = flight.due[i]
    if (ships.activity[slot] === IDLE || ships.condition[slot] !== FLYING) continue
    const at = PLAN_DOUBLES * slot
    if (ships.plan[at + PLAN.since] === 0) dropPlan(ships, slot)
    else if (ships.plan[at + PLAN.wake] <= n && ships.plan[at + PLAN.ranAt] !== n) {
      const { row } = runProgram(flight, slot, n)
      nextPlans.nextPlan.set(row, PLAN_DOUBLES * chunk)
      nextPlanSlot[chunk] = slot
      putInForce(flight, chunk, slot, n)
    }
  }
}

/** Lets a ship's program change the row of the guide that it returns. */
function runProgram(flight: Flight, slot: number, n: number): Guide {
  const guide = loadedGuide(flight, slot, n)
  const { row } = guide
  const phase = row[PLAN.phase]
  row[PLAN.commands] = 0
  row[PLAN.turns] = 0
  row[PLAN.ranAt] = n
  row[PLAN.wake] = n + BLOCK_QUANTA
  row[PLAN.spent] += deltaVBetween(guide.ship, row[PLAN.mass], guide.mass)
  row[PLAN.mass] = guide.mass
  const isMoored = flight.state.ships.activity[slot] === DOCKED
  if (flight.state.ships.attitudeMode[slot] === FREE) fail(guide, 'let_go')
  else if (guide.targetLost) fail(guide, 'target_lost')
  else if (guide.ship.thrustMax === 0 && !isMoored) fail(guide, 'unreachable')
  else PROGRAMS[ACTIVITIES[flight.state.ships.activity[slot]]](guide)
  if (row[PLAN.outcome] === 0 && n >= row[PLAN.deadline]) fail(guide, 'timed_out')
  if (row[PLAN.phase] !== phase) notePlan(flight.state, 'maneuver_phase', slot, n, row, phase)
  if (n - row[PLAN.sampledAt] >= SAMPLE_QUANTA || row[PLAN.outcome] !== 0) {
    row[PLAN.sampledAt] = n
    notePlan(flight.state, 'maneuver_sample', slot, n, row, phase)
  }
  if (row[PLAN.outcome] === 0) return guide
  const isDone = row[PLAN.outcome] !== FAILED
  const end = isDone ? 'maneuver_completed' : 'maneuver_failed'
  noteNeeds(flight.state, notePlan(flight.state, end, slot, n, row, phase), guide.needs)
  if (row[PLAN.outcome] === MOORED) notePlan(flight.state, 'docked', slot, n, row, phase)
  return guide
}

/** The guide of a flight, with a ship whose step begins at n and a copy of its plan's row. */
export function loadedGuide(flight: Flight, slot: number, n: number): Guide {
  const guide = (flight.guide ??= createGuide(flight.state, flight.territory))
  const { ships } = guide.state
  guide.ship = shipClassOf(guide.state, slot)
  const at = PLAN_DOUBLES * slot
  for (let i = 0; i < PLAN_DOUBLES; i++) guide.row[i] = ships.plan[at + i]
  guide.slot = slot
  guide.n = n
  guide.reference = ships.reference[slot]
  for (let axis = 0; axis < 3; axis++) {
    guide.r[axis] = ships.position[3 * slot + axis]
    guide.v[axis] = ships.velocity[3 * slot + axis]
  }
  guide.fuel = ships.fuel[slot]
  guide.mass = guide.ship.dryMass + guide.fuel
  guide.locked = ships.attitudeMode[slot] === LOCKED
  guide.burning = isPowered(ships, slot)
  guide.needs.deltaV = -1
  locateTarget(guide)
  return guide
}

/** Gives a ship the plan of its chunk's row, and what that asks for; can be repeated. */
function putInForce(flight: Flight, chunk: number, slot: number, n: number): void {
  const { ships, nextPlans } = flight.state
  const { nextPlan, nextPlanSlot } = nextPlans
  const from = PLAN_DOUBLES * chunk
  if (nextPlan[from + PLAN.ranAt] === n && ships.condition[slot] === FLYING) {
    ships.plan.set(nextPlan.subarray(from, from + PLAN_DOUBLES), PLAN_DOUBLES * slot)
    if (nextPlan[from + PLAN.commands] === 1) command(ships, slot, nextPlan, from)
    const outcome = nextPlan[from + PLAN.outcome]
    if (outcome !== 0) {
      ships.maneuverEnd[slot] = outcome === FAILED ? ENDED_FAILED : ENDED_COMPLETED
      if (outcome === MOORED) dockShip(flight.state, slot, n)
      else dropPlan(ships, slot)
    }
  }
  nextPlanSlot[chunk] = -1
}

function command(ships: ShipColumns, slot: number, row: Float64Array, from: number): void {
  ships.thrustLevel[slot] = row[from + PLAN.throttle]
  ships.fuelFloor[slot] = row[from + PLAN.throttle] > 0 ? row[from + PLAN.floor] : 0
  if (row[from + PLAN.turns] !== 1) return
  const pointing = row[from + PLAN.pointing]
  if (pointing === HOLD) turnNose(ships, slot, row, from)
  ships.pointing[slot] = pointing
  ships.attitudeMode[slot] = TURNING
}

const nose = new Float64Array(3)

/** Below this, the nose points the other way, and any axis across it is the shortest way round. */
const OPPOSITE = 1e-12

/** Commands the attitude that has the nose along the row's direction, on the shortest way there. */
function turnNose(ships: ShipColumns, slot: number, row: Float64Array, from: number): void {
  const { attitude, hullStep } = ships
  rotateBack(nose, attitude, 4 * slot, row, from + PLAN.nose)
  const length = Math.sqrt(dot(nose, 0, nose, 0))
  if (!(length > 0 && length < Infinity)) return
  // The turn from +x to the direction, body axes: its w and, across +x, its y and z.
  const w = 1 + nose[0] / length
  const y = w > OPPOSITE ? -nose[2] / length : 0
  const z = w > OPPOSITE ? nose[1] / length : 1
  const at = takeHullRow(ships, slot) + HULL.target
  const q = 4 * slot
  hullStep[at] = w * attitude[q] - y * attitude[q + 2] - z * attitude[q + 3]
  hullStep[at + 1] = w * attitude[q + 1] + z * attitude[q + 2] - y * attitude[q + 3]
  hullStep[at + 2] = w * attitude[q + 2] + y * attitude[q] - z * attitude[q + 1]
  hullStep[at + 3] = w * attitude[q + 3] + z * attitude[q] + y * attitude[q + 1]
  normalizeQuaternion(hullStep, at)
}
