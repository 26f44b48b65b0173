import {
  Engine,
  type CommandRow,
  type ManeuverEvent,
  type OwnShipView,
  type WallClock,
  type World,
  createPool,
  createPredictor,
  openedInside,
  type Universe,
} from '@orrery/engine/testing'
import { type OpenedUniverse, begun, newUniverse } from '@orrery/game'
import { NODE_QUANTA, type Prediction, QUANTA_PER_SECOND } from '@orrery/sim'
import { setImmediate } from 'node:timers/promises'
import { fastClock } from './fast-clock.ts'
import type { Leg } from './legs.ts'

const SHIP = { shipId: '5a1f3c52-6f0e-4f1b-9d43-0c8f6f5f7a10', name: 'Ida' }

/** Game seconds of each tick. */
const TICK_SECONDS = 100

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'aborted', 'replaced'])

/** How a leg ends. */
export interface LegEnd {
  /** lattice index */
  readonly index: number
  /** why it is no success, in words */
  readonly failure?: string
}

/** One ship in a new world, under an engine that ticks as fast as it can. */
export interface Voyage {
  /** seconds from the start to a lattice index, the published one when left out */
  seconds(index?: number): number
  ship(): Promise<OwnShipView>
  /** Flies a leg ahead, beside the world; nothing of that stays. */
  predict(leg: Leg): Promise<Prediction>
  /** Gives the orders of a leg, and flies until it ends. */
  fly(leg: Leg): Promise<LegEnd>
  readonly worlds: readonly World[]
  /** commands so far, as a journal has them */
  readonly rows: readonly CommandRow[]
  readonly ticks: number
  close(): Promise<void>
}

export interface VoyageOptions {
  /** when it begins, UTC [Unix ms] */
  readonly startMs: number
  /** how far predictions reach [s]; the first leg waits until the bodies' motion is known so far */
  readonly aheadSeconds: number
  /** called with seconds since the start */
  readonly onManeuver: (seconds: number, event: ManeuverEvent) => void
  /** the same after each tick */
  readonly onTick: (seconds: number, ship: OwnShipView) => void
  readonly onError: (error: unknown) => void
}

/** New worlds with the catalog's stations, and the clock of their beginning [Unix ms]. */
export async function newWorlds(
  startMs: number,
): Promise<OpenedUniverse & { readonly universe: Universe; readonly clock: WallClock }> {
  const clock = fastClock(startMs)
  const opened = begun(await newUniverse(clock, { seed: 'voyage', shipsMax: 256 }), clock)
  return { clock, ...openedInside(opened) }
}

export async function openVoyage(options: VoyageOptions): Promise<Voyage> {
  const { startMs, aheadSeconds, onManeuver, onTick, onError } = options
  const { shipId } = SHIP
  const opened = await newWorlds(startMs)
  const { universe } = opened
  const [sol] = universe.worlds
  const start = sol.index
  const rows: CommandRow[] = []
  const firstTick = Promise.withResolvers<void>()
  let end = Promise.withResolvers<LegEnd>()
  let until: Leg['until']
  const seconds = (index = sol.index): number => (index - start) / QUANTA_PER_SECOND
  const keep = (row: CommandRow): Promise<void> => Promise.resolve(void rows.push(row))
  const engine: Engine = new Engine({
    ...opened,
    pool: createPool(universe, 1, onError),
    tickRate: 1,
    timeScale: TICK_SECONDS,
    paused: true,
    journal: { admit: () => undefined, keep },
    onPublish: () => {
      if (engine.status().tick > 0) firstTick.resolve()
      void engine.ship(shipId).then((ship) => ship && onTick(seconds(), ship))
    },
    onManeuver: (event) => {
      onManeuver(seconds(event.index), event)
      const { eventType, index, statusText } = event
      if (until || !ENDS.has(eventType)) return
      end.resolve({ index, ...(eventType !== 'completed' && { failure: `${statusText}` }) })
    },
    onEvent: ({ kind, index }) => {
      if (kind === until) end.resolve({ index })
    },
    onFault: (error) => [firstTick, end].forEach(({ reject }) => reject(error)),
  })
  engine.start()
  await engine.execute({ kind: 'create_ship', ...SHIP })
  await engine.resume()
  await firstTick.promise
  await engine.pause()
  await untilKnown(sol, aheadSeconds)
  const predictor = createPredictor(engine, onError)
  return {
    worlds: universe.worlds,
    rows,
    get ticks() {
      return engine.status().tick
    },
    seconds,
    ship: async () => (await engine.ship(shipId))!,
    predict: ({ orders }) => {
      const supposed = orders.map((control) => ({ after: 0, control }))
      return predictor.predict({ shipId, seconds: aheadSeconds, orders: supposed }, 'here')
    },
    fly: async (leg) => {
      end = Promise.withResolvers()
      until = leg.until
      for (const order of leg.orders) await engine.control(shipId, order).kept
      await engine.resume()
      const reached = await end.promise
      await engine.pause()
      return reached
    },
    close: async () => {
      await predictor.close()
      await engine.stop()
    },
  }
}

/** Waits for the motion of the bodies, which a server computes after its first tick. */
async function untilKnown({ index, state }: World, seconds: number): Promise<void> {
  const ahead = seconds * QUANTA_PER_SECOND + 3 * NODE_QUANTA
  while (state.ephemeris.span[1] * NODE_QUANTA < index + ahead) await setImmediate()
}
