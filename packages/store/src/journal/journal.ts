import type postgres from 'postgres'
import { type AccountRecords, accountRecords } from '../accounts/account-change.ts'
import { StoreError } from '../error.ts'
import {
  type HandOffKey,
  type HandOffRow,
  type NewHandOff,
  handOffWrites,
  shipsInTransit,
} from './hand-off.ts'
import { type JournalKey, batchesAfter } from './journal-reading.ts'
import type { Clock, DigestRow, JournalBatch, JournalRow } from './journal-record.ts'
import { json } from '../json.ts'

type OfSystem<Row> = Row & { readonly systemId: string }

/** Something written together with the commands of a batch; may be run again after a failure. */
export type Alongside = (records: AccountRecords) => Promise<void>

/** What one transaction writes for all systems. */
export interface NewJournalBatch {
  readonly era: number
  /** What `claimWorld` returned. */
  readonly fence: number
  /** In the order in which they were accepted. */
  readonly rows: readonly OfSystem<JournalRow>[]
  readonly clock: Clock
  /** Of the last command of each system accepted until then, by its id. */
  readonly sequences: Readonly<Record<string, number>>
  /** of earlier clocks of this era that go, by system */
  readonly replaced?: Readonly<Record<string, number>>
  readonly digests: readonly OfSystem<DigestRow>[]
  /** Of ships that depart with this batch; those that arrive with it, too, are marked. */
  readonly departures?: readonly (NewHandOff & { readonly arrived: boolean })[]
  /** Departures of earlier batches whose ships arrive. */
  readonly arrivals?: readonly HandOffKey[]
  /** Only together with rows. */
  readonly alongside?: readonly Alongside[]
}

/** What became of a batch that is durable. */
export interface JournalOutcome {
  /** Why each of `alongside` that could not be written was not, by its index there. */
  readonly refused: ReadonlyMap<number, unknown>
}

/** The journal of commands: written in order, never changed. */
export interface Journal {
  /**
   * Keeps a batch, whole or not at all. The same batch once more, after an answer that was lost,
   * writes nothing twice; what was refused is tried again.
   *
   * One of `alongside` that throws is undone and leaves the rest as it is; trouble of the database
   * itself fails the batch.
   *
   * @throws StoreError `ERR_FENCED` when another owner has taken the world; `ERR_JOURNAL_INVALID`
   *   when the sequences of a system do not rise, or pass the clock's
   */
  append(batch: NewJournalBatch): Promise<JournalOutcome>
  /**
   * Batches of one system in order, read page by page: the rows after a sequence, each batch with
   * its clock. The first may be without rows: the clock of that very sequence, which may lie before
   * or after a snapshot of it.
   */
  batches(key: JournalKey, afterSequence: number): AsyncIterable<JournalBatch>
  /** A system's digests of the indices `from` to `to`, both included. */
  digests(
    key: JournalKey,
    span: { readonly from: number; readonly to: number },
  ): Promise<DigestRow[]>
  /** Ships of an era that have left a system and arrived in none. */
  inTransit(era: number): Promise<HandOffRow[]>
  /** Commands of all eras, as last estimated by the database, and bytes on disk. */
  size(): Promise<{ rows: number; bytes: number }>
}

/** The journal behind a database. */
export function journal(sql: postgres.Sql): Journal {
  return {
    async append(batch) {
      verify(batch)
      const attempt = (): Promise<JournalOutcome> =>
        batch.alongside === undefined || batch.alongside.length === 0
          ? appendAlone(sql, batch)
          : appendWith(sql, batch, batch.alongside)
      // An attempt thought lost may have ended while this one was being made: look again.
      return attempt().catch((error: unknown) => {
        if (Object(error).constraint_name !== 'journal_pkey') throw error
        return attempt()
      })
    },
    batches: (key, afterSequence) => batchesAfter(sql, key, afterSequence),
    inTransit: (era) => shipsInTransit(sql, era),
    async digests({ era, systemId }, { from, to }) {
      return [
        ...(await sql<DigestRow[]>`
          select lattice::float8 as lattice, digest from digest
          where era = ${era} and system = ${systemId} and lattice between ${from} and ${to}
          order by lattice`),
      ]
    },
    async size() {
      const [size] = await sql<[{ rows: number; bytes: number }]>`
        select greatest(reltuples, 0)::float8 as rows, (pg_total_relation_size(oid)
          + pg_total_relation_size('clock') + pg_total_relation_size('digest'))::float8 as bytes
        from pg_class where oid = 'journal'::regclass`
      return size
    },
  }
}

function verify({ rows, sequences, alongside = [] }: NewJournalBatch): void {
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

function fenced(fence: number): StoreError {
  return new StoreError('ERR_FENCED', `Another owner than number ${fence} has taken the world.`)
}

async function appendAlone(sql: postgres.ISql, batch: NewJournalBatch): Promise<JournalOutcome> {
  await write(sql, batch, [])
  return { refused: new Map() }
}

/** All in one statement: half the time of a transaction. */
async function write(
  sql: postgres.ISql,
  batch: NewJournalBatch,
  refused: readonly number[],
): Promise<void> {
  const { era, fence, rows, clock, sequences, digests, departures = [], arrivals = [] } = batch
  const replaced = Object.entries(batch.replaced ?? {}).map(([system, sequence]) => {
    return { system, sequence }
  })
  const [remainder, denominator] = clock.remainder
  const { tickRate: tick_rate, timeScale: time_scale } = clock
  const clocks = Object.entries(sequences).map(([system, sequence]) => {
    return { ...clock, system, sequence, remainder, denominator, tick_rate, time_scale, refused }
  })
  const { systemId = null, sequence: last = null } = rows.at(-1) ?? {}
  // The owner's row stays locked until the commit, so that no other takes the world meanwhile.
  const [{ owned }] = await sql<[{ owned: boolean }]>`
    with owner as (
      select from world_owner where fence = ${fence} for share
    ), fresh as (
      select from owner
      where not exists (select from journal
        where era = ${era} and system = ${systemId}::text and sequence = ${last}::bigint)
    ), new_rows as (
      insert into journal (era, system, sequence, lattice, actor, command)
      select ${era}, given.* from fresh, jsonb_to_recordset(${json(sql, rows)})
        as given ("systemId" text, sequence bigint, lattice bigint, actor uuid, command jsonb)
    ), new_clocks as (
      insert into clock (era, system, sequence, lattice, remainder, denominator, tick, tick_rate,
        time_scale, paused, refused)
      select ${era}, given.* from owner, jsonb_to_recordset(${json(sql, clocks)})
        as given (system text, sequence bigint, lattice bigint, remainder text, denominator text,
          tick bigint, tick_rate float8, time_scale float8, paused boolean, refused integer[])
      on conflict (era, system, sequence) do update set (lattice, remainder, denominator, tick,
        tick_rate, time_scale, paused, refused, written_at) = (excluded.lattice, excluded.remainder,
        excluded.denominator, excluded.tick, excluded.tick_rate, excluded.time_scale,
        excluded.paused, excluded.refused, now())
    ), old_clocks as (
      delete from clock using owner, jsonb_to_recordset(${json(sql, replaced)})
        as given (system text, sequence bigint)
      where era = ${era} and clock.system = given.system and clock.sequence = given.sequence
    ), new_digests as (
      insert into digest (era, system, lattice, digest)
      select ${era}, given.* from owner, jsonb_to_recordset(${json(sql, digests)})
        as given ("systemId" text, lattice bigint, digest text)
      on conflict (era, system, lattice) do nothing
    ), ${handOffWrites(sql, era, departures, arrivals)}
    select exists (select from owner) as owned`
  if (!owned) throw fenced(fence)
}

async function appendWith(
  sql: postgres.Sql,
  batch: NewJournalBatch,
  alongside: readonly Alongside[],
): Promise<JournalOutcome> {
  const { era, fence, rows, sequences } = batch
  const { systemId = null, sequence = null } = rows.at(-1) ?? {}
  const clockSequence = systemId === null ? null : sequences[systemId]
  return sql.begin(async (transaction) => {
    // Locked against other attempts at the same batch, too: the next query sees what they did.
    const [owner] = await transaction`
      select from world_owner where fence = ${fence} for no key update`
    if (owner === undefined) throw fenced(fence)
    const [kept] = await transaction<{ refused: number[] }[]>`
      select refused from journal join clock using (era, system)
      where era = ${era} and system = ${systemId}::text and journal.sequence = ${sequence}::bigint
        and clock.sequence = ${clockSequence}::bigint`
    const refused = new Map<number, unknown>()
    for (const [index, work] of alongside.entries()) {
      if (kept !== undefined && !kept.refused.includes(index)) continue
      try {
        await transaction.savepoint((savepoint) => work(accountRecords(savepoint)))
      } catch (error) {
        if (isTrouble(error)) throw error
        refused.set(index, error)
      }
    }
    await write(transaction, batch, [...refused.keys()])
    return { refused }
  })
}

// Classes of SQLSTATE: connection, transaction state, rollback, resources, object state, operator,
// system, internal; then the drivers' and the system's own codes of a lost connection.
const TROUBLE = /^(?:(?:08|25|40|53|55|57|58|XX)[0-9A-Z]{3}|CONNECTION_\w+|E[A-Z]+)$/u

/** Whether it is the database that failed, not what was to be written. */
function isTrouble(error: unknown): boolean {
  return TROUBLE.test(String(Object(error).code))
}

/**
 * Takes the world: raises the fence and returns it. Whatever an owner before is still writing has
 * ended by then, and all that it writes later is refused.
 *
 * @param sql a database, or a transaction to take part in
 */
export async function claimWorld(sql: postgres.ISql): Promise<number> {
  const [{ fence }] = await sql<[{ fence: number }]>`
    update world_owner set fence = fence + 1, since = now() returning fence::float8 as fence`
  return fence
}
