import type { SystemCommand, WallClock, World } from '@orrery/engine'
import type { PlayerSocket } from '../connection/player-socket.ts'
import { nowIfSettled } from '../frames/settled.ts'
import { BinaryClient } from './binary-client.ts'
import { Channel, rosterKey } from './channel.ts'
import { Interests } from './nearest-ships.ts'
import { KeptViews } from './kept-views.ts'
import type { Moment } from './moment.ts'
import type { ServedEngine } from '../views/served-engine.ts'

/** Least time between two rounds of frames beside the ticks, and between two for orders [ms]. */
const EXTRA_ROUND_MS = 100
const AHEAD_ROUND_MS = 25

/** How often clocks that are due are sent, and when a round is late [ms]. */
const HEARTBEAT_MS = 50
const LATE_MS = 1000

/** How often channels that are unused are dropped [ms]. */
const UNUSED_MS = 1000

/** Spreads what follows one another evenly over a circle. */
const GOLDEN = 0.618034

/** Time of one round for decisions that can wait [ms]. */
const DECISIONS_MS = 4

export interface BinaryPublisherOptions {
  readonly engine: ServedEngine
  readonly clock: WallClock
  readonly era: () => number
  /** of a client that asks for no other [bytes/s] */
  readonly frameBudget: number
  readonly onError: (error: unknown) => void
}

/** Sends the clients of binary frames what changes, with each tick and in between. */
export class BinaryPublisher {
  readonly #options: BinaryPublisherOptions
  readonly #clients = new Map<PlayerSocket, BinaryClient>()
  /** without observers, by account */
  readonly #players = new Map<string, PlayerSocket>()
  /** all clients; undefined once some came or went */
  #list: readonly BinaryClient[] | undefined
  #rosterKey = ''
  #worlds: readonly World[] = []
  readonly #channels = new Map<World, Channel>()
  /** by star system: the last publication of a channel that is gone */
  readonly #lastNumbers = new Map<string, number>()
  readonly #kept = new KeptViews()
  readonly #ordered = new Map<World, Set<number>>()
  readonly #interests: Interests
  #phase = 0
  #turn = 0
  #roundMs = -Infinity
  #aheadMs = -Infinity
  #droppedMs = -Infinity
  #isExtraPlanned = false
  #isAheadPlanned = false
  #isBeating = false
  /** a round is due, whoever is in it */
  #isWanted = false

  constructor(options: BinaryPublisherOptions) {
    this.#options = options
    this.#interests = new Interests(() => options.clock.monotonicMs())
  }

  add(player: PlayerSocket): void {
    const nowMs = this.#nowMs()
    // The socket before may not have ended yet.
    const other = player.isObserver ? undefined : this.#players.get(player.accountId)
    if (other) this.remove(other)
    if (!player.isObserver) this.#players.set(player.accountId, player)
    this.#phase = (this.#phase + GOLDEN) % 1
    const phase = this.#phase
    const { frameBudget } = this.#options
    const mayResume = !player.isObserver && this.#kept.has(player.accountId, nowMs)
    this.#list = undefined
    this.#clients.set(
      player,
      new BinaryClient(player, { nowMs, mayResume, phase, budget: frameBudget }),
    )
    this.#beat()
    this.#roundSoon()
  }

  remove(player: PlayerSocket): void {
    const client = this.#clients.get(player)
    const kept = client?.kept(this.#options.era())
    this.#clients.delete(player)
    this.#list = undefined
    if (this.#players.get(player.accountId) === player) this.#players.delete(player.accountId)
    if (kept && !player.isObserver) this.#kept.keep(player.accountId, kept, this.#nowMs())
  }

  /** A player is sent frames by another process, whose publications have other numbers. */
  forget(accountId: string): void {
    this.#kept.take(accountId, this.#nowMs())
  }

  /** Sends frames of the world as published by a tick, or as changed while paused. */
  publish(underWay: () => () => void): void {
    if (this.#clients.size === 0) return
    this.#round(underWay)
    this.#aheadSoon()
  }

  /** Sends a client a frame before the next tick. */
  request(player: PlayerSocket): void {
    const client = this.#clients.get(player)
    if (!client) return
    client.isRequested = true
    this.#roundSoon()
  }

  /** Sends a client a new seed of its ship. @param runs  ids of modules, when others than before */
  requestSeed(player: PlayerSocket, runs?: readonly string[]): void {
    const client = this.#clients.get(player)
    if (client) client.needsSeed = true
    if (client && runs) client.runs = runs
    this.request(player)
  }

  /** Goes on with the frames of a lost connection, if possible. */
  resume(player: PlayerSocket, era: number, publication: number | undefined): void {
    const client = this.#clients.get(player)
    if (!client) return
    const { engine, era: eraNow, onError } = this.#options
    const act = (): void => {
      // Its connection may be gone by then; the next one resumes.
      if (this.#clients.get(player) !== client) return
      const kept = player.isObserver ? undefined : this.#kept.take(player.accountId, this.#nowMs())
      client.follow(engine.universe, this.#channelOf)
      const isSameEra = era === eraNow() && (kept?.era ?? era) === era
      client.resume(kept, isSameEra ? publication : undefined, this.#nowMs())
      this.#roundSoon()
    }
    engine.whenSettled(act).catch(onError)
  }

  /** An order of a pilot was accepted: all who see the ship are sent what it will do. */
  ordered(shipId: string): void {
    if (this.#clients.size === 0) return
    for (const [world] of this.#channels) {
      const entry = world.roster.byId.get(shipId)
      if (!entry) continue
      const ships = this.#ordered.get(world) ?? new Set()
      this.#ordered.set(world, ships.add(entry.number))
    }
    this.#aheadSoon()
  }

  /** A structural command has acted. */
  commanded(systemId: string, command: SystemCommand): void {
    if (this.#clients.size === 0) return
    const channel = [...this.#channels.values()].find((it) => it.systemId === systemId)
    if (!channel) return
    if (command.kind === 'rename_ship') channel.rename(command.shipId)
    for (const client of this.#clients.values()) {
      if (client.channel !== channel) continue
      // Ships that were docked there fly on.
      if (isAboutObjects(command)) client.needsObjects = client.needsCheck = true
      if (changesFlight(command) && command.shipId === client.player.shipId) {
        client.needsSeed = true
      }
    }
    this.#isWanted = true
    this.#roundSoon()
  }

  /** Time runs otherwise from now on. */
  clockChanged(): void {
    for (const client of this.#clients.values()) client.clockChanged()
    this.#isWanted = true
    this.#roundSoon()
  }

  /** Another universe flies: nothing that was sent holds. */
  worldReplaced(): void {
    this.#kept.clear()
    this.#ordered.clear()
    for (const channel of this.#channels.values()) this.#drop(channel)
    this.clockChanged()
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs()
  }

  #channelOf = (world: World): Channel => {
    const known = this.#channels.get(world)
    if (known) return known
    const { id } = world.state.system
    const channel = new Channel(world, this.#lastNumbers.get(id) ?? 0)
    this.#channels.set(world, channel)
    return channel
  }

  #drop(channel: Channel): void {
    this.#channels.delete(channel.world)
    this.#lastNumbers.set(channel.systemId, channel.publication.number)
  }

  /** Drops channels that no client has or can come back to: they take memory for each ship. */
  #dropUnused(): void {
    this.#droppedMs = this.#nowMs()
    const used = this.#kept.channels(this.#nowMs())
    for (const { channel } of this.#clients.values()) if (channel) used.add(channel)
    for (const channel of this.#channels.values()) if (!used.has(channel)) this.#drop(channel)
  }

  #moment(): Moment {
    const { clock, engine, era } = this.#options
    const nowMs = clock.monotonicMs()
    return {
      status: engine.status(),
      era: era(),
      index: engine.universe.worlds[0].index,
      nowMs,
      utcMs: clock.utcMs(),
      interests: this.#interests,
      hasTime: () => clock.monotonicMs() - nowMs < DECISIONS_MS,
    }
  }

  /** To be called while no tick runs. */
  #round(underWay: () => () => void): void {
    const { engine } = this.#options
    const moment = this.#moment()
    this.#roundMs = moment.nowMs
    this.#isWanted = false
    const { universe } = engine
    const haveMoved = this.#haveMoved(universe)
    const clients = (this.#list ??= [...this.#clients.values()])
    for (const client of clients) {
      // The client's own change of ship or system requests a frame.
      if (haveMoved || client.isRequested) client.follow(universe, this.#channelOf)
    }
    for (const channel of this.#channels.values()) channel.publish()
    // Each round begins with another: time for decisions may not be enough for all.
    this.#turn = (this.#turn + GOLDEN) % 1
    const { length } = clients
    const first = Math.floor(this.#turn * length)
    for (let i = 0; i < length; i++) this.#send(clients[(first + i) % length], moment, underWay)
    if (moment.nowMs - this.#droppedMs >= UNUSED_MS) this.#dropUnused()
  }

  /** Whether a ship may be in another star system than in the last round, or in none. */
  #haveMoved({ worlds }: ServedEngine['universe']): boolean {
    const key = worlds.map(rosterKey).join()
    const isSame = key === this.#rosterKey && worlds === this.#worlds
    this.#rosterKey = key
    this.#worlds = worlds
    return !isSame
  }

  #send(client: BinaryClient, moment: Moment, underWay: () => () => void): void {
    if (client.passesOver(moment.nowMs)) return
    const { outbox, pace } = client.player
    if (!outbox.isReady()) return
    const isDue = pace.isDue(moment.nowMs, moment.status.tickRate)
    if (!isDue && !client.isRequested) return
    const frame = client.frame(moment, true)
    if (frame) outbox.sendFrame(frame, underWay())
  }

  #roundSoon(): void {
    if (this.#isExtraPlanned) return
    const { clock, engine, onError } = this.#options
    const waitMs = Math.max(0, this.#roundMs + EXTRA_ROUND_MS - clock.monotonicMs())
    if (waitMs === 0 && nowIfSettled(engine, () => this.#round(untimed), onError)) return
    this.#isExtraPlanned = true
    clock.after(waitMs || EXTRA_ROUND_MS, () => {
      this.#isExtraPlanned = false
      if (this.#needsRound()) this.#roundSoon()
    })
  }

  /** Whether something waits that a tick has not brought meanwhile. */
  #needsRound(): boolean {
    if (this.#isWanted) return true
    // What a client that does not drain has requested waits for the next tick or beat.
    for (const { isRequested, player } of this.#clients.values()) {
      if (isRequested && player.outbox.isReady()) return true
    }
    return false
  }

  /** Makes rounds for clocks, and for ships that wait, where ticks are too slow. */
  #beat(): void {
    if (this.#isBeating) return
    this.#isBeating = true
    const { clock } = this.#options
    clock.after(HEARTBEAT_MS, () => {
      this.#isBeating = false
      if (this.#clients.size === 0) this.#dropUnused()
      if (this.#clients.size === 0 && this.#channels.size === 0) return
      this.#beat()
      if (this.#clients.size === 0) return
      this.#sendClocks()
      if (clock.monotonicMs() - this.#roundMs < LATE_MS) return
      this.#isWanted = true
      this.#roundSoon()
    })
  }

  /** Sends clocks that are due; what they hold is there while a tick runs, too. */
  #sendClocks(): void {
    const moment = this.#moment()
    for (const client of (this.#list ??= [...this.#clients.values()])) {
      if (!client.isClockDue(moment.nowMs)) continue
      const { outbox } = client.player
      if (!outbox.isReady()) continue
      const frame = client.frame(moment, false)
      if (frame) outbox.sendFrame(frame, () => undefined)
    }
  }

  #aheadSoon(): void {
    if (this.#isAheadPlanned || this.#ordered.size === 0) return
    const { clock, engine, onError } = this.#options
    const waitMs = Math.max(0, this.#aheadMs + AHEAD_ROUND_MS - clock.monotonicMs())
    if (waitMs === 0 && nowIfSettled(engine, () => this.#ahead(), onError)) return
    this.#planAhead(waitMs || AHEAD_ROUND_MS)
  }

  #planAhead(waitMs: number): void {
    if (this.#ordered.size === 0) return
    this.#isAheadPlanned = true
    this.#options.clock.after(waitMs, () => {
      this.#isAheadPlanned = false
      this.#aheadSoon()
    })
  }

  /** Sends what ships will do by the orders that were accepted. To be called while no tick runs. */
  #ahead(): void {
    // Ships that came have to be known first.
    if ([...this.#channels.values()].some((it) => it.haveShipsMoved())) this.#round(untimed)
    const moment = this.#moment()
    for (const [world, numbers] of this.#ordered) {
      const channel = this.#channels.get(world)
      const some = [...numbers].slice(0, channel?.trajectories.aheadMax)
      for (const number of some) numbers.delete(number)
      if (numbers.size === 0) this.#ordered.delete(world)
      if (!channel?.publishAhead(some)) continue
      for (const client of this.#clients.values()) {
        if (client.channel === channel) this.#send(client, moment, untimed)
      }
    }
    // Not at once, however long it has taken: ticks and requests come between.
    this.#aheadMs = this.#nowMs()
    this.#planAhead(AHEAD_ROUND_MS)
  }
}

function isAboutObjects({ kind }: SystemCommand): boolean {
  return kind.endsWith('_station') || kind.endsWith('_jumpgate') || kind === 'add_module'
}

function untimed(): () => void {
  return () => undefined
}

/** Whether a pilot's own flight knows nothing of a command to its ship. */
function changesFlight(
  command: SystemCommand,
): command is Extract<
  SystemCommand,
  { kind: 'set_rules' | 'alter_ship' | 'fail_maneuver' | 'module_command' }
> {
  return FLIGHT_CHANGES.has(command.kind)
}

const FLIGHT_CHANGES: ReadonlySet<SystemCommand['kind']> = new Set([
  'set_rules',
  'alter_ship',
  'fail_maneuver',
  'module_command',
])
