import { QUANTA_PER_SECOND } from '@orrery/sim'
import { setTimeout } from 'node:timers/promises'
import { EngineError } from '../engine-error.ts'
import { type Universe, requireShip } from '../world/universe.ts'
import { type World, extendHorizon, nodeOf } from '../world/world.ts'
import { PREDICTION_SECONDS_MAX, type PredictionRequest } from './prediction-request.ts'

/** Nodes of the massive bodies that a step may read beyond the end of a prediction. */
export const BEYOND_NODES = 3

/** Rest between two slices of the ephemeris, and how long a prediction waits for it [ms]. */
const SLICE_PAUSE_MS = 5
const WAIT_MS = 5000

type Span = Pick<PredictionRequest, 'shipId' | 'seconds' | 'toEnd'>

/** What predictions are made of: the universe under way, between two ticks. */
export interface Predicted {
  readonly universe: Universe
  whenSettled<Result>(act: () => Result): Promise<Result>
  /** Resolves when all orders of some ships of a world are durable; undefined when they are. */
  shipsReleased(world: World, numbers: readonly number[]): Promise<void> | undefined
}

/** Lets predictions wait for massive bodies, which a new world computes in its first seconds. */
export class Foresight {
  readonly #engine: Predicted
  /** the slice that all who wait share */
  #slice: Promise<void> | undefined

  constructor(engine: Predicted) {
    this.#engine = engine
  }

  /** @throws {EngineError} 'ERR_HORIZON' when it takes longer than `waitMs`; 'ERR_SHIP_UNKNOWN' */
  async reach(request: Span, waitMs: number = WAIT_MS): Promise<void> {
    const startMs = performance.now()
    while (!this.#reaches(request)) {
      if (performance.now() - startMs > waitMs) {
        const message = 'The motion of the bodies is not known so far ahead yet; ask again in 5 s.'
        throw new EngineError('ERR_HORIZON', message)
      }
      this.#slice ??= this.#extend()
      await this.#slice
    }
  }

  #reaches({ shipId, seconds, toEnd }: Span): boolean {
    // Such a prediction makes its own.
    if (toEnd) return true
    const { world } = requireShip(this.#engine.universe, shipId)
    const last = nodeOf(world.index + seconds * QUANTA_PER_SECOND) + BEYOND_NODES
    // What is out of range is refused with the request.
    const isSound = seconds > 0 && seconds <= PREDICTION_SECONDS_MAX
    return !isSound || world.integration.head.node >= last
  }

  async #extend(): Promise<void> {
    try {
      await setTimeout(SLICE_PAUSE_MS)
      await this.#engine.whenSettled(() => {
        for (const world of this.#engine.universe.worlds) extendHorizon(world)
      })
    } finally {
      this.#slice = undefined
    }
  }
}
