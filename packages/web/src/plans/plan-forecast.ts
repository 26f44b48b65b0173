/** Where a plan leads, kept up to date while it is changed. */
import { type ReadonlySignal, effect, signal } from '@preact/signals'
import { ClientError } from '@orrery/client'
import type { Forecast } from '@orrery/client/flight'
import { flightsAhead } from '../forecast/flight-ahead.ts'
import type { ForecastsOptions } from '../forecast/forecasts.ts'
import type { Session } from '../session/session.ts'
import { type PlanNode, planOrder } from './plan.ts'

export interface PlanFlown {
  /** those that it flies: others than the plan's while the next one is made */
  readonly nodes: readonly PlanNode[]
  readonly forecast: Forecast
}

export interface PlanForecast {
  /** the last one, while the next one is made; undefined without a burn */
  readonly flown: ReadonlySignal<PlanFlown | undefined>
  /** why there is none, in a sentence */
  readonly problem: ReadonlySignal<string | undefined>
  close(): void
}

export interface PlanForecastOptions extends Pick<ForecastsOptions, 'session' | 'target'> {
  readonly nodes: ReadonlySignal<readonly PlanNode[]>
}

/** What is shown is made again after so long [ms], and so many times what it takes. */
const AGAIN_MS = 3000
const REST = 5
const LOOK_MS = 500

/** Lattice indices per hour. */
const PER_HOUR = 64 * 3600

/** The next one reaches so far at first, of the last one: a longer one would be a second. */
const AS_FAR = 0.92

/** Forecasts a plan of the ship of each session; at most one is made at a time. */
export function createPlanForecast(options: PlanForecastOptions): PlanForecast {
  const { session, target, nodes } = options
  const flown = signal<PlanFlown | undefined>(undefined)
  const problem = signal<string | undefined>(undefined)
  let isWanted = false
  let isBusy = false
  let dueMs = Infinity
  const makeOne = async (from: Session): Promise<void> => {
    const made = nodes.peek()
    const order = planOrder(made)
    if (!order) {
      flown.value = problem.value = undefined
      return
    }
    const isLast = (): boolean => nodes.peek() === made && session.peek() === from
    const atLeast = hoursWanted(made, from, flown.peek()?.forecast)
    const asked = { hours: undefined, target: target.peek(), atLeast, orders: [{ order }] }
    try {
      for await (const forecast of flightsAhead(from, asked)) {
        if (session.peek() !== from || planOrder(nodes.peek()) === undefined) return
        flown.value = { nodes: made, forecast }
        problem.value = undefined
        if (!isLast()) return
      }
    } catch (error) {
      if (!isLast()) return
      flown.value = undefined
      problem.value = error instanceof ClientError ? error.message : 'It cannot be forecast now'
    }
  }
  const make = async (): Promise<void> => {
    isBusy = true
    const startMs = performance.now()
    for (let from = session.peek(); isWanted && from; from = session.peek()) {
      isWanted = false
      await makeOne(from)
    }
    isBusy = false
    const nowMs = performance.now()
    dueMs = nowMs + Math.max(REST * (nowMs - startMs), AGAIN_MS)
  }
  const want = (): void => {
    isWanted = true
    if (!isBusy) void make()
  }
  const stops = [
    effect(() => {
      // Whatever is read here makes it again.
      void [session.value, target.value, nodes.value]
      want()
    }),
    effect(() => {
      if (!session.value) {
        flown.value = problem.value = undefined
        return undefined
      }
      const timer = setInterval(() => {
        if (!isBusy && !document.hidden && performance.now() > dueMs) want()
      }, LOOK_MS)
      return () => clearInterval(timer)
    }),
  ]
  return {
    flown,
    problem,
    close: () => {
      for (const stop of stops) stop()
    },
  }
}

/** Beyond the last burn, and nearly as far as the last forecast did. */
function hoursWanted(
  nodes: readonly PlanNode[],
  { flight }: Session,
  last: Forecast | undefined,
): number {
  const burn = (nodes.at(-1)!.index - flight.clock.now()) / PER_HOUR
  return Math.max(1.02 * burn, last ? (AS_FAR * (last.to - last.from)) / PER_HOUR : 0)
}
