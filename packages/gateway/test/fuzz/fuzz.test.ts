// Goal: whatever is sent, nothing breaks: no answer is the server's fault or undocumented, nothing
// of others comes out, a player nearby loses no tick. Method: a short run of `npx pnpm fuzz`.
import { testSeed } from '@orrery/testkit'
import { expect, test } from 'vitest'
import { STARTING_TEST_MS_MAX } from '../server-process.ts'
import { fuzz } from './fuzz.ts'

const seed = testSeed('fuzz')
const COUNT = 2000
/** Newcomers, logs and buffers; a leak of a request's size would pass it many times. */
const GROWTH_MIB_MAX = 250

test(
  `${COUNT} requests and messages made up by chance`,
  async () => {
    const { faults, outcomes, memoryMiB } = await fuzz({ count: COUNT, seed })
    expect(faults).toEqual([])
    expect(outcomes.size).toBeGreaterThan(30)
    const [quarter = 0, end = 0] = memoryMiB
    expect(end - quarter).toBeLessThan(GROWTH_MIB_MAX)
  },
  STARTING_TEST_MS_MAX,
)
