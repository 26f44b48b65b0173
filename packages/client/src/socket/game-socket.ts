import {
  type AcceptedMessage,
  type ClientMessage,
  type Departure,
  MESSAGE_BYTES_MAX,
  type PongMessage,
  type PredictionMessage,
  type RuleEntry,
  type RuleMessage,
  type RuleRequest,
  type RulesMessage,
  type SaidMessage,
  type ServerMessage,
  type ShipControl,
  type ModuleValues,
  type ShipRenamedMessage,
  type SubscribedMessage,
  type VotedMessage,
  type WelcomeMessage,
} from '@orrery/protocol'
import { type ClientClock, systemClock } from '../clocks/client-clock.ts'
import { ClientError } from '../client-error.ts'
import type { Wire } from './connection.ts'
import { type ClockReading, createGameTime } from '../clocks/game-time.ts'
import { type Disconnection, Link } from './link.ts'
import { type Listeners, createListeners } from '../listeners.ts'
import type { Address, Fetch, SocketConstructor } from '../platform.ts'
import { type PendingCommands, createPendingCommands } from './pending-commands.ts'
import { predictionWaitMs } from '../requests/prediction-wait.ts'
import { createRoundTrip } from '../clocks/round-trip.ts'

const TIMEOUT_MS = 10_000

/** A message's own fields. */
type Fields<Type extends ClientMessage['type']> = Omit<
  Extract<ClientMessage, { type: Type }>,
  'type' | 'id'
>

/** What `control` takes. */
export type Control = Fields<'control'>
/** What `startManeuver` takes. */
export type Maneuver = Fields<'maneuver_start'>
/** What `predict` takes. */
export type PredictionRequest = Fields<'predict'>
/** What `order` takes: a message to one's ship by its type. */
export type Order = ShipControl extends infer Message
  ? Message extends ShipControl
    ? Omit<Message, 'id'>
    : never
  : never
/** What `subscribe` takes: empty, it is all that the server would send by itself. */
export type View = Fields<'subscribe'>

/** Every message of the server by its type, and the client's own events. */
export type SocketEvents = {
  readonly [Message in ServerMessage as Message['type']]: Message
} & {
  /** a binary frame, whole */
  readonly frame: ArrayBuffer
  /** the connection is gone, also after one's own `close` */
  readonly disconnected: Disconnection
}

/** How a socket is kept. */
export interface SocketOptions {
  /** the server's address, such as `https://orrery.example` */
  readonly url: Address
  /**
   * A player's token, or an admin's to watch with. A function is called at each connection, so that
   * it can fetch a new token when the old one has expired.
   */
  readonly token: string | (() => string | Promise<string>)
  /** what to subscribe to, from the first connection on */
  readonly view?: View
  /** `json` when not given; with `binary`, frames replace ticks where the server can */
  readonly wire?: Wire
  /** longest wait for the answer to a command [ms]; 10,000 when not given */
  readonly timeoutMs?: number
  readonly fetch?: Fetch
  /** in place of the platform's, as Node has none before 22 */
  readonly WebSocket?: SocketConstructor
  readonly clock?: ClientClock
  /** uniform in [0, 1) */
  readonly random?: () => number
}

/**
 * A connection to the game that reconnects by itself, then resumes its session and its view.
 *
 * Commands reject with a {@link ClientError}: the server's code; `timeout`; `connection_lost` when
 * there is no connection, or none any more (what had been sent may have acted); `closed`.
 */
export class GameSocket {
  /** The first welcome; rejects when the socket is closed for good before. */
  readonly opened: Promise<WelcomeMessage>
  readonly #clock: ClientClock
  readonly #listeners: Listeners<SocketEvents> = createListeners()
  readonly #pending: PendingCommands
  readonly #gameTime = createGameTime()
  readonly #roundTrip = createRoundTrip()
  readonly #link: Link
  #open: (welcome: WelcomeMessage) => void = () => undefined
  #refuse: (error: ClientError) => void = () => undefined
  #view: View
  #seen: Fields<'resume'> | undefined
  #vote: number | null = null

  constructor(options: SocketOptions) {
    const {
      clock = systemClock,
      random = Math.random,
      timeoutMs = TIMEOUT_MS,
      view = {},
      wire = 'json',
      WebSocket = globalThis.WebSocket,
      ...way
    } = options
    if (WebSocket === undefined) {
      throw new TypeError('This platform has no WebSocket: give one as an option')
    }
    this.#clock = clock
    this.#view = view
    this.#pending = createPendingCommands(clock, timeoutMs)
    this.opened = new Promise((resolve, reject) => {
      this.#open = resolve
      this.#refuse = reject
    })
    // A caller that ignores `opened` gets no unhandled rejection.
    this.opened.catch(() => undefined)
    this.#link = new Link({
      ...way,
      WebSocket,
      clock,
      random,
      wire,
      onFrame: (frame) => this.#take(frame),
      onMessage: (message) => this.#receive(message),
      onLoss: (loss) => this.#lose(loss),
    })
  }

  /** Calls back at each event of a kind; returns how to stop. */
  on<Kind extends keyof SocketEvents>(
    kind: Kind,
    listener: (event: SocketEvents[Kind]) => void,
  ): () => void {
    return this.#listeners.on(kind, listener)
  }

  rename(name: string): Promise<ShipRenamedMessage> {
    return this.#command({ type: 'ship_rename', name })
  }

  control(control: Control): Promise<AcceptedMessage> {
    return this.#command({ type: 'control', ...control })
  }

  startManeuver(maneuver: Maneuver): Promise<AcceptedMessage> {
    return this.#command({ type: 'maneuver_start', ...maneuver })
  }

  abortManeuver(): Promise<AcceptedMessage> {
    return this.#command({ type: 'maneuver_abort' })
  }

  /** Any of the orders above, those to dock and to undock. */
  order(order: Order): Promise<AcceptedMessage> {
    return this.#command(order)
  }

  /** Asks for a new seed of one's ship, in binary frames. @param modules  ids of those run here */
  requestSeed(modules: readonly string[] = []): void {
    if (!this.#link.isOpen) return
    const runs = modules.length > 0 ? { modules } : {}
    this.#link.send(JSON.stringify({ type: 'seed_request', ...runs }))
  }

  /** Takes the ship through the jump gate beside it. */
  jump(jumpgateId: string): Promise<AcceptedMessage> {
    return this.#command({ type: 'jump', jumpgate_id: jumpgateId })
  }

  /** Takes the ship to a station of its system, where it docks and is refuelled. */
  dock(stationId: string, departure?: Departure): Promise<AcceptedMessage> {
    return this.#command({ type: 'dock', station_id: stationId, ...departure })
  }

  undock(): Promise<AcceptedMessage> {
    return this.#command({ type: 'undock' })
  }

  /** Sends a short text to the pilots in view, or to that of a ship; resolves to what they get. */
  say(text: string, shipId?: string): Promise<SaidMessage> {
    return this.#command({ type: 'say', text, ...(shipId !== undefined && { ship_id: shipId }) })
  }

  /**
   * Votes for how fast game time runs [game seconds per second], or withdraws the vote. It is kept
   * for the connections to come.
   */
  async vote(pace: number | null): Promise<VotedMessage> {
    const voted = await this.#command<VotedMessage>({ type: 'vote', pace })
    this.#vote = voted.pace
    return voted
  }

  /** Gives one's ship a command of a module. */
  commandModule(
    module: string,
    command: string,
    values: ModuleValues = {},
  ): Promise<AcceptedMessage> {
    return this.#command({ type: 'module_command', module, command, values })
  }

  /** What one's ship does by itself, and when. */
  async rules(): Promise<readonly RuleEntry[]> {
    const { rules } = await this.#command<RulesMessage>({ type: 'rules_get' })
    return rules
  }

  /** Makes a rule of one's ship, or replaces the one with an id. */
  async saveRule(request: RuleRequest, ruleId?: string): Promise<RuleEntry> {
    const which = ruleId !== undefined && { rule_id: ruleId }
    const message = { type: 'rule_set', ...request, ...which } as const
    return (await this.#command<RuleMessage>(message)).rule
  }

  async deleteRule(ruleId: string): Promise<void> {
    await this.#command({ type: 'rule_delete', rule_id: ruleId })
  }

  /**
   * The trajectory of one's own ship if nothing interferes; one at a time. Its
   * answer may take longer than those of other commands, by its hours.
   */
  predict(request: PredictionRequest): Promise<PredictionMessage> {
    return this.#command({ type: 'predict', ...request }, predictionWaitMs(request))
  }

  /**
   * Narrows what comes; without a view, widens it again. The view is kept for the connections to
   * come, unless the server refuses it.
   */
  async subscribe(view: View = {}): Promise<SubscribedMessage> {
    const before = this.#view
    this.#view = view
    try {
      return await this.#command<SubscribedMessage>({ type: 'subscribe', ...view })
    } catch (error) {
      const isRefused = error instanceof ClientError && error.code.startsWith('E')
      if (isRefused && this.#view === view) this.#view = before
      throw error
    }
  }

  /** Asks for a pong, beside those that come by themselves. */
  ping(): Promise<PongMessage> {
    return this.#command({ type: 'ping', client_time: this.#clock.utcMs() })
  }

  /** The game's clock now, Unix milliseconds; undefined before the first welcome. */
  gameTimeNow(): number | undefined {
    return this.#gameTime.at(this.#clock.monotonicMs(), this.#roundTrip.delayMs())
  }

  /** There and back, as the last ping found [ms]; undefined before the first. */
  get roundTripMs(): number | undefined {
    return this.#roundTrip.latestMs()
  }

  /** The server's UTC less the client's [ms]; 0 before the first ping is answered. */
  get clockOffsetMs(): number {
    return this.#roundTrip.clockOffsetMs()
  }

  /**
   * Ends the present connection for another, or the wait for one; it resumes unless it is to be
   * sent all again.
   */
  reconnect({ resume = true }: { readonly resume?: boolean } = {}): void {
    if (!resume) this.#seen = undefined
    this.#link.drop('reconnecting')
  }

  /** Closes for good. */
  close(): void {
    this.#link.close()
  }

  async #command<Answer extends ServerMessage>(
    message: ClientMessage,
    extraMs?: number,
  ): Promise<Answer> {
    const link = this.#link
    if (link.isClosed) throw new ClientError('closed', 'The socket is closed for good')
    if (!link.isOpen) throw new ClientError('connection_lost', 'There is no connection now')
    // The server answers each command with its id: an error, or the one kind that belongs to it.
    return (await this.#pending.add((id) => {
      const text = JSON.stringify({ ...message, id })
      const { length } = new TextEncoder().encode(text)
      if (length > MESSAGE_BYTES_MAX) throw new ClientError('E001', 'Message too large')
      link.send(text)
    }, extraMs)) as Answer
  }

  #take(frame: ArrayBuffer): void {
    // Of its header only what a resume names.
    if (this.#seen && frame.byteLength >= 8) {
      this.#seen = { ...this.#seen, publication: new DataView(frame).getUint32(4, true) }
    }
    this.#listeners.emit('frame', frame)
  }

  #receive(message: ServerMessage): void {
    if (message.type === 'welcome') this.#resume(message)
    else if (message.type === 'pong') this.#measure(message)
    else if (message.type === 'tick' || message.type === 'restored' || message.type === 'reset') {
      this.#seen = { era: message.era, tick: message.tick }
    }
    const reading = clockReading(message)
    // The game time is of before.
    const ageMs = 'age' in message ? 1000 * (message.age ?? 0) : 0
    if (reading) this.#gameTime.note(reading, this.#clock.monotonicMs() - ageMs)
    this.#pending.answer(message)
    this.#listeners.emit(message.type, message)
  }

  /** A new connection has neither the view nor the last tick of the one before. */
  #resume(welcome: WelcomeMessage): void {
    this.#open(welcome)
    // The view first: the frame that answers a resume is then made for it.
    if (Object.keys(this.#view).length > 0) {
      this.#command({ type: 'subscribe', ...this.#view }).catch(() => undefined)
    }
    if (this.#vote !== null) this.vote(this.#vote).catch(() => undefined)
    if (this.#seen) this.#command({ type: 'resume', ...this.#seen }).catch(() => undefined)
    else this.#seen = { era: welcome.era, tick: welcome.tick }
  }

  #measure({ client_time: sentMs, server_time: serverMs }: PongMessage): void {
    const cameMs = this.#clock.utcMs()
    if (sentMs !== undefined) this.#roundTrip.note({ sentMs, cameMs, serverMs })
  }

  #lose(loss: Disconnection): void {
    const { error = new ClientError('connection_lost', 'The connection was lost') } = loss
    this.#pending.fail(error)
    if (loss.error) this.#refuse(loss.error)
    this.#listeners.emit('disconnected', loss)
  }
}

/** The game's clock in a message that carries its present state. */
function clockReading(message: ServerMessage): ClockReading | undefined {
  const { type } = message
  if (type === 'welcome' || type === 'clock' || type === 'tick') {
    const { game_time: time, effective_time_scale: scale } = message
    const era = type === 'clock' ? undefined : message.era
    const paused = type === 'tick' ? undefined : message.paused
    return { gameTimeMs: Date.parse(time), scale, era, paused }
  }
  if (type === 'restored' || type === 'reset') {
    // The `clock` message that follows has the scale.
    return { gameTimeMs: Date.parse(message.game_time), era: message.era }
  }
  if (type === 'paused' || type === 'resumed') {
    return { gameTimeMs: Date.parse(message.game_time), paused: type === 'paused' }
  }
  return undefined
}

/** Connects, and stays connected until it is closed or refused for good. */
export function connectSocket(options: SocketOptions): GameSocket {
  return new GameSocket(options)
}
