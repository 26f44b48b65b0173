import { type Bus, subject } from '@orrery/bus'
import type { WallClock } from '@orrery/engine'
import {
  type PresenceContent,
  type PresenceMessage,
  type PresentPlayer,
  decodePresence,
  encodePresence,
} from './presence-message.ts'

const SUBJECT = subject('ctl', 'presence')

/** Time between two signs of life, and signs from one list of all players to the next. */
const SIGN_MS = 1000
const LIST_SIGNS = 5

/** A process that says nothing for so long has no players any more. */
const GONE_MS = 3500

/** Players in one message, which is of 250 kB then. */
const PLAYERS_MAX = 2000

/** Receives what players do at other processes. */
export interface PresenceReceiver {
  /** a player has opened a later socket elsewhere */
  readonly onReplaced: (playerId: string) => void
  /** a player is connected elsewhere, and was sent there what he missed */
  readonly onElsewhere: (player: Pick<PresentPlayer, 'playerId' | 'shipId'>) => void
}

export interface PresenceOptions extends PresenceReceiver {
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  /** a UUID, made by each start */
  readonly process: string
  readonly clock: Pick<WallClock, 'monotonicMs' | 'utcMs' | 'after'>
}

/**
 * Which players are connected to the other processes of one universe. The bus may lose anything:
 * each process lists its players again and again.
 */
export interface Presence {
  /** @param shipId  `""` without a ship */
  entered(playerId: string, shipId: string): void
  /** the ship of a player who is connected here is another now */
  shipChanged(playerId: string, shipId: string): void
  /** @param pace  undefined for none */
  voted(playerId: string, pace: number | undefined): void
  left(playerId: string): void
  /** players at other processes */
  online(): number
  isOnline(playerId: string): boolean
  isPilotOnline(shipId: string): boolean
  /** ships of players at other processes */
  pilots(): readonly string[]
  /** at other processes, each of them apart: a player may be twice there for a moment */
  players(): readonly PresentPlayer[]
  /** says that all have left */
  stop(): void
}

export function createPresence(options: PresenceOptions): Presence {
  return new BusPresence(options)
}

class BusPresence implements Presence {
  readonly #options: PresenceOptions
  readonly #here = new Map<string, PresentPlayer>()
  /** other processes */
  readonly #elsewhere = new Map<string, { readonly players: Players; readonly aliveMs: number }>()
  readonly #subscription: { end(): void }
  #cancel: () => void
  #signs = 0

  constructor(options: PresenceOptions) {
    this.#options = options
    this.#subscription = options.bus.subscribe(SUBJECT, (payload) => {
      const message = decodePresence(payload)
      if (message && message.from !== options.process) this.#take(message)
    })
    this.#say({ kind: 'hello' })
    this.#cancel = options.clock.after(SIGN_MS, () => this.#sign())
  }

  entered(playerId: string, shipId: string): void {
    let since = this.#options.clock.utcMs()
    for (const players of this.#players()) {
      // Whatever the clocks of machines say, this socket is the later one.
      since = Math.max(since, (players.get(playerId)?.since ?? 0) + 1)
    }
    this.#enter({ playerId, shipId, since })
  }

  shipChanged(playerId: string, shipId: string): void {
    const player = this.#here.get(playerId)
    if (player) this.#enter({ ...player, shipId })
  }

  voted(playerId: string, pace: number | undefined): void {
    const here = this.#here.get(playerId)
    if (!here) return
    const { vote: _, ...player } = here
    this.#enter({ ...player, ...(pace !== undefined && { vote: pace }) })
  }

  left(playerId: string): void {
    if (this.#here.delete(playerId)) this.#say({ kind: 'left', playerId })
  }

  online(): number {
    return this.#players().reduce((online, { size }) => online + size, 0)
  }

  isOnline(playerId: string): boolean {
    return this.#players().some((players) => players.get(playerId) !== undefined)
  }

  isPilotOnline(shipId: string): boolean {
    return this.#players().some((players) => players.hasPilot(shipId))
  }

  pilots(): readonly string[] {
    return this.#players().flatMap((players) => players.pilots())
  }

  players(): readonly PresentPlayer[] {
    return this.#players().flatMap((players) => players.all())
  }

  stop(): void {
    this.#cancel()
    this.#subscription.end()
    this.#say({ kind: 'gone' })
  }

  #sign(): void {
    const { clock } = this.#options
    this.#cancel = clock.after(SIGN_MS, () => this.#sign())
    this.#signs++
    if (this.#signs % LIST_SIGNS === 0) this.#list()
    else this.#say({ kind: 'alive' })
    for (const [process, { aliveMs }] of this.#elsewhere) {
      if (clock.monotonicMs() - aliveMs > GONE_MS) this.#elsewhere.delete(process)
    }
  }

  /** of the other processes, each apart */
  #players(): Players[] {
    return Array.from(this.#elsewhere.values(), ({ players }) => players)
  }

  #enter(player: PresentPlayer): void {
    this.#here.set(player.playerId, player)
    this.#say({ kind: 'present', players: [player], isFirst: false })
  }

  #list(): void {
    const all = [...this.#here.values()]
    for (let at = 0; at === 0 || at < all.length; at += PLAYERS_MAX) {
      const players = all.slice(at, at + PLAYERS_MAX)
      this.#say({ kind: 'present', players, isFirst: at === 0 })
    }
  }

  #take(message: PresenceMessage): void {
    const { from, kind } = message
    if (kind === 'gone') return void this.#elsewhere.delete(from)
    const known = this.#elsewhere.get(from)
    const players = known?.players ?? new Players()
    this.#elsewhere.set(from, { players, aliveMs: this.#options.clock.monotonicMs() })
    if (kind === 'left') players.remove(message.playerId)
    if (kind === 'present') {
      if (message.isFirst) players.clear()
      for (const player of message.players) {
        players.add(player)
        this.#compare(from, player)
      }
    }
    // Neither knows the other's players.
    if (kind === 'hello' || !known) this.#list()
    if (kind !== 'hello' && !known) this.#say({ kind: 'hello' })
  }

  /** Of two sockets of a player the later one stays. */
  #compare(from: string, player: PresentPlayer): void {
    const { process, onElsewhere, onReplaced } = this.#options
    const { playerId, since } = player
    const own = this.#here.get(playerId)
    const isOwnLater =
      own !== undefined && (own.since > since || (own.since === since && process > from))
    if (isOwnLater) return
    if (own) onReplaced(playerId)
    onElsewhere(player)
  }

  #say(content: PresenceContent): void {
    const { bus, process } = this.#options
    bus.publish(SUBJECT, encodePresence({ ...content, from: process }))
  }
}

/** The players of one process. */
class Players {
  readonly #byId = new Map<string, PresentPlayer>()
  /** of each ship */
  readonly #pilots = new Map<string, string>()

  get size(): number {
    return this.#byId.size
  }

  get(playerId: string): PresentPlayer | undefined {
    return this.#byId.get(playerId)
  }

  all(): PresentPlayer[] {
    return [...this.#byId.values()]
  }

  pilots(): string[] {
    return [...this.#pilots.keys()]
  }

  hasPilot(shipId: string): boolean {
    return this.#pilots.has(shipId)
  }

  add(player: PresentPlayer): void {
    this.remove(player.playerId)
    this.#byId.set(player.playerId, player)
    if (player.shipId !== '') this.#pilots.set(player.shipId, player.playerId)
  }

  remove(playerId: string): void {
    const { shipId = '' } = this.#byId.get(playerId) ?? {}
    if (this.#pilots.get(shipId) === playerId) this.#pilots.delete(shipId)
    this.#byId.delete(playerId)
  }

  clear(): void {
    this.#byId.clear()
    this.#pilots.clear()
  }
}
