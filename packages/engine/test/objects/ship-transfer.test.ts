/**
 * Law: a ship that is taken to another system arrives in its spawn orbit with what it carries, and
 * no other ship's bits change; a refused transfer changes nothing. Goal: state, digests, images and
 * watchers around a transfer. Method: two small systems, flown on the calling thread.
 */
import {
  type SystemDigest,
  type Universe,
  type World,
  addShip,
  createGameClock,
  createWorld,
  executeCommand,
  findShip,
  restoreUniverse,
  systemSummaries,
  universeImage,
} from '@orrery/engine/testing'
import { FROZEN, IDLE, LOCKED, PLANNED, SHIP_COLUMNS } from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, it } from 'vitest'
import { acceptControl } from '../../src/world/intake.ts'
import { steerShip } from '../../src/commands/steering.ts'
import { shipView } from '../../src/views/ship-view.ts'
import { pair } from '../busy-world.ts'
import { START_INDEX, globe } from '../globe.ts'
import {
  coast,
  codeOf,
  flySteered,
  imageOf,
  livelySystems,
  transfer,
  twoSystems,
} from './two-systems.ts'

/** Columns whose rows are not slots, or name such rows. */
const OF_ROWS = new Set(['hullRow', 'hullStep', 'sighting'])

/** What a universe holds of some ships, slot by slot. */
function bits(universe: Universe, shipIds: readonly string[]): unknown {
  return shipIds.map((shipId) => {
    const { world, entry } = findShip(universe, shipId)!
    const { slot } = entry
    const columns = SHIP_COLUMNS.filter(({ name }) => !OF_ROWS.has(name))
    const rows = columns.map(({ name: column, components }) => [
      column,
      ...world.state.ships[column].subarray(slot * components, (slot + 1) * components),
    ])
    return { ...entry, system: world.state.system.id, rows }
  })
}

const sequencesOf = ({ worlds }: Universe): number[] => worlds.map(({ intake }) => intake.sequence)

describe('a transfer', () => {
  it('brings a ship to the spawn orbit, with its fuel and name, under a new number', async () => {
    const universe = livelySystems()
    const [alone, paired] = universe.worlds
    await flySteered(universe, 3)
    const departing = alone.roster.byId.get('ship-2')!
    // Inside a step, so that the fuel is neither the step's first nor its last.
    const before = shipView(alone, departing, 0)
    transfer(universe, 'ship-2', 'pair')
    const { world, entry } = findShip(universe, 'ship-2')!
    const after = shipView(world, entry, 0)
    expect(after).toMatchObject({
      shipId: 'ship-2',
      name: 'Ship 2',
      systemId: 'pair',
      referenceBody: 'Globe',
      fuel: before.fuel,
      thrustLevel: 0,
      angularVelocity: [0, 0, 0],
      frozen: false,
    })
    expect(before.fuel).toBeLessThan(alone.ship.fuelCapacity)
    expect([departing.number, entry.number, entry.slot]).toEqual([3, 4, 3])
    expect(paired.state.ships.attitudeMode[entry.slot]).toBe(LOCKED)
    // The place is the one that a new ship of that number would get there.
    const fresh = createWorld({ ...paired.setup, index: paired.index })
    for (let i = 1; i < entry.number; i++) addShip(fresh, `other-${i}`, `Other ${i}`)
    const placed = shipView(fresh, addShip(fresh, 'new', 'New'), 0)
    expect(after.relativePosition).toEqual(placed.relativePosition)
    expect(after.relativeVelocity).toEqual(placed.relativeVelocity)
    expect(after.attitude).toEqual(placed.attitude)
    expect(systemSummaries(universe).map(({ id, shipCount }) => [id, shipCount])).toEqual([
      ['alone', 8],
      ['pair', 4],
    ])
  })

  it('keeps that a ship is debugged, there and back, and leaves it to no other', () => {
    const universe = livelySystems()
    const debugged = (): number[][] =>
      universe.worlds.map(({ maneuvers }) => [...maneuvers.debugged])
    executeCommand(universe, { kind: 'maneuver_debug', shipId: 'ship-2', enabled: true })
    expect(debugged()).toEqual([[3], []])
    transfer(universe, 'ship-2', 'pair')
    expect(debugged()).toEqual([[], [4]])
    transfer(universe, 'ship-2', 'alone')
    expect(debugged()).toEqual([[10], []])
  })

  it('ends a plan of burns, and leaves none of them in the slot', async () => {
    const universe = livelySystems()
    const { world, entry } = findShip(universe, 'ship-2')!
    const index = world.index + 1e5
    const burn = { index, anchor: 'start', throttle: 1, pointing: 'normal', seconds: 9 } as const
    const maneuver = { maneuver: 'plan', timeout: 1e6, params: [], nodes: [burn] } as const
    steerShip(world, entry, { maneuver }, world.index)
    await coast(universe, 640)
    const { activity, burnNodes } = world.state.ships
    const nodes = burnNodes.subarray(128 * entry.slot, 128 * (entry.slot + 1))
    expect([activity[entry.slot], nodes[0]]).toEqual([PLANNED, index])
    transfer(universe, 'ship-2', 'pair')
    expect([...nodes].filter((value) => value !== 0)).toEqual([])
    const there = findShip(universe, 'ship-2')!
    expect(there.world.state.ships.activity[there.entry.slot]).toBe(IDLE)
  })

  it('keeps that wheels are not unloaded, there and back', () => {
    const universe = livelySystems()
    const kept = (): number => {
      const { world, entry } = findShip(universe, 'ship-2')!
      return world.state.ships.wheelsKept[entry.slot]
    }
    const { world, entry } = findShip(universe, 'ship-2')!
    world.state.ships.wheelsKept[entry.slot] = 1
    transfer(universe, 'ship-2', 'pair')
    expect(kept()).toBe(1)
    transfer(universe, 'ship-2', 'alone')
    expect(kept()).toBe(1)
  })

  it('drops the commands that wait, and takes new ones', async () => {
    const universe = livelySystems()
    const [{ intake, index, roster }] = universe.worlds
    acceptControl(intake, roster.byId.get('ship-0')!, { thrustLevel: 1 }, index + 100, index)
    transfer(universe, 'ship-0', 'pair')
    expect(intake.pending).toEqual([])
    expect(intake.lastOfShip.size).toBe(0)
    const { world, entry } = findShip(universe, 'ship-0')!
    expect(world.intake.pending).toEqual([])
    await flySteered(universe, 2)
    expect(shipView(world, entry, 0).fuel).toBeLessThan(world.ship.fuelCapacity)
  })

  it('leaves the bits of all other ships alone', async () => {
    const [moved, still] = [livelySystems(), livelySystems()]
    const others = still.worlds.flatMap(({ roster }) => [...roster.byId.keys()])
    await Promise.all([flySteered(moved, 4), flySteered(still, 4)])
    transfer(moved, 'ship-4', 'pair')
    await Promise.all([flySteered(moved, 10), flySteered(still, 10)])
    const stayed = others.filter((shipId) => shipId !== 'ship-4')
    expect(bits(moved, stayed)).toEqual(bits(still, stayed))
  })

  it('there and back frees both slots, and no number comes again', () => {
    const universe = twoSystems()
    addShip(universe.worlds[0], 'only', 'Only')
    const places = (): unknown => {
      const { world, entry } = findShip(universe, 'only')!
      const ships = universe.worlds.map(({ state }) => [...state.chunk.chunkShips])
      return [world.state.system.id, entry.slot, entry.number, ships]
    }
    const [none, one] = [
      [0, 0, 0, 0],
      [1, 0, 0, 0],
    ]
    transfer(universe, 'only', 'pair')
    expect(places()).toEqual(['pair', 0, 1, [none, one]])
    transfer(universe, 'only', 'alone')
    expect(places()).toEqual(['alone', 0, 2, [one, none]])
  })

  it('wakes a ship that was frozen', () => {
    const universe = livelySystems()
    const { world, entry } = findShip(universe, 'ship-1')!
    world.state.ships.condition[entry.slot] = FROZEN
    transfer(universe, 'ship-1', 'pair')
    const arrived = findShip(universe, 'ship-1')!
    expect(shipView(arrived.world, arrived.entry, 0).frozen).toBe(false)
  })
})

it('a refused transfer gives the reason and changes nothing', async () => {
  const universe = livelySystems()
  await flySteered(universe, 2)
  const before = imageOf(universe)
  const sequences = sequencesOf(universe)
  expect(() => transfer(universe, 'unknown', 'pair')).toThrow(codeOf('ERR_SHIP_UNKNOWN'))
  expect(() => transfer(universe, 'ship-1', 'elsewhere')).toThrow(codeOf('ERR_SYSTEM_UNKNOWN'))
  expect(() => transfer(universe, 'ship-1', 'alone')).toThrow(codeOf('ERR_SAME_SYSTEM'))
  expect(imageOf(universe)).toEqual(before)
  expect(sequencesOf(universe)).toEqual(sequences)
})

describe('digests', () => {
  it.each(byTier({ gate: [9], night: [3, 9] }))(
    'are the same after an image of tick %i and without',
    async (imageAt) => {
      const flown = async (restores: boolean): Promise<unknown> => {
        let universe = livelySystems()
        const digests: SystemDigest[] = []
        for (let tick = 0; tick < 32; tick++) {
          // Slots are left empty and taken again.
          if (tick === 2) for (const i of [3, 7, 11]) transfer(universe, `ship-${i}`, 'alone')
          if (tick === 6) transfer(universe, 'ship-5', 'pair')
          if (tick === 8) transfer(universe, 'ship-5', 'alone')
          if (tick === 12) transfer(universe, 'ship-3', 'pair')
          if (restores && tick === imageAt) {
            const clock = createGameClock(universe.worlds[0].index)
            const { header, bytes } = universeImage(universe, clock, tick)
            const image = { header: JSON.parse(JSON.stringify(header)), bytes }
            const room = { systems: [globe(), pair()], shipsMax: 1024 }
            ;({ universe } = restoreUniverse(image, room))
          }
          digests.push(...(await flySteered(universe, 1)))
        }
        const ships = Array.from({ length: 12 }, (_, i) => `ship-${i}`)
        return { digests: digests.slice(-4), ships: bits(universe, ships) }
      }
      expect(await flown(true)).toEqual(await flown(false))
    },
  )

  it('an image does not change when the world goes on', () => {
    const universe = livelySystems()
    const { header } = universeImage(universe, createGameClock(START_INDEX), 0)
    const before = structuredClone(header)
    transfer(universe, 'ship-0', 'pair')
    executeCommand(universe, { kind: 'rename_ship', shipId: 'ship-1', name: 'Other' })
    executeCommand(universe, {
      kind: 'create_station',
      stationId: 'a',
      name: 'A',
      parentBody: 'Moon',
      placement: { kind: 'orbit', altitude: 1e5 },
    })
    expect(header).toEqual(before)
    expect(universe.worlds[1].stations.size).toBe(1)
  })
})

describe('watchers', () => {
  const watch = ({ intake, index, roster }: World, watcher: string, target: string): void => {
    const control = { pointing: 'target', target: roster.byId.get(target)!.number } as const
    acceptControl(intake, roster.byId.get(watcher)!, control, index, index)
  }

  it('of a ship that leaves lose sight of it, also when its slot is taken at once', async () => {
    const universe = livelySystems()
    const [world] = universe.worlds
    watch(world, 'ship-0', 'ship-1')
    await coast(universe, 192)
    const { ships, sightings } = world.state
    const row = ships.sighting[world.roster.byId.get('ship-0')!.slot]
    expect(world.index - sightings.sightedAt[row]).toBeLessThanOrEqual(64)
    const { slot } = world.roster.byId.get('ship-1')!
    transfer(universe, 'ship-1', 'pair')
    expect(addShip(world, 'late', 'Late').slot).toBe(slot)
    await coast(universe, 128)
    expect([sightings.watched[row], sightings.sightedAt[row]]).toEqual([-1, -1])
    transfer(universe, 'ship-1', 'alone')
    await coast(universe, 128)
    expect(sightings.sightedAt[row]).toBe(-1)
  })

  it('that leave stop watching, and their rows are free', async () => {
    const universe = livelySystems()
    const [world] = universe.worlds
    watch(world, 'ship-0', 'ship-1')
    await coast(universe, 192)
    transfer(universe, 'ship-0', 'pair')
    const arrived = findShip(universe, 'ship-0')!
    expect(arrived.world.state.ships.sighting[arrived.entry.slot]).toBe(-1)
    watch(world, 'ship-4', 'ship-5')
    await coast(universe, 192)
    expect(world.state.ships.sighting[world.roster.byId.get('ship-4')!.slot]).toBe(0)
    expect(shipView(arrived.world, arrived.entry, 0).frozen).toBe(false)
  })
})

describe('a system that takes no commands', () => {
  it('refuses those of its ships and what concerns all systems; another takes them', () => {
    const universe = livelySystems()
    const [alone, paired] = universe.worlds
    const stopped = codeOf('ERR_SYSTEM_STOPPED')
    const rename = (shipId: string): void =>
      executeCommand(universe, { kind: 'rename_ship', shipId, name: 'Other' })
    const before = imageOf(universe)
    const sequences = sequencesOf(universe)
    paired.intake.refusal = 'its journal is broken'
    const log = { kind: 'maneuver_logging', level: 'verbose' } as const
    expect(() => executeCommand(universe, log)).toThrow(stopped)
    const [[shipId, entry]] = paired.roster.byId
    expect(() => rename(shipId)).toThrow(stopped)
    expect(() => transfer(universe, shipId, 'alone')).toThrow(stopped)
    expect(() => steerShip(paired, entry, { thrustLevel: 1 }, paired.index)).toThrow(stopped)
    expect(imageOf(universe)).toEqual(before)
    expect(sequencesOf(universe)).toEqual(sequences)
    expect(alone.maneuvers.level).not.toBe('verbose')
    rename('ship-2')
    expect(findShip(universe, 'ship-2')?.entry.name).toBe('Other')
  })
})
