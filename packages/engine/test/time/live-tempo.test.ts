/**
 * Law: on a real clock with real workers, the tick rate goes where the load leaves it and game
 * time goes towards UTC. Goal: states and directions only; how fast a busy machine gets there is
 * measured under a simulated clock.
 */
import {
  Engine,
  type EngineOptions,
  createGameClock,
  createPool,
  systemClock,
} from '@orrery/engine/testing'
import { QUANTA_PER_SECOND, latticeFromUtc } from '@orrery/sim'
import { afterEach, expect, it } from 'vitest'
import { globeWorld, universeOf } from '../globe.ts'

const PATIENCE_MS = 60_000

let engine: Engine

function liveEngine(options: Partial<EngineOptions>, aheadSeconds = 0): Engine {
  const index = latticeFromUtc(systemClock.utcMs()) + aheadSeconds * QUANTA_PER_SECOND
  const universe = universeOf(globeWorld(index))
  engine = new Engine({
    universe,
    pool: createPool(universe, 2, (error) => expect.fail(String(error))),
    clock: systemClock,
    gameClock: createGameClock(index),
    tick: 0,
    tickRate: 1,
    timeScale: 1,
    paused: false,
    onPublish: () => undefined,
    onFault: (error) => expect.fail(String(error)),
    ...options,
  })
  engine.start()
  return engine
}

afterEach(() => engine.stop())

async function come(condition: () => boolean): Promise<void> {
  const end = systemClock.monotonicMs() + PATIENCE_MS
  while (!condition() && systemClock.monotonicMs() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(condition()).toBe(true)
}

const NEVER = new Int32Array(new SharedArrayBuffer(4))

/** Keeps this thread, but no processor. */
function block(ms: number): void {
  Atomics.wait(NEVER, 0, 0, ms)
}

it('ticks faster at low load, slower at high load, as set when switched off', async () => {
  let frameMs = 0
  const rates: number[] = []
  liveEngine({
    adaptiveTickRate: true,
    onPublish: () => {
      rates.push(engine.status().tickRate)
      block(frameMs)
    },
  })
  await come(() => engine.status().tickRate === 10)
  frameMs = 400
  await come(() => engine.status().tickRate < 2.5)
  expect(rates.every((rate) => rate >= 0.5 && rate <= 10)).toBe(true)
  engine.switchAdaptive(false)
  expect(engine.status().tickRate).toBe(1)
}, 200_000)

it('lets game time go slower than UTC while it is ahead', async () => {
  liveEngine({ timeSyncEnabled: true, tickRate: 10 }, 30)
  await come(() => engine.status().tick > 3)
  const before = engine.status()
  expect(before).toMatchObject({ timeSyncActive: true, effectiveTimeScale: 0.95 })
  expect(before.timeDriftSeconds).toBeGreaterThan(20)
  await come(() => engine.status().tick > before.tick + 20)
  expect(engine.status().timeDriftSeconds).toBeLessThan(before.timeDriftSeconds)
}, 200_000)
