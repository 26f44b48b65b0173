// Law: a universe that is made, restored or flown in slices has the bits of one that is made,
// restored or flown at once, and the thread does other work meanwhile.
import {
  type Universe,
  addShips,
  createGameClock,
  createReplay,
  createUniverse,
  createUniverseInSlices,
  restoreUniverse,
  restoreUniverseInSlices,
  universeImage,
  worldImage,
} from '@orrery/engine/testing'
import { NODE_QUANTA, QUANTA_PER_SECOND, type WorldState, flyTo } from '@orrery/sim'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { CATALOG_INDEX, catalogSystems, wasmKernels } from '../catalog-systems.ts'

/** A day and a half after the systems' checkpoints. */
const INDEX = CATALOG_INDEX + 500 * NODE_QUANTA

const setup = { shipsMax: 2048, ...wasmKernels }
const systems = catalogSystems(INDEX)

/** The result of some work, and how often others had their turn on this thread meanwhile. */
async function counted<Result>(
  work: Promise<Result>,
): Promise<{ readonly result: Result; readonly turns: number }> {
  let isDone = false
  let turns = 0
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const result = await work.finally(() => (isDone = true))
  return { result, turns }
}

/** All of a state; by day without orders and actions, which are most of it and not there yet. */
function comparedParts({ buffer, orders, sightings, actions }: WorldState): Buffer[] {
  const begin = (columns: object): number =>
    Math.min(...Object.values(columns).map(({ byteOffset }) => byteOffset))
  if (IS_NIGHT) return [Buffer.from(buffer)]
  return [
    Buffer.from(buffer, 0, begin(orders)),
    Buffer.from(buffer, begin(sightings), begin(actions) - begin(sightings)),
  ]
}

function expectSameBits(made: Universe, expected: Universe): void {
  for (const [i, { state }] of expected.worlds.entries()) {
    const [found, due] = [made.worlds[i].state, state].map(comparedParts)
    const isSame = due.every((part, place) => part.equals(found[place]))
    expect({ [state.system.id]: isSame }).toEqual({ [state.system.id]: true })
  }
}

test.runIf(IS_NIGHT)('slices change no bit of a new universe', async () => {
  const begun = { ...setup, systems, index: INDEX, seed: 'slices' }
  const { result, turns } = await counted(createUniverseInSlices(begun))
  expect(turns).toBeGreaterThan(100)
  expectSameBits(result, createUniverse(begun))
})

test('slices change no bit of a restored universe, and of its flight', async () => {
  const universe = createUniverse({ ...setup, systems, index: INDEX, seed: 'slices' })
  const [first] = universe.worlds
  addShips(
    first,
    Array.from({ length: 1024 }, (_, i) => ({ shipId: `ship-${i}`, name: 'Ship' })),
  )
  const image = universeImage(universe, createGameClock(INDEX), 0)
  const restored = await counted(restoreUniverseInSlices(image, { ...setup, systems }))
  expect(restored.turns).toBeGreaterThan(50)
  const { universe: sliced } = restored.result
  expectSameBits(sliced, restoreUniverse(image, { ...setup, systems }).universe)
  const to = INDEX + 3000 * QUANTA_PER_SECOND
  const flown = await counted(
    createReplay({ world: sliced.worlds[0], pool: undefined }).flyTo(to, 0),
  )
  // A slice is a time: a quick machine needs few.
  expect(flown.turns).toBeGreaterThan(1)
  flyTo(first.flight, first, INDEX, to, () => undefined)
  first.index = to
  const [whole, cut] = [first, sliced.worlds[0]].map((world) =>
    worldImage(world, createGameClock(to), 0),
  )
  expect(cut.header).toEqual(whole.header)
  expect(Buffer.compare(cut.bytes, whole.bytes)).toBe(0)
})
