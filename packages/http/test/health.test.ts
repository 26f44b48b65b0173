// Goal: live is always 200; ready is 200 only while the probe returns true in time.
// Method: the routes in an app, with probes that agree, refuse, throw and never answer; the clock
// that ends the last one is simulated.
import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import { type ReadinessProbe, createLogger, healthRoutes } from '../src/index.ts'

function health(ready: ReadinessProbe): Hono {
  const logger = createLogger({ level: 'fatal', destination: 'stderr' })
  return new Hono().route('/health', healthRoutes({ ready, logger }))
}

afterEach(() => {
  vi.useRealTimers()
})

const failing: [string, ReadinessProbe][] = [
  ['refuses', () => false],
  ['refuses later', () => Promise.resolve(false)],
  [
    'throws',
    () => {
      throw new Error('database away')
    },
  ],
  ['rejects', () => Promise.reject(new Error('database away'))],
]

test.each(failing)('a probe that %s makes it 503, still live', async (_, probe) => {
  const app = health(probe)
  const ready = await app.request('/health/ready')
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable' }])
  expect((await app.request('/health/live')).status).toBe(200)
})

test('a probe that agrees makes it 200', async () => {
  const ready = await health(() => Promise.resolve(true)).request('/health/ready')
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }])
})

test('a probe that never answers counts as failed', async () => {
  vi.useFakeTimers()
  const pending = health(() => new Promise<boolean>(() => undefined)).request('/health/ready')
  await vi.advanceTimersByTimeAsync(2000)
  expect((await pending).status).toBe(503)
})
