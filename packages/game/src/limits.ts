import { BATCH_ROWS_MAX } from './journal/backlog.ts'
import { KNOWN_MS } from './journal/acknowledgement.ts'
import { WAITING_MAX } from './journal/journal-writer.ts'
import { AWAY_MS } from './journal/outage.ts'

/** Limits of the journal that have to agree with each other. */
export const LIMITS: Readonly<
  Record<'waitingRows' | 'batchRows' | 'unknownMs' | 'refusedMs', number>
> = {
  waitingRows: WAITING_MAX,
  batchRows: BATCH_ROWS_MAX,
  unknownMs: KNOWN_MS,
  refusedMs: AWAY_MS,
}
