import {
  Engine,
  type EngineOptions,
  type Universe,
  type World,
  createGameClock,
} from '@orrery/engine/testing'
import { utcFromLattice } from '@orrery/sim'
import { expect } from 'vitest'
import { START_INDEX, callingThread, globeWorld, universeOf } from './globe.ts'
import { type SimulatedClock, simulatedClock } from '@orrery/testkit'

export interface TestEngine {
  readonly engine: Engine
  readonly clock: SimulatedClock
  readonly universe: Universe
  /** the first */
  readonly world: World
}

export type TestOptions = Partial<Omit<EngineOptions, 'clock'>> & {
  /** the only one of its universe */
  readonly world?: World
}

/**
 * An engine that ticks under a simulated clock, on this thread; game time begins at UTC. A globe
 * at 10 Hz, unless the options differ; a fault fails the test.
 */
export function testEngine({ world, ...options }: TestOptions = {}): TestEngine {
  const { universe = universeOf(world ?? globeWorld()) } = options
  const { pool = callingThread(...universe.worlds) } = options
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
    universe,
    pool,
  })
  engine.start()
  return { engine, clock, universe, world: universe.worlds[0] }
}
