import type { Bus } from '@orrery/bus'
import { type Database, isAway, reasonOf } from '@orrery/database'
import {
  type ManeuverEvent,
  type Mirror,
  type Pool,
  type SystemDigest,
  type Universe,
  type WallClock,
  createReplay,
  imageClock,
} from '@orrery/engine'
import type { GameModules } from '@orrery/engine/modules'
import { PHYSICS, QUANTA_PER_SECOND } from '@orrery/sim'
import {
  type ClockRow,
  type EraHeads,
  clockPlan,
  eraHeads,
  eras,
  journal,
  snapshots,
} from '@orrery/store'
import type { GameLog } from '../game-config.ts'
import { NO_THREADS } from '../no-threads.ts'
import { type InterruptibleSleep, createInterruptibleSleep } from '../interruptible-sleep.ts'
import { type Departure, presentClock } from '../world/present-clock.ts'
import { newestUsable } from '../world/recovery.ts'
import type { OpenedUniverse } from '../world/stored-universe.ts'
import { takeUpHandOffs } from '../world/taken-up-hand-offs.ts'
import { type Asked, asking } from './asked.ts'
import { type ComparedDigest, FollowedSystem } from './followed-system.ts'
import type { FollowedPlace, FollowerPosition } from './follower-position.ts'
import { lastManeuverEvents } from './last-maneuver-events.ts'
import { noWorld, otherPhysics, requirePhysics } from './follower-error.ts'
import { PublishedRows } from './published-rows.ts'

/** Time between two looks at the journal. */
const LOOK_MS = 50

/** The same while the owner publishes how far it is durable. */
const PUBLISHED_LOOK_MS = 500

/** Time between two looks while the database is away. */
const AWAY_LOOK_MS = 250

/** How often ships are forgotten that have left one system and are in another. */
const HAND_OFFS_MS = 60_000

/** What shows a world while it is followed. */
export type FollowingMirror = Pick<Mirror, 'opened' | 'replaying' | 'flight' | 'reached'>

export interface FollowerOptions {
  readonly sql: Database['sql']
  /** brings what becomes durable sooner; without it the journal alone is read */
  readonly bus?: Pick<Bus, 'subscribe'> | undefined
  readonly shipsMax: number
  readonly modules?: GameModules | undefined
  /** of threads that fly the ships; undefined where the calling thread does */
  readonly createPool: ((universe: Universe) => Pool) | undefined
  readonly clock: WallClock
  readonly logger: GameLog
  /** shows the world that is followed */
  readonly mirror?: FollowingMirror | undefined
  /** a stored world was opened, and is followed from there */
  readonly onOpened: (place: FollowedPlace) => void
  readonly onDigest: (compared: ComparedDigest) => void
  /** the database is away, and why; it is asked on */
  readonly onAway: (reason: string) => void
  readonly onBack: () => void
}

/**
 * A replay that never ends: a world of another process, flown to where its journal is durable,
 * again and again, each digest compared.
 */
export interface Follower {
  /**
   * Follows the newest era until the signal ends it.
   *
   * @throws {FollowerError | RecoveryError}
   */
  follow(signal: AbortSignal): Promise<void>
  /** undefined while no world is open */
  position(): FollowerPosition | undefined
  /**
   * Hands the world over as a start would open it: at the last durable clock, or flown from there
   * to where its owner would be by now, which was killed, or gave it. That one can write no more by
   * then, and `follow` has ended. Systems that others own stay where they are durable.
   *
   * @throws {FollowerError | RecoveryError}
   */
  promote(...args: Promotion): Promise<PromotedUniverse>
  /** ends its threads */
  close(): Promise<void>
}

type Promotion = [until?: 'durable' | Departure, isOwned?: (systemId: string) => boolean]

/** A world that a follower goes on with as its owner. */
export interface PromotedUniverse extends OpenedUniverse {
  readonly era: number
  readonly pool: Pool
  /** the last of what happened in maneuvers; most of it is in the log already */
  readonly events: readonly ManeuverEvent[]
  /** that the owner before has not stored */
  readonly digests: readonly SystemDigest[]
}

/** A world that was opened, and what flies it. */
interface Followed {
  readonly place: FollowedPlace
  readonly opened: OpenedUniverse
  readonly pool: Pool
  readonly events: readonly ManeuverEvent[]
  readonly systems: readonly FollowedSystem[]
}

export function createFollower(options: FollowerOptions): Follower {
  return new JournalFollower(options)
}

class JournalFollower implements Follower {
  readonly #options: FollowerOptions
  #followed: Followed | undefined
  #lookedMs = 0
  #handOffsMs = -Infinity
  readonly #sleep: InterruptibleSleep
  readonly #published: PublishedRows
  #isAway = false

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#sleep = createInterruptibleSleep(options.clock)
    const onNews = (): void => this.#sleep.interrupt()
    this.#published = new PublishedRows({ ...options, bus: options.bus, onNews })
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    signal.addEventListener('abort', () => this.#sleep.interrupt())
    let asked: Asked<EraHeads> | undefined
    for (let lookedMs = -Infinity; !signal.aborted;) {
      const isDue = !asked && clock.monotonicMs() - lookedMs >= this.#lookMs()
      // Meanwhile it flies what is published: a database that is silent never answers.
      if (isDue && this.#followed) {
        asked = asking(this.#heads(this.#followed), () => this.#sleep.interrupt())
      }
      if (asked ? asked.answer() : isDue) {
        await this.#lookIfThere(asked?.answer())
        lookedMs = clock.monotonicMs()
        asked = undefined
      } else await this.#flyPublished()
      if (signal.aborted || asked?.answer() || this.#published.news()) continue
      const waitMs = asked ? AWAY_LOOK_MS : lookedMs + this.#lookMs() - clock.monotonicMs()
      await this.#sleep.start(waitMs)
    }
  }

  position(): FollowerPosition | undefined {
    const followed = this.#followed
    if (!followed) return undefined
    const { place, systems } = followed
    const index = Math.min(...systems.map((system) => system.index))
    const behind = systems.map(({ durableIndex, index: at }) => {
      return Math.max(0, (durableIndex ?? at) - at)
    })
    return {
      ...place,
      index,
      tick: systems.reduce(
        (tick, { head, published: { mark } }) => Math.max(tick, head?.tick ?? 0, mark?.tick ?? 0),
        followed.opened.tick,
      ),
      commands: sum(systems.map(({ commands }) => commands)),
      lagRows: sum(
        systems.map(({ head, sequence }) => Math.max(0, (head?.sequence ?? sequence) - sequence)),
      ),
      lagSeconds: Math.max(...behind) / QUANTA_PER_SECOND,
      silentSeconds: systems[0].ageSeconds,
    }
  }

  async close(): Promise<void> {
    const followed = this.#followed
    this.#followed = undefined
    this.#published.follow([])
    await followed?.pool.close()
  }

  async promote(
    ...[until = 'durable', isOwned = () => true]: Promotion
  ): Promise<PromotedUniverse> {
    const { logger, sql } = this.#options
    do await this.#look()
    // Another era may have begun.
    while (!this.#followed)
    const { events, opened, place, pool, systems } = this.#followed
    this.#followed = undefined
    this.#published.follow([])
    const { era } = place
    const owned = systems.filter(({ key }) => isOwned(key.systemId))
    const clocks = owned.flatMap(({ head }) => head ?? [])
    const durable = latest(clocks)
    const ageSeconds = Math.min(...owned.map((system) => system.ageSeconds))
    const now =
      durable &&
      (until === 'durable' ? durable : await this.#now(era, durable, { ageSeconds, until }))
    const marks = owned.flatMap(({ published: { mark } }) => {
      return mark ? [{ ...mark, lattice: mark.index }] : []
    })
    const last = latest([...(now ? [now] : []), ...marks])
    try {
      if (last) for (const system of owned) await system.flyTo(last)
      takeUpHandOffs(opened.universe, await journal(sql).inTransit(era), logger)
    } catch (error) {
      await pool.close()
      throw error
    }
    const time = last && {
      gameClock: imageClock({ index: last.lattice, remainder: last.remainder }),
      tick: last.tick,
    }
    const digests = owned.flatMap(({ waiting }) => waiting)
    return { ...opened, ...time, era, pool, events, digests }
  }

  async #now(
    era: number,
    clock: ClockRow,
    { ageSeconds, until }: { readonly ageSeconds: number; readonly until: Departure },
  ): Promise<ClockRow> {
    const planned = await clockPlan(this.#options.sql).load(era)
    const sinceLook = this.#options.clock.monotonicMs() - this.#lookedMs
    return presentClock(clock, ageSeconds + sinceLook / 1000, planned, until)
  }

  /** Time between two looks now [ms]. */
  #lookMs(): number {
    if (this.#isAway) return AWAY_LOOK_MS
    const isLost = this.#followed?.systems.some(({ published }) => published.isLost)
    return this.#published.isComing() && !isLost ? PUBLISHED_LOOK_MS : LOOK_MS
  }

  async #lookIfThere(heads: Promise<EraHeads> | undefined): Promise<void> {
    const { onAway, onBack } = this.#options
    try {
      await this.#look(heads)
      if (this.#isAway) onBack()
      this.#isAway = false
    } catch (error) {
      if (!isAway(error)) throw error
      if (!this.#isAway) onAway(reasonOf(error))
      this.#isAway = true
    }
  }

  /** Flies the systems of each owner to one moment at which they are durable, as it published. */
  async #flyPublished(): Promise<void> {
    const followed = this.#followed
    for (const systems of Map.groupBy(followed?.systems ?? [], ({ owner }) => owner).values()) {
      const marks = systems.flatMap(({ published }) => published.wholeMark() ?? [])
      if (marks.length < systems.length) continue
      const [mark] = marks.toSorted((a, b) => a.index - b.index)
      if (!(await this.#fly(systems, (system) => system.flyPublished(mark)))) return this.close()
    }
    if (followed) this.#show(followed)
  }

  /** How far a world is durable. */
  #heads({ place, systems }: Followed): Promise<EraHeads> {
    return eraHeads(this.#options.sql, {
      ...place,
      physics: PHYSICS,
      sequences: Object.fromEntries(systems.map(({ key, sequence }) => [key.systemId, sequence])),
    })
  }

  /** Flies what has become durable since the last look. @param asked  of what is followed */
  async #look(asked?: Promise<EraHeads>): Promise<void> {
    const { clock, sql, onDigest } = this.#options
    // What was published may have closed the world since it was asked.
    if (asked && !this.#followed) return
    const followed = (this.#followed ??= await this.#open())
    const { place, systems } = followed
    const heads = await (asked ?? this.#heads(followed))
    if (heads.newest !== place.era) return this.close()
    requirePhysics(heads)
    this.#lookedMs = clock.monotonicMs()
    for (const system of systems) {
      const head = heads.systems.find(({ systemId }) => systemId === system.key.systemId)
      if (head) system.learn(head)
    }
    // The journal is no longer kept where it was read: a later snapshot has all of it.
    if (!(await this.#fly(systems, (system) => system.fly(sql)))) return this.close()
    this.#show(followed)
    for (const system of systems) {
      for (const compared of await system.compared(journal(sql))) onDigest(compared)
    }
    await this.#forgetHandOffs(followed)
  }

  /** Flies systems; false when the world has to be opened again. */
  async #fly(
    systems: readonly FollowedSystem[],
    flyOne: (system: FollowedSystem) => Promise<void>,
  ): Promise<boolean> {
    const { mirror } = this.#options
    const fly = async (): Promise<boolean> => {
      for (const system of systems) {
        try {
          await flyOne(system)
        } catch (error) {
          if (!system.wasMisled(error) && !(await this.#isPruned(error, system))) throw error
          return false
        }
      }
      return true
    }
    return mirror ? mirror.flight(fly) : fly()
  }

  /** Shows the world where the home system, and all of its owner, have come to one moment. */
  #show({ place, systems }: Followed): void {
    const [{ ageSeconds, head, index, owner, published }] = systems
    // A clock of the same index as a watermark was written later: a pause has no watermark.
    const isClock = head?.lattice === index
    const isBetween = systems.some((system) => system.owner === owner && system.index !== index)
    if (!head || isBetween || (!isClock && published.mark?.index !== index)) return
    const newer = isClock ? { ageSeconds } : { ...published.mark, ageSeconds: 0 }
    this.#options.mirror?.reached({ ...place, ...head, ...newer, index })
  }

  /** Opens the newest stored world of the newest era. */
  async #open(): Promise<Followed> {
    const { sql, createPool, logger, mirror, onOpened } = this.#options
    const opening = (await eras(sql).list()).at(-1)
    if (!opening) throw noWorld()
    const { era, reason, snapshotId: firstId } = opening
    const stored = snapshots(sql, ({ id: snapshot, ...why }) =>
      logger.error({ snapshot, ...why }, 'a stored world is unusable; taking an older one'),
    )
    const records = { snapshots: stored, journal: journal(sql), era, firstId }
    const found = await newestUsable({ ...this.#options, ...records })
    if (!found) throw noWorld()
    const { snapshot, opened, sources } = found
    const other = Array.from(sources.values()).find(({ physics }) => physics !== PHYSICS)
    if (other) throw otherPhysics(other.id, other.physics)
    const { universe } = opened
    const threads = createPool?.(universe)
    const pool = threads ?? NO_THREADS
    mirror?.opened({ universe, pool })
    const { add: onManeuver, events } = lastManeuverEvents()
    const systems = universe.worlds.map((world, place): FollowedSystem => {
      const systemId = world.state.system.id
      const onDigest = (digest: SystemDigest): void => system.made(digest)
      const receivers = { onDigest, onManeuver, ...mirror?.replaying(world) }
      const { apply, flyTo } = createReplay({ world, pool: threads, place, ...receivers })
      const flown = { index: () => world.index, apply, flyTo }
      const sequence = sources.get(systemId)?.sequences[systemId] ?? 0
      const system = new FollowedSystem({ era, systemId }, flown, sequence)
      return system
    })
    const place = { era, reason, snapshotId: snapshot.id, index: snapshot.lattice }
    this.#published.follow(systems)
    onOpened(place)
    return { place, opened, pool, events, systems }
  }

  /** Whether rows are missing since the era begins later by now. */
  async #isPruned(error: unknown, { key, sequence }: FollowedSystem): Promise<boolean> {
    if (Object(error).code !== 'ERR_FOLLOWER_GAP') return false
    const { sql } = this.#options
    const begun = await eras(sql).byNumber(key.era)
    if (!begun) return true
    const first = (await snapshots(sql).list()).find(({ id }) => id === begun.snapshotId)
    return first !== undefined && (first.sequences[key.systemId] ?? 0) > sequence
  }

  async #forgetHandOffs({ place, opened: { universe } }: Followed): Promise<void> {
    const { clock, logger, sql } = this.#options
    if (clock.monotonicMs() - this.#handOffsMs < HAND_OFFS_MS) return
    this.#handOffsMs = clock.monotonicMs()
    takeUpHandOffs(universe, await journal(sql).inTransit(place.era), logger)
  }
}

function latest<Place extends { lattice: number }>(places: readonly Place[]): Place | undefined {
  return places.toSorted((a, b) => a.lattice - b.lattice).at(-1)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
