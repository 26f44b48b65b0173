// Goal: a socket may say 60 things at once and 40 a second; what is over is dropped, told once a
// second, and 200 dropped within one second are the end. Method: simulated time, whole verdicts.
import { expect, test } from 'vitest'
import {
  type TokenBucket,
  type Verdict,
  createTokenBucket,
} from '../../src/sockets/token-bucket.ts'

function verdicts(bucket: TokenBucket, count: number, atMs: number): Verdict[] {
  return Array.from({ length: count }, () => bucket.verdict(atMs))
}

const tally = (list: readonly Verdict[], verdict: Verdict): number =>
  list.filter((item) => item === verdict).length

test('a burst of 60 is taken, the next is dropped and told, those behind are dropped', () => {
  const list = verdicts(createTokenBucket(0), 100, 0)
  expect(list.slice(0, 60)).toEqual(Array(60).fill('take'))
  expect(list[60]).toBe('drop-and-report')
  expect(list.slice(61)).toEqual(Array(39).fill('drop'))
})

test('forty a second are taken for ever', () => {
  const bucket = createTokenBucket(5000)
  for (let i = 0; i < 10_000; i++) expect(bucket.verdict(5000 + i * 25)).toBe('take')
})

test('on the long run forty a second get through, whatever is sent', () => {
  const bucket = createTokenBucket(0)
  const list: Verdict[] = []
  const toldMs: number[] = []
  // Every 10 ms one message: 100 a second for 20 s, 60 of them dropped each second.
  for (let ms = 0; ms < 20_000; ms += 10) {
    const verdict = bucket.verdict(ms)
    list.push(verdict)
    if (verdict === 'drop-and-report') toldMs.push(ms)
  }
  expect(Math.abs(tally(list, 'take') - (60 + 20 * 40))).toBeLessThanOrEqual(1)
  expect(tally(list, 'close')).toBe(0)
  // The first drop comes after a second (60 = 100 t - 40 t); then it is told once per second.
  expect(Math.abs(toldMs[0] - 1000)).toBeLessThanOrEqual(20)
  for (const [i, ms] of toldMs.slice(1).entries()) {
    expect(ms - toldMs[i]).toBeGreaterThanOrEqual(1000)
    expect(ms - toldMs[i]).toBeLessThanOrEqual(1020)
  }
})

test('the two hundredth message dropped within a second is the end', () => {
  const list = verdicts(createTokenBucket(0), 300, 0)
  expect(list.indexOf('close')).toBe(60 + 199)
  expect(list.slice(259)).toEqual(Array(41).fill('close'))
})

test('199 dropped in each second are not', () => {
  const bucket = createTokenBucket(0)
  expect(tally(verdicts(bucket, 60, 0), 'take')).toBe(60)
  for (let second = 0; second < 20; second++) {
    const list = verdicts(bucket, second === 0 ? 199 : 239, second * 1000)
    expect(tally(list, 'close')).toBe(0)
    expect(tally(list, 'drop')).toBe(198)
  }
})

test('silence fills the bucket to its brim and no further', () => {
  const bucket = createTokenBucket(0)
  verdicts(bucket, 61, 0)
  expect(tally(verdicts(bucket, 100, 86_400_000), 'take')).toBe(60)
})
