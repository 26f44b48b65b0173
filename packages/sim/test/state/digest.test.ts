/**
 * Law: a digest keeps its bits from release to release: stored ones are compared. The expected
 * values come from a second implementation.
 */
import { absorbBytes, createDigest, digest, digestText, finish } from '@orrery/sim'
import { expect, it } from 'vitest'

it('of bytes keeps its bits, before and after it is finished', () => {
  const lanes = createDigest()
  absorbBytes(lanes, Uint8Array.of(1, 2, 3, 4, 5))
  absorbBytes(lanes, Uint8Array.of(6, 7))
  expect(digestText(lanes)).toBe('45d3ee7d5e8c01a679e37c6691e418db')
  finish(lanes)
  expect(digestText(lanes)).toBe('d57e387465d454dba60b7627b8a95067')
})

it('of texts keeps its bits', () => {
  expect([...digest(['spawn', 'seed', 'ship']).subarray(0, 2)]).toEqual([
    3_069_790_021, 554_842_451,
  ])
})
