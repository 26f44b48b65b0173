import type { WallClock } from '@orrery/engine'
import { JournalError } from './journal-error.ts'

/** Time after which an acknowledgement reports that the outcome is unknown. */
export const KNOWN_MS = 2000

/**
 * The outcome of a command, or in time that it is not known. It need not be awaited.
 *
 * @throws {JournalError} 'ERR_JOURNAL_UNKNOWN' after 2 s
 */
export function acknowledgement(outcome: Promise<void>, clock: WallClock): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const cancel = clock.after(KNOWN_MS, () => {
    const message = `The command is not durable after ${KNOWN_MS} ms; it may become so.`
    reject(new JournalError('ERR_JOURNAL_UNKNOWN', message, { outcome }))
  })
  void outcome.then(resolve, reject).finally(cancel)
  // An unhandled rejection would end the process.
  promise.catch(() => undefined)
  return promise
}
