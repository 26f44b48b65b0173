/**
 * Law: a ship that stays beside a station docks, and from then on is where the station is: its
 * place within a millimetre at each beat, its fuel a line up to the tank's brim. It takes no order
 * but to undock, and then flies on with the station's velocity. Method: ships beside stations of a
 * small system, flown on the calling thread.
 */
import {
  type ShipNotice,
  type World,
  applyCommand,
  createGameClock,
  createReplay,
  restoreWorld,
  shipDifferences,
  worldImage,
} from '@orrery/engine/testing'
import {
  type Control,
  POINTINGS,
  QUANTA_PER_SECOND,
  REFUEL_RATE,
  TARGETS,
  TURNING,
  bodyState,
  createStateVector,
  isDocked,
  launch,
  railState,
  segmentFraction,
  segmentFuel,
  segmentState,
} from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { steerShip } from '../../src/commands/steering.ts'
import type { RosterEntry } from '../../src/world/roster.ts'
import { pair } from '../busy-world.ts'
import { FUEL, beside, dock, stationWorld } from './station-world.ts'
import { codeOf } from './two-systems.ts'

const steer = (made: World, entry: RosterEntry, control: Control) =>
  steerShip(made, entry, control, made.index)

interface Flown {
  readonly made: World
  readonly notices: ShipNotice[]
  readonly fly: (seconds: number) => Promise<void>
}

function flown(made: World = stationWorld()): Flown {
  const notices: ShipNotice[] = []
  const replay = createReplay({
    world: made,
    pool: undefined,
    onEvent: (notice) => notices.push(notice),
  })
  const fly = (seconds: number): Promise<void> =>
    replay.flyTo(made.index + QUANTA_PER_SECOND * seconds, 0)
  return { made, notices, fly }
}

async function docked(stationId: string): Promise<Flown & { readonly ship: RosterEntry }> {
  const all = flown()
  const ship = beside(all.made, 'ship', stationId)
  steer(all.made, ship, dock(stationId))
  await all.fly(15)
  expect(isDocked(all.made.state.ships, ship.slot)).toBe(true)
  return { ...all, ship }
}

/** From the rail of the station to the ship at the published index [m], [m/s]. */
function miss({ state, stations, index, ship }: World, { slot }: RosterEntry, stationId: string) {
  const [seen, rail, center] = [createStateVector(), createStateVector(), createStateVector()]
  const station = stations.get(stationId)!
  segmentState(seen, state.ships, slot, ship, index, 0)
  railState(rail, state.ephemeris, station.rail, index, 0)
  bodyState(center, state.ephemeris, state.ships.reference[slot], station.rail.parent, index, 0)
  const length = (a: Float64Array, b: Float64Array, c: Float64Array): number =>
    Math.hypot(a[0] + c[0] - b[0], a[1] + c[1] - b[1], a[2] + c[2] - b[2])
  return { r: length(seen.r, rail.r, center.r), v: length(seen.v, rail.v, center.v) }
}

const fuelOf = ({ state, index }: World, { slot }: RosterEntry): number =>
  segmentFuel(state.ships, slot, segmentFraction(state.ships, slot, index, 0))

describe('a docked ship', () => {
  it.each(['low', 'far'])('rides the rail of the %s station', async (stationId) => {
    const { made, ship, fly, notices } = await docked(stationId)
    const event = notices.find(({ kind }) => kind === 'docked')!
    expect(event).toMatchObject({ shipId: 'ship', stationId })
    const since = event.index
    expect(since % QUANTA_PER_SECOND).toBe(0)
    for (let beat = 0; beat < 200; beat++) {
      await fly(1)
      const { r, v } = miss(made, ship, stationId)
      expect(r).toBeLessThan(1e-3)
      expect(v).toBeLessThan(1e-4)
      const seconds = (made.index - since) / QUANTA_PER_SECOND
      expect(fuelOf(made, ship)).toBeCloseTo(FUEL + REFUEL_RATE * seconds, 9)
    }
    expect(made.state.ships.thrustLevel[ship.slot]).toBe(0)
  })

  it('is full at the brim, once, and says so', async () => {
    const { made, ship, fly, notices } = await docked('low')
    const { fuelCapacity } = made.ship
    await fly((fuelCapacity - FUEL) / REFUEL_RATE - 10)
    expect(fuelOf(made, ship)).toBeLessThan(fuelCapacity)
    expect(notices.map(({ kind }) => kind)).not.toContain('refuelled')
    await fly(20)
    expect(made.state.ships.fuel[ship.slot]).toBe(fuelCapacity)
    await fly(500)
    expect(fuelOf(made, ship)).toBe(fuelCapacity)
    const full = notices.filter(({ kind }) => kind === 'refuelled')
    expect(full).toMatchObject([{ shipId: 'ship', stationId: 'low' }])
  })

  it('takes no order but to undock, and then any', async () => {
    const { made, ship, fly, notices } = await docked('low')
    const orders: Control[] = [
      { thrustLevel: 1 },
      { pointing: 'prograde' },
      { attitude: [1, 0, 0, 0] },
      dock('low'),
    ]
    for (const order of orders) {
      expect(() => steer(made, ship, order)).toThrow(codeOf('ERR_DOCKED'))
    }
    await fly(30)
    const fuel = fuelOf(made, ship)
    steer(made, ship, { undock: true })
    expect(() => steer(made, ship, { undock: true })).toThrow(codeOf('ERR_NOT_DOCKED'))
    steer(made, ship, { pointing: 'prograde' })
    await fly(1)
    expect(isDocked(made.state.ships, ship.slot)).toBe(false)
    expect(notices.at(-1)).toMatchObject({ kind: 'undocked', stationId: 'low' })
    expect(made.state.ships.pointing[ship.slot]).not.toBe(0)
    expect(fuelOf(made, ship) - fuel).toBeCloseTo((REFUEL_RATE * 4) / QUANTA_PER_SECOND, 6)
    // Beside the station still: it flies on with the velocity of the rail.
    expect(miss(made, ship, 'low').r).toBeLessThan(0.1)
    await fly(60)
    expect(miss(made, ship, 'low').r).toBeLessThan(10)
    expect(() => steer(made, ship, { undock: true })).toThrow(codeOf('ERR_NOT_DOCKED'))
  })

  it('ignores what was accepted before it docked', async () => {
    const { made, fly } = flown()
    const ship = beside(made, 'ship', 'low')
    steer(made, ship, dock('low'))
    await fly(5)
    steerShip(made, ship, { thrustLevel: 1 }, made.index + 20 * QUANTA_PER_SECOND)
    await fly(40)
    expect(isDocked(made.state.ships, ship.slot)).toBe(true)
    expect(made.state.ships.thrustLevel[ship.slot]).toBe(0)
  })

  it('flies on from a station that is removed, and in another system', async () => {
    const { made, ship, fly, notices } = await docked('far')
    await fly(100)
    const before = fuelOf(made, ship)
    const seen = createStateVector()
    segmentState(seen, made.state.ships, ship.slot, made.ship, made.index, 0)
    applyCommand(made, { kind: 'remove_station', stationId: 'far' })
    expect(isDocked(made.state.ships, ship.slot)).toBe(false)
    const after = createStateVector()
    segmentState(after, made.state.ships, ship.slot, made.ship, made.index, 0)
    for (const axis of [0, 1, 2]) {
      expect(Math.abs(after.r[axis] - seen.r[axis])).toBeLessThan(1e-3)
      expect(Math.abs(after.v[axis] - seen.v[axis])).toBeLessThan(1e-4)
    }
    await fly(10)
    expect(fuelOf(made, ship)).toBeCloseTo(before, 9)
    expect(notices.at(-1)).toMatchObject({ kind: 'undocked' })
    expect(notices.at(-1)).not.toHaveProperty('stationId')
    const other = await docked('low')
    const fuel = fuelOf(other.made, other.ship)
    const handOff = applyCommand(other.made, { kind: 'depart_ship', shipId: 'ship', to: 'gone' })!
    expect(handOff.ship.fuel).toBeCloseTo(fuel, 9)
    applyCommand(other.made, { kind: 'arrive_ship', handOff })
    await other.fly(10)
    const { slot } = other.made.roster.byId.get('ship')!
    expect(isDocked(other.made.state.ships, slot)).toBe(false)
  })

  it('is the same after an image, and from any tick', async () => {
    const { made, fly } = await docked('low')
    beside(made, 'other', 'far')
    steer(made, made.roster.byId.get('other')!, dock('far'))
    await fly(7)
    const { header, bytes } = worldImage(made, createGameClock(made.index), 0)
    const stored = { header: JSON.parse(JSON.stringify(header)), bytes }
    const twin = restoreWorld(stored, { system: pair(), shipsMax: 512 }).world
    await fly(1100)
    const again = flown(twin)
    for (let i = 0; i < 110; i++) await again.fly(10)
    expect(made.state.ships.fuel[0]).toBe(made.ship.fuelCapacity)
    expect([...shipDifferences(made, twin)]).toEqual([])
  })
})

it('a hull that points at a station which is removed turns on alike after an image', async () => {
  const { made, fly } = flown()
  const { slot } = beside(made, 'ship', 'low', 5)
  const { ships } = made.state
  await fly(60)
  ships.pointing[slot] = POINTINGS.indexOf('target')
  ships.attitudeMode[slot] = TURNING
  ships.aimKind[slot] = TARGETS.indexOf('rail')
  ships.aim[slot] = made.stations.get('low')!.row
  launch(made.flight, slot, made.index)
  await fly(3)
  const before = ships.attitude.slice(4 * slot, 4 * slot + 4)
  applyCommand(made, { kind: 'remove_station', stationId: 'low' })
  expect(ships.aim[slot]).toBe(-1)
  const { header, bytes } = worldImage(made, createGameClock(made.index), 0)
  const stored = { header: JSON.parse(JSON.stringify(header)), bytes }
  const twin = restoreWorld(stored, { system: pair(), shipsMax: 512 }).world
  await fly(40)
  await flown(twin).fly(40)
  expect([...shipDifferences(made, twin)]).toEqual([])
  expect(ships.attitude.slice(4 * slot, 4 * slot + 4)).not.toEqual(before)
})

describe('a dock maneuver', () => {
  it.each([
    ['stays, without fuel', 0, 0, true],
    ['drifts by, without fuel', 0.2, 0, false],
    ['drifts by, and brakes', 0.5, 100, true],
  ])('docks a ship or not that %s', async (_, speed, fuel, docks) => {
    const { made, fly } = flown()
    const ship = beside(made, 'ship', 'low', speed)
    made.state.ships.fuel[ship.slot] = fuel
    launch(made.flight, ship.slot, made.index)
    steer(made, ship, dock('low'))
    await fly(400)
    expect(isDocked(made.state.ships, ship.slot)).toBe(docks)
  })

  it('fails when its station is removed', async () => {
    const { made, fly } = flown()
    const ship = beside(made, 'ship', 'low')
    steer(made, ship, dock('low'))
    await fly(5)
    applyCommand(made, { kind: 'remove_station', stationId: 'low' })
    await fly(5)
    expect(made.state.ships.activity[ship.slot]).toBe(0)
  })
})
