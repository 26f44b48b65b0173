import type { AccountRecords } from '../accounts/account-change.ts'
import { StoreError } from '../error.ts'
import type { Arrival, NewHandOff } from './hand-off.ts'
import type { Clock, DigestRow, JournalRow } from './journal-record.ts'
import type { Ownership } from '../ownership.ts'

type OfSystem<Row> = Row & { readonly systemId: string }

/** Something written together with the commands of a batch; may be run again after a failure. */
export type Alongside = (records: AccountRecords) => Promise<void>

/** What one transaction writes for the systems of one owner. */
export interface NewJournalBatch {
  readonly era: number
  /** What `claimSystems` returned. */
  readonly owner: Ownership
  /** In the order in which they were accepted. */
  readonly rows: readonly OfSystem<JournalRow>[]
  readonly clock: Clock
  /** Of the last command of each system accepted until then, by its id; all others stay as are. */
  readonly sequences: Readonly<Record<string, number>>
  /** of earlier clocks of this era that go, by system */
  readonly replaced?: Readonly<Record<string, number>>
  readonly digests: readonly OfSystem<DigestRow>[]
  /** Of ships that depart with this batch, and what has become of them by its end. */
  readonly departures?: readonly (NewHandOff & Pick<Arrival, 'state'>)[]
  /** Of departures of earlier batches. */
  readonly arrivals?: readonly Arrival[]
  /** Only together with rows. */
  readonly alongside?: readonly Alongside[]
}

/** What became of a batch that is durable. */
export interface JournalOutcome {
  /** Why each of `alongside` that could not be written was not, by its index there. */
  readonly refused: ReadonlyMap<number, unknown>
}

/** @throws StoreError `ERR_JOURNAL_INVALID` */
export function verifyBatch({ rows, sequences, alongside = [] }: NewJournalBatch): void {
  const invalid = (what: string): StoreError =>
    new StoreError('ERR_JOURNAL_INVALID', `A journal batch cannot be kept: ${what}.`)
  const lasts = new Map<string, number>()
  for (const { systemId, sequence } of rows) {
    const last = lasts.get(systemId) ?? -Infinity
    if (!(sequence > last)) throw invalid(`${systemId}'s sequence ${sequence} follows ${last}`)
    lasts.set(systemId, sequence)
  }
  for (const [systemId, last] of lasts) {
    if (last <= sequences[systemId]) continue
    throw invalid(`${systemId}'s sequence ${last} passes the clock's ${sequences[systemId]}`)
  }
  if (alongside.length > 0 && rows.length === 0) throw invalid('something alongside no commands')
}

/** A batch without what other star systems have in it. */
export function batchOf(batch: NewJournalBatch, systemIds: ReadonlySet<string>): NewJournalBatch {
  const isTheirs = ({ systemId }: { readonly systemId: string }): boolean => systemIds.has(systemId)
  const theirs = (sequences: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(Object.entries(sequences).filter(([systemId]) => systemIds.has(systemId)))
  const { rows, sequences, replaced = {}, digests, departures = [] } = batch
  return {
    ...batch,
    rows: rows.filter(isTheirs),
    sequences: theirs(sequences),
    replaced: theirs(replaced),
    digests: digests.filter(isTheirs),
    departures: departures.filter(isTheirs),
  }
}
