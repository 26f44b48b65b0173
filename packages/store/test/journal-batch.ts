// A batch of the journal as a server would write it, for the laws about them.
import { randomUUID } from 'node:crypto'
import type { ClockRow, JournalRow, NewAccount, NewJournalBatch } from '../src/index.ts'

export const EPOCH = 53_000_000_000

export function newAccount(username: string, more: Partial<NewAccount> = {}): NewAccount {
  const playerId = randomUUID()
  return { playerId, username, passwordHash: 'hash', isAdmin: false, shipId: null, ...more }
}

export function newClock(sequence: number, more: Partial<ClockRow> = {}): ClockRow {
  return {
    sequence,
    lattice: EPOCH + 4 * sequence,
    remainder: ['1', '3'],
    tick: sequence,
    tickRate: 7.3,
    timeScale: 0.1,
    paused: false,
    ...more,
  }
}

export function newRow(sequence: number, more: Partial<JournalRow> = {}): JournalRow {
  const command = { kind: 'control', ship: sequence, control: { kind: 'thrust', throttle: 0.5 } }
  return { sequence, lattice: EPOCH + 4 * sequence, actor: null, command, ...more }
}

/** The commands `from` to `to` with the clock after the last; none when `to` is below `from`. */
export function newBatch(
  from: number,
  to: number,
  more: Partial<NewJournalBatch> & Pick<NewJournalBatch, 'fence'>,
): NewJournalBatch {
  const count = Math.max(to - from + 1, 0)
  const rows = Array.from({ length: count }, (_, index) => newRow(from + index))
  return { era: 1, rows, clock: newClock(to), digests: [], ...more }
}
