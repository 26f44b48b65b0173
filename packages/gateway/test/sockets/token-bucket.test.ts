// Goal: a socket may send 60 messages at once and 40 a second; others are dropped, which is
// reported once a second, and 200 dropped within a second close it. Method: simulated time.
import { expect, test } from 'vitest'
import {
  type TokenBucket,
  type Verdict,
  createTokenBucket,
} from '../../src/connection/token-bucket.ts'

function verdicts(bucket: TokenBucket, count: number, atMs: number): Verdict[] {
  return Array.from({ length: count }, () => bucket.verdict(atMs))
}

const tally = (list: readonly Verdict[], verdict: Verdict): number =>
  list.filter((item) => item === verdict).length

test('of a burst 60 are taken, the next is dropped with a report, the others without', () => {
  const list = verdicts(createTokenBucket(0), 100, 0)
  expect(list.slice(0, 60)).toEqual(Array(60).fill('take'))
  expect(list[60]).toBe('drop-and-report')
  expect(list.slice(61)).toEqual(Array(39).fill('drop'))
})

test('forty a second are always taken', () => {
  const bucket = createTokenBucket(5000)
  for (let i = 0; i < 10_000; i++) expect(bucket.verdict(5000 + i * 25)).toBe('take')
})

test('at any higher rate forty a second are taken in the long run', () => {
  const bucket = createTokenBucket(0)
  const list: Verdict[] = []
  const reportedMs: number[] = []
  // Every 10 ms one message: 100 a second for 20 s, 60 of them dropped each second.
  for (let ms = 0; ms < 20_000; ms += 10) {
    const verdict = bucket.verdict(ms)
    list.push(verdict)
    if (verdict === 'drop-and-report') reportedMs.push(ms)
  }
  expect(Math.abs(tally(list, 'take') - (60 + 20 * 40))).toBeLessThanOrEqual(1)
  expect(tally(list, 'close')).toBe(0)
  // The first drop comes after a second (60 = 100 t - 40 t); then one report per second.
  expect(Math.abs(reportedMs[0] - 1000)).toBeLessThanOrEqual(20)
  for (const [i, ms] of reportedMs.slice(1).entries()) {
    expect(ms - reportedMs[i]).toBeGreaterThanOrEqual(1000)
    expect(ms - reportedMs[i]).toBeLessThanOrEqual(1020)
  }
})

test('the two hundredth message dropped within a second closes the socket', () => {
  const list = verdicts(createTokenBucket(0), 300, 0)
  expect(list.indexOf('close')).toBe(60 + 199)
  expect(list.slice(259)).toEqual(Array(41).fill('close'))
})

test('199 dropped in each second do not', () => {
  const bucket = createTokenBucket(0)
  expect(tally(verdicts(bucket, 60, 0), 'take')).toBe(60)
  for (let second = 0; second < 20; second++) {
    const list = verdicts(bucket, second === 0 ? 199 : 239, second * 1000)
    expect(tally(list, 'close')).toBe(0)
    expect(tally(list, 'drop')).toBe(198)
  }
})

test('a pause fills the bucket to 60, not more', () => {
  const bucket = createTokenBucket(0)
  verdicts(bucket, 61, 0)
  expect(tally(verdicts(bucket, 100, 86_400_000), 'take')).toBe(60)
})
