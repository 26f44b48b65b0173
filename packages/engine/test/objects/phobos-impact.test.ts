/**
 * Law: the ground of every body counts, not only that of the reference. Phobos' sphere of
 * influence is inside Phobos, so a ship that hits it flies in an orbit of Mars.
 */
import {
  bodyIndex,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import { type World, addShip, createWorld, startNode } from '@orrery/engine/testing'
import {
  type ShipEvent,
  bodyState,
  createStateVector,
  flyTo,
  latticeFromUtc,
  launch,
  spheresOfInfluence,
  takeEvents,
} from '@orrery/sim'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { wasmKernels } from '../catalog-systems.ts'

const MARS = bodyIndex(solSystem, 'Mars')
const PHOBOS = bodyIndex(solSystem, 'Phobos')
const EARTH = bodyIndex(solSystem, 'Earth')

/** A ship `aside` of the centre of Phobos' path, which it meets after `seconds` at 600 m/s. */
async function approach(aside: number, seconds: number): Promise<World> {
  const index = latticeFromUtc(Date.UTC(2026, 10, 21))
  const territory = {
    home: EARTH,
    spheres: spheresOfInfluence(solSystem, solStateJ2000()),
  }
  const checkpoints = parseCheckpoints(await readFile(checkpointsUrl))
  const start = checkpointAtOrBefore(checkpoints, startNode(index))
  const world = createWorld({
    system: { system: solSystem, territory, start },
    index,
    seed: 'phobos',
    shipsMax: 256,
    ...wasmKernels,
  })
  const { slot } = addShip(world, 'moon-seeker', 'Moon seeker')
  const { ships, ephemeris } = world.state
  const phobos = createStateVector()
  const { r, v } = phobos
  bodyState(phobos, ephemeris, PHOBOS, MARS, index, 0)
  const speed = Math.hypot(...v)
  const distance = Math.hypot(...r)
  // From behind and below, so that the bent path (it falls as Phobos does) still meets it.
  for (let axis = 0; axis < 3; axis++) {
    const ahead = v[axis] / speed
    ships.position[3 * slot + axis] = r[axis] - 600 * seconds * ahead + (aside * r[axis]) / distance
    ships.velocity[3 * slot + axis] = v[axis] + 600 * ahead
  }
  ships.positionLow.fill(0, 3 * slot, 3 * slot + 3)
  ships.velocityLow.fill(0, 3 * slot, 3 * slot + 3)
  ships.reference[slot] = MARS
  launch(world.flight, slot, index)
  return world
}

function flown(world: World, seconds: number): ShipEvent[] {
  const events: ShipEvent[] = []
  for (let n = world.index; n < world.index + 64 * seconds; n += 640) {
    flyTo(world.flight, world, n, n + 640, () => {})
    events.push(...takeEvents(world.state).events)
  }
  return events
}

it('is hit from an orbit of Mars, at the beat that its ground is ahead', async () => {
  const world = await approach(0, 100)
  const events = flown(world, 150)
  expect(events).toMatchObject([{ kind: 'impact', body: PHOBOS, shipNumber: 1 }])
  // 60 km at 600 m/s less its radius of 11 km: 80 s, and a second for the tide.
  const seconds = (events[0].index - world.index) / 64
  expect(seconds).toBeGreaterThan(79)
  expect(seconds).toBeLessThan(84)
  expect(world.state.ships.reference[0], 'back on the spawn orbit').toBe(EARTH)
})

it('is missed by a ship that passes 20 km beside its centre', async () => {
  const world = await approach(20_000, 100)
  expect(flown(world, 200)).toEqual([])
  expect(world.state.ships.reference[0]).toBe(MARS)
})
