import type { LagrangeNumber } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { namedBody } from '../world/named-body.ts'
import { lagrangeRail, railView, requireRoomOnRails } from '../world/placement.ts'
import type { Jumpgate } from '../world/rail-objects.ts'
import { layRail, removeRail } from './rails.ts'
import type { Universe } from '../world/universe.ts'
import type { World } from '../world/world.ts'

/** Mass of every gate: a ring of a few hundred metres, lightly built [kg]. */
const MASS = 1e6

/** Radius of every gate: wide enough that a ship at orbital speed can be aimed through it [m]. */
export const RADIUS = 200

/** Puts a jump gate into the world. */
export interface CreateJumpgate {
  readonly kind: 'create_jumpgate'
  readonly jumpgateId: string
  readonly name: string
  readonly primaryBody: string
  readonly secondaryBody: string
  readonly lagrangePoint: LagrangeNumber
  /** id of the gate it leads to and that leads to it, in another system */
  readonly pairedWith?: string
}

/**
 * @throws {EngineError} 'ERR_JUMPGATE_EXISTS', 'ERR_BODY_UNKNOWN', 'ERR_PAIR',
 *   'ERR_WORLD_OBJECTS'
 */
export function addJumpgate(world: World, command: CreateJumpgate): void {
  const { jumpgateId, name, primaryBody, secondaryBody, lagrangePoint, pairedWith } = command
  if (world.jumpgates.has(jumpgateId)) {
    throw new EngineError('ERR_JUMPGATE_EXISTS', `There is a jump gate ${jumpgateId} already.`)
  }
  const place = namedBody(world, primaryBody)
  const rail = lagrangeRail(world, place, secondaryBody, lagrangePoint)
  requireRoomOnRails(world)
  world.jumpgates.set(jumpgateId, {
    jumpgateId,
    name,
    rail,
    row: layRail(world, jumpgateId, rail),
    ...(pairedWith !== undefined && { pairedWith }),
  })
}

/** @throws {EngineError} 'ERR_JUMPGATE_UNKNOWN' */
export function removeJumpgate(world: World, jumpgateId: string): void {
  world.jumpgates.delete(requireJumpgate(world, jumpgateId))
  removeRail(world, jumpgateId)
}

/** The id of a gate that there is. @throws {EngineError} 'ERR_JUMPGATE_UNKNOWN' */
export function requireJumpgate({ jumpgates }: World, jumpgateId: string): string {
  if (jumpgates.has(jumpgateId)) return jumpgateId
  throw new EngineError('ERR_JUMPGATE_UNKNOWN', `No jump gate ${jumpgateId}.`)
}

/** A gate and the world it is in. */
export interface GatePlace {
  readonly world: World
  readonly gate: Jumpgate
}

/** What each gate that leads somewhere leads to, by its id. */
export function gatePairs({ worlds }: Universe): ReadonlyMap<string, GatePlace> {
  const places = new Map<string, GatePlace>()
  for (const world of worlds) {
    for (const gate of world.jumpgates.values()) places.set(gate.jumpgateId, { world, gate })
  }
  const pairs = new Map<string, GatePlace>()
  for (const [jumpgateId, place] of places) {
    const other = places.get(place.gate.pairedWith ?? '')
    if (other) pairs.set(jumpgateId, other).set(other.gate.jumpgateId, place)
  }
  return pairs
}

/**
 * Checks that a gate of a system may be paired with another.
 *
 * @throws {EngineError} 'ERR_JUMPGATE_PAIR', 'ERR_JUMPGATE_PAIRED'
 */
export function requirePairable(universe: Universe, world: World, otherId: string): void {
  const place = universe.worlds.find(({ jumpgates }) => jumpgates.has(otherId))
  if (!place || place === world) {
    const message = `No jump gate ${otherId} in another star system.`
    throw new EngineError('ERR_JUMPGATE_PAIR', message)
  }
  if (!gatePairs(universe).has(otherId)) return
  const { name } = place.jumpgates.get(otherId)!
  throw new EngineError('ERR_JUMPGATE_PAIRED', `${name} leads elsewhere already.`)
}

/** A jump gate at one moment, SI units, inertial axes. */
export interface JumpgateView {
  readonly jumpgateId: string
  readonly name: string
  readonly systemId: string
  /** the primary */
  readonly parentBody: string
  /** relative to the system's barycentre [m], [m/s] */
  readonly position: readonly [number, number, number]
  readonly velocity: readonly [number, number, number]
  readonly mass: number
  readonly radius: number
}

/** All gates of a system at the published index plus `offset` quanta (0 up to 1), oldest first. */
export function jumpgateViews(world: World, offset: number): JumpgateView[] {
  return Array.from(world.jumpgates.values(), (gate) => {
    const { systemId, parentBody, position, velocity } = railView(world, gate, offset)
    const { jumpgateId, name } = gate
    return {
      jumpgateId,
      name,
      systemId,
      parentBody,
      position,
      velocity,
      mass: MASS,
      radius: RADIUS,
    }
  })
}
