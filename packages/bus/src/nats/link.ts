import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ConnectionOptions,
  type Msg,
  type NatsConnection,
  connect,
} from '@nats-io/transport-node'
import type { Subscription } from '../bus.ts'
import { isUnreachable, reasonOf } from './reasons.ts'
import { RETRY_MS } from './connection-options.ts'

export interface LinkOptions {
  readonly connection: ConnectionOptions
  readonly onAway: (reason: string) => void
  readonly onBack: () => void
  readonly onError: (error: unknown) => void
}

interface Wanted {
  readonly subject: string
  readonly take: (message: Msg) => void
  end: () => void
}

/** One connection to a server, made again for as long as it takes, with all subscriptions. */
export class Link {
  readonly #options: LinkOptions
  readonly #wanted = new Set<Wanted>()
  #connection: NatsConnection | undefined
  #whyAway: string | undefined = 'it has not been reached yet'
  #reconnects = 0
  #isClosed = false

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** undefined while it is away */
  get connected(): NatsConnection | undefined {
    return this.#whyAway === undefined ? this.#connection : undefined
  }

  get whyAway(): string {
    return this.#whyAway ?? 'it is closed'
  }

  get reconnects(): number {
    return this.#reconnects
  }

  /** Resolves with the first connection; rejects when the server refuses it. */
  async open(): Promise<void> {
    while (!this.#isClosed) {
      try {
        const connection = await connect(this.#options.connection)
        if (this.#isClosed) return await connection.close()
        this.#connection = connection
        this.#whyAway = undefined
        for (const wanted of this.#wanted) this.#take(connection, wanted)
        void this.#watch(connection)
        return undefined
      } catch (error) {
        if (!isUnreachable(error)) throw error
        this.#away(reasonOf(error))
        await sleep(RETRY_MS)
      }
    }
  }

  subscribe(subject: string, take: Wanted['take']): Subscription {
    const wanted: Wanted = { subject, take, end: () => undefined }
    this.#wanted.add(wanted)
    if (this.#connection) this.#take(this.#connection, wanted)
    return {
      end: () => {
        this.#wanted.delete(wanted)
        wanted.end()
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#whyAway = 'it is closed'
    this.#wanted.clear()
    await this.#connection?.close()
  }

  #take(connection: NatsConnection, wanted: Wanted): void {
    const { subject, take } = wanted
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) this.#options.onError(error)
        else take(message)
      },
    })
    wanted.end = () => subscription.unsubscribe()
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.#away('its server is gone')
      else if (status.type === 'error') this.#refused(status.error)
      else if (status.type === 'reconnect' && !this.#isClosed) {
        this.#whyAway = undefined
        this.#reconnects++
        this.#options.onBack()
      }
    }
  }

  /** The server refuses the connection, while it is away, or a subject. */
  #refused(error: Error): void {
    if (this.#whyAway === undefined) this.#options.onError(error)
    else this.#away(reasonOf(error))
  }

  #away(reason: string): void {
    if (this.#isClosed || reason === this.#whyAway) return
    this.#whyAway = reason
    this.#options.onAway(reason)
  }
}
