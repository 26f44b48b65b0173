import type postgres from 'postgres'
import { StoreError } from '../error.ts'
import { type HandOffRow, shipsInTransit } from './hand-off.ts'
import { type JournalOutcome, type NewJournalBatch, batchOf, verifyBatch } from './journal-batch.ts'
import { type JournalKey, batchesAfter, sentCommands } from './journal-reading.ts'
import type { DigestRow, JournalBatch, SentCommand } from './journal-record.ts'
import {
  type Head,
  type WritingMode,
  handOffTaken,
  writeBatch,
  writeWith,
} from './journal-writing.ts'
import { type JournalMemory, memoryOf } from './journal-memory.ts'
import { fenced, lostOf, rowsInOrder } from '../ownership.ts'

/** The journal of commands: written in order, never changed. */
export interface Journal {
  /**
   * Keeps a batch, whole or not at all. The same batch once more, after an answer that was lost,
   * writes nothing twice; what was refused is tried again.
   *
   * One of `alongside` that throws is undone and leaves the rest as it is; trouble of the database
   * itself fails the batch.
   *
   * Where the database has lost batches, those of the last minute are appended again before it.
   *
   * @throws StoreError `ERR_FENCED` when another owner has taken a system; `ERR_JOURNAL_HEAD` when
   *   a system's row is neither before nor after this batch, nor before one of the last minute;
   *   `ERR_HAND_OFF_TAKEN` when a ship has arrived already; `ERR_JOURNAL_INVALID` when a system's
   *   sequences do not rise, or pass the clock's
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
  /** Commands of an era's last minute that were sent under ids, to some star systems. */
  sent(era: number, systemIds: readonly string[]): Promise<SentCommand[]>
  /** Whether a command that was sent under an id has acted in an era; reads all of that journal. */
  hasActed(era: number, commandId: string): Promise<boolean>
  /** Commands of all eras, as last estimated by the database, and bytes on disk. */
  size(): Promise<{ rows: number; bytes: number }>
}

export interface JournalOptions {
  /** the database has lost batches of these systems, which are about to be appended again */
  readonly onTailLost?: (systemIds: readonly string[]) => void
  /** a monotonic clock [ms]; without it all batches are remembered as long as there is room */
  readonly nowMs?: () => number
}

/** The journal behind a database. */
export function journal(
  sql: postgres.Sql,
  { onTailLost, nowMs = () => 0 }: JournalOptions = {},
): Journal {
  return {
    async append(batch) {
      verifyBatch(batch)
      const memory = memoryOf(batch.owner)
      const outcome = await append(sql, batch, memory, onTailLost)
      memory.add(batch, nowMs())
      return outcome
    },
    batches: (key, afterSequence) => batchesAfter(sql, key, afterSequence),
    inTransit: (era) => shipsInTransit(sql, era),
    sent: (era, systemIds) => sentCommands(sql, era, systemIds),
    async hasActed(era, commandId) {
      const rows = await sql`
        select from journal where era = ${era} and ${commandId} = any (command_ids) limit 1`
      return rows.length > 0
    },
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

/** Attempts at a batch that other attempts may cross. */
const ATTEMPTS = 5

async function append(
  sql: postgres.Sql,
  batch: NewJournalBatch,
  memory: JournalMemory,
  onTailLost: JournalOptions['onTailLost'],
): Promise<JournalOutcome> {
  const { sequences } = batch
  let mode: WritingMode = memory.has(batch) ? 'again' : 'new'
  let heads = headsOf(batch, mode === 'again' ? (id) => sequences[id] : (id) => memory.sequence(id))
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const outcome = await write(sql, batch, heads, mode)
    if (outcome) return outcome
    const found = await foundRows(sql, heads)
    const behind = heads.filter((head) => isBehind(memory, head, found))
    if (behind.length > 0) {
      onTailLost?.(behind.map(({ system }) => system))
      await appendLost(
        sql,
        memory,
        new Map(behind.map(({ system }) => [system, at(found, system)])),
      )
    } else if (heads.every(({ system, last }) => at(found, system) === last)) {
      // It is written, and only a write of its own shows that it stays.
      mode = 'again'
      heads = headsOf(batch, (id) => sequences[id])
    }
    // Else it was about to be written by an earlier attempt, or a ship has arrived.
    else if (attempt > 0 && batch.arrivals?.length) throw handOffTaken()
  }
  throw new StoreError('ERR_JOURNAL_HEAD', 'The journal changes beside its owner.', {
    systemIds: heads.map(({ system }) => system),
  })
}

async function write(
  sql: postgres.Sql,
  batch: NewJournalBatch,
  heads: readonly Head[],
  mode: WritingMode,
): Promise<JournalOutcome | undefined> {
  if (heads.length === 0) return { refused: new Map() }
  const { alongside = [] } = batch
  if (alongside.length > 0) return writeWith(sql, batch, { heads, mode }, alongside)
  const isWritten = await writeBatch(sql, batch, { heads, mode })
  return isWritten ? { refused: new Map() } : undefined
}

/** What the rows of a batch's systems are to be, given the sequence before it. */
function headsOf(
  { owner, sequences }: NewJournalBatch,
  before: (system: string) => number,
): Head[] {
  const lost: string[] = []
  const heads = Object.entries(sequences).flatMap(([system, last]) => {
    const claim = owner.claims().get(system)
    if (claim) return { ...claim, sequence: before(system), last }
    lost.push(system)
    return []
  })
  if (lost.length > 0) throw fenced(lost)
  return heads
}

/** @throws StoreError `ERR_FENCED` when a system is another's */
async function foundRows(
  sql: postgres.Sql,
  heads: readonly Head[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsInOrder(sql)
  const lost = lostOf(heads, rows)
  if (lost.length > 0) throw fenced(lost)
  return new Map(rows.map(({ system, sequence }) => [system, sequence]))
}

function at(found: ReadonlyMap<string, number>, system: string): number {
  return found.get(system) ?? 0
}

/**
 * Whether the database lacks batches of a system that were acknowledged.
 *
 * @throws StoreError `ERR_JOURNAL_HEAD` when it has what its owner never wrote
 */
function isBehind(
  memory: JournalMemory,
  { system, sequence, last }: Head,
  found: ReadonlyMap<string, number>,
): boolean {
  const now = at(found, system)
  if (now === sequence || now === last) return false
  if (memory.batches().some(({ before }) => before.get(system) === now)) return true
  const message =
    `The journal of ${system} is at ${now}, which its owner does not remember; ` +
    `it left it at ${sequence}.`
  throw new StoreError('ERR_JOURNAL_HEAD', message, { systemIds: [system] })
}

/** Appends once more what the database has lost of some systems, each from where it is. */
async function appendLost(
  sql: postgres.Sql,
  memory: JournalMemory,
  found: ReadonlyMap<string, number>,
): Promise<void> {
  const heads = new Map(found)
  const first = new Map(
    Array.from(found, ([system, now]) => [
      system,
      memory.batches().findLastIndex(({ before }) => before.get(system) === now),
    ]),
  )
  for (const [index, { batch }] of memory.batches().entries()) {
    const isLost = ([system, from]: [string, number]): boolean =>
      from <= index && system in batch.sequences
    const systems = [...first].filter(isLost).map(([system]) => system)
    if (systems.length === 0) continue
    const lost = batchOf(batch, new Set(systems))
    if (
      !(await write(
        sql,
        lost,
        headsOf(lost, (id) => at(heads, id)),
        'lost',
      ))
    )
      return
    for (const system of systems) heads.set(system, batch.sequences[system])
  }
}
