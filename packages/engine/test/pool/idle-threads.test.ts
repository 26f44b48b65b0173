// Goal: a pool starts no more threads than its ships need: one for few ships, each further one with
// the first round that has work for it. Method: real threads, counted by the pool.
import { addShip, createPool, createUniverse } from '@orrery/engine/testing'
import { CHUNK_SLOTS } from '@orrery/sim'
import { expect, test } from 'vitest'
import { START_INDEX, globe } from '../globe.ts'

test('threads start with the ships that need them, and stay', async () => {
  const setup = { systems: [globe()], index: START_INDEX, seed: 'idle', shipsMax: 1024 }
  const universe = createUniverse(setup)
  const [world] = universe.worlds
  const fail = (error: unknown): never => expect.fail(String(error))
  const launch = (count: number): void => {
    for (let i = 0; i < count; i++) {
      addShip(world, `ship-${world.roster.byId.size}`, 'Ida')
    }
  }
  const pool = createPool(universe, 3, fail)
  const fly = (seconds: number): Promise<void> =>
    pool.advance([{ target: START_INDEX + 64 * seconds, meetingOnly: false }])
  launch(1)
  await fly(200)
  expect(pool.status().threads).toBe(1)
  launch(2 * CHUNK_SLOTS)
  await fly(400)
  expect(pool.status().threads).toBe(3)
  await pool.close()

  const large = createPool(universe, 2, fail)
  expect(large.status().threads).toBe(2)
  await large.close()
})
