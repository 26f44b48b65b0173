import {
  type Monitor,
  type TickTiming,
  clearMonitor,
  createMonitor,
  keepLastTick,
  recordTick,
} from './monitor.ts'
import {
  CATCH_UP_MAX,
  type Schedule,
  advanceSchedule,
  changeSchedule,
  createSchedule,
  dropLateTicks,
  lastDueMs,
  restartSchedule,
  ticksBehind,
  untilNextTickMs,
} from './schedule.ts'
import type { WallClock } from './wall-clock.ts'

/** Why no tick starts. */
export type Hold = 'new' | 'paused' | 'at rest' | 'replaced' | 'stopped'

export interface TickLoopOptions {
  readonly clock: WallClock
  /** ticks per second in force */
  readonly rateHz: () => number
  /** of the next tick: less than 1 where it ends before its time, and is due sooner */
  readonly share: () => number
  /** runs one tick; counts it as done in the schedule before it is published */
  readonly tick: () => Promise<void>
  readonly onTicked: (timing: Omit<TickTiming, 'phases'>) => void
  readonly onFault: (error: unknown) => void
  /** called before the next one is planned */
  readonly onEnded: () => void
}

/** Runs ticks when they are due, one at a time; held when made. */
export class TickLoop {
  readonly schedule: Schedule
  readonly monitor: Monitor = createMonitor()
  readonly #options: TickLoopOptions
  readonly #holds = new Set<Hold>(['new'])
  #running: Promise<void> | undefined
  #cancelTimer: (() => void) | undefined
  #waiting: (() => void)[] = []

  constructor(options: TickLoopOptions) {
    const { clock, rateHz } = options
    this.#options = options
    this.schedule = createSchedule(clock.monotonicMs(), rateHz())
  }

  isHeld(why: Hold): boolean {
    return this.#holds.has(why)
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Resolves when a running tick has ended. */
  async ended(): Promise<void> {
    await this.#running
  }

  /** Resolves when no tick is due for `ms`: at once, or when the next one has ended. */
  async lull(ms: number): Promise<void> {
    const { clock } = this.#options
    const comes = this.#running !== undefined || this.#holds.size === 0
    const isNear = this.#running || untilNextTickMs(this.schedule, clock.monotonicMs()) < ms
    if (comes && isNear) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Works while no tick runs, from a lull on; `onLate` is called where that was too long. */
  async rest<Result>(
    work: () => Promise<Result>,
    { lullMs, onLate }: { readonly lullMs: number; readonly onLate: () => void },
  ): Promise<Result> {
    await this.lull(lullMs)
    this.hold('at rest')
    await this.ended()
    try {
      return await work()
    } finally {
      if (ticksBehind(this.schedule, this.#options.clock.monotonicMs()) > CATCH_UP_MAX) onLate()
      this.release('at rest')
    }
  }

  /** Prevents further ticks. */
  hold(why: Hold): void {
    this.#holds.add(why)
    this.replan()
    if (!this.#running) this.#endWaiting()
  }

  release(why: Hold): void {
    this.#holds.delete(why)
    this.replan()
  }

  /** Restarts the schedule from the present moment, as after a pause. */
  restart(): void {
    const { clock, rateHz } = this.#options
    restartSchedule(this.schedule, clock.monotonicMs(), rateHz())
    clearMonitor(this.monitor)
    this.replan()
  }

  /** Plans the next tick after a change of the rate or of a hold. */
  replan(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    if (this.#holds.size > 0 || this.#running) return
    const { clock, rateHz } = this.#options
    const nowMs = clock.monotonicMs()
    if (this.schedule.rateHz !== rateHz()) {
      changeSchedule(this.schedule, nowMs, rateHz())
      keepLastTick(this.monitor)
    }
    const waitMs = untilNextTickMs(this.schedule, nowMs) - this.#sparedMs()
    this.#cancelTimer = clock.after(waitMs, () => {
      this.#cancelTimer = undefined
      this.#running = this.#run()
        .catch((error: unknown) => this.#options.onFault(error))
        .then(() => {
          this.#running = undefined
          this.#options.onEnded()
          this.replan()
          this.#endWaiting()
        })
    })
  }

  /** Part of its period that the next tick does not wait for. */
  #sparedMs(): number {
    return (1 - this.#options.share()) * this.schedule.periodMs
  }

  #endWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  async #run(): Promise<void> {
    const { clock, tick, onTicked } = this.#options
    const { schedule, monitor } = this
    const startMs = clock.monotonicMs()
    advanceSchedule(schedule, this.#sparedMs())
    dropLateTicks(schedule, startMs)
    const { periodMs } = schedule
    const lateMs = Math.max(0, startMs - lastDueMs(schedule) - periodMs)
    await tick()
    const durationMs = clock.monotonicMs() - startMs
    recordTick(monitor, startMs, durationMs)
    onTicked({ durationMs, lateMs, utilisation: durationMs / periodMs })
  }
}
