import type { Bus } from '@orrery/bus'
import { type Database, isAway } from '@orrery/database'
import type { Engine, ManeuverEvent, SystemDigest, WallClock } from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import { eraHeads, journal } from '@orrery/store'
import type { GameLog } from '../game-config.ts'
import { createInterruptibleSleep } from '../interruptible-sleep.ts'
import { FollowedSystem } from './followed-system.ts'
import { FollowerError, requirePhysics } from './follower-error.ts'
import { PublishedRows } from './published-rows.ts'

/** Time between two looks at the journal. */
const LOOK_MS = 50

/** The same while the owner publishes how far it is durable: what it publishes waits for a look. */
const PUBLISHED_LOOK_MS = 500

export interface SystemFollowerOptions {
  readonly sql: Database['sql']
  /** brings what becomes durable sooner */
  readonly bus: Pick<Bus, 'subscribe'> | undefined
  readonly engine: Pick<Engine, 'followed'>
  readonly era: number
  readonly systemId: string
  readonly onManeuver?: (event: ManeuverEvent) => void
  /** a ship has left the system */
  readonly onDeparted?: () => void
  readonly clock: WallClock
  readonly logger: GameLog
}

/** One star system of an engine, flown as its owner journals it. */
export interface SystemFollower {
  /**
   * Follows until the signal ends it, or another era begins.
   *
   * @throws {FollowerError | EngineError}
   */
  follow(signal: AbortSignal): Promise<void>
  /**
   * Lets the engine fly it from now on. Its owner before writes no more, and `follow` has ended.
   *
   * @returns digests that the owner before has not stored
   * @throws {FollowerError | EngineError}
   */
  takeOver(): Promise<readonly SystemDigest[]>
  /** Whether its owner has published on the bus a moment ago. */
  isPublished(): boolean
  /** As {@link FollowedSystem.wasMisled}: what is stored can be followed. */
  wasMisled(error: unknown): boolean
}

/** Lets go of a system of an engine, and follows it. */
export async function followSystem(options: SystemFollowerOptions): Promise<SystemFollower> {
  const { engine, era, systemId, onDeparted, onManeuver } = options
  const replay = await engine.followed.letGo(systemId, {
    onDigest: (digest) => system.made(digest),
    ...(onDeparted && { onDeparted }),
    ...(onManeuver && { onManeuver }),
  })
  const { world } = replay
  const flown = {
    index: () => world.index,
    apply: replay.apply.bind(replay),
    flyTo: replay.flyTo.bind(replay),
  }
  const system: FollowedSystem = new FollowedSystem({ era, systemId }, flown, world.intake.sequence)
  return new JournalSystemFollower(options, system, () => engine.followed.takeOver(replay))
}

class JournalSystemFollower implements SystemFollower {
  readonly #options: SystemFollowerOptions
  readonly #system: FollowedSystem
  readonly #takeOver: () => Promise<void>
  #lookedMs = -Infinity
  #rows: PublishedRows | undefined

  constructor(
    options: SystemFollowerOptions,
    system: FollowedSystem,
    takeOver: () => Promise<void>,
  ) {
    this.#options = options
    this.#system = system
    this.#takeOver = takeOver
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const sleep = createInterruptibleSleep(clock)
    signal.addEventListener('abort', () => sleep.interrupt())
    const rows = new PublishedRows({ ...this.#options, onNews: () => sleep.interrupt() })
    this.#rows = rows
    rows.follow([this.#system])
    const lookMs = (): number =>
      rows.isComing() && !this.#system.published.isLost ? PUBLISHED_LOOK_MS : LOOK_MS
    try {
      while (!signal.aborted) {
        const isDue = clock.monotonicMs() - this.#lookedMs >= lookMs()
        if (isDue && !(await this.#lookIfThere())) return
        if (!isDue) await this.#flyPublished()
        if (!signal.aborted && !rows.news()) await sleep.start(LOOK_MS)
      }
    } finally {
      rows.follow([])
    }
  }

  isPublished(): boolean {
    return this.#rows?.isComing() ?? false
  }

  wasMisled(error: unknown): boolean {
    return this.#system.wasMisled(error)
  }

  async takeOver(): Promise<readonly SystemDigest[]> {
    if (!(await this.#look())) {
      throw new FollowerError('ERR_FOLLOWER_WORLD', 'Another era has begun.')
    }
    await this.#takeOver()
    return this.#system.waiting
  }

  /** True also while the database is away. */
  async #lookIfThere(): Promise<boolean> {
    try {
      return await this.#look()
    } catch (error) {
      if (!isAway(error)) throw error
      return true
    }
  }

  /** Flies to where the owner is durable; false where the era has ended. */
  async #look(): Promise<boolean> {
    const { clock, engine, sql } = this.#options
    const { era, systemId } = this.#system.key
    const known = { era, snapshotId: Number.MAX_SAFE_INTEGER, physics: PHYSICS }
    const sequences = { [systemId]: this.#system.sequence }
    const heads = await eraHeads(sql, { ...known, sequences })
    if (heads.newest !== era) return false
    requirePhysics(heads)
    this.#lookedMs = clock.monotonicMs()
    for (const head of heads.systems) this.#system.learn(head)
    const rows = await this.#system.read(sql)
    await engine.followed.fly(() => this.#system.flyRead(rows))
    for (const { index, digest, kept } of await this.#system.compared(journal(sql))) {
      if (digest === kept) continue
      const message = `${systemId} has digest ${digest} at index ${index}, its owner ${kept}.`
      throw new FollowerError('ERR_FOLLOWER_DIGEST', message)
    }
    return true
  }

  async #flyPublished(): Promise<void> {
    const mark = this.#system.published.wholeMark()
    // At the same index a command may have come since.
    if (!mark || mark.index < this.#system.index) return
    await this.#options.engine.followed.fly(() => this.#system.flyPublished(mark))
  }
}
