import type { JournalMetrics } from '@orrery/game'
import type { Reader, Reading } from './reading.ts'

/** What is read of the journal at a scrape. */
export function journalReaders(journalOf: (reading: Reading) => JournalMetrics): readonly Reader[] {
  return [
    {
      name: 'journal_lag_rows',
      help: 'Commands acted on that are not durable yet',
      kind: 'gauge',
      read: (reading) => journalOf(reading).lagRows,
    },
    {
      name: 'journal_lag_seconds',
      help: 'Age of the oldest command that is not durable; above 2 no more are taken',
      kind: 'gauge',
      read: (reading) => journalOf(reading).lagSeconds,
    },
    {
      name: 'journal_batch_seconds',
      help: 'Wall time of the last batch of commands, until it was durable',
      kind: 'gauge',
      read: (reading) => journalOf(reading).lastBatchMs / 1000,
    },
    {
      name: 'journal_rows_total',
      help: 'Commands that became durable',
      kind: 'counter',
      read: (reading) => journalOf(reading).rows,
    },
    {
      name: 'journal_batches_total',
      help: 'Batches of commands, and clocks alone, that became durable',
      kind: 'counter',
      read: (reading) => journalOf(reading).batches,
    },
    {
      name: 'journal_failures_total',
      help: 'Attempts to write a batch that failed; each is made again',
      kind: 'counter',
      read: (reading) => journalOf(reading).failures,
    },
  ]
}
