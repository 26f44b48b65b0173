import { faultRow } from './commands/broken-module.ts'
import { NO_JOURNAL, freezeRow } from './commands/command-row.ts'
import { QUANTA_PER_SECOND } from '@orrery/sim'
import { writeOrders } from './world/intake.ts'
import { EngineError } from './engine-error.ts'
import type { EngineOptions, TickedUniverse } from './engine-options.ts'
import { type FlownUniverse, flownUniverse, flyWorlds, takeUpEvents } from './flown-universe.ts'
import { emitManeuvers } from './maneuvers/maneuver-log.ts'
import {
  type GameClock,
  type GameTime,
  createGameClock,
  driftWhenDue,
  nextTick,
  shownOffset,
} from './time/game-clock.ts'
import { type PhaseTimes, type PhaseWatch, createPhaseWatch } from './time/monitor.ts'
import { type Schedule, lastDueMs } from './time/schedule.ts'
import { type Tempo, createTempo, followLoad, followUtc } from './time/tempo.ts'
import { type HorizonWork, createHorizonWork } from './world/horizon.ts'
import { ownOf } from './world/universe.ts'
import { type World, completeNear } from './world/world.ts'
import { WorldGate } from './world/world-gate.ts'

/** What a universe to be flown consists of; the pool's flight is watched by the canary. */
type Replacement = Pick<TickedUniverse, 'gameClock' | 'tick'> & { readonly flown: FlownUniverse }

interface TickRunnerOptions extends EngineOptions {
  /** called before ships are flown to a lattice index */
  readonly onFly: (worlds: readonly World[], to: number) => void
}

/** Runs one tick at a time: flies all worlds to the next lattice index and publishes them. */
export class TickRunner {
  readonly tempo: Tempo
  readonly time: GameTime
  readonly gate: WorldGate = new WorldGate()
  /** lattice index at which a tick ends that would pass it */
  cut: number | undefined
  /** how far game time is ahead of the plan that it follows when a tick is due [s of wall time] */
  planDrift: () => number = () => 0
  readonly #options: Omit<TickRunnerOptions, keyof TickedUniverse>
  readonly #phases: PhaseWatch
  readonly #horizon: HorizonWork
  #flown: FlownUniverse
  /** what the next tick flies, and what waits for that */
  #next: (PromiseWithResolvers<FlownUniverse> & { readonly flown: FlownUniverse }) | undefined
  #tick: number
  /** game time that the last tick covered */
  #gameSeconds = 0
  #eventsLost = 0
  /** of followed systems; the next tick waits for it */
  #following: Promise<unknown> | undefined

  constructor({ universe, pool, gameClock, tick, ...options }: TickRunnerOptions) {
    const nowMs = options.clock.monotonicMs()
    this.#options = options
    this.#flown = this.watched({ universe, pool })
    // Those of a replay are journalled.
    pool.takeFrozen?.()
    for (const { modules } of universe.worlds) modules?.takeFaults()
    this.#tick = tick
    this.tempo = createTempo(options)
    this.time = { clock: gameClock, publishedMs: nowMs, dueMs: nowMs }
    this.#phases = createPhaseWatch(options.clock)
    this.#horizon = createHorizonWork(options.clock, () => this.#flown.universe)
    this.followUtc()
  }

  get flown(): FlownUniverse {
    return this.#flown
  }

  /** the last completed one */
  get tick(): number {
    return this.#tick
  }

  /** What is flown, as the last tick left it. */
  ticked(): TickedUniverse {
    const { pool, universe } = this.#flown
    return { universe, pool, gameClock: this.time.clock, tick: this.#tick }
  }

  /** events that found no room in the table of their tick */
  get eventsLost(): number {
    return this.#eventsLost
  }

  /** wall time that each phase of the last tick took [ms] */
  get phases(): PhaseTimes {
    return this.#phases.times
  }

  /** A universe whose flight is checked by the canary. */
  watched({ universe, pool }: Pick<TickedUniverse, 'universe' | 'pool'>): FlownUniverse {
    const { clock, onMismatch } = this.#options
    return flownUniverse(universe, pool, clock, (found) => onMismatch?.(found))
  }

  /** Flies another universe from the next tick on; returns the one before. */
  replace({ flown, gameClock, tick }: Replacement): FlownUniverse {
    this.#giveUpNext()
    const before = this.#flown
    this.#flown = flown
    this.#tick = tick
    this.time.clock = gameClock
    this.tempo.goal = undefined
    return before
  }

  /** Flies another group of worlds from the next tick on; resolves then with the one before. */
  regroup(flown: FlownUniverse): Promise<FlownUniverse> {
    this.#giveUpNext()
    this.#next = { ...Promise.withResolvers<FlownUniverse>(), flown }
    return this.#next.promise
  }

  /** Flies followed systems between two ticks, while nothing is read. */
  async between<Result>(fly: () => Promise<Result>): Promise<Result> {
    this.gate.close('following')
    const flight = fly()
    const ended = flight.catch(() => undefined)
    this.#following = ended
    try {
      return await flight
    } finally {
      if (this.#following === ended) this.#following = undefined
      this.gate.open('following')
    }
  }

  async run(schedule: Schedule): Promise<void> {
    // Flights that wait for the one under way come behind this tick.
    this.gate.close()
    if (this.#following) await this.#following
    this.#flyNext()
    const flown = this.#flown
    const worlds = ownOf(flown.universe.worlds)
    const { rateMicro, scaleMicro } = this.tempo
    this.#gameSeconds = (this.share() * scaleMicro) / rateMicro
    const next = this.#nextTick()
    this.#options.onFly(worlds, next.index)
    this.#phases.begin()
    for (const world of worlds) completeNear(world, next.index)
    this.#phases.lap('ephemeris')
    for (const { intake, roster, state } of worlds) writeOrders(intake, roster, state, next.index)
    this.#phases.lap('orders')
    try {
      const flying = flown.universe.worlds.map((world) => (world.isFollowed ? undefined : world))
      await flyWorlds(flying, flown.canary, next.index, (digest) => flown.digests.push(digest))
    } catch (error) {
      this.#publishEvents(this.#tick + 1)
      throw error
    } finally {
      this.#keepStops(flown)
    }
    for (const world of worlds) world.index = next.index
    this.#tick++
    schedule.done++
    this.time.clock = next
    this.time.publishedMs = this.#options.clock.monotonicMs()
    this.time.dueMs = lastDueMs(schedule)
    this.followUtc()
    this.#phases.lap('flight')
    for (const digest of flown.digests.splice(0)) this.#options.onDigest?.(digest)
    this.#publishEvents(this.#tick)
    this.gate.open()
    // A universe that has just replaced this one is published by its caller first.
    if (flown === this.#flown) this.#options.onPublish()
    this.#phases.lap('views')
    this.#horizon.begin()
  }

  /** Adapts the tick rate to the wall time that a tick took [ms]. */
  followLoad(durationMs: number): void {
    followLoad(this.tempo, { gameSeconds: this.#gameSeconds, busy: durationMs / 1000 })
    // A tick that hurries covers as much at the new rate.
    if (this.tempo.goal !== undefined) this.followUtc()
  }

  /** Puts the scale in force by the drift of game time from UTC. */
  followUtc(): void {
    const drift = this.tempo.plan ? this.planDrift() : driftWhenDue(this.time, this.#options.clock)
    followUtc(this.tempo, drift, this.time.clock.index)
  }

  /** Continues game time from the present moment, as after a pause. */
  restartTime(): void {
    const nowMs = this.#options.clock.monotonicMs()
    this.time.publishedMs = nowMs
    this.time.dueMs = nowMs
    this.followUtc()
  }

  /** Share of the next tick up to the index at which it is cut; 1 where it is not. */
  share(): number {
    const { rateMicro, scaleMicro } = this.tempo
    const { clock } = this.time
    if (this.cut === undefined || this.cut <= clock.index) return 1
    const quanta = (QUANTA_PER_SECOND * scaleMicro) / rateMicro
    return Math.min(1, (this.cut - clock.index - shownOffset(clock)) / quanta)
  }

  /** Makes no more of the ephemeris. */
  stop(): void {
    this.#horizon.stop()
    this.#giveUpNext()
  }

  #nextTick(): GameClock {
    const { clock } = this.time
    const next = nextTick(clock, this.tempo.rateMicro, this.tempo.scaleMicro)
    const isCut = this.cut !== undefined && this.cut > clock.index && this.cut <= next.index
    return isCut ? createGameClock(this.cut!) : next
  }

  /** One that joins may be behind the others: the tick brings it along. */
  #flyNext(): void {
    const next = this.#next
    if (!next) return
    this.#next = undefined
    const before = this.#flown
    const { index } = this.time.clock
    const ahead = next.flown.universe.worlds.find((world) => world.index > index)
    if (ahead) {
      const message = `${ahead.state.system.id} at ${ahead.index} is ahead of ${index}.`
      return next.reject(new EngineError('ERR_REPLAY', message))
    }
    next.flown.digests.push(...before.digests.splice(0))
    this.#flown = next.flown
    next.resolve(before)
  }

  #giveUpNext(): void {
    this.#next?.reject(new EngineError('ERR_STOPPED', 'The universe ends or is replaced.'))
    this.#next = undefined
  }

  /** Journals what was stopped: a replay cannot know what hung. */
  #keepStops({ pool, universe }: FlownUniverse): void {
    const { journal = NO_JOURNAL } = this.#options
    for (const { place, shipNumber, index } of pool.takeFrozen?.() ?? []) {
      // Those of a replay are journalled.
      if (universe.worlds[place].isFollowed) continue
      // Nothing waits for it, and the journal's writer retries.
      journal.keep(freezeRow(universe.worlds[place], shipNumber, index)).catch(() => undefined)
    }
    for (const world of universe.worlds) {
      for (const fault of world.modules?.takeFaults() ?? []) {
        journal.keep(faultRow(world, fault)).catch(() => undefined)
      }
    }
  }

  /** Publishes what ships did, as events of a tick. */
  #publishEvents(tick: number): void {
    const { onEvent, onManeuver } = this.#options
    for (const world of ownOf(this.#flown.universe.worlds)) {
      this.#eventsLost += takeUpEvents(world, onEvent)
      emitManeuvers(world.maneuvers, tick, onManeuver)
    }
  }
}
