import type { Database } from '@orrery/database'
import { type SystemDigest, errorText } from '@orrery/engine'
import {
  type ClockRow,
  type Journal,
  type JournalKey,
  type JournalRow,
  type SystemHead,
  rowsBetween,
  clockFrom,
} from '@orrery/store'
import type { StreamedRow, Watermark } from '../streaming/stream-message.ts'
import { FollowedRows, waits } from './followed-rows.ts'
import { FollowerError } from './follower-error.ts'

/** Digests that wait for the owner's at most; an owner that was killed may never write one. */
const WAITING_MAX = 1000

/** In the order of their sequences. */
type Rows = Iterable<JournalRow> | AsyncIterable<JournalRow>

/** A digest of the follower beside that of the owner. */
export interface ComparedDigest extends SystemDigest {
  /** as the owner stored it */
  readonly kept: string
}

/** A command to one system, and how far time has come: what moves a world on. */
export interface FollowedWorld {
  /** lattice index that it was flown to */
  index(): number
  apply(row: StreamedRow): Promise<void>
  flyTo(index: number, tick: number): Promise<void>
}

/** One star system that is flown as its journal grows. */
export class FollowedSystem {
  readonly key: JournalKey
  readonly published: FollowedRows
  readonly #world: FollowedWorld
  /** of the last command that was flown */
  #sequence: number
  /** where the owner was known to be durable */
  #head: ClockRow | undefined
  #owner: string | undefined
  #ageSeconds = 0
  #waiting: SystemDigest[] = []
  #commands = 0
  /** a watermark has led it past what is known of the journal */
  #isLed = false

  constructor(key: JournalKey, world: FollowedWorld, sequence: number) {
    this.key = key
    this.#world = world
    this.#sequence = sequence
    this.published = new FollowedRows(key, sequence)
  }

  get sequence(): number {
    return this.#sequence
  }

  /** the last clock that was read; it may not be flown to yet */
  get head(): ClockRow | undefined {
    return this.#head
  }

  /** incarnation of the host that owned it when the head was read */
  get owner(): string | undefined {
    return this.#owner
  }

  /** of the head when it was read [s of wall time] */
  get ageSeconds(): number {
    return this.#ageSeconds
  }

  /** digests that the owner has not stored */
  get waiting(): readonly SystemDigest[] {
    return this.#waiting
  }

  get commands(): number {
    return this.#commands
  }

  get index(): number {
    return this.#world.index()
  }

  /** index up to which the owner is known to be durable; undefined while nothing is known */
  get durableIndex(): number | undefined {
    const known = [this.#head?.lattice, this.published.mark?.index].filter((at) => at !== undefined)
    return known.length > 0 ? Math.max(...known) : undefined
  }

  /** Whether a former owner, not known to be one, had published more than its successor has. */
  wasMisled(error: unknown): boolean {
    return this.#isLed && Object(error).code === 'ERR_FOLLOWER_ROW'
  }

  /** The follower has come to a digest. */
  made(digest: SystemDigest): void {
    this.#waiting.push(digest)
    if (this.#waiting.length > WAITING_MAX) this.#waiting.shift()
  }

  /** Takes note of how far the owner is durable. @throws {FollowerError} 'ERR_FOLLOWER_TAIL' */
  learn({ ageSeconds, clock, owner }: SystemHead): void {
    const before = this.#head
    if (before && (!clock || clock.lattice < before.lattice)) {
      const now = clock ? `its clock is at index ${clock.lattice}` : 'it has no clock any more'
      const message =
        `The database has lost what it had of ${this.key.systemId}: index ${before.lattice} of` +
        ` era ${this.key.era} was durable, and ${now}.`
      throw new FollowerError('ERR_FOLLOWER_TAIL', message)
    }
    this.#head = clock
    this.#owner = owner
    this.#ageSeconds = ageSeconds
  }

  /**
   * Flies to where the owner is durable.
   *
   * @throws {FollowerError} 'ERR_FOLLOWER_GAP', 'ERR_FOLLOWER_ROW'
   */
  async fly(sql: Database['sql']): Promise<void> {
    await this.flyRead(this.#next(sql))
  }

  /** What {@link fly} reads: a world that ticks meanwhile must not wait for the database. */
  async read(sql: Database['sql']): Promise<readonly JournalRow[]> {
    const rows: JournalRow[] = []
    if ((this.#head?.sequence ?? 0) <= this.#sequence) return rows
    for await (const row of this.#next(sql)) rows.push(row)
    return rows
  }

  /** Flies to where the owner is durable by what was read. @throws {FollowerError} as `fly` */
  async flyRead(rows: Rows): Promise<void> {
    const head = this.#head
    if (!head) return
    await this.#applyUpTo(rows, head.sequence)
    this.published.found(this.#sequence)
    await this.flyTo(head)
    this.#isLed = this.index > head.lattice
  }

  /**
   * Flies to an index that the owner has passed, by what had acted or waited there.
   *
   * @returns false where the owner is not known to be durable that far
   * @throws {FollowerError} as {@link fly}
   */
  async flyUntil(sql: Database['sql'], index: number): Promise<boolean> {
    const from = { sequence: this.#sequence, lattice: index }
    const clock = await clockFrom(sql, this.key, from)
    if (!clock) return false
    const { sequence: upTo } = clock
    const rows = rowsBetween(sql, this.key, { after: this.#sequence, upTo })
    await this.#applyUpTo(rows, upTo, index)
    await this.flyTo({ lattice: index, tick: clock.tick })
    return true
  }

  /**
   * Flies to a watermark that its own has reached.
   *
   * @throws {FollowerError} 'ERR_FOLLOWER_ROW'
   */
  async flyPublished({ index, tick }: Watermark): Promise<void> {
    this.#isLed ||= index > (this.#head?.lattice ?? -Infinity)
    for (const row of this.published.rowsUntil(index)) await this.#apply(row)
    await this.flyTo({ lattice: index, tick })
  }

  /** Flies to a clock; a snapshot may be ahead of one that was written before it. */
  async flyTo({ lattice, tick }: Pick<ClockRow, 'lattice' | 'tick'>): Promise<void> {
    if (lattice > this.index) await this.#act(() => this.#world.flyTo(lattice, tick))
  }

  /** Compares digests with those that the owner has stored by now, oldest first. */
  async compared(journal: Pick<Journal, 'digests'>): Promise<ComparedDigest[]> {
    const [first] = this.#waiting
    const last = this.#waiting.at(-1)
    if (!first || !last) return []
    const kept = await journal.digests(this.key, { from: first.index, to: last.index })
    const newest = kept.at(-1)?.lattice ?? -Infinity
    const digestAt = new Map(kept.map(({ lattice, digest }) => [lattice, digest]))
    const found = this.#waiting.flatMap((digest) => {
      const of = digestAt.get(digest.index)
      return of === undefined ? [] : [{ ...digest, kept: of }]
    })
    // The owner writes them in order: one that it has passed over never comes.
    this.#waiting = this.#waiting.filter(({ index }) => index > newest)
    return found
  }

  /** Applies the next commands up to a sequence, without those that act after an index at once. */
  async #applyUpTo(rows: Rows, upTo: number, end = Infinity): Promise<void> {
    if (upTo <= this.#sequence) return
    for await (const row of rows) {
      const { sequence, lattice: index, command } = row
      if (sequence !== this.#sequence + 1) throw this.#gap()
      if (index > end && !waits(row)) return
      await this.#apply({ sequence, index, command })
    }
    if (upTo > this.#sequence) throw this.#gap()
  }

  /** The commands up to the head that are not flown. */
  #next(sql: Database['sql']): AsyncIterable<JournalRow> {
    const { sequence: upTo = this.#sequence } = this.#head ?? {}
    return rowsBetween(sql, this.key, { after: this.#sequence, upTo })
  }

  async #apply(row: StreamedRow): Promise<void> {
    await this.#act(() => this.#world.apply(row))
    this.#sequence = row.sequence
    this.#commands++
  }

  #gap(): FollowerError {
    const { era, systemId } = this.key
    const message = `The journal of ${systemId} in era ${era} has no command ${this.#sequence + 1}.`
    return new FollowerError('ERR_FOLLOWER_GAP', message)
  }

  async #act(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (cause) {
      if (Object(cause).code !== 'ERR_REPLAY') throw cause
      const { code, message: reason } = Object(Object(cause).cause)
      if (code === 'ERR_PHYSICS') throw new FollowerError('ERR_FOLLOWER_PHYSICS', reason, { cause })
      const message = `The journal of ${this.key.systemId} is damaged: ${errorText(cause)}`
      throw new FollowerError('ERR_FOLLOWER_ROW', message, { cause })
    }
  }
}
