import { createStateVector } from '../../math/state-vector.ts'
import { cross, dot } from '../../math/triple.ts'
import { ELEMENTS, equinoctialElements } from '../../orbits/equinoctial.ts'
import { aimAlong, isAligned } from '../approach.ts'
import { type Guide, burn, cutEngine, enterPhase, fail, wakeIn } from '../guide.ts'
import { PLAN } from '../../state/plan.ts'
import { type QLawGoal, createSteering, steer } from '../q-law.ts'
import { gmOf } from '../burns/steered-burn.ts'
import { MEMORY, ORBIT_ORDER } from '../../state/plan-memory.ts'
import { noteErrors } from '../burns/orbit-flight.ts'

/** Share of the local gravity below which an acceleration is low: then a burn takes revolutions. */
const LOW = 0.01

/** Share of the speed by which the engine changes it between two looks, and their times [s]. */
const CHANGE = 1e-4
const LOOK_MIN = 4
const LOOK_MAX = 64

/** Effectivity below which the ship coasts. */
const EFFECTIVE = 0.4

/** How much more a spiral may miss by than impulses. */
const NEARLY = 5

/** Share of a body's radius that the periapsis stays above. */
const LOWEST = 1.015

const goal: QLawGoal & { periapsisMin: number } = {
  elements: new Float64Array(5),
  weights: Float64Array.of(1, 1, 1, 1, 1),
  periapsisMin: 0,
}

// The goal's plane: two axes, and its normal.
const axes = new Float64Array(9)
const turned = createStateVector()
const elements = new Float64Array(ELEMENTS)
const steering = createSteering()
const direction = new Float64Array(3)

function throttleOf({ row }: Guide): number {
  return row[ORBIT_ORDER.throttle] > 0 ? row[ORBIT_ORDER.throttle] : 1
}

/** Whether a bound orbit can only be changed over revolutions, with the throttle of the order. */
export function isSlow(guide: Guide): boolean {
  const { ship, mass, r, orbit } = guide
  const gravity = gmOf(guide) / dot(r, 0, r, 0)
  const acceleration = (throttleOf(guide) * ship.thrustMax) / mass
  return orbit.a > 0 && orbit.e < 1 && acceleration < LOW * gravity
}

/** Flies to the wanted orbit by the Q-law; returns true on it. */
export function flySpiral(guide: Guide): boolean {
  const { row, ship, mass, v } = guide
  cutEngine(guide)
  if (noteErrors(guide) <= NEARLY) return true
  if (guide.fuel <= 0) {
    fail(guide, 'out_of_fuel')
    return false
  }
  findGoal(guide)
  steer(steering, turned, gmOf(guide), goal)
  row[PLAN.effectivity] = steering.effectivity
  const acceleration = (throttleOf(guide) * ship.thrustMax) / mass
  const look = (CHANGE * Math.sqrt(dot(v, 0, v, 0))) / acceleration
  const seconds = Math.max(LOOK_MIN, Math.min(LOOK_MAX, look))
  wakeIn(guide, seconds)
  if (steering.effectivity < EFFECTIVE) {
    enterPhase(guide, 'coasting')
    return false
  }
  enterPhase(guide, 'thrusting')
  fromGoalAxes(direction, steering.direction)
  aimAlong(guide, direction)
  if (isAligned(guide, direction)) burn(guide, 2 * acceleration * seconds, throttleOf(guide))
  return false
}

/** Puts the ship's state and the goal into axes of the wanted plane. */
function findGoal(guide: Guide): void {
  const { row, state, reference } = guide
  const { r, v } = guide.onOrbit
  findAxes(row)
  for (let i = 0; i < 3; i++) {
    turned.r[i] = dot(axes, 3 * i, r, 0)
    turned.v[i] = dot(axes, 3 * i, v, 0)
  }
  equinoctialElements(elements, turned, gmOf(guide))
  const e = Math.sqrt(elements[1] * elements[1] + elements[2] * elements[2])
  const scale = e > 0 ? row[MEMORY.e] / e : 0
  goal.elements[0] = row[MEMORY.a]
  // The periapsis may be anywhere.
  goal.elements[1] = scale * elements[1]
  goal.elements[2] = scale * elements[2]
  goal.periapsisMin = LOWEST * state.system.bodies[reference].radius
}

function findAxes(row: Float64Array): void {
  for (let i = 0; i < 3; i++) axes[6 + i] = row[MEMORY.normal + i]
  // Across the axis that is furthest from the normal of the first two.
  direction.fill(0)
  direction[axes[6] * axes[6] > axes[7] * axes[7] ? 1 : 0] = 1
  cross(axes, 0, direction, 0, axes, 6)
  const length = Math.sqrt(dot(axes, 0, axes, 0))
  for (let i = 0; i < 3; i++) axes[i] /= length
  cross(axes, 3, axes, 6, axes, 0)
}

function fromGoalAxes(out: Float64Array, v: Float64Array): void {
  for (let i = 0; i < 3; i++) out[i] = v[0] * axes[i] + v[1] * axes[3 + i] + v[2] * axes[6 + i]
}
