import { asRefusal } from '../refusal.ts'
import type { SerialQueue } from '../serial-queue.ts'

/**
 * Runs one change at a time. A change resolves when its outcome is known or has timed out; the next
 * one starts when its effects are durable, so that it reads them.
 */
export function createAccountQueue({
  accountQueue,
  settled,
}: {
  readonly accountQueue: SerialQueue
  /** resolves when everything that was acted on is durable, or never will be */
  readonly settled: () => Promise<void>
}): SerialQueue {
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    void accountQueue(async () => {
      await work().then(resolve, (error: unknown) => reject(asRefusal(error)))
      await settled()
    })
    return promise
  }
}
