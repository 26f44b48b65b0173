import {
  QUANTA_PER_SECOND,
  type WorldDigest,
  rounds,
  takeEvents,
  utcFromLattice,
} from '@orrery/sim'
import { type Canary, type CanaryMismatch, createCanary } from './canary.ts'
import { type GameClock, MICRO, nextTick, shownOffset } from './clock.ts'
import { EngineError } from './engine-error.ts'
import {
  type Control,
  type PendingControl,
  acceptControl,
  requireRoomToWatch,
  writeOrders,
} from './intake.ts'
import { type WorldImage, worldImage } from './image.ts'
import { type EngineMetrics, metricsReader, worstDrift } from './metrics.ts'
import {
  type PhaseTimes,
  type PhaseWatch,
  actualRate,
  clearMonitor,
  createMonitor,
  createPhaseWatch,
  recordTick,
  utilisation,
} from './monitor.ts'
import type { Pool } from './pool.ts'
import {
  type Schedule,
  createSchedule,
  dropLateTicks,
  restartSchedule,
  ticksBehind,
  untilNextTickMs,
} from './schedule.ts'
import { type ShipView, shipView } from './ship-view.ts'
import { type ShipNotice, shipNotice } from './ship-notice.ts'
import type { WallClock } from './wall-clock.ts'
import { type World, completeNear, extendHorizon, shipEntry } from './world.ts'
import { type WorldCommand, applyCommand } from './world-command.ts'

/** Rest between two slices of the ephemeris: a fifth of the thread, for some seconds. */
const SLICE_PAUSE_MS = 5

export interface EngineOptions {
  readonly world: World
  readonly pool: Pool
  readonly clock: WallClock
  readonly gameClock: GameClock
  readonly tick: number
  /** ticks per second */
  readonly tickRate: number
  /** game seconds per second */
  readonly timeScale: number
  readonly paused: boolean
  /** told after each tick, and while paused after each structural command */
  readonly onPublish: () => void
  /** told what happened to a ship in a tick, in order of index and ship, before it is published */
  readonly onEvent?: (event: ShipNotice) => void
  /** told the world's digest at each multiple of 64 s, once all ships are past it */
  readonly onDigest?: (digest: WorldDigest) => void
  /** told when a chunk was flown twice and its bits differ */
  readonly onMismatch?: (mismatch: CanaryMismatch) => void
  /** told when a tick broke; the engine has paused itself */
  readonly onFault: (error: unknown) => void
}

/** What the engine measures and shows. */
export interface EngineStatus {
  readonly tick: number
  readonly gameTimeMs: number
  readonly tickRate: number
  readonly timeScale: number
  readonly effectiveTimeScale: number
  readonly actualRate: number
  readonly paused: boolean
  /** a tick broke; nothing ticks until somebody resumes */
  readonly faulted: boolean
  readonly ticksBehind: number
  readonly ticksDropped: number
  /** events that found no room in the table of their tick */
  readonly eventsLost: number
  /** dE/E0 and |dL|/|L0| of the worst system */
  readonly energyDrift: number
  readonly momentumDrift: number
  /** game time minus UTC */
  readonly timeDriftSeconds: number
  /** share of the tick period spent working */
  readonly utilisation: number
  readonly ships: number
}

/**
 * The tick engine: moves game time on, one tick after another, and takes commands between.
 *
 * A tick only decides how far simulation time has come; all bits come from `sim`.
 */
export class Engine {
  readonly world: World
  /** what operators watch; a reading looks through all ship slots */
  readonly metrics: () => EngineMetrics
  readonly #options: EngineOptions
  readonly #clock: WallClock
  readonly #monitor = createMonitor()
  readonly #canary: Canary
  readonly #phases: PhaseWatch
  readonly #schedule: Schedule
  #gameClock: GameClock
  #tick: number
  #paused: boolean
  #stopped = false
  #faulted = false
  #rateMicro: number
  #scaleMicro: number
  /** wall time at which the published index was published */
  #publishedMs: number
  /** target of the tick that runs */
  #runningTo: number | undefined
  #running: Promise<void> | undefined
  #cancelTimer: (() => void) | undefined
  #cancelSlice: (() => void) | undefined
  #betweenTicks: (() => void)[] = []
  #eventsLost = 0

  constructor(options: EngineOptions) {
    this.#options = options
    this.world = options.world
    this.#clock = options.clock
    const { world, pool, clock } = options
    this.#canary = createCanary(world, pool, clock, (found) => options.onMismatch?.(found))
    this.#phases = createPhaseWatch(clock)
    this.#gameClock = options.gameClock
    this.#tick = options.tick
    this.#paused = options.paused
    this.#rateMicro = Math.round(options.tickRate * MICRO)
    this.#scaleMicro = Math.round(options.timeScale * MICRO)
    this.#publishedMs = this.#clock.monotonicMs()
    this.#schedule = createSchedule(this.#publishedMs, options.tickRate)
    this.metrics = metricsReader(world, pool, this.#canary, this.#schedule, this.#phases)
  }

  start(): void {
    this.#plan()
  }

  /** Lets a running tick end, then rests for good. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelTimer?.()
    this.#cancelSlice?.()
    await this.#running
    await this.#options.pool.close()
  }

  /** Stops game time after a running tick; idempotent. Resolves with the last completed tick. */
  async pause(): Promise<number> {
    this.#paused = true
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    await this.#running
    return this.#tick
  }

  /** Lets game time go on from where it stopped; idempotent. */
  async resume(): Promise<number> {
    await this.#running
    if (this.#paused) {
      this.#paused = false
      this.#faulted = false
      this.#publishedMs = this.#clock.monotonicMs()
      this.#replan()
    }
    return this.#tick
  }

  /** Changes ticks per second, whose range the caller has checked; returns the rate before. */
  changeTickRate(hz: number): number {
    const before = this.#rateMicro / MICRO
    this.#rateMicro = Math.round(hz * MICRO)
    this.#replan()
    return before
  }

  /** Changes game seconds per second from the next tick on; returns the scale before. */
  changeTimeScale(scale: number): number {
    const before = this.#scaleMicro / MICRO
    this.#scaleMicro = Math.round(scale * MICRO)
    return before
  }

  /**
   * Does a structural command between ticks, at the published index, also while paused.
   *
   * @throws {EngineError} 'ERR_STOPPED', and what `applyCommand` refuses
   */
  execute(command: WorldCommand): Promise<void> {
    return this.whenSettled(() => {
      if (this.#stopped) throw new EngineError('ERR_STOPPED', 'The engine has stopped.')
      applyCommand(this.world, command)
      if (this.#paused) this.#options.onPublish()
    })
  }

  /**
   * Steers a ship from the control boundary after the game time shown now.
   *
   * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_CONTROL', 'ERR_COMMANDS_PENDING',
   *   'ERR_WATCHERS'
   */
  control(shipId: string, control: Control): PendingControl {
    const { intake, index, state } = this.world
    if (control.target !== undefined) requireRoomToWatch(intake, state)
    const settled = this.#runningTo ?? index
    const entry = shipEntry(this.world, shipId)
    return acceptControl(intake, entry, control, this.#shownIndex(), settled)
  }

  /** The number of a ship, by which commands name it. @throws {EngineError} 'ERR_SHIP_UNKNOWN' */
  shipNumber(shipId: string): number {
    return shipEntry(this.world, shipId).number
  }

  /** One ship as published; undefined when there is none. Waits for a running tick to end. */
  ship(shipId: string): Promise<ShipView | undefined> {
    return this.whenSettled(() => {
      const entry = this.world.roster.byId.get(shipId)
      return entry && shipView(this.world, entry, shownOffset(this.#gameClock))
    })
  }

  /** Runs a read of the world while no tick runs: at once, or when the running one has ended. */
  whenSettled<Result>(act: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        try {
          resolve(act())
        } catch (error) {
          reject(error)
        }
      }
      if (this.#runningTo === undefined) settle()
      else this.#betweenTicks.push(settle)
    })
  }

  /** All ships as published; read it while no tick runs, as in `onPublish` and `whenSettled`. */
  *ships(): Generator<ShipView, void> {
    const offset = shownOffset(this.#gameClock)
    for (const entry of this.world.roster.byId.values()) yield shipView(this.world, entry, offset)
  }

  /** The world at the published index, to be stored. Waits for a running tick to end. */
  image(): Promise<WorldImage> {
    return this.whenSettled(() => worldImage(this.world, this.#gameClock, this.#tick))
  }

  /** Wall time that each phase of the last tick took [ms]. */
  phases(): PhaseTimes {
    return this.#phases.times
  }

  status(): EngineStatus {
    const { world } = this
    const nowMs = this.#clock.monotonicMs()
    const { periodMs } = this.#schedule
    const shownMs = utcFromLattice(this.#shownIndex())
    return {
      tick: this.#tick,
      gameTimeMs: utcFromLattice(this.#gameClock.index + shownOffset(this.#gameClock)),
      tickRate: this.#rateMicro / MICRO,
      timeScale: this.#scaleMicro / MICRO,
      effectiveTimeScale: this.#scaleMicro / MICRO,
      actualRate: this.#paused ? 0 : actualRate(this.#monitor, nowMs, periodMs),
      paused: this.#paused,
      faulted: this.#faulted,
      ticksBehind: this.#paused ? 0 : ticksBehind(this.#schedule, nowMs),
      ticksDropped: this.#schedule.dropped,
      eventsLost: this.#eventsLost,
      energyDrift: worstDrift(world, 'energy'),
      momentumDrift: worstDrift(world, 'momentum'),
      timeDriftSeconds: (shownMs - this.#clock.utcMs()) / 1000,
      utilisation: utilisation(this.#monitor, periodMs),
      ships: world.roster.byId.size,
    }
  }

  #plan(): void {
    if (this.#paused || this.#stopped || this.#running || this.#cancelTimer) return
    const waitMs = untilNextTickMs(this.#schedule, this.#clock.monotonicMs())
    this.#cancelTimer = this.#clock.after(waitMs, () => {
      this.#cancelTimer = undefined
      dropLateTicks(this.#schedule, this.#clock.monotonicMs())
      this.#running = this.#runTick()
        .catch((error: unknown) => this.#fault(error))
        .then(() => {
          this.#running = undefined
          this.#plan()
        })
    })
  }

  #replan(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    restartSchedule(this.#schedule, this.#clock.monotonicMs(), this.#rateMicro / MICRO)
    clearMonitor(this.#monitor)
    this.#plan()
  }

  async #runTick(): Promise<void> {
    const { world } = this
    const startMs = this.#clock.monotonicMs()
    const next = nextTick(this.#gameClock, this.#rateMicro, this.#scaleMicro)
    this.#runningTo = next.index
    this.#phases.begin()
    completeNear(world, next.index)
    this.#phases.lap('ephemeris')
    writeOrders(world.intake, world.roster, world.state, next.index)
    this.#phases.lap('orders')
    const onDigest = (digest: WorldDigest): void => this.#options.onDigest?.(digest)
    for (const { target, meetingOnly } of rounds(world, world.index, next.index, onDigest)) {
      await this.#canary.advance(target, meetingOnly)
    }
    world.index = next.index
    this.#gameClock = next
    this.#tick++
    this.#schedule.done++
    this.#publishedMs = this.#clock.monotonicMs()
    this.#phases.lap('flight')
    this.#runningTo = undefined
    this.#tellEvents()
    this.#drain()
    this.#options.onPublish()
    this.#phases.lap('views')
    recordTick(this.#monitor, startMs, this.#clock.monotonicMs() - startMs)
    this.#extendHorizon()
  }

  #tellEvents(): void {
    const { events, lost } = takeEvents(this.world.state)
    this.#eventsLost += lost
    for (const event of events) {
      const notice = shipNotice(this.world, event)
      if (notice) this.#options.onEvent?.(notice)
    }
  }

  /** Makes the ephemeris on to its horizon, a slice at a time, so that no tick waits for it. */
  #extendHorizon(): void {
    if (this.#cancelSlice || this.#stopped) return
    this.#cancelSlice = this.#clock.after(SLICE_PAUSE_MS, () => {
      this.#cancelSlice = undefined
      if (extendHorizon(this.world)) this.#extendHorizon()
    })
  }

  #fault(error: unknown): void {
    this.#runningTo = undefined
    this.#paused = true
    this.#faulted = true
    this.#drain()
    this.#options.onFault(error)
  }

  #drain(): void {
    const due = this.#betweenTicks
    this.#betweenTicks = []
    for (const act of due) act()
  }

  /** Lattice index that players are shown now: published, and wall time since then. */
  #shownIndex(): number {
    const published = this.#gameClock.index + shownOffset(this.#gameClock)
    if (this.#paused || this.#stopped) return published
    const elapsedSeconds = (this.#clock.monotonicMs() - this.#publishedMs) / 1000
    return published + elapsedSeconds * (this.#scaleMicro / MICRO) * QUANTA_PER_SECOND
  }
}
