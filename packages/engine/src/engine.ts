import { type Control, latticeFromUtc } from '@orrery/sim'
import { commandNotices } from './commands/command-notices.ts'
import { type CommandSource, NO_JOURNAL, controlRow } from './commands/command-row.ts'
import { type AcceptedControl, requireWithinReach } from './world/intake.ts'
import { SteeringOrders, steerShip } from './commands/steering.ts'
import { type KeepRow, completeHandOffs, executeCommand } from './commands/execution.ts'
import { type PilotBudgets, createPilotBudgets } from './commands/pilot-rate-limits.ts'
import { stoppingBroken } from './commands/broken-module.ts'
import type { WorldCommand } from './commands/world-command.ts'
import { EngineError } from './engine-error.ts'
import type { EngineOptions, TickedUniverse } from './engine-options.ts'
import { EngineReadings } from './engine-readings.ts'
import {
  type EngineClock,
  type EngineStatus,
  engineClock,
  engineStatus,
  type EngineMetrics,
  engineMetrics,
} from './engine-status.ts'
import { captureImage } from './image/image-capture.ts'
import { requireWhole } from './image/image.ts'
import { type UniverseImage, selectedImage } from './image/universe-image.ts'
import { emitManeuvers, requireManeuver } from './maneuvers/maneuver-log.ts'
import { OutputGate } from './output-gate.ts'
import { FollowedSystems } from './followed-systems.ts'
import { TickRunner } from './tick-runner.ts'
import { Course } from './course.ts'
import { shownOffset, shownIndex } from './time/game-clock.ts'
import { type PhaseTimes } from './time/monitor.ts'
import {
  changeSetRate,
  changeSetScale,
  effectiveScale,
  switchAdaptive,
  switchTimeSync,
  tickRate,
} from './time/tempo.ts'
import { TickLoop } from './time/tick-loop.ts'
import { shipEntry } from './world/roster.ts'
import { type Universe, requireShip } from './world/universe.ts'
import type { World } from './world/world.ts'

/**
 * The tick engine: moves game time on, one tick after another, and takes commands between.
 *
 * A tick only decides how far simulation time has come; all bits come from `sim`.
 */
export class Engine extends EngineReadings {
  readonly #options: Omit<EngineOptions, keyof TickedUniverse>
  readonly #ticks: TickRunner
  readonly #loop: TickLoop
  readonly #budgets: PilotBudgets
  readonly #gate: OutputGate
  readonly #steering = new SteeringOrders((act) => this.whenSettled(act))
  #faulted = false
  /** star systems that other processes own */
  readonly followed: FollowedSystems
  /** game time by the plan of a universe that several processes fly */
  readonly course: Course

  constructor(options: EngineOptions) {
    super()
    this.#options = options
    this.#budgets = createPilotBudgets(options.clock)
    this.#gate = new OutputGate({
      journal: options.journal ?? NO_JOURNAL,
      universe: () => this.universe,
      offset: () => this.offset(),
      whenSettled: (act) => this.whenSettled(act),
      onEvent: (event) => options.onEvent?.(event),
      onFault: options.onFault,
    })
    this.#ticks = new TickRunner({
      ...options,
      onFly: (worlds, to) => this.#gate.beforeFlight(worlds, to),
      onEvent: (event) => this.#gate.event(event),
      onPublish: () => {
        const { tick, tempo } = this.#ticks
        const isLast = (): boolean => tick === this.#ticks.tick
        this.#gate.onceFlown(options.clock, 1000 / tickRate(tempo), isLast, options.onPublish)
      },
    })
    this.#loop = new TickLoop({
      clock: options.clock,
      rateHz: () => tickRate(this.#ticks.tempo),
      share: () => this.#ticks.share(),
      tick: () => this.#ticks.run(this.#loop.schedule),
      onTicked: (timing) => {
        this.#ticks.followLoad(timing.durationMs)
        this.#ticks.flown.canary.check()
        options.onTick?.({ ...timing, phases: this.#ticks.phases })
      },
      onFault: (error) => {
        this.#faulted = true
        this.#loop.hold('paused')
        this.#ticks.gate.open()
        options.onFault(error)
      },
      onEnded: () => this.course.act(),
    })
    if (options.paused) this.#loop.hold('paused')
    this.followed = new FollowedSystems(this, this.#ticks, options)
    this.course = new Course(this.#ticks, this.#loop, options.clock, () => void this.resume())
  }

  override get universe(): Universe {
    return this.#ticks.flown.universe
  }

  start(): void {
    this.#loop.release('new')
  }

  /** Stops after a running tick. */
  async stop(): Promise<void> {
    await (await this.halt()).pool.close()
  }

  /** Stops after a running tick; another engine may continue with what this one has flown. */
  async halt(): Promise<TickedUniverse> {
    this.#loop.hold('stopped')
    this.#ticks.stop()
    await this.#loop.ended()
    return this.#ticks.ticked()
  }

  /** Stops game time after a running tick; idempotent. Resolves with the last completed tick. */
  async pause(): Promise<number> {
    this.#loop.hold('paused')
    await this.#loop.ended()
    return this.#ticks.tick
  }

  /** Continues game time; idempotent. */
  async resume(): Promise<number> {
    await this.#loop.ended()
    if (this.#loop.isHeld('paused')) {
      this.#faulted = false
      this.#restart()
      this.#loop.release('paused')
    }
    return this.#ticks.tick
  }

  /**
   * Does something while no tick runs or begins; the status shows no pause. Game time goes on as
   * after a pause where that was longer than ticks can catch up.
   *
   * @param lullMs  it begins when no tick is due for so long
   */
  atRest<Result>(work: () => Promise<Result>, lullMs: number = 0): Promise<Result> {
    return this.#loop.rest(work, { lullMs, onLate: () => this.#restart() })
  }

  /**
   * Replaces the universe between two ticks and closes the previous pool. Waiting reads and
   * commands see the new one, which is first published after this resolves. A pause continues.
   *
   * @throws {EngineError} 'ERR_STOPPED'
   */
  async replaceUniverse({ gameClock, tick, ...ticked }: TickedUniverse): Promise<void> {
    this.#requireRunning()
    const flown = this.#ticks.watched(ticked)
    this.course.forget()
    this.#loop.hold('replaced')
    const before = await this.#ticks.gate.pass(() => {
      const replaced = this.#ticks.replace({ flown, gameClock, tick })
      this.#restart()
      return replaced
    }, true)
    try {
      await before.pool.close()
    } finally {
      this.#restart()
      this.#loop.release('replaced')
    }
  }

  /**
   * Flies another group of star systems, and a pool of it, from the next tick on: with one that
   * is taken in, and is not ahead, or without one that is let go.
   *
   * @throws {EngineError} 'ERR_STOPPED', 'ERR_REPLAY' when one is ahead
   */
  async regroup(group: Pick<TickedUniverse, 'universe' | 'pool'>): Promise<void> {
    this.#requireRunning()
    const before = await this.#ticks.regroup(this.#ticks.watched(group))
    await before.pool.close()
  }

  /**
   * Sets ticks per second, whose range the caller has checked; an adaptive rate stays in force.
   * Returns the previous setting.
   */
  changeTickRate(hz: number): number {
    const before = changeSetRate(this.#ticks.tempo, hz)
    this.#ticks.followUtc()
    this.#loop.replan()
    return before
  }

  /** Sets game seconds per second from the next tick on; returns the previous setting. */
  changeTimeScale(scale: number): number {
    const before = changeSetScale(this.#ticks.tempo, scale)
    this.#ticks.followUtc()
    return before
  }

  /**
   * Lets game time hurry to a later moment, by ticks of 1,000 s each at most. Every tick is flown;
   * another call replaces the goal, and a restore or reset ends it.
   *
   * @param utcMs  [Unix ms]; one that is over ends the hurry
   */
  hurryTo(utcMs: number): void {
    this.#ticks.tempo.goal = latticeFromUtc(utcMs)
    this.#ticks.followUtc()
  }

  /** Lets the tick rate follow the load, or be the set one; returns the previous setting. */
  switchAdaptive(enabled: boolean): boolean {
    const before = switchAdaptive(this.#ticks.tempo, enabled)
    this.#loop.replan()
    return before
  }

  /** Lets game time follow UTC, or run at the set scale; returns the previous setting. */
  switchTimeSync(enabled: boolean): boolean {
    const before = switchTimeSync(this.#ticks.tempo, enabled)
    this.#ticks.followUtc()
    return before
  }

  /**
   * Executes a structural command between ticks, at the published index, also while paused.
   * Resolves with the index when it has acted and is durable.
   *
   * @throws {EngineError} 'ERR_STOPPED', 'ERR_TICK_BROKEN', 'ERR_BUDGET', what `executeCommand`
   *   refuses, and what the journal does
   */
  execute(command: WorldCommand, by: CommandSource = {}): Promise<number> {
    const shipId = 'shipId' in command ? command.shipId : undefined
    const index = this.#change(
      (keep) => executeCommand(this.universe, command, by, this.#budgets.charging(command, keep)),
      shipId,
    )
    return command.kind === 'module_command' ? stoppingBroken(this, command, index) : index
  }

  /** Brings ships that are between two systems, by default all, to one of them. */
  async completeHandOffs(isMeant?: Parameters<typeof completeHandOffs>[2]): Promise<void> {
    if (this.universe.worlds.every(({ departed }) => departed.size === 0)) return
    await this.#change((keep) => completeHandOffs(this.universe, keep, isMeant))
  }

  /**
   * Steers a ship from the control boundary after the game time shown now.
   *
   * @param actor   id of the player
   * @param wanted  a control boundary at which it is to act instead, at most 2 s ahead of that
   * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_IN_TRANSIT', 'ERR_CONTROL',
   *   'ERR_COMMANDS_PENDING', 'ERR_BUDGET', 'ERR_WATCHERS', and what the journal refuses
   */
  control(
    shipId: string,
    control: Control,
    actor: string | null = null,
    wanted?: number,
    commandId?: string,
  ): AcceptedControl {
    const { journal = NO_JOURNAL } = this.#options
    journal.admit()
    this.#budgets.requireOrder(shipId)
    const { world, entry } = requireShip(this.universe, shipId)
    const shown = this.#shownIndex()
    if (wanted !== undefined) requireWithinReach(wanted, shown, effectiveScale(this.#ticks.tempo))
    const pending = steerShip(world, entry, control, shown, wanted)
    if (commandId !== undefined) (pending.commandIds ??= []).push(commandId)
    pending.kept ??= this.#gate.keep(
      this.#budgets.ordered(shipId, controlRow(world, pending, actor)),
    )
    // A caller that does not await it must not cause an unhandled rejection.
    pending.kept.catch(() => undefined)
    this.#gate.ordered(world, pending)
    return { index: pending.index, kept: pending.kept }
  }

  /** As `control`, in the order of its calls; an abort of no maneuver is 'ERR_NO_MANEUVER'. */
  steer(...order: Parameters<Engine['control']>): Promise<AcceptedControl> {
    return this.#steering.pass(order[1], () => {
      if (order[1].abort) requireManeuver(this.universe, order[0])
      return this.control(...order)
    })
  }

  /**
   * The number by which a ship's commands name another of its system.
   *
   * @throws {EngineError} 'ERR_SHIP_UNKNOWN' when there is no such ship in the system,
   *   'ERR_IN_TRANSIT'
   */
  shipNumber(shipId: string, otherId: string): number {
    return shipEntry(requireShip(this.universe, shipId).world, otherId).number
  }

  /** Reads the worlds while no tick runs: at once, or when the running one has ended. */
  override whenSettled<Result>(act: () => Result): Promise<Result> {
    return this.#ticks.gate.pass(act)
  }

  /** Resolves when all orders of some ships of a world are durable; undefined when they are. */
  shipsReleased(world: World, numbers: readonly number[]): Promise<void> | undefined {
    return this.#gate.shipsReleased(world, numbers)
  }

  /**
   * The worlds at the published index, to be stored. Waits for a running tick to end.
   *
   * @param isSelected  by default all are in it
   */
  async image(isSelected: (systemId: string) => boolean = () => true): Promise<UniverseImage> {
    const lull = (ms: number): Promise<void> => this.#loop.lull(ms)
    const image = await captureImage(this.#ticks.gate, lull, () => this.#ticks.ticked())
    return selectedImage(image, isSelected)
  }

  /** Wall time that each phase of the last tick took [ms]. */
  phases(): PhaseTimes {
    return this.#ticks.phases
  }

  /** Metrics; a reading scans all ship slots. */
  metrics(): EngineMetrics {
    const { dropped: ticksDropped } = this.#loop.schedule
    const { ticksUnshown } = this.#gate
    return engineMetrics(this.#ticks.flown, { ticksDropped, ticksUnshown, phases: this.phases() })
  }

  /** The last published index and the last accepted command of each system. */
  clock(): EngineClock {
    const { tempo, tick, time } = this.#ticks
    return engineClock(this.universe, time, tick, tempo, this.#loop)
  }

  status(): EngineStatus {
    const { eventsLost, flown, tempo, tick, time } = this.#ticks
    const state = { clock: this.#options.clock, loop: this.#loop, faulted: this.#faulted }
    return engineStatus({ ...state, flown, tempo, time, tick, eventsLost })
  }

  /** Acts between ticks; resolves with the index when every row it keeps is durable. */
  async #change(act: (keep: KeepRow) => void, shipId?: string): Promise<number> {
    const { journal = NO_JOURNAL, onCommand, onManeuver, onPublish } = this.#options
    return this.whenSettled(() => {
      this.#requireRunning()
      requireWhole(this.universe.worlds)
      journal.admit()
      const kept: Promise<void>[] = []
      const before = this.#gate.before(shipId)
      act((row, command) => {
        kept.push((row.kept ??= this.#gate.keep(row)))
        this.#gate.acted(row, command, before)
        this.#gate.onceDurable([row.kept], () => onCommand?.(row.systemId, command))
        for (const notice of commandNotices(this.universe, row, command)) this.#gate.event(notice)
      })
      for (const { maneuvers } of this.universe.worlds) {
        emitManeuvers(maneuvers, this.#ticks.tick, onManeuver)
      }
      this.#gate.onceDurable(kept, () => {
        if (this.#loop.isHeld('paused')) onPublish()
      })
      const { index } = this.#ticks.time.clock
      return Promise.all(kept).then(() => index)
    })
  }

  /** Continues game time from the present moment, as after a pause. */
  #restart(): void {
    this.#ticks.restartTime()
    this.#loop.restart()
  }

  /** Quanta past the published index that are shown. */
  protected override offset(): number {
    return shownOffset(this.#ticks.time.clock)
  }

  /** Lattice index that players are shown now. */
  #shownIndex(): number {
    const isStopped = this.#loop.isHeld('paused') || this.#loop.isHeld('stopped')
    const scale = isStopped ? 0 : effectiveScale(this.#ticks.tempo)
    return shownIndex(this.#ticks.time, this.#options.clock.monotonicMs(), scale)
  }

  #requireRunning(): void {
    if (!this.#loop.isHeld('stopped')) return
    throw new EngineError('ERR_STOPPED', 'The engine has stopped.')
  }
}
