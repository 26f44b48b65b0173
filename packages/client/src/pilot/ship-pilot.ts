import {
  type AcceptedMessage,
  type Places,
  type ReadBlock,
  type ReadFrame,
  type SystemMessage,
} from '@orrery/protocol'
import {
  CONTROL_QUANTA,
  type OrderPlaces,
  boundaryAtOrAfter,
  clearRail,
  createRails,
  writeRail,
} from '@orrery/sim'
import { ClientError, isErrorCode } from '../client-error.ts'
import type { GameSocket, Order } from '../socket/game-socket.ts'
import { type Listeners, createListeners } from '../listeners.ts'
import type { FlightClock } from '../clocks/flight-clock.ts'
import type { OwnOrder, OwnPlace, OwnShip } from './own-ship.ts'
import type { FlownShip, Scene } from '../scene/scene.ts'
import type { FlownModules, OwnModule, SentRows } from './flown-modules.ts'
import { flownOrder } from './flown-order.ts'
import type { Drift, OwnShipEvents, OwnShipView, ShipMode, UnflownReason } from './own-ship-view.ts'
import { type Seed, readSeed } from './seed-reading.ts'
import { createPlaces } from './ship-places.ts'
import type { ShipSample } from '../scene/world.ts'

/** Differences in a row that no new seed has put right. */
const DIVERGING = 3

/** Orders name an index at most 2 s of real or game time ahead of the server's; a bit less. */
const AHEAD_QUANTA = 120

/** What one's own ship is flown with. */
export interface PilotOptions {
  readonly socket: GameSocket
  readonly scene: Scene
  readonly clock: FlightClock
  /** rules of the game's own that run here, too */
  readonly modules?: FlownModules | undefined
  /** called with what keeps the ship from being flown */
  readonly onFault?: ((error: unknown) => void) | undefined
}

/** Keeps one's own ship flying: seeds, checks and orders go through here. */
export class ShipPilot implements OwnShipView, FlownShip {
  id = ''
  readonly #socket: GameSocket
  readonly #scene: Scene
  readonly #clock: FlightClock
  readonly #onFault: PilotOptions['onFault']
  readonly #modules: FlownModules | undefined
  readonly #listeners: Listeners<OwnShipEvents> = createListeners()
  readonly #places: Places & OrderPlaces
  readonly #rails = createRails()
  #place: OwnPlace | undefined
  #core: typeof import('./own-ship.ts') | undefined
  #own: OwnShip | undefined
  #latest: OwnOrder | undefined
  /** the last seed, until what flies it is loaded */
  #waiting: Seed | undefined
  #mode: ShipMode = { mode: 'received', reason: 'no_seed' }
  #published = -Infinity
  #check: { readonly start: number; readonly words: Uint32Array } | undefined
  #differences = 0
  /** what the server has of modules at an index, to compare or to begin with */
  #sentRows: SentRows | undefined
  /** ids of the modules that the server knows to run here */
  #runs: readonly string[] = []
  /** at most one seed is asked for between two checks, but for what is surely amiss */
  #mayAsk = true
  #isAwaited = false
  /** the awaited seed is of before something that it has to hold */
  #needsAnother = false
  /** published indices until an order that may end a watch has acted; 0 when none is awaited */
  #indicesToAsk = 0

  constructor({ socket, scene, clock, modules, onFault }: PilotOptions) {
    this.#onFault = onFault
    this.#modules = modules
    this.#socket = socket
    this.#scene = scene
    this.#clock = clock
    this.#places = createPlaces(scene)
  }

  get mode(): ShipMode {
    return this.#mode
  }

  get drift(): Drift {
    if (this.#differences === 0) return 'matched'
    return this.#differences < DIVERGING ? 'correcting' : 'diverging'
  }

  get modules(): Readonly<Record<string, OwnModule>> {
    return this.#own?.modules ?? {}
  }

  on<Kind extends keyof OwnShipEvents>(
    kind: Kind,
    listener: (event: OwnShipEvents[Kind]) => void,
  ): () => void {
    return this.#listeners.on(kind, listener)
  }

  /** Follows the socket; returns how to stop. */
  follow(): () => void {
    const stops = [
      this.#socket.on('welcome', ({ ship_id: id }) => {
        this.#mayAsk = true
        this.#isAwaited = false
        this.#runs = []
        this.#assign(id)
      }),
      this.#socket.on('ship_modules', ({ index, modules: sent }) => {
        if (this.#modules) this.#sentRows = { index, rows: this.#modules.rows(sent) }
      }),
      this.#socket.on('ship_assigned', ({ ship_id: id }) => this.#assign(id)),
      this.#socket.on('accepted', ({ index }) => {
        // An order that was not flown here.
        if (index !== undefined) return
        if (this.#own ?? this.#waiting) this.#require()
        // One tick may be under way, in which it cannot act.
        else this.#indicesToAsk = 2
      }),
      this.#socket.on('objects', () => this.#placeRails()),
      this.#socket.on('restored', () => this.#leave('no_seed')),
      this.#socket.on('reset', () => this.#leave('no_seed')),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Enters a star system, as the scene has. */
  enter({ home, spheres }: SystemMessage): void {
    this.#leave('no_seed')
    this.#modules?.enter()
    const { bodies } = this.#scene
    this.#place = bodies && {
      ephemeris: bodies.ephemeris,
      rails: this.#rails,
      territory: { home, spheres: Float64Array.from(spheres, (radius) => radius ?? Infinity) },
      classes: [...this.#scene.classes],
      reach: (time) => bodies.reach(time),
      stationOn: (rail) => this.#scene.objects().find(({ row }) => row === rail)?.id ?? null,
    }
  }

  /** Takes what a frame has for one's own ship. @throws {FrameError} 'ERR_FRAME_VALUE' */
  take({ index, blocks }: ReadFrame): void {
    if (index > this.#published) {
      this.#published = index
      if (--this.#indicesToAsk === 0) this.#require()
    }
    const read = readSeed(blocks, {
      bodies: this.#scene.system?.bodies.length ?? 0,
      classes: this.#scene.classes.length,
    })
    const seed = typeof read === 'object' ? this.#withRows(read) : read
    if (seed !== undefined) this.#isAwaited = false
    if (seed !== undefined && this.#needsAnother) this.#require()
    if (typeof seed === 'string') this.#leave(seed)
    else if (seed) this.#guarded(() => this.#plant(seed))
    for (const block of blocks) if (block.name === 'checks') this.#takeChecks(block)
    this.#guarded(() => this.#compare())
    const { ids = [] } = this.#modules ?? {}
    if (this.id !== '' && ids.length !== this.#runs.length) this.#require()
  }

  stateAt(out: ShipSample, time: number): boolean {
    const own = this.#own
    if (!own) return false
    const isFlown = this.#guarded(() => own.stateAt(out, time)) ?? false
    // After a long sleep it is quicker to begin again.
    if (!isFlown && time > own.index) this.#ask()
    return isFlown
  }

  /** What to fly the ship from elsewhere; undefined for another's, or where it is not flown. */
  seedOf(id: string): Seed | undefined {
    return id === this.id ? this.#own?.seed() : undefined
  }

  async order(order: Order): Promise<AcceptedMessage> {
    const own = this.#own
    const flown = own && this.#guarded(() => this.#fly(own, order))
    if (!own || !flown) return this.#socket.order(order)
    this.#latest = flown
    try {
      const answer = await this.#give(own, order, flown)
      this.#settle(own, flown, answer.index ?? flown.index)
      return answer
    } catch (error) {
      const code = error instanceof ClientError ? error.code : undefined
      // Of others it is not known whether they act; the next seed shows it.
      const isRefused = isErrorCode(code) && code !== 'E008'
      this.#settle(own, flown, isRefused ? undefined : flown.index)
      if (!isRefused) this.#require()
      throw error
    }
  }

  /**
   * Sends an order for the index at which it is flown. The server can refuse that as too far ahead
   * after it has dropped ticks or slowed down: then the order acts as soon as it can, unless there
   * is a newer one.
   */
  async #give(own: OwnShip, order: Order, flown: OwnOrder): Promise<AcceptedMessage> {
    // Only then it can be too far: the server shows no less than it has published, at any scale.
    const isFar = flown.index > this.#published + AHEAD_QUANTA
    try {
      return await this.#socket.order({ ...order, at: flown.index })
    } catch (error) {
      const isRefused = error instanceof ClientError && error.code === 'E001'
      if (!isRefused || !isFar || flown !== this.#latest) throw error
      const earliest = this.#earliestIndex()
      // Before a check of the server can have it there.
      this.#correct(own, 'later', () => own.move(flown, earliest))
      return this.#socket.order({ ...order, at: earliest })
    }
  }

  /** Flies an order; undefined for one that makes the ship watch another. */
  #fly(own: OwnShip, order: Order): OwnOrder | undefined {
    if ('target_ship_id' in order && order.target_ship_id !== undefined) {
      this.#leave('watching')
      return undefined
    }
    const row = flownOrder(order, this.#places, own.isDocked)
    return own.order(row, this.#nextIndex())
  }

  /** The control boundary at or before what is shown, which the server can still grant. */
  #nextIndex(): number {
    const latest = Math.min(this.#clock.now(), this.#clock.serverNow() + this.#reach)
    const shown = CONTROL_QUANTA * Math.floor(latest / CONTROL_QUANTA)
    return Math.max(shown, this.#earliestIndex())
  }

  /** How far ahead of the server's an order may name its index [quanta]. */
  get #reach(): number {
    return AHEAD_QUANTA * Math.max(this.#clock.scale, 1)
  }

  #earliestIndex(): number {
    return boundaryAtOrAfter(this.#published + 1, CONTROL_QUANTA)
  }

  #settle(own: OwnShip, flown: OwnOrder, index: number | undefined): void {
    const reason = index === undefined ? 'refused' : 'later'
    this.#correct(own, reason, () => own.settle(flown, index))
  }

  /** @param change  returns by how much it moves the ship [m] */
  #correct(own: OwnShip, reason: 'refused' | 'later', change: () => number): void {
    if (own !== this.#own) return
    this.#guarded(() => {
      this.#noteCorrection(change(), reason)
      this.#compare()
    })
  }

  #plant(seed: Seed): void {
    if (!this.#place) return
    if (this.#own) this.#noteCorrection(this.#own.reseed(seed), 'unknown')
    else if (this.#core) this.#own = new this.#core.OwnShip(this.#place, seed)
    else return this.#load(seed)
    this.#change({ mode: 'flown' })
  }

  /** Loads what flies, which is larger than all the rest, with the first seed. */
  #load(seed: Seed): void {
    this.#waiting = seed
    import('./own-ship.ts').then(
      (core) => {
        this.#core = core
        const last = this.#waiting
        this.#waiting = undefined
        if (last) this.#guarded(() => this.#plant(last))
      },
      (error: unknown) => this.#fail(error),
    )
  }

  #takeChecks({ rows, columns }: Extract<ReadBlock, { name: 'checks' }>): void {
    if (rows === 0) return
    this.#check = { start: columns.index[0], words: columns.check }
    this.#mayAsk = true
    if (!this.#own) this.#ask()
  }

  /** A seed with what the server has of modules there. */
  #withRows(seed: Seed): Seed {
    const sent = this.#sentRows
    if (sent?.index !== seed.index) return seed
    this.#sentRows = undefined
    return { ...seed, rows: sent.rows }
  }

  #compareRows(own: OwnShip): void {
    const sent = this.#sentRows
    const verdict = sent && own.verifyRows(sent)
    if (!verdict || verdict === 'early') return
    this.#sentRows = undefined
    if (verdict === 'late') return
    const isEqual = verdict === 'matched'
    if (!isEqual) this.#require()
    this.#listeners.emit('modulesChecked', { isEqual })
  }

  #compare(): void {
    if (this.#own) this.#compareRows(this.#own)
    if (!this.#own || !this.#check) return
    const verdict = this.#own.verify(this.#check.start, this.#check.words)
    if (verdict === 'early') return
    this.#check = undefined
    if (verdict === 'late') return
    const isEqual = verdict === 'matched'
    this.#differences = isEqual ? 0 : this.#differences + 1
    if (!isEqual) this.#require()
    this.#listeners.emit('checked', { isEqual })
  }

  #noteCorrection(metres: number, reason: OwnShipEvents['corrected']['reason']): void {
    if (metres > 0) this.#listeners.emit('corrected', { metres, reason })
  }

  #placeRails(): void {
    for (let row = 0; row < this.#rails.railKind.length; row++) clearRail(this.#rails, row)
    for (const { row, rail } of this.#scene.rails()) writeRail(this.#rails, row, rail)
  }

  #assign(id: string): void {
    if (id === this.id) return
    this.id = id
    this.#leave('no_seed')
  }

  #leave(reason: UnflownReason): void {
    this.#own = this.#waiting = undefined
    this.#check = this.#sentRows = undefined
    this.#change({ mode: 'received', reason })
  }

  #fail(error: unknown): void {
    this.#leave('failed')
    this.#onFault?.(error)
  }

  #change(mode: ShipMode): void {
    const isSame = JSON.stringify(mode) === JSON.stringify(this.#mode)
    this.#mode = mode
    if (!isSame) this.#listeners.emit('mode', mode)
  }

  #ask(): void {
    if (this.#mayAsk) this.#require()
    this.#mayAsk = false
  }

  /** Asks for a seed of from now on. */
  #require(): void {
    this.#needsAnother = this.#isAwaited
    if (!this.#isAwaited) {
      this.#runs = this.#modules?.ids ?? []
      this.#socket.requestSeed(this.#runs)
    }
    this.#isAwaited = true
  }

  /** What cannot be flown is shown as it is sent, until another seed comes. */
  #guarded<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      if (error instanceof ClientError) throw error
      this.#fail(error)
      return undefined
    }
  }
}
