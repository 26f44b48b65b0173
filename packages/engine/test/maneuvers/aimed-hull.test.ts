/**
 * Law: a hull that points at a station, the Moon or the Sun keeps its nose on it. When the station
 * is removed the turn fails, the hull holds its attitude, and a world stored at that moment flies
 * on with the same bits.
 */
import {
  createGameClock,
  createReplay,
  restoreWorld,
  shipDifferences,
  worldImage,
} from '@orrery/engine/testing'
import {
  type Control,
  LOCKED,
  QUANTA_PER_SECOND,
  bodyState,
  createStateVector,
  railRowState,
} from '@orrery/sim'
import { bodyIndex, solSystem } from '@orrery/catalog'
import { expect, it } from 'vitest'
import { steerShip } from '../../src/commands/steering.ts'
import { applyCommand } from '../../src/commands/world-command.ts'
import { pilotView, shipView } from '../../src/views/ship-view.ts'
import type { RosterEntry } from '../../src/world/roster.ts'
import { type SolFlight, solFlight } from './sol-flight.ts'

const MOON = bodyIndex(solSystem, 'Moon')
const SUN = bodyIndex(solSystem, 'Sun')
const EARTH = bodyIndex(solSystem, 'Earth')

function withStation(): SolFlight {
  const flight = solFlight()
  applyCommand(flight.world, {
    kind: 'create_station',
    stationId: 'station',
    name: 'Station',
    parentBody: 'Earth',
    placement: { kind: 'orbit', altitude: 2e6 },
  })
  return flight
}

function order({ world }: SolFlight, ship: RosterEntry, control: Control): void {
  steerShip(world, ship, control, world.index)
}

const place = createStateVector()

/** Sine of the angle between a ship's nose and a place, which is relative to the Earth. */
function miss({ world }: SolFlight, ship: RosterEntry): number {
  const view = shipView(world, ship, 0)
  const [w, x, y, z] = view.attitude
  const nose = [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)]
  const line = nose.map((_, axis) => place.r[axis] - view.relativePosition[axis])
  const length = Math.hypot(...line)
  return Math.hypot(...nose.map((part, axis) => part - line[axis] / length))
}

it('keeps the nose on bodies and stations', async () => {
  const flight = withStation()
  const { state } = flight.world
  const ships = ['moon', 'sun', 'station', 'gone'].map((name) => flight.add(name))
  order(flight, ships[0], { pointing: 'target', body: MOON })
  order(flight, ships[1], { pointing: 'target', body: SUN })
  order(flight, ships[2], { pointing: 'target', stationId: 'station' })
  order(flight, ships[3], { pointing: 'target', jumpgateId: 'gone' })
  await flight.fly(200)
  for (let look = 0; look < 20; look++) {
    await flight.fly(37)
    const { index } = flight.world
    bodyState(place, state.ephemeris, MOON, EARTH, index, 0)
    expect(miss(flight, ships[0])).toBeLessThan(1e-9)
    bodyState(place, state.ephemeris, SUN, EARTH, index, 0)
    expect(miss(flight, ships[1])).toBeLessThan(1e-9)
    railRowState(place, state, flight.world.stations.get('station')!.row, index)
    expect(miss(flight, ships[2])).toBeLessThan(1e-9)
  }
  const ends = flight.events.filter(({ eventType }) => eventType !== 'started')
  expect(ends.map(({ shipId, eventType }) => `${shipId} ${eventType}`).toSorted()).toEqual([
    'gone failed',
    'moon completed',
    'station completed',
    'sun completed',
  ])
  expect(ends.find(({ shipId }) => shipId === 'moon')).toMatchObject({ targetBody: 'Moon' })
  expect(ends.find(({ shipId }) => shipId === 'station')).toMatchObject({ targetId: 'station' })
  const { steering } = pilotView(flight.world, ships[2], 0)
  expect(steering).toMatchObject({ pointing: 'target', targetStationId: 'station', mode: 'locked' })
})

it('stops where it is when its station is removed, stored or not', async () => {
  const flight = withStation()
  const { world } = flight
  const ship = flight.add('pilot')
  const late = flight.add('late')
  order(flight, ship, { pointing: 'target', stationId: 'station', thrustLevel: 1e-3 })
  await flight.fly(300)
  order(flight, late, { pointing: 'target', stationId: 'station' })
  await flight.fly(0.515625)
  expect(world.state.ships.stepStart[ship.slot]).toBeLessThan(world.index)
  const before = shipView(world, ship, 0).attitude
  applyCommand(world, { kind: 'remove_station', stationId: 'station' })
  shipView(world, ship, 0).attitude.forEach((part, i) => expect(part).toBeCloseTo(before[i], 12))
  const image = structuredClone(worldImage(world, createGameClock(world.index), 0))
  const { world: stored } = restoreWorld(image, world.setup)
  const end = world.index + 600 * QUANTA_PER_SECOND
  await createReplay({ world: stored, pool: undefined }).flyTo(end, 0)
  await flight.fly(600)
  expect([...shipDifferences(world, stored)]).toEqual([])
  const ends = flight.events.filter(({ eventType }) => eventType !== 'started')
  expect(ends).toMatchObject([
    { shipId: 'pilot', eventType: 'completed' },
    { shipId: 'late', eventType: 'failed', statusText: 'The target is lost' },
  ])
  expect(world.state.ships.attitudeMode[ship.slot]).toBe(LOCKED)
  expect(pilotView(world, ship, 0).steering).toEqual({
    pointing: 'target',
    mode: 'locked',
    wheelUnloading: true,
    burnDeltaV: null,
  })
  expect(Math.hypot(...shipView(world, ship, 0).angularVelocity)).toBeLessThan(1e-9)
})

it('refuses rates that its wheels cannot hold, and bodies that are not there', () => {
  const flight = solFlight()
  const ship = flight.add('pilot')
  const refused = expect.objectContaining({ code: 'ERR_CONTROL' }) as Error
  for (const control of [
    { angularRate: [0.05, 0, 0] },
    { angularRate: [0, NaN, 0] },
    { angularRate: [0, 0, -1] },
    { angularRate: [0, 0, 0.01], pointing: 'hold' },
    { pointing: 'target', body: solSystem.bodies.length },
    { pointing: 'target', body: MOON, target: ship.number },
    { pointing: 'target' },
    { pointing: 'hold', stationId: 'station' },
  ] satisfies Control[]) {
    expect(() => order(flight, ship, control)).toThrow(refused)
  }
})
