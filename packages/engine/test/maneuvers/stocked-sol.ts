import { CATALOG_OBJECTS, bodyIndex, solSystem } from '@orrery/catalog'
import { applyCommand } from '@orrery/engine/testing'
import { DOCKED, DOCKING, type ManeuverOrder, PLAN_DOUBLES } from '@orrery/sim'
import type { Chance } from '@orrery/testkit/chance'
import { between, cross, randomDirection, unit } from './random-flight-orders.ts'
import { type PlacedState, type SolFlight, solFlight } from './sol-flight.ts'

/** The solar system with the stations and gates of every new world. */
export function stockedSol(): SolFlight {
  const flight = solFlight()
  for (const object of CATALOG_OBJECTS) {
    const { kind, name } = object
    if (kind === 'create_station') applyCommand(flight.world, object)
    else if (solSystem.bodies.some(({ name: body }) => body === object.primaryBody)) {
      const { jumpgateId, lagrangePoint, primaryBody, secondaryBody } = object
      applyCommand(flight.world, {
        kind,
        jumpgateId,
        name,
        primaryBody,
        secondaryBody,
        lagrangePoint,
      })
    }
  }
  return flight
}

/** The order to dock at a stock station, or to come to a stock gate. */
export function orderTo(
  name: string,
  timeout: number,
  params: readonly number[] = [],
): ManeuverOrder {
  const object = CATALOG_OBJECTS.find((each) => each.name === name)!
  return object.kind === 'create_station'
    ? { maneuver: 'dock', stationId: object.stationId, timeout, params }
    : { maneuver: 'rendezvous', jumpgateId: object.jumpgateId, timeout, params }
}

/** A circle in a random plane, so many metres high at least and at most. */
export function randomCircle(
  random: Chance,
  body: string,
  [low, high]: readonly [number, number],
): PlacedState {
  const { gm, radius } = solSystem.bodies[bodyIndex(solSystem, body)]
  const distance = radius + between(random, low, high)
  const speed = Math.sqrt(gm / distance)
  const up = randomDirection(random)
  const side = unit(cross(up, randomDirection(random)))
  return {
    body,
    position: up.map((x) => distance * x),
    velocity: side.map((x) => speed * x),
  }
}

/** Δv spent since a full tank, before a station filled it again [m/s]. */
export function spentDeltaV({ world }: SolFlight, slot: number): number {
  const { activity, fuel, plan } = world.state.ships
  const { dryMass, exhaustVelocity, fuelCapacity } = world.ship
  const isDocked = activity[slot] === DOCKED
  const left = isDocked ? plan[PLAN_DOUBLES * slot + DOCKING.fuelBefore] : fuel[slot]
  return exhaustVelocity * Math.log((dryMass + fuelCapacity) / (dryMass + left))
}
