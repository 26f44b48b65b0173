// Goal: a world that begins later than it was made is decided up to its beginning, so that no
// command acts at or before it.
import { systemClock } from '@orrery/engine/testing'
import { latticeFromUtc } from '@orrery/sim'
import { expect, test } from 'vitest'
import { begun, newUniverse } from '../../src/world/stored-universe.ts'

test('a new world is decided up to its beginning', async () => {
  const made = await newUniverse(systemClock, { seed: 'new', shipsMax: 1 })
  const utcMs = systemClock.utcMs() + 60_000
  const { universe } = begun(made, { ...systemClock, utcMs: () => utcMs })
  const index = latticeFromUtc(utcMs)
  for (const [i, world] of universe.worlds.entries()) {
    expect(index).toBeGreaterThan(made.worlds[i].index)
    expect(world).toMatchObject({ index, settled: index, since: index })
  }
})
