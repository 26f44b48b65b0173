import { performance } from 'node:perf_hooks'
import { type NatsConnection, errors } from '@nats-io/transport-node'
import type { Bus, BusMetrics, Reply, RequestOptions, Subscription, Take } from '../bus.ts'
import { BusError, away, noResponders, timedOut } from '../bus-error.ts'
import type { BusOptions } from '../options.ts'
import { connectionOptions } from './connection-options.ts'
import { Link } from './link.ts'
import { Cutter, Joiner } from './parts.ts'
import { reasonOf } from './reasons.ts'

/** The first connection is waited for so long; then it is made behind. */
const FIRST_MS = 2000

/** Between two flushes while something is published, at least: a tick. */
const FLUSH_MS = 100

/** Flushes that a server has not answered; then it takes nothing, and what comes is dropped. */
const UNANSWERED_MAX = 2

/** @throws {BusError} 'ERR_BUS_REFUSED' */
export async function openNatsBus(options: BusOptions): Promise<Bus> {
  const bus = natsBus(options)
  const wait = Promise.withResolvers<void>()
  const timer = setTimeout(wait.resolve, FIRST_MS)
  try {
    await Promise.race([bus.open(), wait.promise])
    return bus
  } catch (error) {
    await bus.close()
    throw refused(error)
  } finally {
    clearTimeout(timer)
  }
}

function natsBus(options: BusOptions): NatsBus {
  try {
    return new NatsBus(options)
  } catch (error) {
    throw refused(error)
  }
}

function refused(cause: unknown): BusError {
  return new BusError('ERR_BUS_REFUSED', `The bus cannot be used: ${reasonOf(cause)}.`, { cause })
}

/** Two connections to NATS: commands do not wait behind frames. */
class NatsBus implements Bus {
  readonly #options: BusOptions
  readonly #publications: Link
  readonly #commands: Link
  readonly #cutter = new Cutter()
  /** ends requests that are open */
  readonly #open = new Set<(error: BusError) => void>()
  #isAway = false
  #dropped = 0
  #unanswered = 0
  #isFlushing = false
  #flushedMs = -Infinity
  #roundTripMs = NaN

  constructor(options: BusOptions) {
    this.#options = options
    const { onError } = options
    const link = (): Link => {
      return new Link({
        connection: connectionOptions(options),
        onAway: (reason) => this.#away(reason),
        onBack: () => this.#back(),
        onError,
      })
    }
    this.#publications = link()
    this.#commands = link()
  }

  async open(): Promise<void> {
    await Promise.all([this.#publications.open(), this.#commands.open()])
    this.#back()
  }

  publish(subject: string, payload: Uint8Array): void {
    const connection = this.#publications.connected
    if (!connection || this.#unanswered >= UNANSWERED_MAX) {
      this.#dropped++
      return
    }
    for (const part of this.#cutter.parts(payload)) connection.publish(subject, part)
    this.#flushSoon(connection)
  }

  subscribe(subject: string, take: Take): Subscription {
    const joiner = new Joiner()
    return this.#publications.subscribe(subject, (message) => {
      const payload = joiner.whole(message.data)
      if (payload) this.#guard(() => take(payload, message.subject))
    })
  }

  async request(
    subject: string,
    payload: Uint8Array,
    { timeoutMs }: RequestOptions,
  ): Promise<Uint8Array> {
    const connection = this.#commands.connected
    if (!connection) throw away(this.#commands.whyAway)
    const { promise, reject } = Promise.withResolvers<never>()
    this.#open.add(reject)
    try {
      const reply = connection.request(subject, payload, { timeout: Math.max(1, timeoutMs) })
      return (await Promise.race([reply, promise])).data
    } catch (error) {
      if (error instanceof BusError) throw error
      if (isWithoutResponders(error)) throw noResponders(subject)
      if (error instanceof errors.TimeoutError) throw timedOut(subject, timeoutMs)
      throw away(reasonOf(error), { cause: error })
    } finally {
      this.#open.delete(reject)
    }
  }

  answer(subject: string, reply: Reply): Subscription {
    return this.#commands.subscribe(subject, (message) => {
      const { onError } = this.#options
      void reply(message.data, message.subject)
        .then((payload) => void (this.#commands.connected && message.respond(payload)))
        .catch(onError)
    })
  }

  metrics(): BusMetrics {
    return {
      connected: this.#isConnected(),
      dropped: this.#dropped,
      reconnects: this.#publications.reconnects + this.#commands.reconnects,
      roundTripMs: this.#roundTripMs,
    }
  }

  async close(): Promise<void> {
    const links = [this.#publications, this.#commands]
    const closing = links.map((link) => link.close())
    this.#endRequests('it is closed')
    await Promise.all(closing)
  }

  /** At the end of the event loop's turn, when answers that have come are read. */
  #flushSoon(connection: NatsConnection): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    const waitMs = this.#flushedMs + FLUSH_MS - performance.now()
    const flush = (): void => void setImmediate(() => void this.#flush(connection))
    if (waitMs > 0) setTimeout(flush, waitMs).unref()
    else flush()
  }

  async #flush(connection: NatsConnection): Promise<void> {
    this.#isFlushing = false
    if (this.#publications.connected !== connection) return
    const startMs = performance.now()
    this.#flushedMs = startMs
    this.#unanswered++
    try {
      await connection.flush()
      this.#roundTripMs = performance.now() - startMs
    } catch {
      // The connection is gone, which its link reports.
    } finally {
      this.#unanswered--
    }
  }

  #guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#options.onError(error)
    }
  }

  #isConnected(): boolean {
    return Boolean(this.#publications.connected && this.#commands.connected)
  }

  #away(reason: string): void {
    if (!this.#commands.connected) this.#endRequests(reason)
    if (this.#isAway) return
    this.#isAway = true
    this.#options.onAway(reason)
  }

  #back(): void {
    if (!this.#isAway || !this.#isConnected()) return
    this.#isAway = false
    this.#options.onBack()
  }

  #endRequests(reason: string): void {
    for (const reject of this.#open) reject(away(reason))
  }
}

function isWithoutResponders(error: unknown): boolean {
  return (
    error instanceof errors.NoRespondersError ||
    (error instanceof errors.RequestError && error.isNoResponders())
  )
}
