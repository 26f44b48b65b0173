import { nextTick, shownOffset } from './time/clock.ts'
import type { CommandSource } from './commands/command-row.ts'
import { NO_JOURNAL, controlRow, structuralRow } from './commands/command-row.ts'
import { EngineError } from './engine-error.ts'
import type { EngineOptions, TickedWorld } from './engine-options.ts'
import { type EngineClock, type EngineStatus, engineClock, engineStatus } from './engine-status.ts'
import { type FlownWorld, flownWorld, flyWorld, takeUpEvents } from './flown-world.ts'
import { type GameTime, driftWhenDue, shownIndex } from './time/game-time.ts'
import { type HorizonWork, createHorizonWork } from './world/horizon.ts'
import { captureImage } from './image/image-capture.ts'
import type { WorldImage } from './image/image.ts'
import { type AcceptedControl, type Control, writeOrders } from './commands/intake.ts'
import { type JumpgateView, jumpgateViews } from './world/jumpgates.ts'
import { tellManeuvers } from './maneuvers/maneuver-log.ts'
import { type EngineMetrics, engineMetrics } from './metrics.ts'
import type { PhaseTimes, PhaseWatch, TickTiming } from './time/monitor.ts'
import { createPhaseWatch } from './time/monitor.ts'
import type { Pool } from './pool/pool.ts'
import { lastDueMs } from './time/schedule.ts'
import { type ShipView, shipView } from './views/ship-view.ts'
import { type Sky, skyOf } from './views/sky.ts'
import { type StationView, stationViews } from './world/stations.ts'
import { type SystemSummary, systemSummaries } from './views/system-summary.ts'
import {
  type Tempo,
  changeSetRate,
  changeSetScale,
  createTempo,
  effectiveScale,
  followLoad,
  followUtc,
  resetLoadEstimate,
  switchAdaptive,
  switchTimeSync,
  tickRate,
} from './time/tempo.ts'
import { TickLoop, isTimeHeld } from './time/tick-loop.ts'
import { type World, completeNear } from './world/world.ts'
import { shipEntry } from './world/roster.ts'
import { type WorldCommand, applyCommand, steerShip } from './commands/world-command.ts'
import { WorldGate } from './world/world-gate.ts'

/**
 * The tick engine: moves game time on, one tick after another, and takes commands between.
 *
 * A tick only decides how far simulation time has come; all bits come from `sim`.
 */
export class Engine {
  readonly #options: Omit<EngineOptions, keyof TickedWorld>
  readonly #tempo: Tempo
  readonly #time: GameTime
  readonly #loop: TickLoop
  readonly #gate = new WorldGate()
  readonly #phases: PhaseWatch
  readonly #horizon: HorizonWork
  #flown: FlownWorld
  #tick: number
  #faulted = false
  /** how far the last tick moved the world on */
  #gameSeconds = 0
  #eventsLost = 0

  constructor({ world, pool, gameClock, tick, ...options }: EngineOptions) {
    const { clock, onFault } = options
    const nowMs = clock.monotonicMs()
    this.#options = options
    this.#flown = this.#watched(world, pool)
    this.#tick = tick
    this.#tempo = createTempo(options)
    this.#time = { clock: gameClock, publishedMs: nowMs, dueMs: nowMs }
    this.#phases = createPhaseWatch(clock)
    this.#horizon = createHorizonWork(clock, () => this.world)
    this.#loop = new TickLoop({
      clock,
      rateHz: () => tickRate(this.#tempo),
      tick: () => this.#runTick(),
      onTicked: (timing) => this.#endTick(timing),
      onFault: (error) => {
        this.#faulted = true
        this.#loop.hold('paused')
        this.#gate.open()
        onFault(error)
      },
    })
    if (options.paused) this.#loop.hold('paused')
    this.#followUtc()
  }

  get world(): World {
    return this.#flown.world
  }

  start(): void {
    this.#loop.release('new')
  }

  /** Lets a running tick end, then rests for good. */
  async stop(): Promise<void> {
    this.#loop.hold('stopped')
    this.#horizon.stop()
    await this.#loop.ended()
    await this.#flown.pool.close()
  }

  /** Stops game time after a running tick; idempotent. Resolves with the last completed tick. */
  async pause(): Promise<number> {
    this.#loop.hold('paused')
    await this.#loop.ended()
    return this.#tick
  }

  /** Lets game time go on from where it stopped; idempotent. */
  async resume(): Promise<number> {
    await this.#loop.ended()
    if (this.#loop.isHeld('paused')) {
      this.#faulted = false
      this.#restart()
      this.#loop.release('paused')
    }
    return this.#tick
  }

  /** Lets no further tick start until what has been acknowledged is durable again. */
  holdUndurable(): void {
    this.#loop.hold('undurable')
  }

  /** Lets game time go on from where it stopped, unless it is paused. */
  releaseUndurable(): void {
    if (!this.#loop.isHeld('undurable')) return
    // While a tick still runs, no time has been missed.
    if (!this.#loop.isRunning) this.#restart()
    this.#loop.release('undurable')
  }

  /** Does something while no tick runs or begins. Nobody is told: it is no pause. */
  async atRest<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#loop.hold('at rest')
    await this.#loop.ended()
    try {
      return await work()
    } finally {
      this.#restart()
      this.#loop.release('at rest')
    }
  }

  /**
   * Takes another world between two ticks and closes the pool of the one before. Reads and
   * commands that wait see the new one, which is first published after this resolves. A pause
   * goes on.
   *
   * @throws {EngineError} 'ERR_STOPPED'
   */
  async replaceWorld({ world, gameClock, tick, pool }: TickedWorld): Promise<void> {
    this.#requireRunning()
    const next = this.#watched(world, pool)
    this.#loop.hold('replaced')
    const before = await this.#gate.pass(() => {
      const flown = this.#flown
      this.#flown = next
      this.#tick = tick
      this.#time.clock = gameClock
      this.#restart()
      return flown
    }, true)
    try {
      await before.pool.close()
    } finally {
      this.#restart()
      this.#loop.release('replaced')
    }
  }

  /**
   * Changes ticks per second, whose range the caller has checked; while they are adaptive, for
   * afterwards. Returns what was set before.
   */
  changeTickRate(hz: number): number {
    const before = changeSetRate(this.#tempo, hz)
    this.#loop.replan()
    return before
  }

  /** Changes game seconds per second from the next tick on; returns what was set before. */
  changeTimeScale(scale: number): number {
    const before = changeSetScale(this.#tempo, scale)
    this.#followUtc()
    return before
  }

  /** Lets the tick rate follow the load, or be the one that is set; returns what was before. */
  switchAdaptive(enabled: boolean): boolean {
    const before = switchAdaptive(this.#tempo, enabled)
    this.#loop.replan()
    return before
  }

  /** Lets game time follow UTC, or go at the scale that is set; returns what was before. */
  switchTimeSync(enabled: boolean): boolean {
    const before = switchTimeSync(this.#tempo, enabled)
    this.#followUtc()
    return before
  }

  /**
   * Does a structural command between ticks, at the published index, also while paused. Resolves
   * when it has acted and is kept.
   *
   * @throws {EngineError} 'ERR_STOPPED', what `applyCommand` refuses, and what the journal does
   */
  async execute(command: WorldCommand, by: CommandSource = {}): Promise<void> {
    const { journal = NO_JOURNAL, onManeuver, onPublish } = this.#options
    await this.whenSettled(() => {
      this.#requireRunning()
      journal.admit()
      applyCommand(this.world, command)
      const kept = journal.keep(structuralRow(this.world, command, by))
      tellManeuvers(this.world.maneuvers, this.#tick, onManeuver)
      if (isTimeHeld(this.#loop)) onPublish()
      return kept
    })
  }

  /**
   * Steers a ship from the control boundary after the game time shown now.
   *
   * @param actor  id of the player
   * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_CONTROL', 'ERR_COMMANDS_PENDING',
   *   'ERR_WATCHERS', and what the journal refuses
   */
  control(shipId: string, control: Control, actor: string | null = null): AcceptedControl {
    const { journal = NO_JOURNAL } = this.#options
    journal.admit()
    const pending = steerShip(this.world, shipId, control, this.#shownIndex())
    pending.kept ??= journal.keep(controlRow(pending, actor))
    // A pilot who waits for no answer is told of no failure.
    pending.kept.catch(() => undefined)
    return { index: pending.index, kept: pending.kept }
  }

  /** The number of a ship, by which commands name it. @throws {EngineError} 'ERR_SHIP_UNKNOWN' */
  shipNumber(shipId: string): number {
    return shipEntry(this.world, shipId).number
  }

  /** Runs a read of the world while no tick runs: at once, or when the running one has ended. */
  whenSettled<Result>(act: () => Result): Promise<Result> {
    return this.#gate.pass(act)
  }

  /** One ship as published; undefined when there is none. Waits for a running tick to end. */
  ship(shipId: string): Promise<ShipView | undefined> {
    return this.whenSettled(() => {
      const entry = this.world.roster.byId.get(shipId)
      return entry && shipView(this.world, entry, this.#offset())
    })
  }

  /** All ships as published, by star system; to be used up while no tick runs. */
  sky(): Sky {
    return skyOf(this.world, this.#offset())
  }

  /** All stations as published; to be read while no tick runs. */
  stations(): StationView[] {
    return stationViews(this.world, this.#offset())
  }

  /** All jump gates as published; to be read while no tick runs. */
  jumpgates(): JumpgateView[] {
    return jumpgateViews(this.world, this.#offset())
  }

  /** The star systems, and who is in them. */
  systems(): SystemSummary[] {
    return systemSummaries(this.world)
  }

  /** The world at the published index, to be stored. Waits for a running tick to end. */
  image(): Promise<WorldImage> {
    const lull = (ms: number): Promise<void> => this.#loop.lull(ms)
    return captureImage(this.#gate, lull, () => {
      return { ...this.#flown, clock: this.#time.clock, tick: this.#tick }
    })
  }

  /** Wall time that each phase of the last tick took [ms]. */
  phases(): PhaseTimes {
    return this.#phases.times
  }

  /** What operators watch; a reading looks through all ship slots. */
  metrics(): EngineMetrics {
    const { schedule } = this.#loop
    return engineMetrics(this.#flown, { ticksDropped: schedule.dropped, phases: this.phases() })
  }

  /** Where time stands: the last published index, and the last command that was accepted. */
  clock(): EngineClock {
    return engineClock(this.world, this.#time, this.#tick, this.#tempo, this.#loop)
  }

  status(): EngineStatus {
    return engineStatus({
      clock: this.#options.clock,
      flown: this.#flown,
      loop: this.#loop,
      tempo: this.#tempo,
      time: this.#time,
      tick: this.#tick,
      faulted: this.#faulted,
      eventsLost: this.#eventsLost,
    })
  }

  async #runTick(): Promise<void> {
    const flown = this.#flown
    const { world } = flown
    const { schedule } = this.#loop
    const { rateMicro, scaleMicro } = this.#tempo
    const next = nextTick(this.#time.clock, rateMicro, scaleMicro)
    this.#gameSeconds = scaleMicro / rateMicro
    this.#gate.close()
    this.#phases.begin()
    completeNear(world, next.index)
    this.#phases.lap('ephemeris')
    writeOrders(world.intake, world.roster, world.state, next.index)
    this.#phases.lap('orders')
    try {
      await flyWorld(world, flown.canary, next.index, (digest) => flown.digests.push(digest))
    } catch (error) {
      this.#tellEvents(this.#tick + 1)
      throw error
    }
    world.index = next.index
    this.#tick++
    schedule.done++
    this.#time.clock = next
    this.#time.publishedMs = this.#options.clock.monotonicMs()
    this.#time.dueMs = lastDueMs(schedule)
    this.#followUtc()
    this.#phases.lap('flight')
    for (const digest of flown.digests.splice(0)) this.#options.onDigest?.(digest)
    this.#tellEvents(this.#tick)
    this.#gate.open()
    // Another world is first shown by whoever put it in the place of this one.
    if (flown === this.#flown) this.#options.onPublish()
    this.#phases.lap('views')
    this.#horizon.begin()
  }

  /** Tells what ships did, as of a tick. */
  #tellEvents(tick: number): void {
    const { onEvent, onManeuver } = this.#options
    this.#eventsLost += takeUpEvents(this.world, onEvent)
    tellManeuvers(this.world.maneuvers, tick, onManeuver)
  }

  #endTick(timing: Omit<TickTiming, 'phases'>): void {
    followLoad(this.#tempo, { gameSeconds: this.#gameSeconds, busy: timing.durationMs / 1000 })
    this.#options.onTick?.({ ...timing, phases: this.#phases.times })
  }

  /** Lets time go on from here and now, as after a rest. */
  #restart(): void {
    const nowMs = this.#options.clock.monotonicMs()
    this.#time.publishedMs = nowMs
    this.#time.dueMs = nowMs
    resetLoadEstimate(this.#tempo)
    this.#followUtc()
    this.#loop.restart()
  }

  #followUtc(): void {
    followUtc(this.#tempo, driftWhenDue(this.#time, this.#options.clock))
  }

  /** Quanta past the published index that are shown. */
  #offset(): number {
    return shownOffset(this.#time.clock)
  }

  /** Lattice index that players are shown now. */
  #shownIndex(): number {
    const stands = isTimeHeld(this.#loop) || this.#loop.isHeld('stopped')
    const scale = stands ? 0 : effectiveScale(this.#tempo)
    return shownIndex(this.#time, this.#options.clock.monotonicMs(), scale)
  }

  #watched(world: World, pool: Pool): FlownWorld {
    const { clock, onMismatch } = this.#options
    return flownWorld(world, pool, clock, (found) => onMismatch?.(found))
  }

  #requireRunning(): void {
    if (!this.#loop.isHeld('stopped')) return
    throw new EngineError('ERR_STOPPED', 'The engine has stopped.')
  }
}
