import type { Prediction } from '@orrery/sim'
import { Piscina } from 'piscina'
import { setTimeout } from 'node:timers/promises'
import { EngineError } from '../engine-error.ts'
import { FairLine } from './fair-line.ts'
import { Foresight, type Predicted } from './foresight.ts'
import type { PredictionRequest } from './prediction-request.ts'
import { predictionTask } from './request.ts'
import { type Influences, influencesOnCopies, modulesLeftOut } from './left-out.ts'
import { SharedRoom } from './shared-room.ts'
import { requireShip } from '../world/universe.ts'
import type { PredictionTask } from './trajectory.ts'

/**
 * Predictions that wait or run, each with a copy of some ships, and the part of what is free that
 * one address may take: alone 128 short ones, which are made within seconds, and 16 long ones.
 */
const SHORT_ROOM = { size: 256, part: 1 }
const LONG_ROOM = { size: 80, part: 0.25 }
/** Flights to their ends, of a few minutes at worst each: an address has three alone. */
const WHOLE_ROOM = { size: 16, part: 0.25 }

/** Over no more, without supposed orders, one takes milliseconds; others ten seconds at worst. */
const SHORT_SECONDS_MAX = 6 * 3600

/** How long a prediction waits for orders to become durable [ms]. */
const DURABLE_MS = 2000

export interface ShipPrediction extends Prediction {
  /** ids of modules whose beats, reactions or rules may change the flight, and are not in it */
  readonly modulesLeftOut: readonly string[]
}

/** Flies ships ahead on threads of their own: short ways, long ways, and flights to their ends. */
export interface Predictor {
  /**
   * The way of a ship if nothing interferes, from the published index on. Addresses take turns, so
   * that one that asks for many does not keep others waiting.
   *
   * @param address  of the client that asks
   * @throws {EngineError} what `predictionTask` refuses, 'ERR_HORIZON' while the massive bodies are
   *   not known so far ahead, 'ERR_PREDICTIONS_PENDING' while the ship has another one or too many
   *   wait, and 'ERR_STOPPED' once the predictor closes
   */
  predict(request: PredictionRequest, address: string): Promise<ShipPrediction>
  /** Ends its threads; what waits or runs rejects. */
  close(): Promise<void>
}

interface Lane {
  readonly room: SharedRoom
  readonly line: FairLine
  run(task: PredictionTask): Promise<Prediction>
  close(): Promise<void>
}

/** @param onError  called when a thread fails without a task */
export function createPredictor(engine: Predicted, onError: (error: unknown) => void): Predictor {
  /** ships that have one */
  const pending = new Set<string>()
  const foresight = new Foresight(engine)
  const lanes = [SHORT_ROOM, LONG_ROOM, WHOLE_ROOM].map((room) => createLane(room, onError))
  const [short, long, whole] = lanes

  const requireRoom = (shipId: string, address: string, { room }: Lane): void => {
    if (!pending.has(shipId) && room.hasRoom(address)) return
    const counts = `${room.taken} predictions wait, ${room.held(address)} of this address`
    const message = `${counts}, one of a ship at most.`
    throw new EngineError('ERR_PREDICTIONS_PENDING', message)
  }

  return {
    async predict(request, address) {
      const { shipId, seconds, toEnd, orders = [] } = request
      const near = seconds <= SHORT_SECONDS_MAX && orders.length === 0 ? short : long
      const lane = toEnd ? whole : near
      requireRoom(shipId, address, lane)
      pending.add(shipId)
      lane.room.take(address)
      try {
        await foresight.reach(request)
        const { influences, task } = await durableTask(engine, request)
        const prediction = await lane.line.add(address, () => lane.run(task))
        return { ...prediction, modulesLeftOut: modulesLeftOut(influences, prediction) }
      } finally {
        pending.delete(shipId)
        lane.room.free(address)
      }
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}

interface DurableTask {
  readonly task: PredictionTask
  readonly influences: Influences
}

/**
 * What a prediction is made from, once all orders in it are durable.
 *
 * @throws {EngineError} 'ERR_UNDURABLE' when that takes too long
 */
async function durableTask(engine: Predicted, request: PredictionRequest): Promise<DurableTask> {
  const endMs = performance.now() + DURABLE_MS
  for (;;) {
    const { released, ...made } = await engine.whenSettled(() => {
      const task = predictionTask(engine.universe, request)
      const { world } = requireShip(engine.universe, request.shipId)
      const released = engine.shipsReleased(
        world,
        task.copies.map(({ number }) => number),
      )
      return { task, released, influences: influencesOnCopies(world, task.copies) }
    })
    if (!released) return made
    const late = endMs - performance.now()
    if (late > 0) await Promise.race([released, setTimeout(late, undefined, { ref: false })])
    else throw new EngineError('ERR_UNDURABLE', 'An order of a ship in it is not durable.')
  }
}

/** A thread, started when it is first needed. */
function createLane(
  { size, part }: { readonly size: number; readonly part: number },
  onError: (error: unknown) => void,
): Lane {
  let thread: Piscina<PredictionTask, Prediction> | undefined
  let isClosed = false
  const stopped = (): EngineError => new EngineError('ERR_STOPPED', 'The predictor has closed.')
  return {
    room: new SharedRoom(size, part),
    line: new FairLine(),
    run: async (task) => {
      if (isClosed) throw stopped()
      if (!thread) {
        const filename = new URL('prediction-thread.ts', import.meta.url).href
        thread = new Piscina({ filename, minThreads: 1, maxThreads: 1 })
        thread.on('error', onError)
      }
      try {
        return await thread.run(task)
      } catch (error) {
        throw isClosed ? stopped() : error
      }
    },
    close: async () => {
      isClosed = true
      await thread?.destroy()
    },
  }
}
