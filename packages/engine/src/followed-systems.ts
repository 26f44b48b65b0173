import { commandNotices } from './commands/command-notices.ts'
import { worldsOf } from './commands/execution.ts'
import type { WorldCommand } from './commands/world-command.ts'
import type { Course } from './course.ts'
import type { EngineOptions } from './engine-options.ts'
import { type Replay, type ReplayOptions, createReplay } from './replay.ts'
import type { TickRunner } from './tick-runner.ts'
import type { AnyHandOff } from './world/hand-off.ts'
import { type Universe, findShip, ownOf, worldNamed } from './world/universe.ts'

/** Time until a system that is ahead of the clock is looked at again. */
const AHEAD_MS = 10

/** Longest wait for a command to be shown. */
const SHOWN_MS = 2000

/** What an engine reads of a system that it follows. */
type Receivers = Pick<ReplayOptions, 'onDigest' | 'onManeuver'> & {
  /** a ship has left the system */
  readonly onDeparted?: () => void
}

/** What reads and commands of an engine see, while no tick runs. */
interface Settled {
  readonly universe: Universe
  readonly course: Pick<Course, 'meet'>
  whenSettled<Result>(act: () => Result): Promise<Result>
}

/**
 * Star systems of an engine's universe that other processes own: replays of their journals fly
 * them between two ticks, to the bits of their owners, and they are read like all others.
 */
export class FollowedSystems {
  readonly #engine: Settled
  readonly #ticks: TickRunner
  readonly #options: Pick<EngineOptions, 'clock' | 'onCommand' | 'onEvent'>

  constructor(
    engine: Settled,
    ticks: TickRunner,
    options: Pick<EngineOptions, 'clock' | 'onCommand' | 'onEvent'>,
  ) {
    this.#engine = engine
    this.#ticks = ticks
    this.#options = options
  }

  /**
   * Lets another process fly a system from its published index on. Its commands are refused, and
   * what it does from now on comes from the replay that this resolves with, to be flown by `fly`.
   *
   * @throws {EngineError} 'ERR_SYSTEM_UNKNOWN'
   */
  letGo(systemId: string, receivers: Receivers = {}): Promise<Replay> {
    return this.#engine.whenSettled(() => {
      const { pool, universe } = this.#ticks.flown
      const world = worldNamed(universe, systemId)
      world.isFollowed = true
      return createReplay({
        ...receivers,
        world,
        pool,
        place: universe.worlds.indexOf(world),
        onEvent: (notice) => this.#options.onEvent?.(notice),
        onCommand: (command, { index }) => {
          if (command.kind === 'control' || command.kind === 'freeze_ship') return
          if (command.kind === 'module_fault') return
          this.#options.onCommand?.(systemId, command)
          if (command.kind === 'depart_ship' || command.kind === 'depart_account')
            receivers.onDeparted?.()
          if ('handOff' in command) {
            for (const { departed } of universe.worlds) departed.delete(command.handOff.shipId)
          }
          const notices = commandNotices(universe, { systemId, index }, command)
          for (const notice of notices) this.#options.onEvent?.(notice)
        },
      })
    })
  }

  /**
   * Goes on with a system that was let go: its replay flies it to the published index, and ticks do
   * from there on. Where one is ahead a tick ends as soon as time has come so far.
   *
   * @throws {EngineError} 'ERR_REPLAY'
   */
  async takeOver(replay: Replay): Promise<void> {
    const take = async (): Promise<boolean> => {
      const { tick, time } = this.#ticks
      const { world } = replay
      if (world.index > time.clock.index) return false
      await replay.flyTo(time.clock.index, tick)
      world.isFollowed = false
      return true
    }
    while (!(await this.fly(take))) {
      const later = new Promise<void>((resolve) => {
        this.#options.clock.after(AHEAD_MS, resolve)
      })
      await Promise.race([this.#engine.course.meet(replay.world.index), later])
    }
  }

  /** Whether a ship is in a system that another process owns. */
  has(shipId: string): boolean {
    return findShip(this.#engine.universe, shipId)?.world.isFollowed ?? false
  }

  /** Whether another process owns a system. @throws {EngineError} 'ERR_SYSTEM_UNKNOWN' */
  hasSystem(systemId: string): boolean {
    return worldNamed(this.#engine.universe, systemId).isFollowed
  }

  /**
   * Whose systems a command concerns: some of this process, and by their ids those of others.
   *
   * @throws {EngineError} what `executeCommand` refuses of a command that names no ship
   */
  concerned(command: WorldCommand): { readonly own: boolean; readonly others: readonly string[] } {
    const { universe } = this.#engine
    if ('shipId' in command) {
      const found = findShip(universe, command.shipId)
      const isElsewhere = found?.world.isFollowed ?? false
      return { own: !isElsewhere, others: isElsewhere ? [found!.world.state.system.id] : [] }
    }
    const worlds = worldsOf(universe, command)
    const followed = worlds.filter(({ isFollowed }) => isFollowed)
    return {
      own: followed.length === 0 || followed.length < worlds.length,
      others: followed.map(({ state }) => state.system.id),
    }
  }

  /** Ships that have left a system of others, or left one for a system of this process. */
  underWay(): AnyHandOff[] {
    const { worlds } = this.#engine.universe
    const own = new Set(ownOf(worlds).map(({ state }) => state.system.id))
    return worlds.flatMap(({ departed, isFollowed }) =>
      [...departed.values()].filter((one) => isFollowed || own.has(this.#goalOf(one))),
    )
  }

  /** Whether a ship can arrive in a system of this process: by its clock now, or later. */
  arrival(handOff: AnyHandOff): 'now' | 'later' | 'elsewhere' {
    if (worldNamed(this.#engine.universe, this.#goalOf(handOff)).isFollowed) return 'elsewhere'
    return handOff.index <= this.#ticks.time.clock.index ? 'now' : 'later'
  }

  /** Id of the system in which it arrives: that of a ship may be another one since. */
  #goalOf(handOff: AnyHandOff): string {
    const ship = 'taker' in handOff && findShip(this.#engine.universe, handOff.taker)
    return ship ? ship.world.state.system.id : handOff.to
  }

  /**
   * Forgets ships that have left systems of others and arrived since.
   *
   * @param arrived  each with commands of systems by then, which have to be flown before
   */
  forget(arrived: ReadonlyMap<AnyHandOff, ReadonlyMap<string, number>>): Promise<void> {
    return this.#engine.whenSettled(() => {
      const { universe } = this.#engine
      for (const [{ from, shipId, to }, heads] of arrived) {
        const isFlown = [from, to].every((systemId) => {
          return worldNamed(universe, systemId).intake.sequence >= (heads.get(systemId) ?? Infinity)
        })
        const { departed, isFollowed } = worldNamed(universe, from)
        if (isFlown && isFollowed && arrived.has(departed.get(shipId)!)) departed.delete(shipId)
      }
    })
  }

  /** Resolves when a command to a system is shown, or after a while. */
  async shows(systemId: string, sequence: number): Promise<void> {
    const { clock } = this.#options
    const endMs = clock.monotonicMs() + SHOWN_MS
    while (worldNamed(this.#engine.universe, systemId).intake.sequence < sequence) {
      if (clock.monotonicMs() > endMs) return
      await new Promise<void>((resolve) => void clock.after(AHEAD_MS, resolve))
    }
  }

  /** Flies replays between two ticks, while nothing is read. */
  fly<Result>(flight: () => Promise<Result>): Promise<Result> {
    return this.#engine.whenSettled(() => this.#ticks.between(flight)).then((result) => result)
  }
}
