/**
 * Law: a stored world that does not fit is refused by name, and one that fits goes on: with ships
 * that chase each other, and with commands that still wait.
 */
import {
  type SystemSetup,
  type WorldImage,
  addShip,
  createGameClock,
  createUniverse,
  restoreUniverse,
  restoreWorld,
  universeImage,
} from '@orrery/engine/testing'
import { EMPTY, PHYSICS } from '@orrery/sim'
import { expect, it } from 'vitest'
import { worldImage } from '../../src/image/image.ts'
import { acceptControl } from '../../src/world/intake.ts'
import { START_INDEX, globe, globeWorld } from '../globe.ts'
import { resealed } from './resealed.ts'

function image(): WorldImage {
  const world = globeWorld()
  const hunter = addShip(world, 'hunter', 'Hunter')
  const prey = addShip(world, 'prey', 'Prey')
  const control = { pointing: 'target', target: prey.number, thrustLevel: 0.25 } as const
  acceptControl(world.intake, hunter, control, START_INDEX, START_INDEX)
  acceptControl(world.intake, prey, { attitude: [0, 0, 1, 0] }, START_INDEX, START_INDEX)
  return worldImage(world, createGameClock(START_INDEX), 7)
}

const room = { system: globe(), shipsMax: 512 }

it('carries waiting commands to the letter', () => {
  const { world, tick } = restoreWorld(image(), room)
  expect(tick).toBe(7)
  expect(world.intake.pending.map(({ control }) => control)).toEqual([
    { pointing: 'target', target: 2, thrustLevel: 0.25 },
    { attitude: [0, 0, 1, 0] },
  ])
})

it('opens where the catalog has gained a system since', () => {
  const { header, bytes } = image()
  const { worlds } = restoreUniverse(
    { header: { worlds: [header] }, bytes },
    { systems: [otherGlobe(), globe()], shipsMax: 512 },
  ).universe
  expect(worlds.map(({ state }) => state.system.id)).toEqual(['other', 'alone'])
  expect(worlds.map(({ index }) => index)).toEqual([START_INDEX, START_INDEX])
  expect(worldImage(worlds[1], createGameClock(START_INDEX), 7)).toEqual({ header, bytes })
  // Where a ship begins follows from the seed, which the new system has of the others.
  const [settler, twin] = [worlds[0], globeWorld()].map((world) => {
    const { slot } = addShip(world, 'settler', 'Settler')
    return world.state.ships.spawnKey.slice(2 * slot, 2 * slot + 2)
  })
  expect(settler).toEqual(twin)
})

function otherGlobe(): SystemSetup {
  const { system, ...rest } = globe()
  return { ...rest, system: { ...system, id: 'other', name: 'Other' } }
}

it('refuses worlds of several seeds, one twice or unknown, and the bytes of one less', () => {
  const setup = { index: START_INDEX, seed: 'test', shipsMax: 512 }
  const both = { systems: [globe(), otherGlobe()], shipsMax: 512 }
  const { header, bytes } = universeImage(
    createUniverse({ ...setup, ...both }),
    createGameClock(START_INDEX),
    7,
  )
  const [one, two] = header.worlds
  const broken: [object, RegExp][] = [
    [{}, /worlds: .*undefined/],
    [{ worlds: [] }, /worlds: .*1/],
    [{ worlds: [one, { ...two, seed: 'another' }] }, /of two worlds/],
    [{ worlds: [one, { ...two, system: { ...two.system, id: 'gone' } }] }, /unknown system gone/],
    [{ worlds: [one] }, /bytes when its header says/],
    [{ worlds: [two, one] }, /another checksum/],
    [{ worlds: [one, one] }, /each system once/],
  ]
  for (const [head, message] of broken) {
    const stored = { header: head, bytes }
    expect(() => restoreUniverse(stored, both), `${message}`).toThrow(refusal(message))
  }
  expect(() => restoreUniverse({ header, bytes }, both)).not.toThrow()
})

const refusal = (message: RegExp): unknown =>
  expect.objectContaining({ code: 'ERR_IMAGE', message: expect.stringMatching(message) })

it('refuses what does not fit this program, naming what was expected', () => {
  const { header, bytes } = image()
  const [first, ...others] = header.columns
  const broken: [object, RegExp][] = [
    [{}, /format: .*undefined/],
    [{ ...header, format: 99 }, /format: .*4.*99/],
    [{ ...header, physics: PHYSICS + 1 }, /physics: .*at most physics/],
    [{ ...header, system: undefined }, /system: .*Object/],
    [{ ...header, system: { ...header.system, id: 'elsewhere' } }, /when alone \(1 bodies\)/],
    [{ ...header, index: 0.5 }, /index: /],
    [{ ...header, index: null }, /index: /],
    [{ ...header, remainder: ['1', '0'] }, /remainder.1: .*above 0/],
    [{ ...header, columns: [{ ...first, components: 2 }, ...others] }, /when 1 f64 is known/],
    [{ ...header, columns: [{ ...first, type: 'f16' }, ...others] }, /columns.0.type: .*"f64"/],
    [{ ...header, columns: others }, /bytes when its header says/],
    [{ ...header, system: { ...header.system, bodies: 2 } }, /bytes when its header says/],
    [{ ...header, chunks: 0 }, /bytes when its header says/],
    [{ ...header, chunks: 1e5 }, /bytes when its header says/],
    [{ ...header, sightings: 2 ** 53 }, /sightings: /],
    [{ ...header, sightings: 2 ** 52 }, /bytes when its header says/],
    [{ ...header, text: header.text + 1 }, /bytes when its header says/],
    [{ ...header, pending: 3 }, /2 commands when its header says 2 and 3/],
    [{ ...header, ships: 1 }, /2 ships .* when its header says 1/],
  ]
  for (const [one, message] of broken) {
    expect(() => restoreWorld(resealed(one, bytes), room), `${message}`).toThrow(refusal(message))
  }
  expect(() => restoreWorld(resealed(header, bytes), room)).not.toThrow()
})

it('refuses bytes that are too few, too many, or of another image', () => {
  const { header, bytes } = image()
  const foreign = new TextEncoder().encode('-- PostgreSQL database dump')
  for (const cut of [new Uint8Array(), bytes.slice(1), bytes.slice(0, -1), foreign]) {
    const message = new RegExp(`has ${cut.length} bytes when its header says ${bytes.length}`)
    expect(() => restoreWorld({ header, bytes: cut }, room)).toThrow(refusal(message))
  }
  const longer = new Uint8Array(bytes.length + 1)
  longer.set(bytes)
  expect(() => restoreWorld({ header, bytes: longer }, room)).toThrow(refusal(/header says/))
  const other = worldImage(globeWorld(), createGameClock(START_INDEX), 7)
  const mixed = { header: { ...header, tick: 8 }, bytes }
  for (const one of [mixed, { header, bytes: new Uint8Array(bytes.length) }]) {
    expect(() => restoreWorld(one, room)).toThrow(refusal(/another checksum/))
  }
  expect(() => restoreWorld({ header, bytes: other.bytes }, room)).toThrow(refusal(/header says/))
})

it('refuses an image in which one bit is wrong, wherever it is', () => {
  const { header, bytes } = image()
  for (let bit = 0; bit < 8 * bytes.length; bit += 99_991) {
    const flipped = bytes.slice()
    flipped[Math.floor(bit / 8)] ^= 1 << (bit % 8)
    const broken = { header, bytes: flipped }
    expect(() => restoreWorld(broken, room), `bit ${bit}`).toThrow(refusal(/another checksum/))
  }
  const text = JSON.stringify(header)
  for (let at = 0; at < text.length; at += 13) {
    const flipped = String.fromCharCode(text.charCodeAt(at) ^ 1)
    let broken: WorldImage['header']
    try {
      broken = JSON.parse(text.slice(0, at) + flipped + text.slice(at + 1))
    } catch {
      continue
    }
    expect(() => restoreWorld({ header: broken, bytes }, room), `character ${at}`).toThrow(
      expect.objectContaining({ code: 'ERR_IMAGE' }),
    )
  }
})

it('accepts the keys of a header in any order', () => {
  const { header, bytes } = image()
  const turned = Object.fromEntries(Object.entries(header).toReversed()) as typeof header
  expect(restoreWorld({ header: turned, bytes }, room).tick).toBe(7)
})

it('refuses ships that are named twice, or not in the state', () => {
  const world = globeWorld()
  addShip(world, 'one', 'One')
  addShip(world, 'two', 'Two')
  world.state.ships.shipNumber[1] = 9
  const image = worldImage(world, createGameClock(START_INDEX), 0)
  expect(() => restoreWorld(image, room)).toThrow(refusal(/number 2, is not in the state/))
  world.state.ships.condition[1] = EMPTY
  const fewer = worldImage(world, createGameClock(START_INDEX), 0)
  expect(() => restoreWorld(fewer, room)).toThrow(refusal(/names 2 ships when its state has 1/))
})
