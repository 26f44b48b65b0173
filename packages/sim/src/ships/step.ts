import { type Method, SRKN11B, SRKN6B } from '../ephemeris/methods.ts'
import { TURNING } from '../attitude/attitude-mode.ts'
import { makeAttitudeStep, thrustDirection } from '../attitude/attitude-step.ts'
import { CHUNK_SLOTS, QUANTA_PER_SECOND } from '../lattice.ts'
import { addExactly } from '../math/compensated.ts'
import type { ShipColumns, WorldState } from '../state/state.ts'
import { type Allocate, type Field, acceleration, placeBodies } from './field.ts'
import type { ShipClass } from './ship-class.ts'
import { extrapolateTarget } from './sighting.ts'

/** What one thread makes steps with: the ships, and planes of x, y, z to integrate them in. */
export interface Stepper {
  readonly state: WorldState
  readonly ship: ShipClass
  /** the ships of the step being made, at most one chunk */
  readonly slots: Int32Array
  readonly position: Float64Array
  readonly positionLow: Float64Array
  readonly velocity: Float64Array
  readonly velocityLow: Float64Array
  readonly gravity: Float64Array
  readonly nose: Float64Array
  readonly aim: Float64Array
}

/** Values from one plane of the stepper to the next. */
const PLANE = CHUNK_SLOTS

export function createStepper(state: WorldState, ship: ShipClass, allocate: Allocate): Stepper {
  const planes = (): Float64Array => allocate(3 * PLANE)
  return {
    state,
    ship,
    slots: new Int32Array(CHUNK_SLOTS),
    position: planes(),
    positionLow: planes(),
    velocity: planes(),
    velocityLow: planes(),
    gravity: planes(),
    nose: new Float64Array(3),
    aim: new Float64Array(6),
  }
}

/** Coasting ships take long steps of order six; thrust and turning need short ones. */
export function stepMethod(ships: ShipColumns, slot: number): Method {
  return isPowered(ships, slot) || ships.attitudeMode[slot] === TURNING ? SRKN6B : SRKN11B
}

export function isPowered(ships: ShipColumns, slot: number): boolean {
  return ships.thrustLevel[slot] > 0 && ships.fuel[slot] > 0
}

/**
 * Integrates ships that share reference body, method, start and length from their start
 * columns into their end columns. The start columns stay, so a step can be made again.
 *
 * @param count   ships in `stepper.slots`
 * @param n       lattice index of the step's start
 * @param quanta  length of the step
 */
export function makeStep(
  stepper: Stepper,
  field: Field,
  method: Method,
  count: number,
  n: number,
  quanta: number,
): void {
  const { state, ship, slots, aim } = stepper
  const { ships } = state
  const h = quanta / QUANTA_PER_SECOND
  for (let i = 0; i < count; i++) {
    const slot = slots[i]
    extrapolateTarget(aim, state, field.ephemeris, slot, field.reference, n)
    makeAttitudeStep(ships, ship, slot, quanta, aim)
    burn(stepper, slot, quanta)
    gather(stepper, ships, slot, i)
  }
  const { a, b } = method
  const last = b.length - 1
  let clock = 0
  for (let stage = 0; stage <= last; stage++) {
    // Both methods kick first and last (BAB): the first kick reuses the gravity of the step's
    // start, and the last one's gravity is that of the step's end.
    if (stage > 0) {
      const offset = stage === last ? quanta : quanta * clock
      placeBodies(field, n, offset)
      acceleration(stepper.gravity, field, stepper.position, PLANE, count)
    }
    const passed = stage === last ? 1 : clock
    for (let i = 0; i < count; i++) {
      const slot = slots[i]
      const fuel = ships.fuel[slot] + passed * (ships.endFuel[slot] - ships.fuel[slot])
      kick(stepper, i, b[stage] * h, ships.force, slot, 1 / (ship.dryMass + fuel))
      if (stage < last) drift(stepper, i, a[stage] * h)
    }
    clock += a[stage]
  }
  for (let i = 0; i < count; i++) scatter(stepper, ships, slots[i], i)
}

/**
 * Decides the step's constant force and the fuel it takes: along the nose at the step's middle,
 * throttled in the step that empties the tank so that it ends with none.
 */
function burn({ state, ship, aim, nose }: Stepper, slot: number, quanta: number): void {
  const { ships } = state
  const { force, fuel, endFuel, thrustLevel } = ships
  if (!isPowered(ships, slot)) {
    force.fill(0, 3 * slot, 3 * slot + 3)
    endFuel[slot] = fuel[slot]
    return
  }
  let thrust = ship.thrustMax * thrustLevel[slot]
  let used = (thrust / ship.exhaustVelocity) * (quanta / QUANTA_PER_SECOND)
  if (used >= fuel[slot]) {
    thrust *= fuel[slot] / used
    used = fuel[slot]
  }
  endFuel[slot] = fuel[slot] - used
  thrustDirection(nose, ships, ship, slot, quanta, aim)
  for (let axis = 0; axis < 3; axis++) force[3 * slot + axis] = thrust * nose[axis]
}

function gather(stepper: Stepper, ships: ShipColumns, slot: number, row: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const to = axis * PLANE + row
    const from = 3 * slot + axis
    stepper.position[to] = ships.position[from]
    stepper.positionLow[to] = ships.positionLow[from]
    stepper.velocity[to] = ships.velocity[from]
    stepper.velocityLow[to] = ships.velocityLow[from]
    stepper.gravity[to] = ships.gravity[from]
  }
}

function scatter(stepper: Stepper, ships: ShipColumns, slot: number, row: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const from = axis * PLANE + row
    const to = 3 * slot + axis
    ships.endPosition[to] = stepper.position[from]
    ships.endPositionLow[to] = stepper.positionLow[from]
    ships.endVelocity[to] = stepper.velocity[from]
    ships.endVelocityLow[to] = stepper.velocityLow[from]
    ships.endGravity[to] = stepper.gravity[from]
  }
}

/** v ← v + h (gravity + force / mass), compensated. */
function kick(
  stepper: Stepper,
  row: number,
  h: number,
  force: Float64Array,
  slot: number,
  inverseMass: number,
): void {
  const { velocity, velocityLow, gravity } = stepper
  for (let axis = 0; axis < 3; axis++) {
    const i = axis * PLANE + row
    const gain = h * (gravity[i] + force[3 * slot + axis] * inverseMass) + velocityLow[i]
    addExactly(velocity, velocityLow, i, gain)
  }
}

/** r ← r + h v, compensated. */
function drift(stepper: Stepper, row: number, h: number): void {
  const { position, positionLow, velocity, velocityLow } = stepper
  for (let axis = 0; axis < 3; axis++) {
    const i = axis * PLANE + row
    const gain = h * velocity[i] + (h * velocityLow[i] + positionLow[i])
    addExactly(position, positionLow, i, gain)
  }
}
