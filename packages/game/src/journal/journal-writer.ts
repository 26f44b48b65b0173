import type { CommandJournal, CommandRow, SystemDigest } from '@orrery/engine'
import type { JournalOutcome, StoreError } from '@orrery/store'
import { type InterruptibleSleep, createInterruptibleSleep } from '../interruptible-sleep.ts'
import { acknowledgement } from './acknowledgement.ts'
import { type Appending, type AppendingOptions, createAppending } from './appending.ts'
import {
  type Backlog,
  type BacklogOptions,
  type Batch,
  type WaitingRow,
  createBacklog,
} from './backlog.ts'
import { JournalError } from './journal-error.ts'
import { type Outage, type OutageOptions, createOutage } from './outage.ts'
import {
  type Rest,
  type StoppedSystem,
  isLost,
  isPermanent,
  restWithout,
  restsOf,
  stoppedSystem,
  stopping,
  takenWorld,
} from './stopping.ts'

/** Commands that may wait to become durable; what a world acts on in some seconds. */
export const WAITING_MAX = 20_000

/** Time between two clock rows, at most. */
const CLOCK_MS = 1000

/** Time that what waits at a stop has to become durable. */
const STOP_MS = 10_000

export interface JournalWriterOptions
  extends AppendingOptions, Omit<BacklogOptions, 'isStopped'>, OutageOptions {
  /** another server has taken the world: nothing more will be written */
  readonly onFenced: () => void
  /** nothing of a star system is written any more, since one of its commands cannot be */
  readonly onSystemStopped: (systemId: string, error: JournalError) => void
}

/** Metrics of the writer. */
export interface JournalMetrics {
  /** commands that are not durable */
  readonly lagRows: number
  /** age of the oldest of them [s] */
  readonly lagSeconds: number
  /** durable ones since the start, and the batches they came in */
  readonly rows: number
  readonly batches: number
  /** attempts to write a batch that failed */
  readonly failures: number
  /** why nothing has become durable for 2 s and longer; undefined while it does */
  readonly away: string | undefined
  /** star systems of which nothing is written any more, and why */
  readonly stopped: readonly { readonly systemId: string; readonly reason: string }[]
  /** from the first attempt at the last durable batch to its end */
  readonly lastBatchMs: number
}

/**
 * Writes commands beside ticks: each batch holds all rows that arrived during the one before, with
 * the world's clock at that time, and is retried until it is durable.
 *
 * `admit` throws a {@link JournalError} when a command would not become durable soon and must not
 * be executed. `keep` accepts rows without it, too. The promise of `keep` rejects
 * with 'ERR_JOURNAL_UNKNOWN' after 2 s, or with what kept that from being written which belongs to
 * the command; the command itself is durable then, and the world acted on it.
 */
export interface JournalWriter extends CommandJournal {
  durableUpTo(systemId: string): number
  digest(digest: SystemDigest): void
  /**
   * Lattice index up to which an era, by default the present one, would come out the same after a
   * crash: that of its last durable clock, or the one before while a command at that very index is
   * not durable; without a clock -Infinity.
   */
  durableIndex(era?: number): number
  /**
   * Resolves when every command up to a sequence of each system is durable; by default, when all
   * that was accepted and the clock of this moment are.
   *
   * @throws {JournalError} why the writer has ended
   */
  durable(sequences?: Readonly<Record<string, number>>): Promise<void>
  /**
   * Runs a replacement of the world when all is durable, and while nothing is admitted or written.
   */
  atRest<Result>(work: () => Promise<Result>): Promise<Result>
  lagRows(): number
  metrics(): JournalMetrics
  /** Begins with a clock row. */
  start(): void
  /**
   * Writes what waits and the clock, for 10 s at most.
   *
   * @throws {JournalError} 'ERR_JOURNAL_AWAY' when that was too short, 'ERR_JOURNAL_FENCED'
   */
  stop(): Promise<void>
}

/** A batch that is being written, and the promises that wait for it. */
interface Writing extends Batch {
  readonly asking: readonly PromiseWithResolvers<void>[]
}

export function createJournalWriter(options: JournalWriterOptions): JournalWriter {
  return new Writer(options)
}

class Writer implements JournalWriter {
  readonly #options: JournalWriterOptions
  readonly #backlog: Backlog
  readonly #appending: Appending
  readonly #outage: Outage
  /** pause while nothing waits */
  readonly #sleep: InterruptibleSleep
  readonly #over = Promise.withResolvers<JournalError>()
  /** last durable clock of each era */
  readonly #durable = new Map<number, number>()
  readonly #stopped = new Map<string, StoppedSystem>()
  #ended: JournalError | undefined
  #isRunning = false
  #isStopping = false
  /** nothing is admitted, and once all is durable, nothing written */
  #isAtRest = false
  #isResting = false
  /** promises that wait for all rows and the clock */
  #asking: PromiseWithResolvers<void>[] = []
  #batch: Writing | undefined
  /** when the clock is due again [monotonic ms] */
  #dueMs = -Infinity
  #done = { rows: 0, batches: 0, lastBatchMs: 0 }

  constructor(options: JournalWriterOptions) {
    this.#options = options
    const isStopped = (systemId: string): boolean => this.#stopped.has(systemId)
    this.#backlog = createBacklog({ ...options, isStopped })
    this.#appending = createAppending(options)
    this.#outage = createOutage(options)
    this.#sleep = createInterruptibleSleep(options.clock)
  }

  admit(): void {
    if (this.#ended) throw this.#ended
    if (this.#isStopping) throw stopping()
    if (this.#isAtRest) {
      throw new JournalError('ERR_JOURNAL_AT_REST', 'The world is being replaced.')
    }
    const away = this.#whyAway()
    if (away !== undefined) {
      throw new JournalError('ERR_JOURNAL_AWAY', `Commands do not become durable: ${away}.`)
    }
    if (this.lagRows() < WAITING_MAX) return
    throw new JournalError('ERR_JOURNAL_FULL', `${WAITING_MAX} commands wait already.`)
  }

  keep(row: CommandRow): Promise<void> {
    const { clock } = this.#options
    const refused = this.#ended ?? this.#stopped.get(row.systemId)?.error
    if (refused) return acknowledgement(Promise.reject(refused), clock)
    const { outcome } = this.#backlog.add(row)
    this.#sleep.interrupt()
    return acknowledgement(outcome.promise, clock)
  }

  digest(digest: SystemDigest): void {
    if (!this.#ended && !this.#stopped.has(digest.systemId)) this.#backlog.addDigest(digest)
  }

  durableIndex(era: number = this.#options.era()): number {
    const index = this.#durable.get(era) ?? -Infinity
    const isThere = (kept: WaitingRow): boolean => kept.era === era && kept.row.index <= index
    const isOpen = this.#batch?.kept.some(isThere) || this.#backlog.rows().some(isThere)
    return isOpen ? index - 1 : index
  }

  durableUpTo(systemId: string): number {
    const isOf = ({ row }: WaitingRow): boolean => row.systemId === systemId
    const waiting = this.#batch?.kept.find(isOf) ?? this.#backlog.rows().find(isOf)
    const stopped = this.#stopped.get(systemId)?.sequence ?? Infinity
    return Math.min(waiting?.row.sequence ?? Infinity, stopped) - 1
  }

  async durable(sequences?: Readonly<Record<string, number>>): Promise<void> {
    for (const [systemId, { sequence, error }] of this.#stopped) {
      if (sequences && sequences[systemId] >= sequence) throw error
    }
    // A clean stop is one with everything durable.
    if (this.#ended?.code === 'ERR_JOURNAL_STOPPED') return
    if (this.#ended) throw this.#ended
    if (sequences === undefined) return this.#all()
    const last = this.#undurable().findLast(({ row }) => row.sequence <= sequences[row.systemId])
    return last?.outcome.promise.catch(() => {
      // A command is durable also when what belongs to it was refused.
      if (this.#ended) throw this.#ended
    })
  }

  async atRest<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#ended) throw this.#ended
    this.#isAtRest = true
    try {
      await this.#all(() => (this.#isResting = true))
      const result = await work()
      // The new world has none of the commands that were not kept.
      this.#stopped.clear()
      return result
    } finally {
      this.#isAtRest = false
      this.#isResting = false
      this.#dueMs = -Infinity
      this.#sleep.interrupt()
    }
  }

  lagRows(): number {
    return (this.#batch?.kept.length ?? 0) + this.#backlog.rows().length
  }

  metrics(): JournalMetrics {
    const oldest = this.#undurable().at(0)
    return {
      ...this.#done,
      lagRows: this.lagRows(),
      lagSeconds: oldest ? (this.#options.clock.monotonicMs() - oldest.keptMs) / 1000 : 0,
      failures: this.#appending.failures(),
      away: this.#whyAway(),
      stopped: Array.from(this.#stopped, ([systemId, { error }]) => ({
        systemId,
        reason: error.message,
      })),
    }
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    // An error here would leave the world unwritten: it ends the process.
    void this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.start()
    this.#sleep.interrupt()
    const cancel = this.#options.clock.after(STOP_MS, () => {
      const message = `${this.lagRows()} commands did not become durable within ${STOP_MS} ms.`
      this.#end(new JournalError('ERR_JOURNAL_AWAY', message))
    })
    const end = await this.#over.promise
    cancel()
    if (end.code !== 'ERR_JOURNAL_STOPPED') throw end
  }

  /** Waits for all rows; `onDurable` is called before anything else is written. */
  #all(onDurable?: () => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (): void => {
      onDurable?.()
      resolve()
    }
    this.#asking.push({ promise, resolve: settle, reject })
    this.#sleep.interrupt()
    return promise
  }

  async #run(): Promise<void> {
    const { clock } = this.#options
    while (!this.#ended) {
      const batch = this.#nextBatch()
      if (batch) await this.#write(batch)
      else if (this.#isStopping && !this.#isResting) this.#end(stopping())
      else await this.#sleep.start(this.#dueMs - clock.monotonicMs())
    }
  }

  #nextBatch(): Batch | undefined {
    const nowMs = this.#options.clock.monotonicMs()
    const isDue = nowMs >= this.#dueMs
    if (isDue) this.#dueMs = nowMs + CLOCK_MS
    const isAsked = this.#asking.length > 0 || this.#isStopping
    const isOpen = !this.#isAtRest && (isDue || this.#backlog.rows().length > 0)
    if (!isAsked && !isOpen) return undefined
    const batch = this.#isResting ? undefined : this.#backlog.take()
    if (batch) this.#dueMs = nowMs + CLOCK_MS
    else for (const { resolve } of this.#asking.splice(0)) resolve()
    return batch
  }

  async #write(batch: Batch): Promise<void> {
    const startMs = this.#options.clock.monotonicMs()
    this.#batch = { ...batch, asking: batch.isWhole ? this.#asking.splice(0) : [] }
    this.#outage.follow(batch.kept.at(0)?.keptMs ?? startMs)
    const outcome = await this.#append(batch)
    if (!outcome || this.#ended) return
    this.#done.lastBatchMs = this.#options.clock.monotonicMs() - startMs
    this.#settle(this.#batch, outcome)
  }

  /** Writes a batch, or what is left of it without the star systems that keep it from that. */
  async #append(batch: Batch): Promise<JournalOutcome | undefined> {
    try {
      return await this.#appending.untilDurable(batch.content)
    } catch (error) {
      if (isLost(error)) return this.#appendWithout(error, batch)
      if (!isPermanent(error)) throw error
      for (const rest of restsOf(batch, this.#undurable())) {
        const outcome = await this.#appending
          .untilDurable(rest.batch.content)
          .catch(unlessPermanent)
        if (outcome === undefined) continue
        this.#stopSystems(rest, error)
        return outcome
      }
      // No star system is the reason: as long as it lasts, this is an outage.
      this.#options.onError(error)
      return this.#appending.untilDurable(batch.content, true)
    }
  }

  /** Stops star systems that are another's now, and writes the others; without any this ends. */
  async #appendWithout(error: StoreError, batch: Batch): Promise<JournalOutcome | undefined> {
    const rest = restWithout(error.systemIds, batch, this.#undurable())
    if (Object.keys(rest.batch.content.sequences).length > 0) {
      this.#stopSystems(rest, error)
      return this.#append(rest.batch)
    }
    this.#end(takenWorld(error))
    this.#options.onFenced()
    return undefined
  }

  #stopSystems({ systemIds, batch }: Rest, cause: unknown): void {
    const isTheirs = ({ row }: WaitingRow): boolean => systemIds.has(row.systemId)
    const lost = this.#undurable().filter(isTheirs)
    this.#backlog.drop(systemIds)
    this.#batch = { ...batch, asking: this.#batch?.asking ?? [] }
    for (const systemId of systemIds) {
      const rows = lost.filter(({ row }) => row.systemId === systemId)
      const stopped = stoppedSystem(systemId, rows, cause)
      this.#stopped.set(systemId, stopped)
      for (const { outcome } of rows) outcome.reject(stopped.error)
      this.#options.onSystemStopped(systemId, stopped.error)
    }
  }

  /** Resolves everything that waits for a batch. */
  #settle({ kept, content, asking }: Writing, { refused }: JournalOutcome): void {
    this.#batch = undefined
    this.#done.rows += kept.length
    this.#done.batches++
    this.#durable.set(content.era, content.clock.lattice)
    const withMore = kept.filter(({ row }) => row.alongside !== undefined)
    for (const [index, cause] of refused) withMore[index].outcome.reject(cause)
    for (const { resolve } of [...kept.map((row) => row.outcome), ...asking]) resolve()
    this.#outage.follow(this.#backlog.rows().at(0)?.keptMs)
  }

  #end(end: JournalError): void {
    if (this.#ended) return
    this.#ended = end
    this.#appending.end()
    this.#outage.end()
    this.#sleep.interrupt()
    const outcomes = this.#undurable().map(({ outcome }) => outcome)
    const asking = [...(this.#batch?.asking ?? []), ...this.#asking]
    for (const { reject } of [...outcomes, ...asking]) reject(end)
    this.#over.resolve(end)
  }

  #whyAway(): string | undefined {
    if (!this.#outage.isAway()) return undefined
    return this.#appending.failure() ?? 'the database does not answer'
  }

  /** oldest first */
  #undurable(): readonly WaitingRow[] {
    return [...(this.#batch?.kept ?? []), ...this.#backlog.rows()]
  }
}

/** Undefined for an error that lasts. */
function unlessPermanent(error: unknown): undefined {
  if (!isPermanent(error)) throw error
}
