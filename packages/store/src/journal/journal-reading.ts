import type postgres from 'postgres'
import type { ClockRow, JournalBatch, JournalRow } from './journal-record.ts'

const CLOCKS_PER_PAGE = 500
const ROWS_PER_PAGE = 1000

type StoredClock = Omit<ClockRow, 'remainder'> & {
  readonly remainder: string
  readonly denominator: string
}

/** Whose journal it is. */
export interface JournalKey {
  readonly era: number
  readonly systemId: string
}

/** Rows after a sequence up to another; no connection is held between two pages. */
export async function* rowsBetween(
  sql: postgres.ISql,
  { era, systemId }: JournalKey,
  span: { readonly after: number; readonly upTo: number },
): AsyncGenerator<JournalRow> {
  let { after } = span
  for (;;) {
    const page = await sql<JournalRow[]>`
      select sequence::float8 as sequence, lattice::float8 as lattice, actor, command from journal
      where era = ${era} and system = ${systemId}
        and sequence > ${after} and sequence <= ${span.upTo}
      order by sequence limit ${ROWS_PER_PAGE}`
    yield* page
    if (page.length < ROWS_PER_PAGE) return
    after = page[page.length - 1].sequence
  }
}

/** The batches of `Journal.batches`. */
export async function* batchesAfter(
  sql: postgres.ISql,
  key: JournalKey,
  afterSequence: number,
): AsyncGenerator<JournalBatch> {
  let after = afterSequence
  let from = afterSequence
  for (;;) {
    const clocks = await sql<StoredClock[]>`
      select sequence::float8 as sequence, lattice::float8 as lattice, remainder, denominator,
        tick::float8 as tick, tick_rate as "tickRate", time_scale as "timeScale", paused
      from clock
      where era = ${key.era} and system = ${key.systemId} and sequence >= ${from}
      order by sequence limit ${CLOCKS_PER_PAGE}`
    if (clocks.length === 0) return
    const upTo = clocks[clocks.length - 1].sequence
    // Asked for after the clocks, so that every batch with a clock here is there whole.
    const rows = rowsBetween(sql, key, { after, upTo })
    let row = await rows.next()
    for (const { remainder, denominator, ...clock } of clocks) {
      const batch: JournalRow[] = []
      while (!row.done && row.value.sequence <= clock.sequence) {
        batch.push(row.value)
        row = await rows.next()
      }
      yield { rows: batch, clock: { ...clock, remainder: [remainder, denominator] } }
    }
    after = upTo
    from = upTo + 1
  }
}
