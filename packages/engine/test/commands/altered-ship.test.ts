/**
 * Law: a ship that is changed from outside is changed in what was asked for, and in nothing else; a
 * refused change has changed nothing, and a replay makes the same. Method: a small system with
 * stations, flown on the calling thread.
 */
import {
  type CommandRow,
  type SystemCommand,
  type SystemDigest,
  type World,
  addShip,
  createGameClock,
  createReplay,
  executeCommand,
  parseKeptCommand,
  shipDifferences,
  worldImage,
} from '@orrery/engine/testing'
import { QUANTA_PER_SECOND, isDocked } from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { steerShip } from '../../src/commands/steering.ts'
import { freezeShip } from '../../src/objects/fleet.ts'
import { stationViews } from '../../src/objects/stations.ts'
import { shipView } from '../../src/views/ship-view.ts'
import { universeOf } from '../globe.ts'
import { testEngine } from '../test-engine.ts'
import { TUG } from '../tug.ts'
import { beside, dock, stationWorld } from '../objects/station-world.ts'
import { codeOf, flySteered } from '../objects/two-systems.ts'

type AlterShip = Extract<SystemCommand, { kind: 'alter_ship' }>
type Alteration = Omit<AlterShip, 'kind' | 'shipId'>

const alter = (world: World, shipId: string, alteration: Alteration): void =>
  executeCommand(universeOf(world), { kind: 'alter_ship', shipId, ...alteration })

const viewOf = (world: World, shipId: string): ReturnType<typeof shipView> =>
  shipView(world, world.roster.byId.get(shipId)!, 0)

const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((value, i) => value - b[i]))

/** A ship under way, its engine on. */
async function flying(): Promise<World> {
  const world = stationWorld()
  addShip(world, 'a', 'Anna')
  await flySteered(universeOf(world), 3)
  return world
}

describe('a ship', () => {
  it('of another class is where it was, at rest, with what its tank holds', async () => {
    const world = await flying()
    const { fuel, name, position, velocity } = viewOf(world, 'a')
    alter(world, 'a', { shipClass: 'tug' })
    const after = viewOf(world, 'a')
    expect(after).toMatchObject({ name, position, velocity, shipClass: 'tug', thrustLevel: 0 })
    expect(after.fuel).toBe(Math.min(fuel, TUG.fuelCapacity))
    expect(after.angularVelocity.map(Math.abs)).toEqual([0, 0, 0])
  })

  it('gets fuel in its place, and keeps its number, engine and attitude', async () => {
    const world = await flying()
    const before = viewOf(world, 'a')
    const entry = world.roster.byId.get('a')
    alter(world, 'a', { fuel: 4000.5 })
    const { position, velocity, thrustLevel, attitude } = before
    expect(viewOf(world, 'a')).toMatchObject({
      position,
      velocity,
      thrustLevel,
      attitude,
      fuel: 4000.5,
      mass: before.mass - before.fuel + 4000.5,
    })
    expect(world.roster.byId.get('a')).toBe(entry)
  })

  it('is put on an orbit, or behind a station, also one that has been stopped', async () => {
    const world = await flying()
    freezeShip(world, world.roster.byId.get('a')!.slot, world.index)
    const { fuel } = viewOf(world, 'a')
    alter(world, 'a', { place: { kind: 'orbit', body: 'Moon', altitude: 50_000 } })
    const [, moon] = world.state.system.bodies
    const radius = moon.radius + 50_000
    const { relativePosition, relativeVelocity, ...onOrbit } = viewOf(world, 'a')
    expect(onOrbit).toMatchObject({ referenceBody: 'Moon', fuel, frozen: false })
    expect(Math.hypot(...relativePosition) / radius).toBeCloseTo(1, 9)
    expect(Math.hypot(...relativeVelocity) / Math.sqrt(moon.gm / radius)).toBeCloseTo(1, 4)
    for (const station of stationViews(world, 0)) {
      alter(world, 'a', { fuel: 10, place: { kind: 'station', stationId: station.stationId } })
      const { position, velocity, fuel: left } = viewOf(world, 'a')
      expect(left).toBe(10)
      expect(distance(position, station.position)).toBeGreaterThan(999)
      expect(distance(position, station.position)).toBeLessThan(5001)
      expect(distance(velocity, station.velocity)).toBeLessThan(1e-6)
    }
  })

  it('that is docked stays so, and is filled from where its tank is now', async () => {
    const world = stationWorld()
    const entry = beside(world, 'a', 'low')
    const replay = createReplay({ world, pool: undefined })
    steerShip(world, entry, dock('low'), world.index)
    await replay.flyTo(world.index + 600 * QUANTA_PER_SECOND, 0)
    expect(isDocked(world.state.ships, entry.slot)).toBe(true)
    alter(world, 'a', { fuel: 50 })
    await replay.flyTo(world.index + 10 * QUANTA_PER_SECOND, 0)
    expect(viewOf(world, 'a').fuel).toBe(150)
    alter(world, 'a', { shipClass: 'tug', onlyDocked: true })
    await replay.flyTo(world.index + 10 * QUANTA_PER_SECOND, 0)
    const { slot } = world.roster.byId.get('a')!
    expect(isDocked(world.state.ships, slot)).toBe(true)
    expect(viewOf(world, 'a')).toMatchObject({ fuel: 250, shipClass: 'tug' })
  })

  it('keeps its rules', async () => {
    const world = await flying()
    const rule = {
      ruleId: 'low',
      name: 'Low fuel',
      once: false,
      armed: true,
      condition: { kind: 'fuel', below: 0.1 },
      source: '',
    } as const
    executeCommand(universeOf(world), { kind: 'set_rules', shipId: 'a', rules: [rule] })
    alter(world, 'a', { shipClass: 'tug' })
    const { number } = world.roster.byId.get('a')!
    expect(world.rules.ofShip.get(number)).toMatchObject([{ ruleId: 'low' }])
  })
})

describe('a change', () => {
  it.each<[string, Alteration]>([
    ['ERR_SHIP_CLASS', { shipClass: 'barge' }],
    ['ERR_FUEL', { fuel: 10_001 }],
    ['ERR_FUEL', { fuel: 5001, shipClass: 'tug' }],
    ['ERR_FUEL', { fuel: -1 }],
    ['ERR_FUEL', { fuel: NaN }],
    ['ERR_BODY_UNKNOWN', { place: { kind: 'orbit', body: 'Mars', altitude: 1e6 } }],
    ['ERR_ALTITUDE', { place: { kind: 'orbit', body: 'Moon', altitude: -1 } }],
    ['ERR_ALTITUDE', { fuel: 3, place: { kind: 'orbit', body: 'Moon', altitude: 1e9 } }],
    ['ERR_NOT_DOCKED', { shipClass: 'tug', onlyDocked: true }],
    ['ERR_STATION_UNKNOWN', { place: { kind: 'station', stationId: 'gone' } }],
  ])('that cannot be is refused, and has changed nothing: %s %j', async (code, alteration) => {
    const world = await flying()
    const image = (): unknown => worldImage(world, createGameClock(world.index), 1)
    const before = image()
    expect(() => alter(world, 'a', alteration)).toThrow(codeOf(code))
    expect(image()).toEqual(before)
  })

  it('of a ship that has been stopped for good needs a place', async () => {
    const world = await flying()
    freezeShip(world, world.roster.byId.get('a')!.slot, world.index)
    expect(() => alter(world, 'a', { fuel: 3 })).toThrow(codeOf('ERR_SHIP_FROZEN'))
  })

  it('is replayed from its row as text, to the same digests and ships', async () => {
    const world = stationWorld()
    for (let i = 0; i < 4; i++) addShip(world, `ship-${i}`, `Ship ${i}`)
    const rows: CommandRow[] = []
    const digests: SystemDigest[] = []
    const { engine, clock } = testEngine({
      universe: universeOf(world),
      tickRate: 1,
      timeScale: 10,
      journal: { admit: () => undefined, keep: (row) => Promise.resolve(void rows.push(row)) },
      onDigest: (digest) => digests.push(digest),
    })
    const all: readonly Alteration[] = [
      { fuel: 1234.5 },
      { shipClass: 'tug' },
      { place: { kind: 'orbit', body: 'Globe', altitude: 7e5 } },
      { fuel: 900, shipClass: 'courier', place: { kind: 'station', stationId: 'far' } },
    ]
    for (let tick = 0; tick < 16; tick++) {
      const shipId = `ship-${tick % 4}`
      engine.control(shipId, { thrustLevel: 0.3, pointing: 'prograde' })
      await clock.advance(700)
      await engine.execute({ kind: 'alter_ship', shipId, ...all[(tick + (tick >> 2)) % 4] })
    }
    await clock.advance(21_000)
    const { index, tick } = engine.clock()
    await engine.stop()
    const twin = stationWorld()
    for (let i = 0; i < 4; i++) addShip(twin, `ship-${i}`, `Ship ${i}`)
    const found: SystemDigest[] = []
    const replay = createReplay({
      world: twin,
      pool: undefined,
      onDigest: (digest) => found.push(digest),
    })
    for (const row of rows) {
      const command = parseKeptCommand(JSON.parse(JSON.stringify(row.seal())))
      await replay.apply({ ...row, command })
    }
    await replay.flyTo(index, tick)
    expect(found).toEqual(digests)
    expect(digests.length).toBeGreaterThan(1)
    expect([...shipDifferences(twin, world)]).toEqual([])
    expect([...twin.roster.byId]).toEqual([...world.roster.byId])
  })
})
