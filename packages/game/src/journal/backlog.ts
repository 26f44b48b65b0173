import type { CommandRow, WallClock } from '@orrery/engine'
import type { WorldDigest } from '@orrery/sim'
import type { Alongside, ClockRow, DigestRow, JournalRow, NewJournalBatch } from '@orrery/store'
import { isDeepStrictEqual } from 'node:util'

/** Rows that are written at a time. */
export const BATCH_ROWS_MAX = 2000

/** The clock of a world at one moment; its sequence is that of the last command accepted. */
export interface Moment extends Omit<ClockRow, 'lattice'> {
  /** lattice index last published */
  readonly index: number
}

/** The clock of a world, and the world's era. */
interface Time {
  readonly era: number
  readonly moment: Moment
}

/** A command that was accepted and is not durable; with the clock at that time. */
export interface WaitingRow extends Time {
  readonly row: CommandRow
  /** [monotonic ms] */
  readonly keptMs: number
  readonly outcome: PromiseWithResolvers<void>
}

/** Rows that become durable together. */
export interface Batch {
  readonly kept: readonly WaitingRow[]
  readonly content: NewJournalBatch
  /** whether it holds everything there was, and the clock of now */
  readonly isWhole: boolean
}

export interface BacklogOptions {
  readonly clock: WallClock
  /** the clock of the world; all commands accepted so far are in its sequence */
  readonly moment: () => Moment
  /** the era of that same world */
  readonly era: () => number
  readonly fence: number
}

/** What waits to be written. */
export interface Backlog {
  add(row: CommandRow): WaitingRow
  addDigest(digest: WorldDigest): void
  /** what waits, oldest first */
  rows(): readonly WaitingRow[]
  /** The oldest of it, with its clock; undefined when nothing is new since the last time. */
  take(): Batch | undefined
}

export function createBacklog({ clock, moment, era, fence }: BacklogOptions): Backlog {
  const rows: WaitingRow[] = []
  let digests: (Time & WorldDigest)[] = []
  let last: Time | undefined
  const now = (): Time => ({ era: era(), moment: moment() })

  /** Those of an era that a clock has passed: before that they might come out otherwise. */
  const digestsAt = ({ era: of, moment: { index } }: Time): DigestRow[] => {
    const isPassed = (digest: Time): boolean => digest.era === of && digest.moment.index < index
    const passed = digests.filter(isPassed)
    digests = digests.filter((digest) => digest.era >= of && !isPassed(digest))
    return passed.map(({ index: lattice, digest }) => ({ lattice, digest }))
  }

  return {
    add: (row) => {
      const kept = { ...now(), row, keptMs: clock.monotonicMs(), outcome: createOutcome() }
      rows.push(kept)
      return kept
    },
    addDigest: (digest) => void digests.push({ ...now(), ...digest }),
    rows: () => rows,
    take: () => {
      const kept = rows.splice(0, batchLength(rows))
      const newest = kept.at(-1)
      // A clock must not be ahead of a command that is left for later. That of the newest row is
      // not: whatever comes behind it was accepted later.
      const isWhole = rows.length === 0 && (!newest || newest.era === era())
      const time = newest && !isWhole ? newest : now()
      const passed = digestsAt(time)
      if (kept.length + passed.length === 0 && isSame(time, last)) return undefined
      last = time
      return { kept, isWhole, content: { fence, digests: passed, ...contentOf(kept, time) } }
    },
  }
}

/** Rows of one era. */
function batchLength(rows: readonly WaitingRow[]): number {
  const end = rows.findIndex(({ era }, i) => i === BATCH_ROWS_MAX || era !== rows[0].era)
  return end < 0 ? rows.length : end
}

function contentOf(
  kept: readonly WaitingRow[],
  { era, moment: { index, ...clock } }: Time,
): Omit<NewJournalBatch, 'fence' | 'digests'> {
  const rows = kept.map(({ row }) => ({
    sequence: row.sequence,
    lattice: row.index,
    actor: row.actor,
    command: row.seal() as unknown as JournalRow['command'],
  }))
  return {
    era,
    rows,
    clock: { ...clock, lattice: index, sequence: rows.at(-1)?.sequence ?? clock.sequence },
    alongside: kept.flatMap(({ row }) => (row.alongside as Alongside | undefined) ?? []),
  }
}

function isSame(a: Time, b: Time | undefined): boolean {
  return a.era === b?.era && isDeepStrictEqual(a.moment, b.moment)
}

function createOutcome(): PromiseWithResolvers<void> {
  const outcome = Promise.withResolvers<void>()
  // A rejection need not be awaited.
  outcome.promise.catch(() => undefined)
  return outcome
}
