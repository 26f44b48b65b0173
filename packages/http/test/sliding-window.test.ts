// Goal: never more than the limit in any span of the window, exactly; a reported wait is exact;
// memory is bounded whatever keys come.
// Method: a simulated clock; random walks compared with a plain list of all instants.
import { createChance } from '@orrery/testkit/chance'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { SlidingWindow, createLogger, installErrors, rateLimit } from '../src/index.ts'

describe('five per minute', () => {
  let nowMs = 1e6
  const window = new SlidingWindow({ limit: 5, windowMs: 60_000, now: () => nowMs })
  test('the sixth waits until the first is a minute old, and refusals do not prolong it', () => {
    for (let i = 0; i < 5; i++) {
      expect(window.attempt('a')).toEqual({ allowed: true })
      nowMs += 1000
    }
    expect(window.attempt('a')).toEqual({ allowed: false, retryAfterSeconds: 55 })
    expect(window.attempt('b')).toEqual({ allowed: true })
    expect(window.look('a')).toEqual({ allowed: false, retryAfterSeconds: 55 })
    for (let i = 0; i < 9; i++) expect(window.look('c')).toEqual({ allowed: true })
    nowMs += 500
    // Rounded up: the wait must be enough.
    expect(window.attempt('a')).toEqual({ allowed: false, retryAfterSeconds: 55 })
    nowMs += 54_499
    expect(window.attempt('a')).toEqual({ allowed: false, retryAfterSeconds: 1 })
    nowMs += 1
    expect(window.attempt('a')).toEqual({ allowed: true })
    expect(window.attempt('a')).toEqual({ allowed: false, retryAfterSeconds: 1 })
    nowMs += 60_000
    for (let i = 0; i < 5; i++) expect(window.attempt('a').allowed).toBe(true)
    expect(window.attempt('a')).toEqual({ allowed: false, retryAfterSeconds: 60 })
  })
  test('an attempt that is taken back leaves room for one more, and no more', () => {
    let ms = 0
    const kept = new SlidingWindow({ limit: 2, windowMs: 60_000, now: () => ms })
    kept.takeBack('a')
    for (let i = 0; i < 4; i++) {
      expect(kept.attempt('a').allowed).toBe(true)
      ms += 1000
      kept.takeBack('a')
    }
    expect(kept.attempt('a').allowed).toBe(true)
    expect(kept.attempt('a').allowed).toBe(true)
    expect(kept.attempt('a')).toEqual({ allowed: false, retryAfterSeconds: 60 })
    ms += 60_000
    expect(kept.attempt('a').allowed).toBe(true)
  })
  test('no burst across the edge of a window, which a fixed window lets through', () => {
    let ms = 0
    const edge = new SlidingWindow({ limit: 5, windowMs: 60_000, now: () => ms })
    const allowed: number[] = []
    for (const at of [0, 59_000, 59_000, 59_000, 59_000, 61_000, 61_000, 61_000, 61_000, 61_000]) {
      ms = at
      if (edge.attempt('a').allowed) allowed.push(at)
    }
    expect(allowed).toEqual([0, 59_000, 59_000, 59_000, 59_000, 61_000])
  })
})

test.each([1, 2, 3])('a random walk of seed %i agrees with a list of all instants', (seed) => {
  const random = createChance(seed).share
  let nowMs = 0
  const limit = 1 + Math.floor(random() * 6)
  const window = new SlidingWindow({ limit, windowMs: 1000, now: () => nowMs })
  const all = new Map<string, number[]>()
  let refusals = 0
  for (let round = 0; round < 20_000; round++) {
    nowMs += Math.floor(random() * (random() < 0.01 ? 3000 : 120))
    const key = `k${Math.floor(random() * 4)}`
    const past = all.get(key) ?? []
    const inWindow = past.filter((instant) => instant > nowMs - 1000)
    const allowed = inWindow.length < limit
    const retryAfterSeconds = 1
    expect(window.attempt(key)).toEqual(allowed ? { allowed } : { allowed, retryAfterSeconds })
    if (allowed) inWindow.push(nowMs)
    else refusals++
    all.set(key, inWindow)
  }
  expect(refusals).toBeGreaterThan(100)
})

describe('memory', () => {
  test('never more keys than the bound; the one longest silent is forgotten first', () => {
    const window = new SlidingWindow({ limit: 1, windowMs: 1e9, keysMax: 100, now: () => 0 })
    for (let i = 0; i < 1000; i++) {
      window.attempt(`k${i}`)
      expect(window.size).toBeLessThanOrEqual(100)
    }
    expect(window.attempt('k999').allowed).toBe(false)
    expect(window.attempt('k900').allowed).toBe(false)
    expect(window.attempt('k899').allowed).toBe(true)
  })
  test('old keys go as new attempts come', () => {
    let nowMs = 0
    const window = new SlidingWindow({ limit: 5, windowMs: 1000, now: () => nowMs })
    for (let i = 0; i < 500; i++) window.attempt(`old${i}`)
    nowMs = 1000
    for (let i = 0; i < 500; i++) window.attempt('new')
    expect(window.size).toBe(1)
  })
  test('an invalid limit is refused', () => {
    for (const limit of [0, -1, 1.5, NaN, 1e9]) {
      expect(() => new SlidingWindow({ limit, windowMs: 1 })).toThrow(RangeError)
    }
  })
})

test('routes that share a window are counted together and answer with Retry-After', async () => {
  const logger = createLogger({ level: 'fatal', destination: 'stderr' })
  const app = new Hono()
  installErrors(app, { shape: ({ code }) => ({ code }), logger })
  const limit = rateLimit(
    new SlidingWindow({ limit: 5, windowMs: 60_000, now: () => 0 }),
    (context) => context.req.header('x-key') ?? '',
  )
  app.post('/login', limit, (context) => context.text('in'))
  app.post('/admin/login', limit, (context) => context.text('in'))
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    const path = i % 2 === 0 ? '/login' : '/admin/login'
    statuses.push((await app.request(path, { method: 'POST' })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  const refused = await app.request('/login', { method: 'POST' })
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await refused.json()).toEqual({ code: 'rate_limited' })
  const other = await app.request('/login', { method: 'POST', headers: { 'x-key': 'other' } })
  expect(other.status).toBe(200)
})
