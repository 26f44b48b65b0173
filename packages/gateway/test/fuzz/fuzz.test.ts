// Goal: no input causes a fault or an undocumented answer, reveals data of others, or costs a
// player nearby a tick. Method: short runs of `scripts/orrery fuzz`.
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'
import { fuzzFrames, fuzzTexts } from './parsers.ts'

const seed = testSeed('fuzz')
const PARSED = byTier({ gate: 5000, night: 1_000_000 })
const COUNT = byTier({ gate: 200, night: 20_000 })
/** For new players and code of the second half; its bodies of 64 KiB would be 19 MiB. */
const GROWTH_MIB_MAX = byTier({ gate: 16, night: 20 })

test(`${COUNT} random requests and messages`, async () => {
  const { faults, outcomes, held, growthMiB } = await fuzz({ count: COUNT, seed })
  expect(faults).toEqual([])
  expect(outcomes.size).toBeGreaterThan(30)
  expect(held.length).toBeGreaterThan(3)
  expect(growthMiB, `held: ${JSON.stringify(held)}`).toBeLessThan(GROWTH_MIB_MAX)
})

test('mutated frames and messages are taken, or refused with a code', () => {
  const frames = fuzzFrames(PARSED, createChance(seed))
  const codes = ['ERR_FRAME_LENGTH', 'ERR_FRAME_VALUE', 'ERR_FRAME_VERSION', 'read']
  expect([...frames.keys()].toSorted()).toEqual(codes)
  const texts = fuzzTexts(PARSED, createChance(seed))
  expect([...texts.keys()].toSorted()).toEqual(['E001', 'E030', 'taken'])
})
