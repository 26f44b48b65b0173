import type postgres from 'postgres'
import { accountRecords } from '../accounts/account-change.ts'
import { StoreError } from '../error.ts'
import { json } from '../json.ts'
import { handOffWrites, statesOf } from './hand-off.ts'
import type { Alongside, JournalOutcome, NewJournalBatch } from './journal-batch.ts'
import type { OwnerRow } from '../ownership.ts'

/** What an owner's row is to be before and after a batch. */
export interface Head extends OwnerRow {
  /** of this batch */
  readonly last: number
}

/**
 * How a batch is written: for the first time; once more, since its answer was lost; or since the
 * database lost it, where what is there already gives way to the owner's memory.
 */
export type WritingMode = 'new' | 'again' | 'lost'

/** How a batch meets what is in the database. */
export interface Writing {
  readonly heads: readonly Head[]
  readonly mode: WritingMode
}

export function handOffTaken(): StoreError {
  const message = 'A ship of this batch has arrived already, or never departed.'
  return new StoreError('ERR_HAND_OFF_TAKEN', message)
}

/**
 * Writes a batch in one statement, half the time of a transaction. False where nothing was written,
 * since a head differs, or a ship that arrives has arrived.
 */
export async function writeBatch(
  sql: postgres.ISql,
  batch: NewJournalBatch,
  { heads, mode }: Writing,
  refused: readonly number[] = [],
): Promise<boolean> {
  const { era, clock } = batch
  const { rows, arrivals = [] } = mode === 'again' ? WRITTEN : batch
  const [remainder, denominator] = clock.remainder
  const { tickRate: tick_rate, timeScale: time_scale } = clock
  const clocks = heads.map(({ sequence: previous, last, ...head }) => {
    const own = { ...head, previous, sequence: last, refused }
    return { ...clock, ...own, remainder, denominator, tick_rate, time_scale }
  })
  const isChecked = arrivals.length > 0 && mode === 'new'
  const arriving = isChecked ? sql`arriving as (${statesOf(sql, era, arrivals)}),` : sql``
  const areDeparted = isChecked
    ? sql`and (select count(*) from arriving where state = 'departed') = ${arrivals.length}`
    : sql``
  // The owners' rows stay locked until the commit, so that no other takes a system meanwhile.
  const [{ written }] = await sql<[{ written: boolean }]>`
    with given as (
      select * from jsonb_to_recordset(${json(sql, clocks)})
        as given (system text, fence bigint, claim uuid, previous bigint, sequence bigint,
          lattice bigint, remainder text, denominator text, tick bigint, tick_rate float8,
          time_scale float8, paused boolean, refused integer[])
    ), held as (
      select from system_owner as owner join given using (system, fence, claim)
      where owner.sequence = previous order by system for no key update of owner
    ), ${arriving} fresh as (
      select where (select count(*) from held) = ${heads.length} ${areDeparted}
    ), new_heads as (
      update system_owner set sequence = given.sequence from fresh, given
      where system_owner.system = given.system
    ), new_rows as (
      insert into journal (era, system, sequence, lattice, actor, command, command_ids)
      select ${era}, given.* from fresh, jsonb_to_recordset(${json(sql, rows)})
        as given ("systemId" text, sequence bigint, lattice bigint, actor uuid, command jsonb,
          "commandIds" uuid[])
      ${mode === 'lost' ? rewritten(sql) : sql``}
    ), new_clocks as (
      insert into clock (era, system, sequence, lattice, remainder, denominator, tick, tick_rate,
        time_scale, paused, refused)
      select ${era}, system, sequence, lattice, remainder, denominator, tick, tick_rate,
        time_scale, paused, refused from fresh, given
      on conflict (era, system, sequence) do update set (lattice, remainder, denominator, tick,
        tick_rate, time_scale, paused, refused, written_at) = (excluded.lattice, excluded.remainder,
        excluded.denominator, excluded.tick, excluded.tick_rate, excluded.time_scale,
        excluded.paused, excluded.refused, now())
    ) ${restOf(sql, batch, mode)}
    select exists (select from fresh) as written`
  return written
}

/** What only some batches have: clocks that go, digests, hand-offs. */
function restOf(
  sql: postgres.ISql,
  batch: NewJournalBatch,
  mode: WritingMode,
): postgres.PendingQuery<postgres.Row[]> {
  const { era, digests } = batch
  const { departures = [], arrivals = [] } = mode === 'again' ? WRITTEN : batch
  const replaced = Object.entries(batch.replaced ?? {}).map(([system, sequence]) => {
    return { system, sequence }
  })
  const oldClocks = sql`, old_clocks as (
      delete from clock using fresh, jsonb_to_recordset(${json(sql, replaced)})
        as given (system text, sequence bigint)
      where era = ${era} and clock.system = given.system and clock.sequence = given.sequence
    )`
  const newDigests = sql`, new_digests as (
      insert into digest (era, system, lattice, digest)
      select ${era}, given.* from fresh, jsonb_to_recordset(${json(sql, digests)})
        as given ("systemId" text, lattice bigint, digest text)
      on conflict (era, system, lattice) do nothing
    )`
  const handOffs = sql`, ${handOffWrites(sql, era, departures, arrivals)}`
  const hasHandOffs = departures.length + arrivals.length > 0
  return sql`
    ${replaced.length > 0 ? oldClocks : sql``} ${digests.length > 0 ? newDigests : sql``}
    ${hasHandOffs ? handOffs : sql``}`
}

/** What of a batch is not written again. */
const WRITTEN: Pick<NewJournalBatch, 'rows' | 'departures' | 'arrivals'> = { rows: [] }

function rewritten(sql: postgres.ISql): postgres.PendingQuery<postgres.Row[]> {
  return sql`on conflict (era, system, sequence) do update
    set (lattice, actor, command, command_ids) =
      (excluded.lattice, excluded.actor, excluded.command, excluded.command_ids)`
}

/** Writes a batch and what comes alongside; undefined where nothing was, since a head differs. */
export async function writeWith(
  sql: postgres.Sql,
  batch: NewJournalBatch,
  { heads, mode }: Writing,
  alongside: readonly Alongside[],
): Promise<JournalOutcome | undefined> {
  return sql.begin(async (transaction) => {
    // Locked against other attempts at the same batch, too: the next query sees what they did.
    const held = await transaction`
      select from system_owner join jsonb_to_recordset(${json(transaction, heads)})
        as given (system text, fence bigint, claim uuid, sequence bigint)
        using (system, fence, claim, sequence)
      order by system for no key update of system_owner`
    if (held.length < heads.length) return undefined
    const before = mode === 'again' ? await refusedBefore(transaction, batch) : undefined
    const refused = new Map<number, unknown>()
    for (const [index, work] of alongside.entries()) {
      if (before !== undefined && !before.includes(index)) continue
      try {
        await transaction.savepoint((savepoint) => work(accountRecords(savepoint)))
      } catch (error) {
        if (isTrouble(error)) throw error
        refused.set(index, error)
      }
    }
    const writing = { heads, mode }
    if (await writeBatch(transaction, batch, writing, [...refused.keys()])) return { refused }
    throw handOffTaken()
  })
}

/** What was refused of a batch that is written, by its number there. */
async function refusedBefore(
  sql: postgres.ISql,
  { era, rows, sequences }: NewJournalBatch,
): Promise<readonly number[]> {
  const systemId = rows[rows.length - 1].systemId
  const [clock] = await sql<{ refused: number[] }[]>`
    select refused from clock
    where era = ${era} and system = ${systemId} and sequence = ${sequences[systemId]}`
  return clock?.refused ?? []
}

// Classes of SQLSTATE: connection, transaction state, rollback, resources, object state, operator,
// system, internal; then the drivers' and the system's own codes of a lost connection.
const TROUBLE = /^(?:(?:08|25|40|53|55|57|58|XX)[0-9A-Z]{3}|CONNECTION_\w+|E[A-Z]+)$/u

/** Whether it is the database that failed, not what was to be written. */
function isTrouble(error: unknown): boolean {
  return TROUBLE.test(String(Object(error).code))
}
