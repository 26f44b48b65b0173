/** Where a plan leads, kept up to date while it is changed. */
import { type ReadonlySignal, computed, effect, signal } from '@preact/signals'
import { ClientError } from '@orrery/client'
import type { Forecast } from '@orrery/client/flight'
import { say } from '../languages/say.ts'
import { flightsAhead, hoursAfter } from '../forecast/flight-ahead.ts'
import type { ForecastsOptions } from '../forecast/forecasts.ts'
import { isOffCourse } from '../forecast/off-course.ts'
import { type Thing, isSame } from '../readings/thing.ts'
import type { Session } from '../session/session.ts'
import { type PlanFlown, bentTo } from './bent-way.ts'
import { type PlanNode, planOrder, sizeOf } from './plan.ts'

export interface PlanForecast {
  /** the last one with all burns, while the next one is made; undefined without a burn */
  readonly flown: ReadonlySignal<PlanFlown | undefined>
  /** the last one, which may reach only beyond the node that is changed */
  readonly drawn: ReadonlySignal<PlanFlown | undefined>
  /** the same, bent to where nodes lead whose forecast is not there yet */
  readonly bent: ReadonlySignal<PlanFlown | undefined>
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

/** A hand that has not moved for so long rests [ms]. */
const HAND_RESTS_MS = 100

/** As much as is drawn of an orbit, and some more [revolutions]. */
const DRAWN_REVOLUTIONS = 1.05

/** So many are kept to bend the last one by: where a hand turns back, two may be alike. */
const KEPT = 4

/** Lattice indices per hour. */
const PER_HOUR = 64 * 3600

/** The next one reaches so far at first, of the last one: a longer one would be a second. */
const AS_FAR = 0.92

/** Forecasts a plan of the ship of each session; at most one is made at a time. */
export function createPlanForecast(options: PlanForecastOptions): PlanForecast {
  const maker = new Maker(options)
  const { session, target, nodes } = options
  const stops = [
    effect(() => {
      // Whatever is read here makes it again.
      void [session.value, target.value, nodes.value]
      maker.want()
    }),
    effect(() => {
      if (!session.value) {
        maker.clear()
        return undefined
      }
      const timer = setInterval(() => {
        if (maker.isDue && !document.hidden) maker.want()
      }, LOOK_MS)
      return () => clearInterval(timer)
    }),
  ]
  const { flown, drawn, problem } = maker
  return {
    flown,
    drawn,
    bent: computed(() => bentTo(nodes.value, drawn.value, maker.before)),
    problem,
    close: () => {
      for (const stop of stops) stop()
    },
  }
}

/** One that drafts are made from. */
interface Whole extends PlanFlown {
  readonly session: Session
  readonly target: Thing | undefined
}

class Maker {
  readonly flown = signal<PlanFlown | undefined>(undefined)
  readonly drawn = signal<PlanFlown | undefined>(undefined)
  readonly problem = signal<string | undefined>(undefined)
  /** the last ones that were drawn before, of other nodes */
  before: readonly PlanFlown[] = []
  readonly #options: PlanForecastOptions
  #whole: Whole | undefined
  #isWanted = false
  #isBusy = false
  /** what is made is given up for a change */
  #givesWay = false
  #rounds = 0
  #dueMs = Infinity
  /** the least until it is made again */
  #pauseMs = AGAIN_MS

  constructor(options: PlanForecastOptions) {
    this.#options = options
  }

  get isDue(): boolean {
    return !this.#isBusy && performance.now() > this.#dueMs
  }

  want(): void {
    this.#isWanted = true
    if (!this.#isBusy || this.#givesWay) void this.#make()
  }

  clear(): void {
    this.flown.value = this.drawn.value = this.problem.value = undefined
  }

  async #make(): Promise<void> {
    const round = ++this.#rounds
    const isNewest = (): boolean => this.#rounds === round
    this.#isBusy = true
    const startMs = performance.now()
    const { session } = this.#options
    for (let from = session.peek(); this.#isWanted && from; from = session.peek()) {
      this.#isWanted = this.#givesWay = false
      await this.#makeOne(from, isNewest)
      if (!isNewest()) return
    }
    this.#isBusy = false
    const nowMs = performance.now()
    this.#dueMs = nowMs + Math.max(REST * (nowMs - startMs), this.#pauseMs)
  }

  async #makeOne(session: Session, isNewest: () => boolean): Promise<void> {
    const { nodes, session: present } = this.#options
    const made = nodes.peek()
    if (!planOrder(made)) return this.clear()
    const isLast = (): boolean => isNewest() && nodes.peek() === made && present.peek() === session
    try {
      for await (const forecast of this.#forecasts(session, made)) {
        if (present.peek() !== session || !planOrder(nodes.peek())) return
        const drawn = this.drawn.peek()
        if (drawn && drawn.nodes !== made) this.before = [drawn, ...this.before].slice(0, KEPT)
        this.drawn.value = { nodes: made, forecast }
        const isWhole = forecast === this.#whole?.forecast || isComplete(forecast)
        if (isWhole) this.flown.value = this.drawn.value
        this.problem.value = undefined
        if (!isLast()) return
      }
    } catch (error) {
      if (!isLast()) return
      this.#whole = this.flown.value = this.drawn.value = undefined
      this.problem.value =
        error instanceof ClientError ? error.message : say('It cannot be forecast now')
    }
  }

  /** Of changed nodes at first what is soon there, as if ordered when the last whole one was. */
  async *#forecasts(
    session: Session,
    nodes: readonly PlanNode[],
  ): AsyncGenerator<Forecast, void, void> {
    const target = this.#options.target.peek()
    const asked = { hours: undefined, target, orders: [{ order: planOrder(nodes)! }] }
    const whole = this.#wholeOf(session, target)
    if (whole && this.drawn.peek()?.nodes !== nodes) {
      const all = { ...asked, hours: hoursOf(whole.forecast), draft: whole.forecast }
      const soon = this.#hoursSoon(session, nodes, whole)
      if (soon < all.hours) {
        yield* flightsAhead(session, { ...all, hours: soon })
        this.#givesWay = true
      }
      yield* flightsAhead(session, all)
      this.#pauseMs = HAND_RESTS_MS
      return
    }
    this.#givesWay = whole !== undefined
    this.#pauseMs = AGAIN_MS
    const atLeast = hoursWanted(nodes, session, this.drawn.peek()?.forecast)
    for await (const forecast of flightsAhead(session, { ...asked, atLeast, draft: true })) {
      this.#whole = { nodes, forecast, session, target }
      yield forecast
    }
  }

  /** The last whole one, while the ship flies on as if nothing were ordered. */
  #wholeOf(session: Session, target: Thing | undefined): Whole | undefined {
    const whole = this.#whole
    const isAlike = whole?.session === session && isSame(whole.target, target)
    return isAlike && !isOffCourse(session.flight, whole.forecast) ? whole : undefined
  }

  /** Until a revolution after the first burn that has changed, about as it was drawn last [h]. */
  #hoursSoon({ flight }: Session, nodes: readonly PlanNode[], whole: Whole): number {
    const drawn = this.drawn.peek() ?? whole
    const [burns, before, last] = [nodes, whole.nodes, drawn.nodes].map(burnsOf)
    const first = burns.findIndex((burn, i) => !isAlike(burn, before[i]))
    const changed = first < 0 ? burns.length - 1 : first
    const hours = hoursAfter(drawn.forecast, flight, DRAWN_REVOLUTIONS, changed)
    if (hours === 0) return Infinity
    return hours + (burns[changed].index - last[changed].index) / PER_HOUR
  }
}

function burnsOf(nodes: readonly PlanNode[]): readonly PlanNode[] {
  return nodes.filter((node) => sizeOf(node) > 0)
}

function isAlike(a: PlanNode, b: PlanNode | undefined): boolean {
  return a.index === b?.index && a.deltaV.every((value, axis) => value === b.deltaV[axis])
}

/** Whether no burn is beyond its end. */
function isComplete({ end, marks }: Forecast): boolean {
  const isEnd = (kind: string): boolean =>
    kind === 'maneuver_completed' || kind === 'maneuver_failed'
  return end !== 'asked' || marks.some(({ kind }) => isEnd(kind))
}

function hoursOf({ from, to }: Forecast): number {
  return (to - from) / PER_HOUR
}

/** Beyond the last burn, and nearly as far as the last forecast did. */
function hoursWanted(
  nodes: readonly PlanNode[],
  { flight }: Session,
  last: Forecast | undefined,
): number {
  const burn = (nodes.at(-1)!.index - flight.clock.now()) / PER_HOUR
  return Math.max(1.02 * burn, last ? AS_FAR * hoursOf(last) : 0)
}
