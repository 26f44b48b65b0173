import { CLOSE_CODES, type ServerMessage } from '@orrery/protocol'
import { backoffMs } from './backoff.ts'
import type { ClientClock } from '../clocks/client-clock.ts'
import { ClientError, type ClientErrorCode } from '../client-error.ts'
import { type Connection, type Ending, type Wire, openConnection } from './connection.ts'
import { type Exchange, createExchange } from '../requests/exchange.ts'
import { handshakeRefusal } from './handshake-refusal.ts'
import type { Address, Fetch, SocketConstructor } from '../platform.ts'

/** Pings go so often [ms]; a server that is silent for as long counts as lost. */
export const HEARTBEAT_MS = 10_000

/** After a connection that was open so long [ms] the waits are short again. */
export const STEADY_MS = 10_000

/** A loss of the connection. */
export interface Disconnection extends Ending {
  /** until the next attempt [ms]; undefined when there will be none */
  readonly retryMs: number | undefined
  /** why there will be none */
  readonly error: ClientError | undefined
}

export interface LinkOptions {
  readonly url: Address
  readonly token: string | (() => string | Promise<string>)
  readonly fetch?: Fetch
  readonly WebSocket: SocketConstructor
  readonly clock: ClientClock
  readonly random: () => number
  readonly wire: Wire
  readonly onMessage: (message: ServerMessage) => void
  readonly onFrame: (frame: ArrayBuffer) => void
  readonly onLoss: (loss: Disconnection) => void
}

/** Endings after which another attempt would end the same way, and what they mean. */
const FINAL: ReadonlyMap<number, readonly [ClientErrorCode, string]> = new Map([
  [CLOSE_CODES.replaced, ['closed', 'A newer socket of the same player took over']],
  [CLOSE_CODES.expired, ['E005', 'The token has expired']],
  [CLOSE_CODES.accountDeleted, ['E014', 'The account was deleted']],
  [CLOSE_CODES.passwordReset, ['E005', 'The password was reset']],
])

/** A connection that reconnects by itself until it is closed, or refused for good. */
export class Link {
  readonly #options: LinkOptions
  readonly #exchange: Exchange
  #connection: Connection | undefined
  #openedAtMs: number | undefined
  #attempt = 0
  #received = false
  #isClosed = false
  #isWaiting = false
  #cancelTimer: () => void = () => undefined

  constructor(options: LinkOptions) {
    this.#options = options
    this.#exchange = createExchange(options)
    void this.#connect()
  }

  /** Whether the `welcome` of the present connection has arrived. */
  get isOpen(): boolean {
    return this.#openedAtMs !== undefined
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  send(text: string): void {
    this.#connection?.send(text)
  }

  /** Ends the present connection for another, or the wait for one. */
  drop(reason: string): void {
    this.#connection?.end({ code: 1006, reason })
    if (!this.#isWaiting) return
    this.#cancelTimer()
    void this.#connect()
  }

  close(): void {
    const ending = { code: 1000, reason: 'closed' }
    this.#giveUp(ending, new ClientError('closed', 'The socket was closed'))
    this.#connection?.end(ending)
  }

  async #connect(): Promise<void> {
    this.#isWaiting = false
    const { url, token: given, WebSocket, wire, onFrame } = this.#options
    try {
      // Always asynchronous, so that the caller can add listeners first.
      const token = await (typeof given === 'string' ? given : given())
      if (this.#isClosed) return
      this.#received = true
      this.#connection = openConnection({
        url,
        token,
        WebSocket,
        wire,
        onMessage: (message) => this.#receive(message),
        onFrame: (frame) => {
          this.#received = true
          onFrame(frame)
        },
        onEnd: (ending) => void this.#lose(ending, token),
      })
      this.#cancelTimer = this.#options.clock.after(HEARTBEAT_MS, () => this.#beat())
    } catch (error) {
      // E003 and E005 are final; other failures of a token function are retried.
      const ending = { code: 1006, reason: 'no token' }
      const isFinal = error instanceof ClientError && ['E003', 'E005'].includes(error.code)
      if (isFinal) this.#giveUp(ending, error)
      else this.#retry(ending)
    }
  }

  #receive(message: ServerMessage): void {
    this.#received = true
    if (message.type === 'welcome') {
      this.#openedAtMs = this.#options.clock.monotonicMs()
      this.#ping()
    }
    this.#options.onMessage(message)
  }

  #beat(): void {
    if (!this.#received || !this.isOpen) {
      this.#connection?.end({ code: 1006, reason: 'the server is silent' })
      return
    }
    this.#received = false
    this.#ping()
    this.#cancelTimer = this.#options.clock.after(HEARTBEAT_MS, () => this.#beat())
  }

  #ping(): void {
    this.send(JSON.stringify({ type: 'ping', client_time: this.#options.clock.utcMs() }))
  }

  async #lose(ending: Ending, token: string): Promise<void> {
    const { clock } = this.#options
    const openMs = clock.monotonicMs() - (this.#openedAtMs ?? Infinity)
    const wasOpen = this.isOpen
    this.#cancelTimer()
    this.#connection = undefined
    this.#openedAtMs = undefined
    if (openMs >= STEADY_MS) this.#attempt = 0
    const error = await this.#verdict(ending, { wasOpen, token })
    if (error) this.#giveUp(ending, error)
    else this.#retry(ending)
  }

  /** Why another attempt would fail too; undefined when it may succeed. */
  async #verdict(
    { code }: Ending,
    { wasOpen, token }: { readonly wasOpen: boolean; readonly token: string },
  ): Promise<ClientError | undefined> {
    const canRenew = typeof this.#options.token !== 'string'
    const final = canRenew && code === CLOSE_CODES.expired ? undefined : FINAL.get(code)
    if (final) return new ClientError(...final)
    if (wasOpen || this.#isClosed) return undefined
    const refusal = await handshakeRefusal(this.#exchange, token)
    return canRenew && refusal?.code === 'E005' ? undefined : refusal
  }

  #retry(ending: Ending): void {
    if (this.#isClosed) return
    const { clock, random, onLoss } = this.#options
    const retryMs = backoffMs(this.#attempt++, random)
    this.#isWaiting = true
    this.#cancelTimer = clock.after(retryMs, () => void this.#connect())
    onLoss({ ...ending, retryMs, error: undefined })
  }

  #giveUp(ending: Ending, error: ClientError): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#cancelTimer()
    this.#options.onLoss({ ...ending, retryMs: undefined, error })
  }
}
