/**
 * Law: a stored world that does not fit is refused by name, and one that fits goes on: with ships
 * that chase each other, and with commands that still wait.
 */
import { type WorldImage, addShip, restoreWorld } from '@orrery/engine'
import { expect, it } from 'vitest'
import { acceptControl } from '../src/intake.ts'
import { worldImage } from '../src/image.ts'
import { createGameClock } from '../src/clock.ts'
import { START_INDEX, globe, globeWorld } from './globe.ts'

function image(): WorldImage {
  const world = globeWorld()
  const hunter = addShip(world, 'hunter', 'Hunter')
  const prey = addShip(world, 'prey', 'Prey')
  const control = { pointing: 'target', target: prey.number, thrustLevel: 0.25 } as const
  acceptControl(world.intake, hunter, control, START_INDEX, START_INDEX)
  acceptControl(world.intake, prey, { attitude: [0, 0, 1, 0] }, START_INDEX, START_INDEX)
  return worldImage(world, createGameClock(START_INDEX), 7)
}

const room = { systems: [globe()], shipsMax: 512 }

it('carries waiting commands to the letter', () => {
  const { world, tick } = restoreWorld(image(), room)
  expect(tick).toBe(7)
  expect(world.intake.pending.map(({ control }) => control)).toEqual([
    { pointing: 'target', target: 2, thrustLevel: 0.25 },
    { attitude: [0, 0, 1, 0] },
  ])
})

it('opens where the catalog has gained a system since', () => {
  const { system } = globe()
  const other = { ...globe(), system: { ...system, id: 'other', name: 'Other' } }
  const before = restoreWorld(image(), room)
  const { world } = restoreWorld(image(), { systems: [globe(), other], shipsMax: 512 })
  expect(world.state.systems.map(({ id }) => id)).toEqual(['alone', 'other'])
  expect([...world.state.ships.endPosition]).toEqual([...before.world.state.ships.endPosition])
  expect(addShip(world, 'settler', 'Settler', 1).slot).toBe(256)
})

it('refuses another format, other systems, and bytes that are too few or too many', () => {
  const { header, bytes } = image()
  const broken: WorldImage[] = [
    { header: { ...header, format: 99 }, bytes },
    { header: { ...header, systems: [] }, bytes },
    { header: { ...header, systems: [{ ...header.systems[0], bodies: 2 }] }, bytes },
    { header: {} as typeof header, bytes },
    { header: { ...header, index: NaN }, bytes },
    { header: { ...header, remainder: ['1', '0'] }, bytes },
    { header: { ...header, chunkSystems: [] }, bytes },
    { header: { ...header, columns: header.columns.slice(1) }, bytes },
    { header: { ...header, columns: [{ ...header.columns[0], components: 2 }] }, bytes },
    { header: { ...header, pending: 3 }, bytes },
    { header: { ...header, sightings: 1 }, bytes },
    { header, bytes: bytes.slice(1) },
    { header, bytes: new Uint8Array(bytes.length + 8) },
    { header, bytes: new Uint8Array() },
  ]
  for (const [i, one] of broken.entries()) {
    expect(() => restoreWorld(one, room), `image ${i}`).toThrow(
      expect.objectContaining({ code: 'ERR_IMAGE' }),
    )
  }
})
