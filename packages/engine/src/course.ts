import { QUANTA_PER_SECOND } from '@orrery/sim'
import type { TickRunner } from './tick-runner.ts'
import { type PlannedPace, effectivePlan, placeInPlan, plannedIndex } from './time/clock-plan.ts'
import { MICRO, shownOffset } from './time/game-clock.ts'
import {
  changePlan,
  changeSetRate,
  changeSetScale,
  effectiveScale,
  switchAdaptive,
} from './time/tempo.ts'
import type { TickLoop } from './time/tick-loop.ts'
import type { WallClock } from './time/wall-clock.ts'

/** How an engine goes by a plan. */
export interface CourseOptions {
  /** UTC of this machine less that of the plan [ms] */
  readonly offsetMs: number
  /** game time is steered to where the plan has it; one that leads makes the plan instead */
  readonly isSteered: boolean
  /** called when another row is in force, at the published index */
  readonly onPace?: (pace: PlannedPace) => void
}

/** Runs an engine's game time by the plan of its universe. */
export class Course {
  readonly #ticks: TickRunner
  readonly #loop: TickLoop
  readonly #clock: WallClock
  readonly #resume: () => void
  #plan: readonly PlannedPace[] = []
  #options: CourseOptions = { offsetMs: 0, isSteered: false }
  /** number of the row in force */
  #inForce: number | undefined
  /** beyond the plan, an index at which a tick is to end */
  #meeting: (PromiseWithResolvers<void> & { readonly index: number }) | undefined
  #cancelTimer: (() => void) | undefined

  constructor(ticks: TickRunner, loop: TickLoop, clock: WallClock, resume: () => void) {
    this.#ticks = ticks
    this.#loop = loop
    this.#clock = clock
    this.#resume = resume
    ticks.planDrift = () => this.#driftWhenDue()
  }

  /** Goes by a plan from now on. */
  follow(rows: readonly PlannedPace[], options: CourseOptions): void {
    this.#plan = effectivePlan(rows)
    this.#options = options
    this.act()
  }

  /** Goes by no plan any more. */
  forget(): void {
    this.#inForce = undefined
    changePlan(this.#ticks.tempo, undefined)
    this.follow([], this.#options)
  }

  /** The row that is in force next. */
  next(): PlannedPace | undefined {
    return placeInPlan(this.#plan, this.#ticks.time.clock.index, this.#utcMs()).next
  }

  /** Game seconds that are due now by the own clock and not by the plan; undefined without one. */
  ahead(): number | undefined {
    const { tempo, time } = this.#ticks
    const seconds = (this.#clock.monotonicMs() - time.dueMs) / 1000
    const isHeld = this.#loop.isHeld('paused')
    return this.#aheadBy(isHeld ? 0 : seconds * effectiveScale(tempo), this.#utcMs())
  }

  /** Index of the last tick, and how long ago a clock was there that goes as this one does [ms]. */
  place(): { readonly lattice: number; readonly agoMs: number } {
    const { tempo, time } = this.#ticks
    const lattice = time.clock.index
    if (this.#loop.isHeld('paused')) return { lattice, agoMs: 0 }
    const seconds = shownOffset(time.clock) / QUANTA_PER_SECOND / effectiveScale(tempo)
    return { lattice, agoMs: this.#clock.monotonicMs() - time.dueMs + 1000 * seconds }
  }

  /** Resolves when a tick has ended at an index, as soon as time is there. */
  meet(index: number): Promise<void> {
    this.#meeting = { ...Promise.withResolvers<void>(), index }
    this.act()
    return this.#meeting.promise
  }

  /** Puts in force what the published index asks for; a tick under way does so when it ends. */
  act(): void {
    if (this.#loop.isRunning) return
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const { index } = this.#ticks.time.clock
    const { inForce, next } = placeInPlan(this.#plan, index, this.#utcMs())
    if (this.#meeting && this.#meeting.index <= index) this.#meeting.resolve()
    const ends = [next?.lattice ?? 0, this.#meeting?.index ?? 0].filter((end) => end > index)
    const cut = ends.length > 0 ? Math.min(...ends) : undefined
    const changed = inForce?.number === this.#inForce ? undefined : inForce
    const isOther = changed !== undefined || cut !== this.#ticks.cut
    this.#ticks.cut = cut
    if (changed) this.#change(changed)
    if (isOther) this.#loop.replan()
    if (next?.lattice !== index) return
    this.#cancelTimer = this.#clock.after(next.atMs - this.#utcMs(), () => this.act())
  }

  #change(pace: PlannedPace): void {
    const { tempo } = this.#ticks
    this.#inForce = pace.number
    switchAdaptive(tempo, pace.adaptiveTickRate)
    changeSetRate(tempo, pace.tickRate)
    changeSetScale(tempo, pace.timeScale)
    changePlan(tempo, this.#options.isSteered ? pace.pace : undefined)
    tempo.goal = pace.goal ?? undefined
    this.#ticks.followUtc()
    if (pace.paused) this.#loop.hold('paused')
    else if (this.#loop.isHeld('paused')) this.#resume()
    this.#options.onPace?.(pace)
  }

  #driftWhenDue(): number {
    const { dueMs } = this.#ticks.time
    const utcMs = this.#utcMs() - (this.#clock.monotonicMs() - dueMs)
    const { paceMicro } = this.#ticks.tempo.plan ?? { paceMicro: MICRO }
    return ((this.#aheadBy(0, utcMs) ?? 0) * MICRO) / paceMicro
  }

  #aheadBy(seconds: number, utcMs: number): number | undefined {
    const { clock } = this.#ticks.time
    const planned = plannedIndex(this.#plan, utcMs)
    if (planned === undefined) return undefined
    return (clock.index + shownOffset(clock) - planned) / QUANTA_PER_SECOND + seconds
  }

  /** UTC by the clock of the plan [Unix ms]. */
  #utcMs(): number {
    return this.#clock.utcMs() - this.#options.offsetMs
  }
}
