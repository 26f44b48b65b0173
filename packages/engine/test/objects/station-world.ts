/** Ships beside the stations of a small system, and the orders that dock them. */
import { type World, addShip, applyCommand } from '@orrery/engine/testing'
import { type Control, createStateVector, launch, railState } from '@orrery/sim'
import type { RosterEntry } from '../../src/world/roster.ts'
import { createWorld } from '../../src/world/world.ts'
import { CLASSES } from '../tug.ts'
import { pair } from '../busy-world.ts'
import { START_INDEX } from '../globe.ts'

/** What a ship beside a station has [kg]. */
export const FUEL = 321.25

/** A globe and its moon, with a station on a low orbit and one at a Lagrange point. */
export function stationWorld(kernel?: Uint8Array): World {
  const setup = { system: pair(), index: START_INDEX, seed: 'dock', shipsMax: 512 }
  const made = createWorld({ ...setup, kernel, classes: CLASSES })
  applyCommand(made, {
    kind: 'create_station',
    stationId: 'low',
    name: 'Low',
    parentBody: 'Moon',
    placement: { kind: 'orbit', altitude: 100_000 },
  })
  applyCommand(made, {
    kind: 'create_station',
    stationId: 'far',
    name: 'Far',
    parentBody: 'Globe',
    placement: { kind: 'lagrange', secondaryBody: 'Moon', point: 2 },
  })
  return made
}

/** Puts a ship beside a station, at rest but for a speed. */
export function beside(made: World, shipId: string, stationId: string, speed = 0): RosterEntry {
  const entry = addShip(made, shipId, shipId)
  const { ships, ephemeris } = made.state
  const { rail } = made.stations.get(stationId)!
  const place = createStateVector()
  railState(place, ephemeris, rail, made.index, 0)
  ships.reference[entry.slot] = rail.parent
  ships.position.set([place.r[0] + 40, place.r[1] - 30, place.r[2]], 3 * entry.slot)
  ships.velocity.set([place.v[0] + speed, place.v[1], place.v[2]], 3 * entry.slot)
  ships.fuel[entry.slot] = FUEL
  launch(made.flight, entry.slot, made.index)
  return entry
}

/** The order to dock. */
export const dock = (stationId: string): Control => ({
  maneuver: { maneuver: 'dock', stationId, timeout: 1000, params: [] },
})
