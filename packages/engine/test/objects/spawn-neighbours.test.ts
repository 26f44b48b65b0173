/**
 * Law: ships that coast from where they begin keep their distance. Method: half of 256 ships begin
 * three hours before the rest, beside the station, in the field of all bodies.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import { createStateVector, railState } from '@orrery/sim'
import { expect, it } from 'vitest'
import { applyCommand } from '../../src/commands/world-command.ts'
import { shipView } from '../../src/views/ship-view.ts'
import { solFlight } from '../maneuvers/sol-flight.ts'

const EARTH = bodyIndex(solSystem, 'Earth')

it('256 ships keep 100 km from each other and from the station', async () => {
  const flight = solFlight()
  const { world } = flight
  applyCommand(world, {
    kind: 'create_station',
    stationId: 'station',
    name: 'Station',
    parentBody: 'Earth',
    placement: { kind: 'orbit', altitude: 420_000 },
  })
  const fleet = Array.from({ length: 128 }, (_, i) => flight.add(`early ${i}`))
  await flight.fly(3 * 3600)
  for (let i = 0; i < 128; i++) fleet.push(flight.add(`late ${i}`))
  const station = createStateVector()
  railState(station, world.state.ephemeris, world.stations.get('station')!.rail, world.index, 0)
  const places = fleet.map((entry) => {
    expect(world.state.ships.reference[entry.slot]).toBe(EARTH)
    return shipView(world, entry, 0).relativePosition
  })
  const all = [station.r, ...places].map((place) => [...place])
  const gaps = all.map((place, i) =>
    Math.min(
      ...all
        .toSpliced(i, 1)
        .map((other) => Math.hypot(...place.map((part, axis) => part - other[axis]))),
    ),
  )
  expect(Math.min(...gaps)).toBeGreaterThan(100e3)
})
