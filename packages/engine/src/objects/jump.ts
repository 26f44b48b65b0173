import { type StateVector, bodyState, createStateVector, enterSphere, railState } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { shipView } from '../views/ship-view.ts'
import type { DepartedShip, Passage, Triple } from '../world/hand-off.ts'
import { RADIUS } from './jumpgates.ts'
import { lengthText } from '../world/length-text.ts'
import { namedBody } from '../world/named-body.ts'
import type { Jumpgate } from '../world/rail-objects.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/** Speed relative to a gate at which a ship still gets through [m/s]. */
const SPEED_MAX = 20

/** The way of a ship through two gates, by their ids. */
export interface GateWay {
  readonly entry: string
  readonly exit: string
}

/** A gate of a system. @throws {EngineError} 'ERR_JUMPGATE_UNKNOWN' */
export function gateOf({ jumpgates, state }: World, jumpgateId: string): Jumpgate {
  const gate = jumpgates.get(jumpgateId)
  if (gate) return gate
  const message = `No jump gate ${jumpgateId} in ${state.system.name}.`
  throw new EngineError('ERR_JUMPGATE_UNKNOWN', message)
}

/**
 * Checks that a ship may jump from where it is at the published index.
 *
 * @throws {EngineError} 'ERR_JUMPGATE_UNKNOWN', 'ERR_JUMP' when it is too far from the gate, or too
 *   fast
 */
export function requireAtGate(world: World, ship: RosterEntry, jumpgateId: string): void {
  const gate = gateOf(world, jumpgateId)
  const { referenceBody, relativePosition, relativeVelocity } = shipView(world, ship, 0)
  const { offset, velocity } = besideGate(world, gate, {
    referenceBody,
    position: relativePosition,
    velocity: relativeVelocity,
  })
  const [distance, speed] = [Math.hypot(...offset), Math.hypot(...velocity)]
  // NaN is not within anything.
  if (!(distance <= RADIUS)) {
    const far = `${lengthText(distance)} from ${gate.name}, at most ${lengthText(RADIUS)}`
    throw new EngineError('ERR_JUMP', `The ship is too far: ${far}.`)
  }
  if (!(speed <= SPEED_MAX)) {
    const fast = `${lengthText(speed)}/s past ${gate.name}, at most ${lengthText(SPEED_MAX)}/s`
    throw new EngineError('ERR_JUMP', `The ship is too fast: ${fast}.`)
  }
}

/** How a departed ship will lie beside the gate it arrives at: as beside the one it left. */
export function passage(world: World, { entry, exit }: GateWay, ship: DepartedShip): Passage {
  return { jumpgateId: exit, ...besideGate(world, gateOf(world, entry), ship) }
}

type Motion = Pick<DepartedShip, 'referenceBody' | 'position' | 'velocity'>

const center = createStateVector()
const gateState = createStateVector()

function besideGate(
  world: World,
  { rail }: Jumpgate,
  { referenceBody, position, velocity }: Motion,
): Pick<Passage, 'offset' | 'velocity'> {
  const { ephemeris } = world.state
  bodyState(center, ephemeris, namedBody(world, referenceBody), rail.parent, world.index, 0)
  railState(gateState, ephemeris, rail, world.index, 0)
  const from = (values: Readonly<Triple>, at: Float64Array, gate: Float64Array): Triple => [
    values[0] + (at[0] - gate[0]),
    values[1] + (at[1] - gate[1]),
    values[2] + (at[2] - gate[2]),
  ]
  return {
    offset: from(position, center.r, gateState.r),
    velocity: from(velocity, center.v, gateState.v),
  }
}

/**
 * Where a ship leaves a gate, relative to the body whose sphere of influence the gate is in.
 *
 * @throws {EngineError} 'ERR_JUMPGATE_UNKNOWN'
 */
export function exitMotion(world: World, { jumpgateId, offset, velocity }: Passage): Motion {
  const { state, setup, index } = world
  const { rail } = gateOf(world, jumpgateId)
  const exit: StateVector = createStateVector()
  railState(exit, state.ephemeris, rail, index, 0)
  for (let axis = 0; axis < 3; axis++) {
    exit.r[axis] += offset[axis]
    exit.v[axis] += velocity[axis]
  }
  const { spheres } = setup.system.territory
  const body = enterSphere(exit, state.ephemeris, spheres, rail.parent, index)
  return {
    referenceBody: state.system.bodies[body].name,
    position: [exit.r[0], exit.r[1], exit.r[2]],
    velocity: [exit.v[0], exit.v[1], exit.v[2]],
  }
}
