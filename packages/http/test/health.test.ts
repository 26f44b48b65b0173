// Goal: live is always 200; ready is 200 only while the probe returns no reason in time, with what
// else to know; a 503 has the reason, which is logged once. Method: the routes in an app, with
// probes that agree, refuse, throw and never answer; the clock that ends the last one is simulated.
import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import { type ReadinessProbe, createLogger, healthRoutes } from '../src/index.ts'

let lines: string[] = []

function health(ready: ReadinessProbe): Hono {
  lines = []
  const logger = createLogger({ level: 'warn', destination: { write: (line) => lines.push(line) } })
  return new Hono().route('/health', healthRoutes({ ready, logger }))
}

afterEach(() => {
  vi.useRealTimers()
})

const failing: [string, ReadinessProbe, string][] = [
  ['refuses', () => 'a tick broke', 'a tick broke'],
  ['refuses later', () => Promise.resolve('its disk is full'), 'its disk is full'],
  [
    'throws',
    () => {
      throw new Error('away: postgres://chief@db')
    },
    'a check failed',
  ],
  ['rejects', () => Promise.reject(new Error('away: postgres://chief@db')), 'a check failed'],
]

test.each(failing)('a probe that %s makes it 503 with a reason', async (_, probe, reason) => {
  const app = health(probe)
  const ready = await app.request('/health/ready')
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', reason }])
  expect(ready.headers.get('retry-after')).toBe('1')
  expect((await app.request('/health/live')).status).toBe(200)
  const logged = lines.length
  expect(lines.at(-1)).toContain(reason)
  await app.request('/health/ready')
  expect(lines).toHaveLength(logged)
})

test('a reason is logged again after the service was ready', async () => {
  let reason: string | undefined = 'its disk is full'
  const app = health(() => reason)
  for (const next of [undefined, 'its disk is full']) {
    await app.request('/health/ready')
    reason = next
  }
  await app.request('/health/ready')
  expect(lines.filter((line) => line.includes('its disk is full'))).toHaveLength(2)
})

test('a probe that agrees makes it 200', async () => {
  const ready = await health(() => Promise.resolve(undefined)).request('/health/ready')
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }])
})

test('a warning stands in a 200, and not in a 503', async () => {
  const logger = createLogger({ level: 'fatal', destination: 'stderr' })
  let reason: string | undefined
  const routes = healthRoutes({ ready: () => reason, warning: () => 'it rains', logger })
  expect(await (await routes.request('/ready')).json()).toEqual({
    status: 'ok',
    warning: 'it rains',
  })
  reason = 'its disk is full'
  expect(await (await routes.request('/ready')).json()).toEqual({ status: 'unavailable', reason })
})

test('a probe that never answers counts as failed', async () => {
  vi.useFakeTimers()
  const pending = health(() => new Promise(() => undefined)).request('/health/ready')
  await vi.advanceTimersByTimeAsync(2000)
  expect(await (await pending).json()).toMatchObject({ reason: 'no answer to the check in time' })
})
