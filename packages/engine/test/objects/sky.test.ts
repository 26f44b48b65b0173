// Law: the sky has each ship once, equal to its view to the bit. Method:
// two small systems, ships that burn and one that is frozen, flown on the calling thread; a
// moment between two lattice indices.
import { addShip, applyCommand, createUniverse } from '@orrery/engine/testing'
import { FROZEN } from '@orrery/sim'
import { expect, it } from 'vitest'
import { flyWorlds } from '../../src/flown-universe.ts'
import { acceptControl, writeOrders } from '../../src/world/intake.ts'
import { osculatingOrbit } from '../../src/views/orbit.ts'
import { shipView } from '../../src/views/ship-view.ts'
import { skyOf } from '../../src/views/sky.ts'
import { completeNear } from '../../src/world/world.ts'
import { pair } from '../busy-world.ts'
import { START_INDEX, callingThread, globe } from '../globe.ts'

const OFFSET = 0.375

it('fleets hold the ships of a system at the positions of their views', async () => {
  const systems = [globe(), pair()]
  const universe = createUniverse({ systems, index: START_INDEX, seed: 'sky', shipsMax: 1024 })
  const { worlds } = universe
  for (let i = 0; i < 300; i++) addShip(worlds[i % 3 === 2 ? 1 : 0], `ship-${i}`, `Ship ${i}`)
  const [first, second] = worlds
  applyCommand(first, { kind: 'remove_ship', shipId: 'ship-7' })
  const burning = first.roster.byId.get('ship-1')!
  acceptControl(first.intake, burning, { thrustLevel: 1 }, START_INDEX, START_INDEX)
  const target = START_INDEX + 1234
  for (const world of worlds) {
    completeNear(world, target + 1)
    writeOrders(world.intake, world.roster, world.state, target)
  }
  await flyWorlds(worlds, callingThread(...worlds), target)
  for (const world of worlds) world.index = target
  second.state.ships.condition[second.roster.byId.get('ship-2')!.slot] = FROZEN

  const sky = skyOf(universe, OFFSET)
  let ships = 0
  for (const [i, fleet] of [...sky.fleets.values()].entries()) {
    const world = worlds[i]
    expect(fleet.systemId).toBe(systems[i].system.id)
    const positions = fleet.positions()
    for (const [place, entry] of fleet.ships.entries()) {
      const view = shipView(world, entry, OFFSET)
      expect(fleet.view(place)).toEqual(view)
      expect([...positions.subarray(3 * place, 3 * place + 3)]).toEqual(view.position)
      expect(view.systemId).toBe(fleet.systemId)
      expect(view.mass).toBe(world.ship.dryMass + view.fuel)
      const { orbit } = fleet.pilotView(place)
      const body = world.state.system.bodies.find(({ name }) => name === view.referenceBody)!
      expect(orbit).toEqual(osculatingOrbit(view.relativePosition, view.relativeVelocity, body))
      expect(view.deltaV).toBeCloseTo(24_000 * Math.log(view.mass / 20_000), 9)
      expect(sky.fleetOf(entry.shipId)).toBe(fleet)
      expect(fleet.indexOf(entry.shipId)).toBe(place)
      ships++
    }
  }
  expect(ships).toBe(299)
  const [here, there] = sky.fleets.values()
  expect(here.indexOf('ship-2')).toBe(-1)
  expect(there.indexOf('ship-7')).toBe(-1)
  expect(sky.fleetOf('ship-7')).toBeUndefined()
})
