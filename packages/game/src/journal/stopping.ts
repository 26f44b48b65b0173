import { type Batch, type WaitingRow, batchWithout } from './backlog.ts'
import type { StoreError } from '@orrery/store'
import { JournalError } from './journal-error.ts'

/** Errors of what is to be written, which no repetition changes; a right may be granted. */
const PERMANENT = /^(?:ERR_(?:JOURNAL_INVALID|HAND_OFF_TAKEN)|(?:22|23|42)(?!501)[0-9A-Z]{3})$/u

/** Whether a batch would fail again however often it is written. */
export function isPermanent(error: unknown): boolean {
  return PERMANENT.test(String(Object(error).code))
}

/** Whether star systems, which the error names, are not this server's to write any more. */
export function isLost(error: unknown): error is StoreError {
  const { code } = Object(error)
  return code === 'ERR_FENCED' || code === 'ERR_JOURNAL_HEAD'
}

/** A batch without what some star systems have in it. */
export interface Rest {
  readonly systemIds: ReadonlySet<string>
  readonly batch: Batch
}

/**
 * What is left of a batch that fails without the systems that may be the reason: each alone, then
 * all. With a system go those that took up its ships, which would otherwise be twice.
 *
 * @param rows  all that waits, the batch included
 */
export function* restsOf(batch: Batch, rows: readonly WaitingRow[]): Generator<Rest> {
  const suspects = Array.from(new Set(batch.kept.map(({ row }) => row.systemId)))
  const choices = suspects.length > 1 ? [...suspects.map((one) => [one]), suspects] : [suspects]
  for (const choice of choices.filter(({ length }) => length > 0)) {
    yield restWithout(choice, batch, rows)
  }
}

/** What is left of a batch without systems that are lost, and those that go with them. */
export function restWithout(
  systems: readonly string[],
  batch: Batch,
  rows: readonly WaitingRow[],
): Rest {
  const systemIds = withFollowers(systems, rows)
  return { systemIds, batch: batchWithout(batch, systemIds) }
}

function withFollowers(first: readonly string[], rows: readonly WaitingRow[]): Set<string> {
  const systemIds = new Set(first)
  for (let size = 0; size < systemIds.size;) {
    size = systemIds.size
    const lost = new Set(
      rows.flatMap(({ row }) => (systemIds.has(row.systemId) ? (row.departure ?? []) : [])),
    )
    for (const { row } of rows) {
      if (row.arrival && lost.has(row.arrival)) systemIds.add(row.systemId)
    }
  }
  return systemIds
}

/** A star system of which nothing is written any more. */
export interface StoppedSystem {
  readonly error: JournalError
  /** of its first command that is not durable */
  readonly sequence: number
}

export function stoppedSystem(
  systemId: string,
  rows: readonly WaitingRow[],
  cause: unknown,
): StoppedSystem {
  const { code } = Object(cause)
  const isTaken = code === 'ERR_FENCED'
  const reason = isTaken ? 'another server has taken it' : `one cannot be kept (${code})`
  const message = `The star system ${systemId} takes no commands until a restart: ${reason}.`
  return {
    error: new JournalError(
      isTaken ? 'ERR_JOURNAL_FENCED' : 'ERR_JOURNAL_SYSTEM_STOPPED',
      message,
      { cause },
    ),
    sequence: Math.min(...rows.map(({ row }) => row.sequence)),
  }
}

export function takenWorld(cause: unknown): JournalError {
  return new JournalError('ERR_JOURNAL_FENCED', 'Another server has taken the world.', { cause })
}

export function stopping(): JournalError {
  return new JournalError('ERR_JOURNAL_STOPPED', 'The server stops.')
}
