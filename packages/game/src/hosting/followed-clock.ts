import { type Database, isAway } from '@orrery/database'
import { type Engine, type PlannedPace, type WallClock, errorText } from '@orrery/engine'
import { type HostClock, clockPlan } from '@orrery/store'
import type { GameLog } from '../game-config.ts'
import { againAndAgain } from '../interruptible-sleep.ts'
import { paceWords } from './leader-clock.ts'

/** Time between two looks at the plan. */
const LOOK_MS = 200

/** A clock that is so far behind its plan hurries to it [s of wall time]. */
const BEHIND_SECONDS = 2

export interface FollowedClockOptions {
  readonly sql: Database['sql']
  readonly era: number
  readonly engine: Pick<Engine, 'clock' | 'course' | 'hurryTo' | 'status'>
  readonly hostClock: () => HostClock | undefined
  readonly clock: WallClock
  readonly logger: GameLog
  readonly onPace: (pace: PlannedPace) => void
}

/** Runs the clock of a host as the one that leads has planned it. */
export class FollowedClock {
  readonly #options: FollowedClockOptions
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined

  constructor(options: FollowedClockOptions) {
    this.#options = options
  }

  /** Begins, once the plan is known. */
  async start(): Promise<void> {
    await this.#look()
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  #run(): Promise<void> {
    const { clock, logger } = this.#options
    return againAndAgain({ clock, signal: this.#stopping.signal, apartMs: LOOK_MS }, () =>
      this.#look().catch((error: unknown) => {
        if (!isAway(error)) logger.error({ reason: errorText(error) }, 'the clock has no plan')
      }),
    )
  }

  async #look(): Promise<void> {
    const { engine, era, hostClock, sql } = this.#options
    const { rows } = await clockPlan(sql).load(era)
    const offsetMs = 1000 * (hostClock()?.clockOffset ?? 0)
    const onPace = (pace: PlannedPace): void => this.#changed(pace)
    engine.course.follow(rows, { offsetMs, isSteered: true, onPace })
    const behind = -(engine.course.ahead() ?? 0)
    const { effectiveTimeScale, gameTimeMs } = engine.status()
    if (behind > BEHIND_SECONDS * effectiveTimeScale) engine.hurryTo(gameTimeMs + 1000 * behind)
  }

  #changed(pace: PlannedPace): void {
    const { engine, logger, onPace } = this.#options
    const { index } = engine.clock()
    logger.info({ index, ...paceWords(pace) }, 'the clock runs by another row of its plan')
    onPace(pace)
  }
}
