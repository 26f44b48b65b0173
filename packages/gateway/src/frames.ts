import type { EngineStatus, ShipNotice, ShipView } from '@orrery/engine'
import type { EventMessage, ShipState, TickMessage } from '@orrery/protocol'
import { utcFromLattice } from '@orrery/sim'

/** Ships one client is sent at most, the nearest ones. */
export const SHIPS_IN_VIEW_MAX = 256

/** A ship as JSON carries it. */
export function shipState(view: ShipView): ShipState {
  const [w, x, y, z] = view.attitude
  return {
    ship_id: view.shipId,
    name: view.name,
    system_id: view.systemId,
    position: vec3(view.position),
    velocity: vec3(view.velocity),
    reference_body: view.referenceBody,
    relative_position: vec3(view.relativePosition),
    relative_velocity: vec3(view.relativeVelocity),
    attitude: { w, x, y, z },
    angular_velocity: vec3(view.angularVelocity),
    thrust_level: view.thrustLevel,
    fuel: view.fuel,
    fuel_capacity: view.fuelCapacity,
    mass: view.mass,
    wheel_saturation: vec3(view.wheelSaturation),
  }
}

/** What happened to a ship, as JSON carries it. */
export function eventMessage({ kind, shipId, index, body }: ShipNotice): EventMessage {
  const gameTime = new Date(utcFromLattice(index)).toISOString()
  return { type: 'event', event: kind, ship_id: shipId, game_time: gameTime, body }
}

/** One tick's frames: each ship is encoded once, whoever sees it. */
export interface TickFrames {
  /** what the owner of a ship sees; a whole system when it is small enough to share */
  frame(shipId: string): Buffer
}

interface EncodedShip {
  readonly view: ShipView
  readonly json: string
}

export function tickFrames(
  status: EngineStatus,
  era: number,
  views: Iterable<ShipView>,
): TickFrames {
  const head = frameHead(status, era)
  const systems = new Map<string, EncodedShip[]>()
  const ships = new Map<string, EncodedShip>()
  for (const view of views) {
    const ship = { view, json: JSON.stringify(shipState(view)) }
    ships.set(view.shipId, ship)
    const others = systems.get(view.systemId)
    if (others) others.push(ship)
    else systems.set(view.systemId, [ship])
  }
  const shared = new Map<string, Buffer>()
  let empty: Buffer | undefined
  return {
    frame: (shipId) => {
      const own = ships.get(shipId)
      if (!own) return (empty ??= encode(head, []))
      const { systemId } = own.view
      const all = systems.get(systemId)!
      if (all.length > SHIPS_IN_VIEW_MAX) return encode(head, nearest(all, own))
      const known = shared.get(systemId) ?? encode(head, all)
      shared.set(systemId, known)
      return known
    },
  }
}

/** Everything of a tick message but its ships, without the closing bracket and brace. */
function frameHead(status: EngineStatus, era: number): string {
  const message: Omit<TickMessage, 'ships'> = {
    type: 'tick',
    era,
    tick: status.tick,
    game_time: new Date(status.gameTimeMs).toISOString(),
    effective_time_scale: status.effectiveTimeScale,
    stations: [],
    jumpgates: [],
  }
  return `${JSON.stringify(message).slice(0, -1)},"ships":[`
}

function encode(head: string, ships: readonly EncodedShip[]): Buffer {
  return Buffer.from(`${head}${ships.map(({ json }) => json).join()}]}`)
}

function nearest(all: readonly EncodedShip[], own: EncodedShip): EncodedShip[] {
  const [x, y, z] = own.view.position
  const distance2 = (ship: EncodedShip): number => {
    // Its own is nearer than any other at the same place.
    if (ship === own) return -1
    const { position } = ship.view
    const dx = position[0] - x
    const dy = position[1] - y
    const dz = position[2] - z
    return dx * dx + dy * dy + dz * dz
  }
  return all
    .map((ship) => ({ ship, distance2: distance2(ship) }))
    .toSorted((a, b) => a.distance2 - b.distance2)
    .slice(0, SHIPS_IN_VIEW_MAX)
    .map(({ ship }) => ship)
}

function vec3([x, y, z]: readonly [number, number, number]): { x: number; y: number; z: number } {
  return { x, y, z }
}
