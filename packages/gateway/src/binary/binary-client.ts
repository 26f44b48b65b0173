import { type RosterEntry, type Trajectories, type Universe, shownWorld } from '@orrery/engine'
import { type ServerMessage, createBlock, encodeServerMessage } from '@orrery/protocol'
import { BLOCK_QUANTA } from '@orrery/sim'
import type { Frame } from '../frames/frames.ts'
import { type Budget, createBudget } from '../frames/byte-budget.ts'
import type { PlayerSocket } from '../connection/player-socket.ts'
import { type Channel, addNumbers } from './channel.ts'
import { addShips, isUnchanged } from './frame-ships.ts'
import { type ClientView, createClientView, rewind } from './client-view.ts'
import { FramePieces } from './frame-pieces.ts'
import { ClientInterest } from './kept-interest.ts'
import type { Moment } from './moment.ts'
import type { KeptView } from './kept-views.ts'
import { objectsMessage, shipModulesMessage, systemMessage } from './system-messages.ts'

/** Time between two clocks [ms]; less than a tick at 1 Hz may take. */
const CLOCK_MS = 950

/** How long a client that may come back to its view is waited for [ms]. */
const HELD_MS = 500

/** Least time between two resumes that begin again, which send a whole star system [ms]. */
const RESTART_MS = 1000

/** Filled for each clock: views of a new one cost more than all else of it. */
const clockBlock = createBlock('clock', 1)

export interface BinaryClientOptions {
  /** while the client asks for no other [bytes/s] */
  readonly budget: number
  readonly nowMs: number
  /** its first frame waits for a resume */
  readonly mayResume: boolean
  /** 0 to 1: when clocks and checks come, so that not all clients get theirs at one time */
  readonly phase: number
}

/** One client of binary frames: what it sees, what it knows, and what it is sent next. */
export class BinaryClient {
  readonly player: PlayerSocket
  /** a frame is due before the next tick */
  isRequested = true
  /** a seed of its ship is due */
  needsSeed = true
  /** ids of the modules that it runs for its ship */
  runs: readonly string[] = []
  /** stations or gates are others than it was sent */
  needsObjects = false
  /** a check of its ship is due */
  needsCheck = false
  /** ships that could not be sent yet */
  waiting = 0
  #channel: Channel | undefined
  #view: ClientView = createClientView(0)
  #isNew = true
  #needsAnchor = false
  #needsView = false
  #interest = new ClientInterest()
  #clockMs = -Infinity
  #checkedBlock = 0
  /** what it cannot know of its ship without another seed than the last */
  #unforeseen = ''
  #heldUntilMs: number
  #restartMs = -Infinity
  readonly #phase: number
  readonly #budget: Budget
  readonly #usualBudget: number

  constructor(player: PlayerSocket, { budget, mayResume, nowMs, phase }: BinaryClientOptions) {
    this.player = player
    this.#budget = createBudget(budget, nowMs)
    this.#usualBudget = budget
    this.#heldUntilMs = mayResume ? nowMs + HELD_MS : -Infinity
    this.#phase = phase
  }

  get channel(): Channel | undefined {
    return this.#channel
  }

  /** What it knows, for when its connection is lost. */
  kept(era: number): KeptView | undefined {
    const { subscription } = this.player
    if (!this.#channel || this.#isNew) return undefined
    return { era, channel: this.#channel, view: this.#view, subscription }
  }

  isClockDue(nowMs: number): boolean {
    return nowMs - this.#clockMs >= CLOCK_MS
  }

  /** Passes over a publication that has nothing for this client; false where a frame is to be. */
  passesOver(nowMs: number): boolean {
    const channel = this.#channel
    if (!channel || this.#isNew || this.isRequested || this.#clockMs === -Infinity) return false
    if (this.needsSeed || this.needsCheck || this.needsObjects) return false
    if (this.#needsAnchor || this.#needsView) return false
    const { shipId, subscription } = this.player
    // Each tick counts for its rate.
    if (subscription.rate !== undefined) return false
    const { sent, ships } = this.#view
    if (channel.hasRenamedSince(sent) || !isUnchanged(this.#view, channel)) return false
    const own = channel.world.roster.byId.get(shipId)
    if (!this.#interest.isSettled(ships, channel, own, { subscription, nowMs })) return false
    if (own && !this.#isForeseen(channel, own)) return false
    this.#view.sent = channel.publication.number
    return true
  }

  /** Whether neither a seed nor a check of the own ship is due. */
  #isForeseen({ trajectories, world }: Channel, own: RosterEntry): boolean {
    return (
      world.held.byNumber.size === 0 &&
      this.#blockOf(world) <= this.#checkedBlock &&
      trajectories.unforeseen(own, this.runs) === this.#unforeseen
    )
  }

  #blockOf({ index }: Channel['world']): number {
    return Math.floor(index / BLOCK_QUANTA + this.#phase)
  }

  /** Sends a clock with the next frame. */
  clockChanged(): void {
    this.#clockMs = -Infinity
  }

  /** Follows the ship, or the observer; another star system is sent from its beginning. */
  follow(universe: Universe, channelOf: (world: Channel['world']) => Channel): void {
    const { shipId, watched } = this.player
    const world =
      watched === undefined
        ? shownWorld(universe, shipId)
        : universe.worlds.find(({ state }) => state.system.id === watched)
    const channel = world && channelOf(world)
    if (channel === this.#channel) return
    this.#channel = channel
    this.restart()
  }

  /** Sends everything again. */
  restart(): void {
    this.#isNew = true
    this.needsSeed = true
    this.isRequested = true
    this.waiting = 0
    this.#interest = new ClientInterest()
    this.#view = createClientView(this.#channel?.publication.number ?? 0)
  }

  /**
   * Goes on where a lost connection, or this one, ended; where that is not known, from the
   * beginning.
   *
   * @param publication  the last one that the client has
   */
  resume(kept: KeptView | undefined, publication: number | undefined, nowMs: number): void {
    this.#heldUntilMs = -Infinity
    this.isRequested = true
    const view = kept?.view ?? (this.#isNew ? undefined : this.#view)
    const isElsewhere = kept && kept.channel !== this.#channel
    if (publication === undefined || !view || isElsewhere || !rewind(view, publication)) {
      if (this.#restartMs <= nowMs) this.#restartMs = Math.max(nowMs, this.#restartMs + RESTART_MS)
      this.#heldUntilMs = this.#restartMs
      return this.restart()
    }
    if (kept) this.player.resubscribe(kept.subscription)
    this.#view = view
    this.#isNew = false
    this.#needsView = true
    this.needsObjects = true
    this.needsSeed = true
  }

  /**
   * The next frame; undefined when there is nothing to send. What has to come before it is sent.
   *
   * @param hasRecords  whether ships may be in it, and not the clock alone
   */
  frame(moment: Moment, hasRecords: boolean): Frame | undefined {
    const { nowMs } = moment
    if (nowMs < this.#heldUntilMs) return undefined
    const pieces = new FramePieces()
    if (hasRecords) {
      this.isRequested = false
      if (this.#channel) this.#addSystem(pieces, this.#channel, moment)
      else if (this.#isNew) pieces.add(createBlock('view', 0).bytes)
      this.#isNew &&= this.#channel !== undefined
    }
    const isChanged = this.#clockMs === -Infinity
    // A clock alone waits for the next beat, beside the ticks.
    if (isChanged || (this.isClockDue(nowMs) && !(hasRecords && pieces.isEmpty))) {
      this.#clockMs = nowMs - (isChanged ? this.#phase * CLOCK_MS : 0)
      // The index of a frame is that of its system, which another process may fly.
      const behind = moment.index - (this.#channel?.world.index ?? moment.index)
      const inView = this.#view.ships.numbers.length
      addClock(pieces, moment, { behind, inView, waiting: this.waiting })
    }
    if (pieces.isEmpty) return undefined
    this.#budget.spend(pieces.byteLength)
    const { number = 0 } = this.#channel?.publication ?? {}
    return pieces.frame(number, this.#channel?.world.index ?? moment.index)
  }

  #addSystem(pieces: FramePieces, channel: Channel, moment: Moment): void {
    const { era, nowMs } = moment
    this.#budget.change(this.player.subscription.budget ?? this.#usualBudget)
    const left = this.#budget.left(nowMs)
    if (this.#isNew && left > 0) this.#begin(channel, era)
    if (this.#isNew) return
    if (this.needsObjects && left > 0) {
      this.needsObjects = false
      this.#sendText(objectsMessage(channel.world))
    }
    if (this.#needsAnchor) pieces.addRows('anchor', channel.trajectories.anchor())
    this.#needsAnchor = false
    const own = channel.world.roster.byId.get(this.player.shipId)
    this.#addOwn(pieces, channel, own, left)
    const { subscription } = this.player
    const ships = this.#interest.ships(channel, own, subscription, moment)
    this.waiting = addShips(pieces, this.#view, channel, {
      ships,
      own,
      nowMs,
      allowance: left - pieces.byteLength,
      order: () => this.#interest.order(channel, own, ships, moment),
    })
    if (this.#needsView) addNumbers(pieces, 'view', ships.numbers)
    this.#needsView = false
  }

  /** Sends what a client needs of a star system before its ships. */
  #begin(channel: Channel, era: number): void {
    this.#sendText(systemMessage(channel.world, era))
    this.#isNew = false
    this.#needsAnchor = true
    // What it may know of another connection has to go.
    this.#needsView = true
    this.needsObjects = true
  }

  #sendText(message: ServerMessage): void {
    const text = encodeServerMessage(message)
    this.player.outbox.send(text)
    this.#budget.spend(Buffer.byteLength(text))
  }

  /** Adds the seed of the own ship when it is due, or a check once in 64 s. */
  #addOwn(
    pieces: FramePieces,
    { trajectories, world }: Channel,
    own: RosterEntry | undefined,
    left: number,
  ): void {
    const block = this.#blockOf(world)
    if (!own || world.held.byNumber.has(own.number)) return
    const unforeseen = trajectories.unforeseen(own, this.runs)
    if ((this.needsSeed || unforeseen !== this.#unforeseen) && left > 0) {
      this.needsSeed = false
      this.#unforeseen = unforeseen
      this.#sendRows(world, own)
      addSeed(pieces, trajectories.seed(own))
    } else if (this.needsCheck || block > this.#checkedBlock) {
      this.#sendRows(world, own)
      pieces.addRows('checks', trajectories.check(own))
    }
    this.needsCheck = false
    this.#checkedBlock = block
  }

  #sendRows(world: Channel['world'], own: RosterEntry): void {
    const rows = shipModulesMessage(world, own, this.runs)
    if (rows) this.#sendText(rows)
  }
}

function addSeed(pieces: FramePieces, seed: ReturnType<Trajectories['seed']>): void {
  pieces.addRows('seed', seed.seed)
  pieces.addRows('seedShip', seed.seedShip)
  pieces.addRows('seedRules', seed.seedRules)
  pieces.addRows('seedActions', seed.seedActions)
  pieces.addRows('seedOrders', seed.seedOrders)
}

function addClock(
  pieces: FramePieces,
  moment: Moment,
  { behind, inView, waiting }: Record<'behind' | 'inView' | 'waiting', number>,
): void {
  const { era, status, utcMs } = moment
  const { bytes, columns } = clockBlock
  columns.era[0] = era
  columns.tick[0] = status.tick
  columns.offset[0] = status.shownOffset + behind
  columns.scale[0] = status.paused ? 0 : status.effectiveTimeScale
  columns.tickRate[0] = status.tickRate
  columns.serverTime[0] = utcMs
  columns.inView[0] = inView
  columns.waiting[0] = waiting
  pieces.add(bytes.slice())
}
