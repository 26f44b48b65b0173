import {
  addShips,
  attachQueue,
  claimChunk,
  listDueChunks,
  queueBytes,
} from '@orrery/engine/testing'
import { expect, it } from 'vitest'
import { START_INDEX, globeWorld } from '../globe.ts'

it('lists first the chunks with most ships that are due', () => {
  const world = globeWorld()
  addShips(
    world,
    Array.from({ length: 40 }, (_, i) => ({ shipId: `ship-${i}`, name: 'Ship' })),
  )
  const { ships } = world.state
  const states = [world.state]
  const queue = attachQueue(new SharedArrayBuffer(queueBytes(states, 1)), states, 1)
  const target = START_INDEX + 64
  // Of the first chunk three are due, of the second five; empty slots count for nothing.
  for (let slot = 0; slot < world.state.slots; slot++) ships.stepEnd[slot] = target + 1
  for (let i = 0; i < 3; i++) ships.stepEnd[i] = target
  for (let i = 0; i < 5; i++) ships.stepEnd[256 + i] = target
  world.state.chunk.chunkDue.fill(target)
  expect(listDueChunks(queue, states, [{ target, meetingOnly: false }])).toBe(2)
  expect([claimChunk(queue, 0), claimChunk(queue, 0), claimChunk(queue, 0)]).toEqual([1, 0, -1])
})
