// Law: the sky has each ship once, equal to its view to the bit. Method:
// two small systems, ships that burn and one that is frozen, flown on the calling thread; a
// moment between two lattice indices.
import { addShip, applyCommand, createWorld, systemOf } from '@orrery/engine'
import { FROZEN, rounds } from '@orrery/sim'
import { expect, it } from 'vitest'
import { acceptControl, writeOrders } from '../src/commands/intake.ts'
import { shipView } from '../src/views/ship-view.ts'
import { skyOf } from '../src/views/sky.ts'
import { completeNear } from '../src/world/world.ts'
import { pair } from './busy-world.ts'
import { START_INDEX, callingThread, globe } from './globe.ts'

const OFFSET = 0.375

it('fleets hold the ships of a system at the positions of their views', async () => {
  const systems = [globe(), pair()]
  const world = createWorld({ systems, index: START_INDEX, seed: 'sky', shipsMax: 1024 })
  for (let i = 0; i < 300; i++) addShip(world, `ship-${i}`, `Ship ${i}`, i % 3 === 2 ? 1 : 0)
  applyCommand(world, { kind: 'remove_ship', shipId: 'ship-7' })
  const burning = world.roster.byId.get('ship-1')!
  acceptControl(world.intake, burning, { thrustLevel: 1 }, world.index, world.index)
  const target = world.index + 1234
  completeNear(world, target + 1)
  writeOrders(world.intake, world.roster, world.state, target)
  for (const round of rounds(world, world.index, target, () => {})) {
    await callingThread(world).advance(round.target, round.meetingOnly)
  }
  world.index = target
  world.state.ships.condition[world.roster.byId.get('ship-2')!.slot] = FROZEN

  const sky = skyOf(world, OFFSET)
  let ships = 0
  for (const fleet of sky.fleets.values()) {
    const positions = fleet.positions()
    for (const [i, entry] of fleet.ships.entries()) {
      const view = shipView(world, entry, OFFSET)
      expect(fleet.view(i)).toEqual(view)
      expect([...positions.subarray(3 * i, 3 * i + 3)]).toEqual(view.position)
      expect(view.systemId).toBe(fleet.systemId)
      expect(view.mass).toBe(world.ship.dryMass + view.fuel)
      expect(systems[systemOf(world, entry)].system.id).toBe(fleet.systemId)
      expect(sky.fleetOf(entry.shipId)).toBe(fleet)
      expect(fleet.indexOf(entry.shipId)).toBe(i)
      ships++
    }
  }
  expect(ships).toBe(299)
  const [here, there] = sky.fleets.values()
  expect(here.indexOf('ship-2')).toBe(-1)
  expect(there.indexOf('ship-7')).toBe(-1)
  expect(sky.fleetOf('ship-7')).toBeUndefined()
})
