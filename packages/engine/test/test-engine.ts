import { Engine, type EngineOptions, type World, createGameClock } from '@orrery/engine'
import { utcFromLattice } from '@orrery/sim'
import { expect } from 'vitest'
import { START_INDEX, callingThread, globeWorld } from './globe.ts'
import { type SimulatedClock, simulatedClock } from '@orrery/testkit'

export interface TestEngine {
  readonly engine: Engine
  readonly clock: SimulatedClock
  readonly world: World
}

/**
 * An engine that ticks under a simulated clock, on this thread; game time begins at UTC. A globe
 * at 10 Hz, unless the options differ; a fault fails the test.
 */
export function testEngine(options: Partial<Omit<EngineOptions, 'clock'>> = {}): TestEngine {
  const { world = globeWorld(), pool = callingThread(world) } = options
  const clock = simulatedClock(utcFromLattice(START_INDEX))
  const engine = new Engine({
    clock,
    gameClock: createGameClock(START_INDEX),
    tick: 0,
    tickRate: 10,
    timeScale: 1,
    paused: false,
    onPublish: () => undefined,
    onFault: (error) => expect.fail(String(error)),
    ...options,
    world,
    pool,
  })
  engine.start()
  return { engine, clock, world }
}
