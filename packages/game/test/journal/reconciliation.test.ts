// Law: after a restore every account with a ship has that ship, and no ship is without an account;
// where ships of a class begin is a place of the first system, or named as at fault.
import { addShip, createUniverse, executeCommand } from '@orrery/engine/testing'
import type { ShipHome } from '@orrery/protocol'
import { expect, test } from 'vitest'
import { GLOBE } from '../globe.ts'
import { homeOf, requireHomes } from '../../src/accounts/ship-offers.ts'
import { reconciliation } from '../../src/world/stored-universe.ts'

const OTHER = { ...GLOBE, system: { ...GLOBE.system, id: 'other' } }

test('ships without an account are removed, missing ships are created', () => {
  const universe = createUniverse({
    systems: [GLOBE, OTHER],
    index: 64,
    seed: 'seed',
    shipsMax: 256,
  })
  for (const [i, shipId] of ['spare', 'owned'].entries()) {
    addShip(universe.worlds[i], shipId, shipId)
  }
  const accounts = [
    { username: 'Ida', shipId: 'owned' },
    { username: 'Max', shipId: 'missing' },
  ]
  expect(reconciliation(universe, accounts)).toEqual([
    { kind: 'remove_ship', shipId: 'spare' },
    { kind: 'create_ship', shipId: 'missing', name: 'Max' },
  ])
  const name = 'Renamed'
  for (const [shipClass, kept] of [
    ['courier', { shipClass: 'courier' }],
    // The universe has no such class.
    ['tug', {}],
  ] as const) {
    const present = new Map([['missing', { name, shipClass }]])
    expect(reconciliation(universe, accounts, present)).toEqual([
      { kind: 'remove_ship', shipId: 'spare' },
      { kind: 'create_ship', shipId: 'missing', name, ...kept },
    ])
  }
})

test('a ship that goes to a system of another process is not missing', () => {
  const systems = [GLOBE, OTHER]
  const universe = createUniverse({ systems, index: 64, seed: 'seed', shipsMax: 256 })
  addShip(universe.worlds[0], 'under way', 'Ida')
  universe.worlds[1].isFollowed = true
  executeCommand(universe, { kind: 'transfer_ship', shipId: 'under way', systemId: 'other' })
  expect(universe.worlds.map(({ roster }) => roster.byId.size)).toEqual([0, 0])
  expect(reconciliation(universe, [{ username: 'Ida', shipId: 'under way' }])).toEqual([])
})

test('a home is a place that there is; a station that is gone leaves the spawn orbit', () => {
  const universe = createUniverse({ systems: [GLOBE], index: 64, seed: 'seed', shipsMax: 256 })
  const offers = (home: ShipHome): Map<string, { home: ShipHome }> => new Map([['tug', { home }]])
  const fault = (home: ShipHome) => (): void => requireHomes(universe, offers(home))
  const [{ name: body }] = GLOBE.system.bodies
  const stationId = '1672af5b-fe40-4014-9088-7187b8727b43'
  const station = { station_id: stationId.toUpperCase() }
  expect(fault({ body: 'Vulcan', altitude: 1e6 })).toThrow(/^Ship class tug: home: No body Vulcan/)
  expect(fault({ body, altitude: -1 })).toThrow(/^Ship class tug: home: There is no orbit/)
  expect(fault(station)).toThrow(/^Ship class tug: home: No station 1672/)
  const home = (of: ShipHome): unknown =>
    homeOf({ engine: { universe }, offers: offers(of) }, 'tug')
  expect(home(station)).toBeUndefined()
  executeCommand(universe, {
    kind: 'create_station',
    stationId,
    name: 'Low',
    parentBody: body,
    placement: { kind: 'orbit', altitude: 1e6 },
  })
  expect(fault(station)).not.toThrow()
  expect(home(station)).toEqual({ kind: 'station', stationId })
  expect(fault({ body, altitude: 1e6 })).not.toThrow()
  expect(home({ body, altitude: 1e6 })).toEqual({ kind: 'orbit', body, altitude: 1e6 })
})
