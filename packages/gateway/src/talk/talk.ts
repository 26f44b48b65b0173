import type { Bus } from '@orrery/bus'
import { type WallClock, requireShip } from '@orrery/engine'
import type { Presence } from '@orrery/game'
import { SlidingWindow } from '@orrery/http'
import {
  type SaidMessage,
  type SayMessage,
  type ServerMessage,
  encodeServerMessage,
} from '@orrery/protocol'
import { errorMessage } from '../connection/error-message.ts'
import type { PlayerSocket, TalkRequests } from '../connection/player-socket.ts'
import type { TalkCounts } from '../connection/socket-metrics.ts'
import type { ServedEngine } from '../views/served-engine.ts'
import { PILOTS_MAX, PilotsInView } from './pilots-in-view.ts'
import { type TalkBus, createTalkBus } from './talk-bus.ts'

/** In any span of so long an account says and a pilot hears so many lines at most. */
const WINDOW_MS = 10_000
const SAID_MAX = 5
const HEARD_MAX = 40

export interface TalkOptions {
  readonly engine: Pick<ServedEngine, 'universe' | 'whenSettled' | 'sky'>
  readonly clock: WallClock
  /** pilots of this process, by ship */
  readonly clients: {
    pilot(shipId: string): Pick<PlayerSocket, 'outbox'> | undefined
    pilots(): Iterable<string>
  }
  /** pilots of other processes, who are reached over the bus */
  readonly others: Pick<Presence, 'pilots' | 'isPilotOnline'> | undefined
  readonly bus: Pick<Bus, 'publish' | 'subscribe'> | undefined
  /** whether the operator lets pilots talk, now */
  readonly isTalkEnabled: () => Promise<boolean>
  readonly counts: TalkCounts
}

/** Carries short texts between pilots, each once at most; nothing of them is kept. */
export class Talk implements TalkRequests {
  readonly #options: TalkOptions
  readonly #inView: PilotsInView
  readonly #bus: TalkBus | undefined
  /** by account, which a new socket does not change */
  readonly #said: SlidingWindow
  /** by ship: what waits for a client that does not drain is bounded, too */
  readonly #heard: SlidingWindow

  constructor(options: TalkOptions) {
    const { bus, clock, engine } = options
    const now = (): number => clock.monotonicMs()
    this.#options = options
    this.#inView = new PilotsInView(engine, now)
    this.#bus = bus && createTalkBus(bus, ({ said, to }) => this.#deliver(said, to))
    this.#said = new SlidingWindow({ limit: SAID_MAX, windowMs: WINDOW_MS, now })
    this.#heard = new SlidingWindow({ limit: HEARD_MAX, windowMs: WINDOW_MS, now })
  }

  /**
   * Sends what a pilot says to those who hear it; returns the answer to the pilot.
   *
   * @throws {EngineError} 'ERR_IN_TRANSIT', 'ERR_SHIP_UNKNOWN', where the pilot's ship is nowhere
   */
  async say(
    { accountId, shipId }: Pick<PlayerSocket, 'accountId' | 'shipId'>,
    { id, text, ship_id: named }: SayMessage,
  ): Promise<ServerMessage> {
    const { clock, engine, isTalkEnabled } = this.#options
    const attempt = this.#said.attempt(accountId)
    if (!attempt.allowed) {
      const wait = `wait ${attempt.retryAfterSeconds} s`
      return errorMessage('E004', id, `Too many messages to other pilots: ${wait}`)
    }
    if (!(await isTalkEnabled())) return errorMessage('E003', id, 'Talk is switched off')
    const to = named?.toLowerCase()
    const [name, hearers] = await engine.whenSettled(
      () =>
        [
          requireShip(engine.universe, shipId).entry.name,
          to === undefined ? this.#inView.of(shipId, this.#pilots()) : this.#pilotOf(to, shipId),
        ] as const,
    )
    if (to !== undefined && hearers.length === 0) {
      return errorMessage('E006', id, 'No other pilot of that ship is connected')
    }
    const said: SaidMessage = {
      type: 'said',
      ship_id: shipId,
      ship_name: name,
      text,
      at: new Date(clock.utcMs()).toISOString(),
      ...(to !== undefined && { to_ship_id: to }),
    }
    this.announce(said, hearers)
    return { ...said, ...(id !== undefined && { id }), heard: hearers.length }
  }

  /** Sends a line to the pilots of some ships, those of other processes, too. */
  announce(said: SaidMessage, to: readonly string[]): void {
    const elsewhere = this.#deliver(said, to)
    for (let begin = 0; begin < elsewhere.length; begin += PILOTS_MAX) {
      this.#bus?.send({ said, to: elsewhere.slice(begin, begin + PILOTS_MAX) })
    }
  }

  stop(): void {
    this.#bus?.stop()
  }

  /** ships of connected pilots, those of other processes, too */
  #pilots(): Set<string> {
    const { clients, others } = this.#options
    return new Set([...clients.pilots(), ...(others?.pilots() ?? [])])
  }

  #pilotOf(shipId: string, own: string): readonly string[] {
    const { clients, others } = this.#options
    const isConnected = clients.pilot(shipId) ?? others?.isPilotOnline(shipId)
    return isConnected && shipId !== own ? [shipId] : []
  }

  /** Sends a line to the pilots who are connected here; returns the ships of the others. */
  #deliver(said: SaidMessage, to: readonly string[]): readonly string[] {
    const { clients, counts } = this.#options
    const text = encodeServerMessage(said)
    return to.filter((shipId) => {
      const pilot = clients.pilot(shipId)
      if (!pilot) return true
      const { allowed } = this.#heard.attempt(shipId)
      if (allowed) pilot.outbox.send(text)
      counts[allowed ? 'sent' : 'dropped']++
      return false
    })
  }
}
