// A batch of the journal as a server would write it, for the laws about them.
import { randomUUID } from 'node:crypto'
import type { Database } from '@orrery/database'
import {
  type Arrival,
  type Clock,
  type HandOffKey,
  type JournalBatch,
  type JournalKey,
  type NewAccount,
  type NewHandOff,
  type NewJournalBatch,
  type Ownership,
  Renewal,
  claimSystems,
} from '../src/index.ts'

export const EPOCH = 53_000_000_000

type SystemRow = NewJournalBatch['rows'][number]

/** The journal of a system in an era. */
export function keyOf(era: number, systemId: string = 'sol'): JournalKey {
  return { era, systemId }
}

export function newAccount(username: string, more: Partial<NewAccount> = {}): NewAccount {
  const playerId = randomUUID()
  return { playerId, username, passwordHash: 'hash', isAdmin: false, shipId: null, ...more }
}

export function newClock(sequence: number, more: Partial<Clock> = {}): Clock {
  return {
    lattice: EPOCH + 4 * sequence,
    remainder: ['1', '3'],
    tick: sequence,
    tickRate: 7.3,
    timeScale: 0.1,
    paused: false,
    ...more,
  }
}

export function newRow(sequence: number, more: Partial<SystemRow> = {}): SystemRow {
  const command = { kind: 'control', ship: sequence, control: { kind: 'thrust', throttle: 0.5 } }
  const lattice = EPOCH + 4 * sequence
  return { systemId: 'sol', sequence, lattice, actor: null, command, ...more }
}

export function newDigest(lattice: number, digest: string): NewJournalBatch['digests'][number] {
  return { systemId: 'sol', lattice, digest }
}

export function newHandOff(more: Partial<NewHandOff> = {}): NewHandOff {
  return { systemId: 'sol', lattice: EPOCH, shipId: 'ida', ship: '{"fuel":0.1}', ...more }
}

export function arriving({ systemId, lattice, shipId }: HandOffKey): Arrival {
  return { systemId, lattice, shipId, state: 'arrived' }
}

/** A new owner of the systems in these laws. */
export function claimed(sql: Database['sql']): Promise<Ownership> {
  return claimSystems(sql, { systemIds: ['sol', 'alpha'] })
}

/** What a new owner resets or restores with. */
export async function newRenewal(sql: Database['sql']): Promise<Renewal> {
  return new Renewal(await claimed(sql))
}

/** The commands `from` to `to` with the clock after the last; none when `to` is below `from`. */
export function newBatch(
  from: number,
  to: number,
  more: Partial<NewJournalBatch> & Pick<NewJournalBatch, 'owner'>,
): NewJournalBatch {
  const count = Math.max(to - from + 1, 0)
  const rows = Array.from({ length: count }, (_, index) => newRow(from + index))
  return { era: 1, rows, clock: newClock(to), sequences: { sol: to }, digests: [], ...more }
}

/** What is read of a system's part of a batch. */
export function readBatch(
  { rows, clock, sequences }: NewJournalBatch,
  systemId: string = 'sol',
): JournalBatch {
  return {
    rows: rows
      .filter((row) => row.systemId === systemId)
      .map(({ sequence, lattice, actor, command }) => ({ sequence, lattice, actor, command })),
    clock: { ...clock, sequence: sequences[systemId] },
  }
}

export async function collected(batches: AsyncIterable<JournalBatch>): Promise<JournalBatch[]> {
  const all: JournalBatch[] = []
  for await (const batch of batches) all.push(batch)
  return all
}

/** Resolves when so many sessions wait for a lock, or after 20 s. */
export async function untilWaiting(sql: Database['sql'], sessions: number): Promise<void> {
  const endMs = performance.now() + 20_000
  while (performance.now() < endMs) {
    const [{ waiting }] = await sql<[{ waiting: number }]>`
      select count(distinct pid)::int as waiting from pg_locks where not granted`
    if (waiting >= sessions) return
  }
}
