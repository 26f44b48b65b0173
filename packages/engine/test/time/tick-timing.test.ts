/**
 * Law: the duration of a tick is reported after it, and operators see what waits and is lost. Goal:
 * durations, lateness and phases as a simulated clock lets them pass; rates that were changed show
 * at once; residuals are those of the published index.
 */
import type { TickTiming } from '@orrery/engine/testing'
import { describe, expect, it } from 'vitest'
import { simulatedClock } from '@orrery/testkit'
import {
  actualRate,
  createMonitor,
  createPhaseWatch,
  recordTick,
  utilisation,
} from '../../src/time/monitor.ts'
import { testEngine } from '../test-engine.ts'

const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

describe('timing', () => {
  it('reports duration, lateness, share of the period and phases of each tick', async () => {
    const timings: TickTiming[] = []
    let work = 20
    const { engine, clock } = testEngine({
      onPublish: () => clock.work(work),
      onTick: ({ phases, ...timing }) => timings.push({ ...timing, phases: { ...phases } }),
    })
    await clock.advance(99)
    expect(timings).toEqual([])
    expect(engine.phases()).toEqual({ ephemeris: 0, orders: 0, flight: 0, views: 0 })
    await clock.advance(1)
    expect(timings).toEqual([
      {
        durationMs: 20,
        lateMs: 0,
        utilisation: 0.2,
        phases: { ephemeris: 0, orders: 0, flight: 0, views: 20 },
      },
    ])
    work = 130
    await clock.advance(200)
    // The third was due at 300 ms, when the second still took its time.
    expect(timings.map(({ durationMs, lateMs }) => [durationMs, lateMs])).toEqual([
      [20, 0],
      [130, 0],
    ])
    await clock.advance(100)
    expect(timings.slice(2).map(({ lateMs }) => Math.round(lateMs))).toEqual([30])
  })

  it('counts what waits', async () => {
    const { engine, clock } = testEngine({ paused: true })
    await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    engine.control(SHIP, { thrustLevel: 1 })
    expect(engine.metrics().commandsPending).toBe(1)
    await engine.resume()
    await clock.advance(1000)
    expect(engine.metrics()).toMatchObject({ commandsPending: 0, ticksDropped: 0 })
    expect(engine.status()).toMatchObject({ ticksBehind: 0, eventsLost: 0, overloaded: false })
  })
})

describe('monitor', () => {
  it('divides a tick into its phases', () => {
    const clock = simulatedClock(0)
    const watch = createPhaseWatch(clock)
    watch.begin()
    for (const [i, phase] of (['ephemeris', 'orders', 'flight', 'views'] as const).entries()) {
      clock.work(10 + i)
      watch.lap(phase)
    }
    expect(watch.times).toEqual({ ephemeris: 10, orders: 11, flight: 12, views: 13 })
  })

  it('drops ticks older than 10 s, unless fewer than three newer ones remain', () => {
    const monitor = createMonitor()
    for (const [tick, busyMs] of [100, 200, 300, 400, 500].entries()) {
      recordTick(monitor, 20_000 * tick, busyMs)
    }
    expect(monitor.busyMs).toEqual([300, 400, 500])
    expect(utilisation(monitor, 20_000)).toBe(0.02)
  })

  it('counts a tick that is overdue against the actual rate', () => {
    const monitor = createMonitor()
    recordTick(monitor, 0, 1)
    recordTick(monitor, 100, 1)
    expect(actualRate(monitor, 200, 100)).toBe(10)
    expect(actualRate(monitor, 500, 100)).toBe(2.5)
  })
})

describe('rates', () => {
  it('shows the rate as it came through changes, and 0 in a pause', async () => {
    const { engine, clock } = testEngine()
    expect(engine.status().actualRate).toBe(0)
    await clock.advance(1000)
    engine.changeTickRate(2)
    expect(engine.status()).toMatchObject({ tickRate: 2, actualRate: 2 })
    await clock.advance(5000)
    expect(engine.status().actualRate).toBeCloseTo(2, 9)
    await engine.pause()
    expect(engine.status().actualRate).toBe(0)
  })
})
