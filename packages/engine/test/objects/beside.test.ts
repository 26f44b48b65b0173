/**
 * Law: a ship that begins beside another is 1 to 5 km behind it, at its velocity, and stays near;
 * the same command gives the same bits. What cannot be is refused by name and changes nothing.
 */
import {
  type Universe,
  addShip,
  createGameClock,
  createReplay,
  createUniverse,
  executeCommand,
  findShip,
  restoreUniverse,
  universeImage,
} from '@orrery/engine/testing'
import { FROZEN, isDocked, launch } from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { parseKeptCommand } from '../../src/commands/kept-command.ts'
import { steerShip } from '../../src/commands/steering.ts'
import { shipView } from '../../src/views/ship-view.ts'
import { pair } from '../busy-world.ts'
import { START_INDEX, globe, universeOf } from '../globe.ts'
import { dock, beside as placedBeside, stationWorld } from './station-world.ts'
import { coast, codeOf, flySteered, livelySystems, transfer } from './two-systems.ts'

const command = (shipId: string, beside: string) =>
  ({ kind: 'create_ship', shipId, name: 'Guest', beside }) as const

function viewOf(universe: Universe, shipId: string) {
  const { world, entry } = findShip(universe, shipId)!
  return shipView(world, entry, 0)
}

/** From the second to the first [m]; along the motion of the second [m]; speed [m/s]. */
function apart(universe: Universe, shipId: string, otherId: string) {
  const [one, other] = [viewOf(universe, shipId), viewOf(universe, otherId)]
  const offset = one.position.map((x, axis) => x - other.position[axis])
  const speed = Math.hypot(...other.relativeVelocity)
  const along = offset.reduce((sum, x, axis) => sum + x * other.relativeVelocity[axis], 0) / speed
  const drift = one.velocity.map((x, axis) => x - other.velocity[axis])
  return { distance: Math.hypot(...offset), along, drift: Math.hypot(...drift) }
}

describe('a ship beside another', () => {
  it('begins 1 to 5 km behind it, at rest relative to it, and stays within 15 km', async () => {
    const universe = livelySystems()
    await coast(universe, 640 * 3 + 17)
    for (let guest = 0; guest < 5; guest++) {
      executeCommand(universe, command(`guest-${guest}`, 'ship-2'))
      const { along, distance, drift } = apart(universe, `guest-${guest}`, 'ship-2')
      expect(distance).toBeGreaterThan(1000)
      expect(distance).toBeLessThan(5000)
      expect(along).toBeCloseTo(-distance, 6)
      expect(drift).toBeLessThan(1e-6)
      const { referenceBody, fuel, fuelCapacity } = viewOf(universe, `guest-${guest}`)
      expect(referenceBody).toBe(viewOf(universe, 'ship-2').referenceBody)
      expect(fuel).toBe(fuelCapacity)
    }
    for (let hour = 0; hour < 5; hour++) {
      await coast(universe, 64 * 3600)
      for (let guest = 0; guest < 5; guest++) {
        expect(apart(universe, `guest-${guest}`, 'ship-2').distance).toBeLessThan(15_000)
      }
    }
  })

  it('begins behind the station where the other is docked, of either kind', async () => {
    for (const stationId of ['low', 'far']) {
      const world = stationWorld()
      const host = placedBeside(world, 'host', stationId)
      steerShip(world, host, dock(stationId), world.index)
      const replay = createReplay({ world, pool: undefined })
      await replay.flyTo(world.index + 64 * 15, 0)
      expect(isDocked(world.state.ships, host.slot)).toBe(true)
      const universe = universeOf(world)
      executeCommand(universe, command('guest', 'host'))
      const { distance, drift } = apart(universe, 'guest', 'host')
      expect(distance).toBeGreaterThan(1000)
      expect(distance).toBeLessThan(5000)
      expect(drift).toBeLessThan(1e-6)
      expect(isDocked(world.state.ships, findShip(universe, 'guest')!.entry.slot)).toBe(false)
      await replay.flyTo(world.index + 64 * 600, 0)
      expect(apart(universe, 'guest', 'host').distance).toBeLessThan(15_000)
    }
  })

  it('has the same bits when it is executed again from an image', async () => {
    const universe = livelySystems()
    await flySteered(universe, 3)
    const image = universeImage(universe, createGameClock(universe.worlds[0].index), 7)
    const room = { systems: [globe(), pair()], shipsMax: 1024 }
    const again = restoreUniverse(image, room).universe
    const row = parseKeptCommand(JSON.parse(JSON.stringify(command('guest', 'ship-4'))))
    expect(row).toEqual(command('guest', 'ship-4'))
    const lives = []
    for (const one of [universe, again]) {
      executeCommand(one, command('guest', 'ship-4'))
      lives.push({ begun: viewOf(one, 'guest'), digests: await flySteered(one, 16) })
    }
    expect(lives[1]).toEqual(lives[0])
    expect(lives[0].digests.length).toBeGreaterThan(0)
  })

  it('is refused where the other is gone, stopped, elsewhere, or has ground behind it', () => {
    const universe = livelySystems()
    const [alone] = universe.worlds
    const before = alone.intake.sequence
    const refused = (other: string, code: string): void => {
      expect(() => executeCommand(universe, command('guest', other))).toThrow(codeOf(code))
      expect(findShip(universe, 'guest')).toBeUndefined()
    }
    refused('no-such', 'ERR_SHIP_UNKNOWN')
    refused('ship-3', 'ERR_BESIDE')
    const { slot } = findShip(universe, 'ship-0')!.entry
    alone.state.ships.condition[slot] = FROZEN
    refused('ship-0', 'ERR_BESIDE')
    const riser = findShip(universe, 'ship-1')!.entry
    alone.state.ships.position.set([6.371e6 + 500, 0, 0], 3 * riser.slot)
    alone.state.ships.velocity.set([3000, 0, 0], 3 * riser.slot)
    launch(alone.flight, riser.slot, alone.index)
    refused('ship-1', 'ERR_BESIDE')
    const leaver = findShip(universe, 'ship-4')!.entry
    alone.departed.set(leaver.shipId, {} as never)
    alone.roster.byId.delete(leaver.shipId)
    refused('ship-4', 'ERR_IN_TRANSIT')
    expect(alone.intake.sequence).toBe(before)
  })

  it('is refused beside a ship that has left where ships begin', () => {
    const systems = [globe(), pair()]
    const universe = createUniverse({ systems, index: START_INDEX, seed: 'two', shipsMax: 1024 })
    addShip(universe.worlds[0], 'host', 'Host')
    transfer(universe, 'host', 'pair')
    const refusal = { code: 'ERR_BESIDE', message: 'Host is in Pair; new ships begin in Alone.' }
    expect(() => executeCommand(universe, command('guest', 'host'))).toThrow(
      expect.objectContaining(refusal),
    )
  })
})
