import type postgres from 'postgres'
import type { ClockRow, JournalBatch, JournalRow, SentCommand } from './journal-record.ts'

const CLOCKS_PER_PAGE = 500
const ROWS_PER_PAGE = 1000

/** Commands that were sent under an id are found so long. */
const SENT = '1 minute'

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

/** The first clock at or past an index, and at or past a sequence; undefined when none is. */
export async function clockFrom(
  sql: postgres.ISql,
  { era, systemId }: JournalKey,
  from: { readonly sequence: number; readonly lattice: number },
): Promise<Pick<ClockRow, 'lattice' | 'sequence' | 'tick'> | undefined> {
  const [clock] = await sql<Pick<ClockRow, 'lattice' | 'sequence' | 'tick'>[]>`
    select sequence::float8 as sequence, lattice::float8 as lattice, tick::float8 as tick
    from clock
    where era = ${era} and system = ${systemId}
      and sequence >= ${from.sequence} and lattice >= ${from.lattice}
    order by sequence limit 1`
  return clock
}

/** The commands of an era's last minute that were sent under ids, to some star systems. */
export async function sentCommands(
  sql: postgres.ISql,
  era: number,
  systemIds: readonly string[],
): Promise<SentCommand[]> {
  // One text for all of a system: rows of their own take several times as long to read.
  const read = await sql<{ systemId: string; lines: string }[]>`
    select system as "systemId", string_agg(concat_ws(' ', journal.sequence, lattice,
      array_to_string(command_ids, ' ')), ',') as lines
    from unnest(${systemIds}::text[]) as owned (id)
    -- Its offset keeps it from being read again for each command.
    cross join lateral (
      select coalesce((
        select sequence from clock
        where era = ${era} and clock.system = owned.id
          and written_at < clock_timestamp() - ${SENT}::interval
        order by sequence desc limit 1), 0) as sequence offset 0
    ) as old
    join journal on era = ${era} and journal.system = owned.id
      and journal.sequence > old.sequence and command_ids is not null
    group by system`
  return read.flatMap(({ systemId, lines }) =>
    lines.split(',').map((line) => {
      const [sequence, lattice, ...commandIds] = line.split(' ')
      return { systemId, sequence: Number(sequence), lattice: Number(lattice), commandIds }
    }),
  )
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
