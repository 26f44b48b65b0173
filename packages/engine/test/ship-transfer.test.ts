// Law: a ship that is taken to another system arrives in its spawn orbit with what it carries, and
// no other ship's bits change; a refused transfer changes nothing. Goal: state, digests, images and
// watchers around a transfer. Method: two small systems, flown on the calling thread.
import {
  type SystemSetup,
  type World,
  addShip,
  applyCommand,
  createGameClock,
  createWorld,
  restoreWorld,
  stationViews,
  systemSummaries,
  worldImage,
} from '@orrery/engine'
import {
  CHUNK_SLOTS,
  LOCKED,
  SHIP_COLUMNS,
  type WorldDigest,
  createMassiveState,
  rounds,
} from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { acceptControl, writeOrders } from '../src/commands/intake.ts'
import { shipView } from '../src/views/ship-view.ts'
import { completeNear } from '../src/world/world.ts'
import { pair } from './busy-world.ts'
import { START_INDEX, callingThread, globe } from './globe.ts'

const QUANTA_PER_TICK = 640

function twoSystems(shipsMax = 1024): World {
  const systems = [globe(), pair()]
  return createWorld({ systems, index: START_INDEX, seed: 'two', shipsMax })
}

/** A world with a few ships in both systems, some under thrust. */
function livelyWorld(): World {
  const world = twoSystems()
  for (let i = 0; i < 12; i++) addShip(world, `ship-${i}`, `Ship ${i}`, i % 4 === 3 ? 1 : 0)
  return world
}

/** Flies ticks; every ship is steered by its number and the index alone. */
async function fly(world: World, ticks: number): Promise<WorldDigest[]> {
  const digests: WorldDigest[] = []
  const pool = callingThread(world)
  for (let i = 0; i < ticks; i++) {
    const target = world.index + QUANTA_PER_TICK
    for (const entry of world.roster.byId.values()) {
      const roll = (entry.number * 31 + world.index / QUANTA_PER_TICK) % 7
      const control = { thrustLevel: (roll % 3) / 10, attitude: [1, roll, 2, 0.5] as const }
      acceptControl(world.intake, entry, control, world.index + 8 * roll, world.index)
    }
    completeNear(world, target)
    writeOrders(world.intake, world.roster, world.state, target)
    for (const round of rounds(world, world.index, target, (digest) => digests.push(digest))) {
      await pool.advance(round.target, round.meetingOnly)
    }
    world.index = target
  }
  return digests
}

/** What a world holds of some ships, slot by slot. */
function bits({ state, roster }: World, shipIds: readonly string[]): unknown {
  return shipIds.map((shipId) => {
    const { slot, number, name } = roster.byId.get(shipId)!
    const rows = SHIP_COLUMNS.map(({ name: column, components }) => [
      column,
      ...state.ships[column].subarray(slot * components, (slot + 1) * components),
    ])
    return { slot, number, name, rows }
  })
}

const transfer = (world: World, shipId: string, systemId: string): void =>
  applyCommand(world, { kind: 'transfer_ship', shipId, systemId })

const codeOf = (code: string): Error => expect.objectContaining({ code })

describe('a transfer', () => {
  it('brings a ship to the spawn orbit there, with its fuel, number and name', async () => {
    const world = livelyWorld()
    await fly(world, 3)
    const entry = world.roster.byId.get('ship-2')!
    // Inside a step, so that the fuel is neither the step's first nor its last.
    const before = shipView(world, entry, 0)
    const { number, slot } = entry
    transfer(world, 'ship-2', 'pair')
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
    expect(before.fuel).toBeLessThan(world.ship.fuelCapacity)
    expect(entry.number).toBe(number)
    expect(entry.slot).not.toBe(slot)
    expect(world.state.ships.attitudeMode[entry.slot]).toBe(LOCKED)
    // The place is the one that a new ship of that id would get there.
    const fresh = createWorld({ ...world.setup, index: world.index })
    const placed = shipView(fresh, addShip(fresh, 'ship-2', 'Ship 2', 1), 0)
    expect(after.relativePosition).toEqual(placed.relativePosition)
    expect(after.relativeVelocity).toEqual(placed.relativeVelocity)
    expect(after.attitude).toEqual(placed.attitude)
    expect(systemSummaries(world).map(({ id, shipCount }) => [id, shipCount])).toEqual([
      ['alone', 8],
      ['pair', 4],
    ])
  })

  it('drops the commands that wait, and takes new ones', async () => {
    const world = livelyWorld()
    const entry = world.roster.byId.get('ship-0')!
    acceptControl(world.intake, entry, { thrustLevel: 1 }, world.index + 100, world.index)
    transfer(world, 'ship-0', 'pair')
    expect(world.intake.pending).toEqual([])
    expect(world.intake.lastOfShip.size).toBe(0)
    await fly(world, 2)
    expect(shipView(world, entry, 0).fuel).toBeLessThan(world.ship.fuelCapacity)
  })

  it('leaves the bits of all other ships alone', async () => {
    const [moved, still] = [livelyWorld(), livelyWorld()]
    const others = [...still.roster.byId.keys()].filter((shipId) => shipId !== 'ship-4')
    await Promise.all([fly(moved, 4), fly(still, 4)])
    transfer(moved, 'ship-4', 'pair')
    await Promise.all([fly(moved, 10), fly(still, 10)])
    expect(bits(moved, others)).toEqual(bits(still, others))
  })

  it('there and back frees both slots, and empty chunks belong to no system', () => {
    const world = twoSystems()
    const { slot } = addShip(world, 'only', 'Only')
    transfer(world, 'only', 'pair')
    expect(world.roster.byId.get('only')!.slot).toBe(CHUNK_SLOTS)
    expect([...world.state.chunk.chunkSystem]).toEqual([-1, 1, -1, -1])
    transfer(world, 'only', 'alone')
    expect(world.roster.byId.get('only')!.slot).toBe(slot)
    expect([...world.state.chunk.chunkSystem]).toEqual([0, -1, -1, -1])
    expect([...world.state.chunk.chunkShips]).toEqual([1, 0, 0, 0])
  })

  it('wakes a ship that was frozen', () => {
    const world = livelyWorld()
    const entry = world.roster.byId.get('ship-1')!
    world.state.ships.condition[entry.slot] = 2
    transfer(world, 'ship-1', 'pair')
    expect(shipView(world, entry, 0).frozen).toBe(false)
  })
})

describe('a refused transfer', () => {
  it('gives the reason and changes no byte', async () => {
    const world = livelyWorld()
    await fly(world, 2)
    const before = new Uint8Array(world.state.buffer).slice()
    const { sequence } = world.intake
    expect(() => transfer(world, 'nobody', 'pair')).toThrow(codeOf('ERR_SHIP_UNKNOWN'))
    expect(() => transfer(world, 'ship-1', 'elsewhere')).toThrow(codeOf('ERR_SYSTEM_UNKNOWN'))
    expect(() => transfer(world, 'ship-1', 'alone')).toThrow(codeOf('ERR_SAME_SYSTEM'))
    expect(Buffer.from(new Uint8Array(world.state.buffer)).equals(before)).toBe(true)
    expect(world.intake.sequence).toBe(sequence)
  })

  it('by a full world leaves the ship where it is', () => {
    const world = twoSystems(CHUNK_SLOTS)
    const entry = addShip(world, 'only', 'Only')
    const before = new Uint8Array(world.state.buffer).slice()
    expect(() => transfer(world, 'only', 'pair')).toThrow(codeOf('ERR_WORLD_FULL'))
    expect(Buffer.from(new Uint8Array(world.state.buffer)).equals(before)).toBe(true)
    expect(entry.slot).toBe(0)
  })
})

/** A system whose moon surrounds every spawn orbit: no ship can fly there. */
function solid(): SystemSetup {
  const { system } = pair()
  const [root, moon] = system.bodies
  return {
    system: { ...system, id: 'solid', bodies: [root, { ...moon, radius: 3e8 }] },
    territory: { home: 0, spheres: Float64Array.of(Infinity, 1e7) },
    start: Object.assign(createMassiveState(2), {
      node: 0,
      x: Float64Array.of(0, 0, 0, 1e8, 0, 0),
      v: Float64Array.of(0, 0, 0, 0, 2000, 0),
    }),
  }
}

it('a ship that cannot fly where it would arrive takes no slot, neither new nor moved', () => {
  const systems = [globe(), solid()]
  const world = createWorld({ systems, index: START_INDEX, seed: 'solid', shipsMax: 512 })
  const entry = addShip(world, 'here', 'Here')
  expect(() => transfer(world, 'here', 'solid')).toThrow(codeOf('ERR_SHIP_STATE'))
  expect(() => addShip(world, 'there', 'There', 1)).toThrow(codeOf('ERR_SHIP_STATE'))
  expect(entry.slot).toBe(0)
  expect(world.roster.nextNumber).toBe(2)
  expect([...world.state.chunk.chunkShips]).toEqual([1, 0])
  expect([...world.state.chunk.chunkSystem]).toEqual([0, -1])
  expect(world.state.ships.condition[CHUNK_SLOTS]).toBe(0)
})

describe('digests', () => {
  it.each([3, 9])('are the same after an image of tick %i and without', async (imageAt) => {
    const flown = async (restores: boolean): Promise<unknown> => {
      let world = livelyWorld()
      const digests: WorldDigest[] = []
      for (let tick = 0; tick < 32; tick++) {
        // Chunks are left empty and taken again, by the same system and by another.
        if (tick === 2) for (const i of [3, 7, 11]) transfer(world, `ship-${i}`, 'alone')
        if (tick === 6) transfer(world, 'ship-5', 'pair')
        if (tick === 8) transfer(world, 'ship-5', 'alone')
        if (tick === 12) transfer(world, 'ship-3', 'pair')
        if (restores && tick === imageAt) {
          const { header, bytes } = worldImage(world, createGameClock(world.index), tick)
          const image = { header: JSON.parse(JSON.stringify(header)), bytes }
          ;({ world } = restoreWorld(image, { systems: [globe(), pair()], shipsMax: 1024 }))
        }
        digests.push(...(await fly(world, 1)))
      }
      return { digests: digests.slice(-2), ships: bits(world, [...world.roster.byId.keys()]) }
    }
    expect(await flown(true)).toEqual(await flown(false))
  })

  it('an image does not change when the world goes on', () => {
    const world = livelyWorld()
    const { header } = worldImage(world, createGameClock(world.index), 0)
    const before = structuredClone(header)
    transfer(world, 'ship-0', 'pair')
    applyCommand(world, { kind: 'rename_ship', shipId: 'ship-1', name: 'Other' })
    applyCommand(world, {
      kind: 'create_station',
      stationId: 'a',
      name: 'A',
      parentBody: 'Moon',
      placement: { kind: 'orbit', altitude: 1e5 },
    })
    expect(header).toEqual(before)
    expect(stationViews(world, 0).length).toBe(1)
  })
})

describe('watchers', () => {
  const watch = (world: World, watcher: string, target: string): void => {
    const { byId } = world.roster
    const control = { pointing: 'target', target: byId.get(target)!.number } as const
    acceptControl(world.intake, byId.get(watcher)!, control, world.index, world.index)
  }
  const coast = async (world: World, seconds: number): Promise<void> => {
    const target = world.index + 64 * seconds
    completeNear(world, target)
    writeOrders(world.intake, world.roster, world.state, target)
    for (const round of rounds(world, world.index, target, () => undefined)) {
      await callingThread(world).advance(round.target, round.meetingOnly)
    }
    world.index = target
  }

  it('of a ship that leaves lose sight of it, also when its slot is taken at once', async () => {
    const world = livelyWorld()
    watch(world, 'ship-0', 'ship-1')
    await coast(world, 3)
    const { ships, sightings } = world.state
    const row = ships.sighting[world.roster.byId.get('ship-0')!.slot]
    expect(world.index - sightings.sightedAt[row]).toBeLessThanOrEqual(64)
    const { slot } = world.roster.byId.get('ship-1')!
    transfer(world, 'ship-1', 'pair')
    expect(addShip(world, 'late', 'Late').slot).toBe(slot)
    await coast(world, 2)
    expect([sightings.watched[row], sightings.sightedAt[row]]).toEqual([-1, -1])
    transfer(world, 'ship-1', 'alone')
    await coast(world, 2)
    expect(sightings.sightedAt[row]).toBe(-1)
  })

  it('that leave stop watching, and their rows are free', async () => {
    const world = livelyWorld()
    watch(world, 'ship-0', 'ship-1')
    await coast(world, 3)
    transfer(world, 'ship-0', 'pair')
    const entry = world.roster.byId.get('ship-0')!
    expect(world.state.ships.sighting[entry.slot]).toBe(-1)
    watch(world, 'ship-4', 'ship-5')
    await coast(world, 3)
    expect(world.state.ships.sighting[world.roster.byId.get('ship-4')!.slot]).toBe(0)
    expect(shipView(world, entry, 0).frozen).toBe(false)
  })
})
