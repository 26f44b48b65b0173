// Goal: no input causes a fault or an undocumented answer, reveals data of others, or costs a
// player nearby a tick. Method: a short run of `npx pnpm fuzz`.
import { testSeed } from '@orrery/testkit'
import { expect, test } from 'vitest'
import { STARTING_TEST_MS_MAX } from '../server-process.ts'
import { fuzz } from './fuzz.ts'

const seed = testSeed('fuzz')
const COUNT = 2000
/** For new players, logs and buffers; a leak of each request would be many times larger. */
const GROWTH_MIB_MAX = 250

test(
  `${COUNT} random requests and messages`,
  async () => {
    const { faults, outcomes, memoryMiB } = await fuzz({ count: COUNT, seed })
    expect(faults).toEqual([])
    expect(outcomes.size).toBeGreaterThan(30)
    const [quarter = 0, end = 0] = memoryMiB
    expect(end - quarter).toBeLessThan(GROWTH_MIB_MAX)
  },
  STARTING_TEST_MS_MAX,
)
