/**
 * Law: ships that come together are those that come one by one. Goal: every column of every slot
 * is equal, also where earlier ships left holes; a list that is refused changes nothing.
 *
 * Law: new ships spread over sixteen chunks, so that many threads can fly a small world. Goal:
 * 1,000 ships give each of them 62 or 63; the seventeenth chunk opens when the others are full; a
 * few ships share one.
 */
import { type World, addShip, addShips, applyCommand } from '@orrery/engine/testing'
import { SHIP_COLUMNS } from '@orrery/sim'
import { expect, it } from 'vitest'
import { createWorld } from '../../src/world/world.ts'
import { START_INDEX, globe } from '../globe.ts'
import { codeOf } from './two-systems.ts'

const named = (count: number): { shipId: string; name: string }[] =>
  Array.from({ length: count }, (_, i) => ({ shipId: `ship-${i}`, name: `Ship ${i}` }))

const worldFor = (shipsMax: number): World =>
  createWorld({ system: globe(), index: START_INDEX, seed: 'many', shipsMax })

const emptyWorld = (): World => worldFor(768)

/** A world of three chunks with holes in the first two. */
function worldWithHoles(): World {
  const world = emptyWorld()
  for (let i = 0; i < 300; i++) addShip(world, `early-${i}`, 'Early')
  for (let i = 0; i < 300; i += 7) {
    applyCommand(world, { kind: 'remove_ship', shipId: `early-${i}` })
  }
  return world
}

function columnsOf({ roster, state }: World): unknown {
  const { chunkDue, chunkFires, chunkShips } = state.chunk
  const columns = SHIP_COLUMNS.map(({ name }) => [name, state.ships[name].slice()])
  return { columns, chunks: [chunkDue, chunkFires, chunkShips].map((c) => c.slice()), roster }
}

it('500 ships at once have the bits of 500 one by one', () => {
  const together = worldWithHoles()
  const alone = worldWithHoles()
  const entries = addShips(together, named(500))
  for (const { shipId, name } of named(500)) addShip(alone, shipId, name)
  expect(entries.map(({ shipId }) => shipId)).toEqual(named(500).map(({ shipId }) => shipId))
  expect(columnsOf(together)).toEqual(columnsOf(alone))
})

it('a list with a ship that flies, or longer than the room, changes nothing', () => {
  const world = worldWithHoles()
  const before = columnsOf(world)
  expect(() => addShips(world, [...named(3), { shipId: 'early-1', name: 'Again' }])).toThrow(
    codeOf('ERR_SHIP_EXISTS'),
  )
  expect(() => addShips(world, named(769))).toThrow(codeOf('ERR_WORLD_FULL'))
  expect(columnsOf(world)).toEqual(before)
})

it.each([
  [10, [10]],
  [40, [16, 16, 8]],
  [1000, [...Array<number>(8).fill(63), ...Array<number>(8).fill(62)]],
  [4100, [...Array<number>(16).fill(256), 4]],
])('%i ships spread over chunks', (ships, crowds) => {
  const world = worldFor(5000)
  addShips(world, named(ships))
  const { chunkShips } = world.state.chunk
  expect([...chunkShips].filter((count) => count > 0)).toEqual(crowds)
})
