// Law: a universe that is made in slices has the bits of one that is made at once, and the thread
// does other work meanwhile.
import { createUniverse, createUniverseInSlices } from '@orrery/engine/testing'
import { NODE_QUANTA } from '@orrery/sim'
import { expect, test } from 'vitest'
import { CATALOG_INDEX, catalogSystems, wasmKernels } from '../catalog-systems.ts'

/** A day and a half after the systems' checkpoints. */
const INDEX = CATALOG_INDEX + 500 * NODE_QUANTA

test('slices change no bit, and others have their turns between them', async () => {
  const setup = { index: INDEX, seed: 'slices', shipsMax: 256, ...wasmKernels }
  const systems = catalogSystems(INDEX)
  let isMade = false
  let turns = 0
  const count = (): void => {
    turns++
    if (!isMade) setImmediate(count)
  }
  setImmediate(count)
  const sliced = await createUniverseInSlices({ ...setup, systems }).finally(() => (isMade = true))
  expect(turns).toBeGreaterThan(100)
  const whole = createUniverse({ ...setup, systems })
  for (const [i, { state }] of whole.worlds.entries()) {
    const expected = Buffer.from(state.buffer)
    const made = Buffer.from(sliced.worlds[i].state.buffer)
    expect({ [state.system.id]: made.equals(expected) }).toEqual({ [state.system.id]: true })
  }
})
