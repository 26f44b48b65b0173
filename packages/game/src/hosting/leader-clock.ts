import { type Database, isAway } from '@orrery/database'
import {
  type Engine,
  type PlannedPace,
  type WallClock,
  effectivePlan,
  errorText,
  plannedIndex,
} from '@orrery/engine'
import { QUANTA_PER_SECOND, latticeFromUtc } from '@orrery/sim'
import { type HostClock, type Ownership, clockPlan } from '@orrery/store'
import type { GameLog } from '../game-config.ts'
import { HOME_ID, SYSTEM_IDS } from '../game-records.ts'
import { againAndAgain } from '../interruptible-sleep.ts'
import type { JournalWriter } from '../journal/journal-writer.ts'
import { refusal } from '../refusal.ts'
import { createSerialQueue } from '../serial-queue.ts'

/** Between a change and its index, so that every host that flies has read it [ms]. */
const LEAD_MS = 4000

/** Between two looks at the own clock [ms]. */
const LOOK_MS = 200

/** A clock that is farther from its plan is planned again [s of wall time]. */
const OFF_SECONDS = 0.1

/** A change that has not acted so long after its moment may never do so [ms]. */
const LATE_MS = 10_000

/** A host that is to be given a star system flies it within so long [ms]. */
const GIVING_MS = 10_000

/** Game time of a tick that hurries [s]. */
const HURRY_SECONDS = 1000

/** What of the clock is to change. */
export type PaceChange = Partial<
  Pick<PlannedPace, 'paused' | 'tickRate' | 'timeScale' | 'adaptiveTickRate' | 'goal'>
>

/** A change that waits for its index. */
export interface PlannedChange {
  readonly index: number
  /** resolves with the tick after which it was in force */
  readonly acted: Promise<number>
}

export interface LeaderClockOptions {
  readonly sql: Database['sql']
  readonly owner: Ownership
  readonly era: () => number
  readonly engine: Pick<Engine, 'clock' | 'course' | 'followed' | 'status'>
  readonly hostClock: () => HostClock | undefined
  readonly journal: Pick<JournalWriter, 'durable'>
  readonly clock: WallClock
  readonly logger: GameLog
  /** what was planned is in force, in place of what was before */
  readonly onPace: (pace: PlannedPace, before: PlannedPace) => void
}

type NewPace = Omit<PlannedPace, 'number'>

/** The clock of the host that leads, which plans that of all hosts that fly beside it. */
export class LeaderClock {
  readonly #options: LeaderClockOptions
  readonly #enqueue = createSerialQueue()
  readonly #stopping = new AbortController()
  /** of the world that it plans for */
  #era: number
  #plan: readonly PlannedPace[] = []
  #inForce: PlannedPace | undefined
  /** changes by their numbers */
  readonly #waiting = new Map<number, PromiseWithResolvers<number>>()
  #running: Promise<void> | undefined
  /** on the monotonic clock */
  #givingMs = -Infinity

  constructor(options: LeaderClockOptions) {
    this.#options = options
    this.#era = options.era()
  }

  /** Goes on by what the leader before has planned; before the first tick. */
  async load(): Promise<void> {
    this.#era = this.#options.era()
    const { rows } = await clockPlan(this.#options.sql).load(this.#era)
    if (rows.length > 0) this.#follow(rows)
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    this.#giveUp('the server ends')
  }

  /** The world is another one, which no other host flies. */
  forget(): void {
    this.#givingMs = -Infinity
    this.#era = this.#options.era()
    this.#plan = []
    this.#inForce = undefined
    this.#options.engine.course.forget()
    this.#giveUp('the world was replaced')
  }

  /** The change that acts next; undefined where none is planned. */
  next(): PlannedPace | undefined {
    return this.#options.engine.course.next()
  }

  /** As it will be when all that is planned has acted. */
  timeScale(): number {
    return this.#plan.at(-1)?.timeScale ?? this.#options.engine.clock().timeScale
  }

  /**
   * Plans a change while other hosts fly, or another change waits. Undefined where it is to be made
   * at once, or is in force.
   */
  plan(change: PaceChange): Promise<PlannedChange | undefined> {
    return this.#enqueue(async () => {
      await this.#keep()
      if (!this.#isShared()) return undefined
      const atMs = this.#utcMs() + LEAD_MS
      const before = this.#plan.findLast((row) => row.atMs <= atMs)
      if (!before) return undefined
      const lattice = Math.ceil(plannedIndex(this.#plan, atMs) ?? before.lattice)
      const after = changedPace({ ...before, lattice, atMs }, change)
      if (isSame(before, after)) return this.#planned(before)
      const rows = await this.#written([after, ...endOf(after)])
      this.#add(rows)
      return this.#planned(rows[0])
    })
  }

  /** Lets another host know how the clock runs, which is to be given a star system. */
  share(): Promise<void> {
    this.#givingMs = this.#options.clock.monotonicMs() + GIVING_MS
    return this.keep()
  }

  /** Lets other hosts know how the clock runs, where it leaves what they know. */
  keep(): Promise<void> {
    return this.#enqueue(() => this.#keep())
  }

  #run(): Promise<void> {
    const { clock, logger } = this.#options
    return againAndAgain({ clock, signal: this.#stopping.signal, apartMs: LOOK_MS }, () =>
      this.keep().catch((error: unknown) => {
        // Whoever has taken the world plans its clock.
        const isTaken = Object(error).code === 'ERR_FENCED'
        if (isAway(error) || isTaken) return
        logger.error({ reason: errorText(error) }, 'the clock cannot be planned')
      }),
    )
  }

  async #keep(): Promise<void> {
    if (this.#isShared()) {
      if (this.#plan.length > 0) this.#follow(this.#plan)
      if (this.#isOff()) await this.#anchor()
    } else if (this.#plan.length > 0) {
      const { owner, sql } = this.#options
      this.forget()
      await clockPlan(sql).clear(owner, HOME_ID)
    }
  }

  /** Whether another host goes by the plan, or something waits in it. */
  #isShared(): boolean {
    const { clock, engine } = this.#options
    const isFlown = SYSTEM_IDS.some((id) => engine.followed.hasSystem(id))
    return isFlown || this.next() !== undefined || clock.monotonicMs() < this.#givingMs
  }

  /** Whether the own clock runs otherwise than its plan says. */
  #isOff(): boolean {
    const planned = this.#inForce
    const next = this.next()
    if (!planned) return true
    if (next && Math.abs(next.atMs - this.#utcMs()) < LOOK_MS) return false
    const ahead = this.#options.engine.course.ahead() ?? Infinity
    return Math.abs(ahead) > OFF_SECONDS * planned.pace || !isSame(planned, this.#here())
  }

  /** How the own clock runs, and where it is. */
  #here(): NewPace {
    const { engine } = this.#options
    const { paused, tickRate, timeScale } = engine.clock()
    const { adaptiveTickRate, effectiveTimeScale: pace, goalMs } = engine.status()
    const goal = goalMs === undefined ? null : latticeFromUtc(goalMs)
    const { agoMs, lattice } = engine.course.place()
    const place = { lattice, atMs: this.#utcMs() - agoMs }
    return { ...place, tickRate, timeScale, pace, paused, adaptiveTickRate, goal }
  }

  /** Writes where the clock is, and what waits once more, at the same indexes. */
  async #anchor(): Promise<void> {
    const here = this.#here()
    const inForce = this.#inForce?.number ?? 0
    const waiting = this.#plan.filter(
      ({ lattice, number }) => number > inForce && lattice >= here.lattice,
    )
    const [first] = waiting
    const shiftMs = first && !here.paused ? msUntil(here, first.lattice) - first.atMs : 0
    const later = waiting.map((row) => ({ ...row, atMs: row.atMs + shiftMs }))
    const before = this.#inForce
    // What no plan has changed is no news when the plan has it.
    this.#inForce = { ...here, number: inForce }
    const written = await this.#written([here, ...later]).catch((error: unknown) => {
      this.#inForce = before
      throw error
    })
    const [, ...rows] = written
    for (const [place, { number }] of waiting.entries()) {
      const waits = this.#waiting.get(number)
      this.#waiting.delete(number)
      if (waits) this.#waiting.set(rows[place].number, waits)
    }
    this.#add(written)
  }

  async #written(rows: readonly NewPace[]): Promise<readonly PlannedPace[]> {
    const { owner, sql } = this.#options
    const era = this.#era
    const added = await clockPlan(sql).add({ era, owner, home: HOME_ID }, rows)
    if (era !== this.#era) throw notActed('the world was replaced')
    return added
  }

  #add(rows: readonly PlannedPace[]): void {
    const inForce = this.#inForce?.number ?? 0
    this.#follow([...this.#plan.filter(({ number }) => number >= inForce), ...rows])
  }

  #follow(rows: readonly PlannedPace[]): void {
    this.#plan = effectivePlan(rows)
    const onPace = (pace: PlannedPace): void => this.#acted(pace)
    const options = { offsetMs: this.#offsetMs(), isSteered: false, onPace }
    this.#options.engine.course.follow(this.#plan, options)
  }

  #acted(pace: PlannedPace): void {
    const { engine, journal, logger, onPace } = this.#options
    const before = this.#inForce
    this.#inForce = pace
    const { index, tick } = engine.clock()
    // A clock that is late may pass over one.
    for (const [number, { resolve }] of this.#waiting) {
      if (number > pace.number) continue
      resolve(tick)
      this.#waiting.delete(number)
    }
    if (!before || isSame(before, pace)) return
    // A start goes on from there.
    journal.durable().catch(() => undefined)
    logger.info({ index, ...paceWords(pace) }, 'the clock has changed as planned')
    onPace(pace, before)
  }

  /** Undefined for a row that is in force. */
  #planned({ atMs, lattice: index, number }: PlannedPace): PlannedChange | undefined {
    if (number <= (this.#inForce?.number ?? 0)) return undefined
    const waits = this.#waiting.get(number) ?? Promise.withResolvers<number>()
    this.#waiting.set(number, waits)
    const lateMs = atMs - this.#utcMs() + LATE_MS
    const cancel = this.#options.clock.after(lateMs, () => waits.reject(notActed('it is late')))
    const acted = waits.promise.finally(cancel)
    // A caller may not await it.
    acted.catch(() => undefined)
    return { index, acted }
  }

  #giveUp(reason: string): void {
    for (const { reject } of this.#waiting.values()) reject(notActed(reason))
    this.#waiting.clear()
  }

  #offsetMs(): number {
    return 1000 * (this.#options.hostClock()?.clockOffset ?? 0)
  }

  /** By the database's clock [Unix ms]. */
  #utcMs(): number {
    return this.#options.clock.utcMs() - this.#offsetMs()
  }
}

function changedPace(before: NewPace, change: PaceChange): NewPace {
  const wanted = { ...before, ...change }
  const { goal, tickRate, timeScale } = wanted
  if (goal !== null && goal > before.lattice) {
    return { ...wanted, pace: Math.max(timeScale, HURRY_SECONDS * tickRate) }
  }
  const isKept = timeScale === before.timeScale && before.goal === null
  return { ...wanted, goal: null, pace: isKept ? before.pace : timeScale }
}

/** The end of a hurry. */
function endOf(pace: NewPace): NewPace[] {
  const { goal, paused, timeScale } = pace
  if (goal === null || paused) return []
  const end = { lattice: goal, atMs: msUntil(pace, goal), pace: timeScale, goal: null }
  return [{ ...pace, ...end }]
}

/** When a clock comes to an index that goes on as it does [Unix ms]. */
function msUntil({ atMs, lattice, pace }: NewPace, index: number): number {
  return atMs + (1000 * (index - lattice)) / (pace * QUANTA_PER_SECOND)
}

/** Whether two rows say the same of the clock, wherever it is. */
function isSame(one: NewPace, other: NewPace): boolean {
  return (
    one.paused === other.paused &&
    one.tickRate === other.tickRate &&
    one.timeScale === other.timeScale &&
    one.adaptiveTickRate === other.adaptiveTickRate &&
    one.goal === other.goal
  )
}

/** What a log has of a pace. */
export function paceWords({ paused, tickRate, timeScale }: PlannedPace): Record<string, unknown> {
  return { paused, tick_rate: tickRate, time_scale: timeScale }
}

function notActed(reason: string): Error {
  return refusal('E008', `The change is planned and has not acted: ${reason}`, 503)
}
