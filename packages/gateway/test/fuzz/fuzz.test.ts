// Goal: no input causes a fault or an undocumented answer, reveals data of others, or costs a
// player nearby a tick. Method: short runs of `npx pnpm fuzz`.
import { createChance, testSeed } from '@orrery/testkit'
import { expect, test } from 'vitest'
import { STARTING_TEST_MS_MAX } from '../server-process.ts'
import { fuzz } from './fuzz.ts'
import { fuzzFrames, fuzzTexts } from './parsers.ts'

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

test('mutated frames and messages are taken, or refused with a code', () => {
  const frames = fuzzFrames(10 * COUNT, createChance(seed))
  const codes = ['ERR_FRAME_LENGTH', 'ERR_FRAME_VALUE', 'ERR_FRAME_VERSION', 'read']
  expect([...frames.keys()].toSorted()).toEqual(codes)
  const texts = fuzzTexts(10 * COUNT, createChance(seed))
  expect([...texts.keys()].toSorted()).toEqual(['E001', 'E030', 'taken'])
})
