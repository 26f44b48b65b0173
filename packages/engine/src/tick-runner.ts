import { writeOrders } from './commands/intake.ts'
import type { EngineOptions, TickedWorld } from './engine-options.ts'
import { type FlownWorld, flownWorld, flyWorld, takeUpEvents } from './flown-world.ts'
import { emitManeuvers } from './maneuvers/maneuver-log.ts'
import { type GameTime, driftWhenDue, nextTick } from './time/game-clock.ts'
import { type PhaseTimes, type PhaseWatch, createPhaseWatch } from './time/monitor.ts'
import { type Schedule, lastDueMs } from './time/schedule.ts'
import { type Tempo, createTempo, followLoad, followUtc } from './time/tempo.ts'
import { type HorizonWork, createHorizonWork } from './world/horizon.ts'
import { completeNear } from './world/world.ts'
import { WorldGate } from './world/world-gate.ts'

/** What a world to be flown consists of; the pool's flight is watched by the canary. */
type Replacement = Pick<TickedWorld, 'gameClock' | 'tick'> & { readonly flown: FlownWorld }

/** Runs one tick at a time: flies the world to the next lattice index and publishes it. */
export class TickRunner {
  readonly tempo: Tempo
  readonly time: GameTime
  readonly gate: WorldGate = new WorldGate()
  readonly #options: Omit<EngineOptions, keyof TickedWorld>
  readonly #phases: PhaseWatch
  readonly #horizon: HorizonWork
  #flown: FlownWorld
  #tick: number
  /** game time that the last tick covered */
  #gameSeconds = 0
  #eventsLost = 0

  constructor({ world, pool, gameClock, tick, ...options }: EngineOptions) {
    const nowMs = options.clock.monotonicMs()
    this.#options = options
    this.#flown = this.watched({ world, pool })
    this.#tick = tick
    this.tempo = createTempo(options)
    this.time = { clock: gameClock, publishedMs: nowMs, dueMs: nowMs }
    this.#phases = createPhaseWatch(options.clock)
    this.#horizon = createHorizonWork(options.clock, () => this.#flown.world)
    this.followUtc()
  }

  get flown(): FlownWorld {
    return this.#flown
  }

  /** the last completed one */
  get tick(): number {
    return this.#tick
  }

  /** events that found no room in the table of their tick */
  get eventsLost(): number {
    return this.#eventsLost
  }

  /** wall time that each phase of the last tick took [ms] */
  get phases(): PhaseTimes {
    return this.#phases.times
  }

  /** A world whose flight is checked by the canary. */
  watched({ world, pool }: Pick<TickedWorld, 'world' | 'pool'>): FlownWorld {
    const { clock, onMismatch } = this.#options
    return flownWorld(world, pool, clock, (found) => onMismatch?.(found))
  }

  /** Flies another world from the next tick on; returns the one before. */
  replace({ flown, gameClock, tick }: Replacement): FlownWorld {
    const before = this.#flown
    this.#flown = flown
    this.#tick = tick
    this.time.clock = gameClock
    return before
  }

  async run(schedule: Schedule): Promise<void> {
    const flown = this.#flown
    const { world } = flown
    const { rateMicro, scaleMicro } = this.tempo
    const next = nextTick(this.time.clock, rateMicro, scaleMicro)
    this.#gameSeconds = scaleMicro / rateMicro
    this.gate.close()
    this.#phases.begin()
    completeNear(world, next.index)
    this.#phases.lap('ephemeris')
    writeOrders(world.intake, world.roster, world.state, next.index)
    this.#phases.lap('orders')
    try {
      await flyWorld(world, flown.canary, next.index, (digest) => flown.digests.push(digest))
    } catch (error) {
      this.#publishEvents(this.#tick + 1)
      throw error
    }
    world.index = next.index
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
    // A world that has just replaced this one is published by its caller first.
    if (flown === this.#flown) this.#options.onPublish()
    this.#phases.lap('views')
    this.#horizon.begin()
  }

  /** Adapts the tick rate to the wall time that a tick took [ms]. */
  followLoad(durationMs: number): void {
    followLoad(this.tempo, { gameSeconds: this.#gameSeconds, busy: durationMs / 1000 })
  }

  /** Puts the scale in force by the drift of game time from UTC. */
  followUtc(): void {
    followUtc(this.tempo, driftWhenDue(this.time, this.#options.clock))
  }

  /** Continues game time from the present moment, as after a pause. */
  restartTime(): void {
    const nowMs = this.#options.clock.monotonicMs()
    this.time.publishedMs = nowMs
    this.time.dueMs = nowMs
    this.followUtc()
  }

  /** Makes no more of the ephemeris. */
  stop(): void {
    this.#horizon.stop()
  }

  /** Publishes what ships did, as events of a tick. */
  #publishEvents(tick: number): void {
    const { onEvent, onManeuver } = this.#options
    const { world } = this.#flown
    this.#eventsLost += takeUpEvents(world, onEvent)
    emitManeuvers(world.maneuvers, tick, onManeuver)
  }
}
