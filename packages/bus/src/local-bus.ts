import type { Bus, BusMetrics, Reply, RequestOptions, Subscription, Take } from './bus.ts'
import { type BusError, away, noResponders, timedOut } from './bus-error.ts'
import { isOf } from './subject.ts'

/** A bus within one process: it passes the bytes themselves, after the caller has gone on. */
export function createLocalBus(): Bus {
  return new LocalBus()
}

class LocalBus implements Bus {
  readonly #takers = new Patterns<Take>()
  readonly #answers = new Patterns<Reply>()
  /** ends requests that are open */
  readonly #open = new Set<(error: BusError) => void>()
  #isClosed = false

  publish(subject: string, payload: Uint8Array): void {
    queueMicrotask(() => {
      for (const take of this.#takers.of(subject)) take(payload, subject)
    })
  }

  subscribe(subject: string, take: Take): Subscription {
    return this.#takers.add(subject, take)
  }

  async request(
    subject: string,
    payload: Uint8Array,
    { timeoutMs }: RequestOptions,
  ): Promise<Uint8Array> {
    if (this.#isClosed) throw away('it is closed')
    const [reply] = this.#answers.of(subject)
    if (!reply) throw noResponders(subject)
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    const timer = setTimeout(() => reject(timedOut(subject, timeoutMs)), timeoutMs)
    this.#open.add(reject)
    queueMicrotask(() => {
      reply(payload, subject).then(resolve, () => undefined)
    })
    return promise.finally(() => {
      clearTimeout(timer)
      this.#open.delete(reject)
    })
  }

  answer(subject: string, reply: Reply): Subscription {
    return this.#answers.add(subject, reply)
  }

  metrics(): BusMetrics {
    return { connected: !this.#isClosed, dropped: 0, reconnects: 0, roundTripMs: 0 }
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#takers.clear()
    this.#answers.clear()
    for (const reject of this.#open) reject(away('it is closed'))
    return Promise.resolve()
  }
}

/** What belongs to patterns of subjects. */
class Patterns<Value> {
  readonly #entries = new Set<{ readonly pattern: string; readonly value: Value }>()

  add(pattern: string, value: Value): Subscription {
    const entry = { pattern, value }
    this.#entries.add(entry)
    return { end: () => void this.#entries.delete(entry) }
  }

  of(subject: string): Value[] {
    const found = [...this.#entries].filter(({ pattern }) => isOf(pattern, subject))
    return found.map(({ value }) => value)
  }

  clear(): void {
    this.#entries.clear()
  }
}
