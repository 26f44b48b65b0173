import { OBJECT_RADII, type RosterEntry, type World } from '@orrery/engine'
import {
  type ObjectsMessage,
  type RailedObject,
  type ShipModulesMessage,
  type SystemMessage,
  shipClassEntry,
} from '@orrery/protocol'
import { PHYSICS } from '@orrery/sim'

/** A star system as its ships are flown in it. */
export function systemMessage({ setup, state }: World, era: number): SystemMessage {
  const { home, spheres } = setup.system.territory
  return {
    type: 'system',
    era,
    system: state.system,
    home,
    spheres: Array.from(spheres, (radius) => (radius === Infinity ? null : radius)),
    ship_classes: state.classes.map(shipClassEntry),
    physics: PHYSICS,
  }
}

/** What modules keep of a ship, for a client that runs some of them; undefined for no other. */
export function shipModulesMessage(
  { index, modules }: World,
  { slot }: RosterEntry,
  run: readonly string[],
): ShipModulesMessage | undefined {
  if (!modules || run.length === 0) return undefined
  return { type: 'ship_modules', index, modules: modules.ownRows(slot, run) }
}

/** Its stations and jump gates. */
export function objectsMessage({ jumpgates, railed, state, stations }: World): ObjectsMessage {
  const objects: RailedObject[] = []
  for (const { stationId: id, name, rail, row } of stations.values()) {
    objects.push({ id, kind: 'station', name, radius: OBJECT_RADII.station, row, rail })
  }
  for (const { jumpgateId: id, name, rail, row } of jumpgates.values()) {
    objects.push({ id, kind: 'jumpgate', name, radius: OBJECT_RADII.jumpgate, row, rail })
  }
  const rows = Array.from(railed, ([id, place]) => ({ id, ...place }))
  const placed = { system_id: state.system.id, objects, ...(rows.length > 0 && { rows }) }
  return { type: 'objects', ...placed }
}
