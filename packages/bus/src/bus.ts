/** Takes a message; it may keep the payload, and must not change it. */
export type Take = (payload: Uint8Array, subject: string) => void

/** Answers a request; one that is rejected is not answered. */
export type Reply = (payload: Uint8Array, subject: string) => Promise<Uint8Array>

export interface Subscription {
  /** nothing more is taken */
  end(): void
}

export interface RequestOptions {
  readonly timeoutMs: number
}

export interface BusMetrics {
  readonly connected: boolean
  /** publications that were not sent */
  readonly dropped: number
  readonly reconnects: number
  /** round trip of the last flush [ms]; NaN before one */
  readonly roundTripMs: number
}

/**
 * Carries messages between processes. A message arrives whole or not at all, and those of one
 * publisher in their order. Subscriptions outlive a broken connection.
 *
 * Subjects are words with dots between, made by `subject`; in those of `subscribe` and `answer` `*`
 * stands for any one word. A payload must not be changed once it is given away.
 */
export interface Bus {
  /** Drops and counts while disconnected or when two flushes are unanswered. */
  publish(subject: string, payload: Uint8Array): void
  subscribe(subject: string, take: Take): Subscription
  /** @throws {BusError} */
  request(subject: string, payload: Uint8Array, options: RequestOptions): Promise<Uint8Array>
  answer(subject: string, reply: Reply): Subscription
  metrics(): BusMetrics
  /** Ends all subscriptions; requests that are open are rejected as away. */
  close(): Promise<void>
}
