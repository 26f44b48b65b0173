import type { CommandRow, SystemDigest, WallClock } from '@orrery/engine'
import type {
  Alongside,
  Arrival,
  Clock,
  HandOffKey,
  JournalRow,
  NewJournalBatch,
  Ownership,
} from '@orrery/store'
import { isDeepStrictEqual } from 'node:util'

/** Rows that are written at a time. */
export const BATCH_ROWS_MAX = 2000

/** Clocks that stay in the journal are so far apart, or each of many commands would cost one. */
const CLOCKS_APART_MS = 1000

/** The clock of all systems at one moment. */
export interface Moment extends Omit<Clock, 'lattice'> {
  /** lattice index last published */
  readonly index: number
  /** of the last command of each system accepted until then, by its id */
  readonly sequences: Readonly<Record<string, number>>
}

/** The clock of all systems, and their era. */
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
  /** the clock of all systems; all commands accepted so far are in its sequences */
  readonly moment: () => Moment
  /** the era of those same worlds */
  readonly era: () => number
  readonly owner: Ownership
  /** a star system of which nothing is written any more */
  readonly isStopped: (systemId: string) => boolean
}

/** What waits to be written. */
export interface Backlog {
  add(row: CommandRow): WaitingRow
  addDigest(digest: SystemDigest): void
  /** what waits, oldest first */
  rows(): readonly WaitingRow[]
  /** Removes what waits of star systems, and returns it. */
  drop(systemIds: ReadonlySet<string>): readonly WaitingRow[]
  /** The oldest of it, with its clock; undefined when nothing is new since the last time. */
  take(): Batch | undefined
}

export function createBacklog(options: BacklogOptions): Backlog {
  const { clock, moment, era, owner, isStopped } = options
  const rows: WaitingRow[] = []
  let digests: (Time & SystemDigest)[] = []
  let last: Time | undefined
  /** when the oldest clock was taken that the next one may replace [monotonic ms] */
  let replaceableMs = -Infinity
  /** Without the clocks of stopped systems: theirs would pass commands that are not kept. */
  const now = (): Time => {
    const present = moment()
    const sequences = Object.entries(present.sequences).filter(([system]) => !isStopped(system))
    return { era: era(), moment: { ...present, sequences: Object.fromEntries(sequences) } }
  }

  /** Those of an era that a clock has passed: before that they might come out otherwise. */
  const digestsAt = ({ era: of, moment: { index } }: Time): NewJournalBatch['digests'] => {
    const isPassed = (digest: Time): boolean => digest.era === of && digest.moment.index < index
    const passed = digests.filter(isPassed)
    digests = digests.filter((digest) => digest.era >= of && !isPassed(digest))
    return passed.map(({ systemId, index: lattice, digest }) => ({ systemId, lattice, digest }))
  }

  /** Clock rows that are replaced by the one of a time. */
  const replacedBy = ({ era: of, moment: { sequences } }: Time): Record<string, number> => {
    const nowMs = clock.monotonicMs()
    if (last?.era !== of || nowMs - replaceableMs >= CLOCKS_APART_MS) {
      replaceableMs = nowMs
      return {}
    }
    const before = Object.entries(last.moment.sequences)
    // The last clock of a system that is not written any more stays.
    const isReplaced = ([system, at]: [string, number]): boolean =>
      system in sequences && at !== sequences[system]
    return Object.fromEntries(before.filter(isReplaced))
  }

  return {
    add: (row) => {
      const kept = { ...now(), row, keptMs: clock.monotonicMs(), outcome: createOutcome() }
      rows.push(kept)
      return kept
    },
    addDigest: (digest) => void digests.push({ ...now(), ...digest }),
    rows: () => rows,
    drop: (systemIds) => {
      const dropped = rows.filter(({ row }) => systemIds.has(row.systemId))
      rows.splice(0, rows.length, ...rows.filter((one) => !dropped.includes(one)))
      digests = digests.filter(({ systemId }) => !systemIds.has(systemId))
      return dropped
    },
    take: () => {
      const kept = rows.splice(0, batchLength(rows))
      const newest = kept.at(-1)
      // A clock must not be ahead of a command that is left for later. That of the newest row is
      // not: whatever comes behind it was accepted later.
      const isWhole = rows.length === 0 && (!newest || newest.era === era())
      const time = newest && !isWhole ? newest : now()
      const passed = digestsAt(time)
      if (kept.length + passed.length === 0 && isSame(time, last)) return undefined
      const replaced = replacedBy(time)
      last = time
      const content = { owner, digests: passed, replaced, ...contentOf(kept, time) }
      return { kept, isWhole, content }
    },
  }
}

/** A batch without what star systems have in it. */
export function batchWithout(batch: Batch, systemIds: ReadonlySet<string>): Batch {
  const { content, isWhole } = batch
  const isLeft = ({ systemId }: { readonly systemId: string }): boolean => !systemIds.has(systemId)
  const left = (sequences: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(Object.entries(sequences).filter(([systemId]) => isLeft({ systemId })))
  const kept = batch.kept.filter(({ row }) => isLeft(row))
  return {
    kept,
    isWhole,
    content: {
      ...content,
      rows: content.rows.filter(isLeft),
      sequences: left(content.sequences),
      replaced: left(content.replaced ?? {}),
      digests: content.digests.filter(isLeft),
      ...handOffsOf(kept),
      alongside: alongsideOf(kept),
    },
  }
}

function alongsideOf(kept: readonly WaitingRow[]): Alongside[] {
  return kept.flatMap(({ row }) => (row.alongside as Alongside | undefined) ?? [])
}

/** Rows of one era. */
function batchLength(rows: readonly WaitingRow[]): number {
  const end = rows.findIndex(({ era }, i) => i === BATCH_ROWS_MAX || era !== rows[0].era)
  return end < 0 ? rows.length : end
}

function contentOf(
  kept: readonly WaitingRow[],
  { era, moment: { index, sequences, ...clock } }: Time,
): Omit<NewJournalBatch, 'owner' | 'digests'> {
  const rows = kept.map(({ row }) => ({
    systemId: row.systemId,
    sequence: row.sequence,
    lattice: row.index,
    actor: row.actor,
    command: row.seal() as unknown as JournalRow['command'],
    commandIds: row.commandIds,
  }))
  return {
    era,
    rows,
    clock: { ...clock, lattice: index },
    sequences,
    ...handOffsOf(kept),
    alongside: alongsideOf(kept),
  }
}

/** Ships that depart or arrive with a batch. */
function handOffsOf(
  kept: readonly WaitingRow[],
): Required<Pick<NewJournalBatch, 'departures' | 'arrivals'>> {
  const arriving = new Map(
    kept.flatMap(({ row: { arrival, systemId } }): [HandOff, Arrival['state']][] =>
      arrival ? [[arrival, arrival.from === systemId ? 'returned' : 'arrived']] : [],
    ),
  )
  // A ship that came back may leave again at the same index: then that departure counts.
  const departing = new Map(
    kept.flatMap(({ row: { departure } }) => (departure ? [[nameOf(departure), departure]] : [])),
  )
  return {
    departures: Array.from(departing.values(), (handOff) => ({
      ...keyOf(handOff),
      ship: JSON.stringify(handOff),
      state: arriving.get(handOff) ?? 'departed',
    })),
    arrivals: [...arriving]
      .filter(([handOff]) => !departing.has(nameOf(handOff)))
      .map(([handOff, state]) => ({ ...keyOf(handOff), state })),
  }
}

type HandOff = NonNullable<CommandRow['departure']>

function nameOf(handOff: HandOff): string {
  return JSON.stringify(keyOf(handOff))
}

function keyOf({ from, index, shipId }: HandOff): HandOffKey {
  return { systemId: from, lattice: index, shipId }
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
