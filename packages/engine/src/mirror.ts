import { commandNotices } from './commands/command-notices.ts'
import type { CommandSource } from './commands/command-row.ts'
import type { SystemCommand, WorldCommand } from './commands/world-command.ts'
import { EngineError } from './engine-error.ts'
import type { Engine } from './engine.ts'
import { EngineReadings } from './engine-readings.ts'
import { type EngineMetrics, type EngineStatus, engineMetrics } from './engine-status.ts'
import { type FlownUniverse, flownUniverse } from './flown-universe.ts'
import type { Pool } from './pool/pool.ts'
import type { ReplayOptions } from './replay.ts'
import {
  type GameTime,
  driftNow,
  publishedUtc,
  shownIndex,
  shownOffset,
} from './time/game-clock.ts'
import { createPhaseWatch } from './time/monitor.ts'
import { createTempo, isSyncing } from './time/tempo.ts'
import type { WallClock } from './time/wall-clock.ts'
import type { ShipNotice } from './views/ship-view.ts'
import { type HorizonWork, createHorizonWork } from './world/horizon.ts'
import { type Universe, findShip, shipCount, worldNamed } from './world/universe.ts'
import type { World } from './world/world.ts'
import { WorldGate } from './world/world-gate.ts'

/** Where a universe is by a clock of its owner. */
export interface MirroredMoment {
  readonly era: number
  /** lattice index that all systems are flown to */
  readonly index: number
  /** carried part of a quantum, numerator and denominator in decimal */
  readonly remainder: readonly [string, string]
  readonly tick: number
  /** ticks per second, and game seconds per second, as set */
  readonly tickRate: number
  readonly timeScale: number
  readonly paused: boolean
  /** wall time since the owner wrote it [s] */
  readonly ageSeconds: number
}

/** What an operator has set at the owner. */
export interface MirroredSettings {
  readonly adaptiveTickRate: boolean
  readonly timeSyncEnabled: boolean
  /** moment that game time hurries to [Unix ms]; undefined while it does not */
  readonly goalMs: number | undefined
}

/** Carries commands to the owner of the universe. */
export interface MirrorCommands {
  /** As {@link Engine.execute}; what is read afterwards has it. */
  execute(command: WorldCommand, by?: CommandSource): Promise<number>
  /** As {@link Engine.control}, durable when it resolves. */
  control(...order: Parameters<Engine['control']>): Promise<ReturnType<Engine['control']>>
}

export interface MirrorOptions {
  readonly clock: WallClock
  readonly shipsMax: number
  readonly settings: () => MirroredSettings
  readonly commands: MirrorCommands
  /** called when the universe is shown at another moment, or has changed in a pause */
  readonly onPublish: () => void
  /** called with each structural command that has acted, before it is published */
  readonly onCommand: (systemId: string, command: SystemCommand) => void
  /** called with a ship whose order waits to act */
  readonly onOrdered: (shipId: string) => void
  readonly onEvent: (event: ShipNotice) => void
  /** another universe is shown from now on; not called for the first */
  readonly onReplaced: () => void
}

/** Receivers of the replay of one star system. */
export type MirroredReplay = Required<Pick<ReplayOptions, 'onCommand' | 'onEvent'>>

interface Shown {
  readonly flown: FlownUniverse
  readonly time: GameTime
  readonly moment: MirroredMoment
}

/**
 * A universe of another process, flown by replays of its journal to the same bits: it is read like
 * that of an engine, and its commands go to its owner.
 */
export class Mirror extends EngineReadings {
  readonly #options: MirrorOptions
  readonly #gate = new WorldGate()
  readonly #phases: ReturnType<typeof createPhaseWatch>
  readonly #horizon: HorizonWork
  /** shown once it has come to a moment of its owner */
  #next: FlownUniverse | undefined
  #shown: Shown | undefined
  /** what has happened since the last moment */
  #happened: (() => void)[] = []
  #waiting: (() => void)[] = []

  constructor(options: MirrorOptions) {
    super()
    this.#options = options
    this.#phases = createPhaseWatch(options.clock)
    this.#horizon = createHorizonWork(options.clock, () => this.universe)
  }

  /** @throws {EngineError} 'ERR_STOPPED' before a first one is shown */
  override get universe(): Universe {
    return this.#present.flown.universe
  }

  /** undefined while nothing is shown */
  get moment(): MirroredMoment | undefined {
    return this.#shown?.moment
  }

  /** Takes a universe that is shown once it is flown to a moment of its owner. */
  opened({ universe, pool }: { readonly universe: Universe; readonly pool: Pool }): void {
    this.#next = flownUniverse(universe, pool, this.#options.clock, () => undefined)
    this.#happened = []
  }

  /** Receives what the replay of a world does. */
  replaying(world: World): MirroredReplay {
    const { onCommand, onEvent, onOrdered } = this.#options
    const systemId = world.state.system.id
    const event = (notice: ShipNotice): void => void this.#happened.push(() => onEvent(notice))
    return {
      onEvent: event,
      onCommand: (command, row) => {
        if (command.kind === 'freeze_ship' || command.kind === 'module_fault') return
        const ship = command.kind === 'control' && world.roster.byNumber.get(command.ship)
        if (ship) this.#happened.push(() => onOrdered(ship.shipId))
        if (command.kind === 'control') return
        this.#happened.push(() => onCommand(systemId, command))
        const universe = this.#next?.universe ?? this.universe
        if (command.kind === 'arrive_account') {
          for (const { departed } of universe.worlds) departed.delete(command.handOff.shipId)
        }
        const at = { systemId, index: row.index }
        for (const notice of commandNotices(universe, at, command)) event(notice)
      },
    }
  }

  /** Flies while nothing is read. */
  async flight<Result>(fly: () => Promise<Result>): Promise<Result> {
    this.#gate.close()
    this.#phases.begin()
    try {
      return await fly()
    } finally {
      this.#phases.lap('flight')
      this.#gate.open()
    }
  }

  /** Shows the universe at a moment to which all its systems are flown. */
  reached(moment: MirroredMoment): void {
    const { clock, onPublish, onReplaced } = this.#options
    const before = this.#shown
    const next = this.#next
    const isShown = !next && isSame(moment, before?.moment)
    if (isShown && this.#happened.length === 0) return
    this.#next = undefined
    const flown = next ?? this.#present.flown
    for (const { departed } of flown.universe.worlds) {
      for (const shipId of departed.keys()) {
        if (findShip(flown.universe, shipId)) departed.delete(shipId)
      }
    }
    const publishedMs = clock.monotonicMs() - 1000 * moment.ageSeconds
    if (!isShown) this.#shown = { flown, moment, time: timeAt(moment, publishedMs) }
    const happened = this.#happened.splice(0)
    // What led to the first moment is over.
    if (next && before) onReplaced()
    else if (before) for (const act of happened) act()
    // What acts between two ticks is shown with the next one, as its owner does.
    if (!isShown || moment.paused) onPublish()
    const waiting = this.#waiting
    this.#waiting = []
    for (const look of waiting) look()
    this.#phases.lap('views')
    this.#horizon.begin()
  }

  /** Resolves when a command to a star system is shown. */
  async shows(systemId: string, sequence: number): Promise<void> {
    while (worldNamed(this.universe, systemId).intake.sequence < sequence) {
      await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    }
  }

  /** Makes no more of the ephemeris. */
  stop(): void {
    this.#horizon.stop()
  }

  execute(command: WorldCommand, by?: CommandSource): Promise<number> {
    return this.#options.commands.execute(command, by)
  }

  steer(...order: Parameters<Engine['steer']>): ReturnType<Engine['steer']> {
    return this.#options.commands.control(...order)
  }

  override whenSettled<Result>(act: () => Result): Promise<Result> {
    return this.#gate.pass(act)
  }

  /** All that is flown here is durable. */
  shipsReleased(): undefined {
    return undefined
  }

  metrics(): EngineMetrics {
    return engineMetrics(this.#present.flown, {
      ticksDropped: 0,
      ticksUnshown: 0,
      phases: this.#phases.times,
    })
  }

  status(): EngineStatus {
    const { flown, moment, time } = this.#present
    const { clock, settings, shipsMax } = this.#options
    const { adaptiveTickRate, timeSyncEnabled, goalMs } = settings()
    const { paused, tick, tickRate, timeScale } = moment
    const { energy, momentum } = flown.drift.worst()
    const nowMs = clock.monotonicMs()
    const gameTimeMs = publishedUtc(time.clock)
    const running = paused ? 0 : timeScale
    return {
      tick,
      gameTimeMs,
      shownOffset: shownIndex(time, nowMs, running) - time.clock.index,
      tickRate,
      timeScale,
      effectiveTimeScale: timeScale,
      actualRate: paused ? 0 : tickRate,
      adaptiveTickRate,
      overloaded: false,
      timeSyncEnabled,
      timeSyncActive: isSyncing(createTempo({ tickRate, timeScale, timeSyncEnabled })),
      timeDriftSeconds: driftNow(time, clock, running),
      goalMs: goalMs !== undefined && goalMs > gameTimeMs ? goalMs : undefined,
      paused,
      faulted: false,
      ticksBehind: 0,
      sinceTickMs: paused ? 0 : nowMs - time.publishedMs,
      ticksDropped: 0,
      eventsLost: 0,
      energyDrift: energy,
      momentumDrift: momentum,
      utilisation: 0,
      ships: shipCount(flown.universe),
      shipsMax,
    }
  }

  protected override offset(): number {
    return shownOffset(this.#present.time.clock)
  }

  get #present(): Shown {
    if (this.#shown) return this.#shown
    throw new EngineError('ERR_STOPPED', 'No universe is shown yet.')
  }
}

/** Whether a clock of the owner was shown before. */
function isSame(moment: MirroredMoment, before: MirroredMoment | undefined): boolean {
  const { era, index, paused, remainder, tick, tickRate, timeScale } = moment
  return (
    before?.index === index &&
    before.remainder.join() === remainder.join() &&
    before.tick === tick &&
    before.era === era &&
    before.paused === paused &&
    before.tickRate === tickRate &&
    before.timeScale === timeScale
  )
}

function timeAt({ index, remainder }: MirroredMoment, publishedMs: number): GameTime {
  const [numerator, denominator] = remainder
  const clock = { index, remainder: BigInt(numerator), denominator: BigInt(denominator) }
  return { clock, publishedMs, dueMs: publishedMs }
}

export function createMirror(options: MirrorOptions): Mirror {
  return new Mirror(options)
}
