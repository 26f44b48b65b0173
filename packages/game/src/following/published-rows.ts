import type { Bus, Subscription } from '@orrery/bus'
import type { WallClock } from '@orrery/engine'
import type { GameLog } from '../game-config.ts'
import { StreamError } from '../streaming/stream-error.ts'
import { decodeStreamMessage, rowSubject } from '../streaming/stream-message.ts'
import { onOwnerNews } from '../hosting/owner-news.ts'
import type { FollowedSystem } from './followed-system.ts'

/** So long after a watermark the owner is taken to publish them. */
const PUBLISHING_MS = 500

export interface PublishedRowsOptions {
  /** without it nothing comes */
  readonly bus: Pick<Bus, 'subscribe'> | undefined
  readonly clock: Pick<WallClock, 'monotonicMs'>
  readonly logger: GameLog
  readonly onNews: () => void
}

/** Gives systems what their owner publishes of them. */
export class PublishedRows {
  readonly #options: PublishedRowsOptions
  #subscriptions: readonly Subscription[] = []
  #markedMs = -Infinity
  #hasNews = false

  constructor(options: PublishedRowsOptions) {
    this.#options = options
  }

  /** Instead of those before. */
  follow(systems: readonly FollowedSystem[]): void {
    const { bus } = this.#options
    for (const subscription of this.#subscriptions) subscription.end()
    const rows = systems.map((system) => {
      const take = (payload: Uint8Array): void => this.#take(system, payload)
      return bus?.subscribe(rowSubject(system.key.systemId), take)
    })
    const news = onOwnerNews(systems.length > 0 ? bus : undefined, (systemId) => {
      // The database has whose it is, and where that one begins.
      for (const { key, published } of systems) if (key.systemId === systemId) published.lose()
      this.#newsCame()
    })
    this.#subscriptions = [...rows, news].filter((one) => one !== undefined)
  }

  /** The owner publishes, so that the journal need not be read for its sake. */
  isComing(): boolean {
    return this.#options.clock.monotonicMs() - this.#markedMs < PUBLISHING_MS
  }

  /** Whether something came since this was asked before. */
  news(): boolean {
    const hasNews = this.#hasNews
    this.#hasNews = false
    return hasNews
  }

  #take({ published }: FollowedSystem, payload: Uint8Array): void {
    const { clock, logger } = this.#options
    try {
      const message = decodeStreamMessage(payload)
      published.take(message)
      if (message.kind === 'mark') this.#markedMs = clock.monotonicMs()
    } catch (error) {
      if (!(error instanceof StreamError)) throw error
      if (!published.isLost) logger.error({ err: error }, 'the journal is read instead')
      published.lose()
    }
    this.#newsCame()
  }

  #newsCame(): void {
    this.#hasNews = true
    this.#options.onNews()
  }
}
