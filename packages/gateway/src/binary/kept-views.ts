import type { Subscription } from '../frames/subscription.ts'
import type { Channel } from './channel.ts'
import type { ClientView } from './client-view.ts'

/** How long a client can come back to its view, and how many are kept. */
export const KEPT_MS = 60_000
const KEPT_MAX = 1000

/** What a client knew when its connection was lost. */
export interface KeptView {
  readonly era: number
  readonly channel: Channel
  readonly view: ClientView
  readonly subscription: Subscription
}

/** The views of lost connections, by account. */
export class KeptViews {
  readonly #kept = new Map<string, KeptView & { readonly untilMs: number }>()

  keep(accountId: string, view: KeptView, nowMs: number): void {
    this.#kept.delete(accountId)
    this.#kept.set(accountId, { ...view, untilMs: nowMs + KEPT_MS })
    // The first is the oldest.
    for (const [oldest, { untilMs }] of this.#kept) {
      if (untilMs > nowMs && this.#kept.size <= KEPT_MAX) break
      this.#kept.delete(oldest)
    }
  }

  has(accountId: string, nowMs: number): boolean {
    return (this.#kept.get(accountId)?.untilMs ?? 0) > nowMs
  }

  /** The view of an account, which is kept no longer. */
  take(accountId: string, nowMs: number): KeptView | undefined {
    const kept = this.#kept.get(accountId)
    this.#kept.delete(accountId)
    return kept && kept.untilMs > nowMs ? kept : undefined
  }

  /** The channels that views are kept of. */
  channels(nowMs: number): Set<Channel> {
    const live = [...this.#kept.values()].filter(({ untilMs }) => untilMs > nowMs)
    return new Set(live.map(({ channel }) => channel))
  }

  clear(): void {
    this.#kept.clear()
  }
}
