import type { Bus } from '@orrery/bus'
import { type Database, isAway } from '@orrery/database'
import { type Pool, type Universe, type WallClock, errorText } from '@orrery/engine'
import type { GameModules } from '@orrery/engine/modules'
import { PHYSICS } from '@orrery/sim'
import { type Host, Ownership, type SystemSeen, claimSystems, seenSystems } from '@orrery/store'
import {
  type CarriedCore,
  type CarriedFollowing,
  carriedFor,
  storedPhysics,
} from '../following/carried-core.ts'
import type { ComparedDigest } from '../following/followed-system.ts'
import { FollowerError, causeIn } from '../following/follower-error.ts'
import type { FollowedPlace, FollowerPosition } from '../following/follower-position.ts'
import {
  type Follower,
  type FollowerOptions,
  type PromotedUniverse,
  createFollower,
} from '../following/follower.ts'
import type { GameLog } from '../game-config.ts'
import { HOME_ID, SYSTEM_IDS } from '../game-records.ts'
import { createInterruptibleSleep } from '../interruptible-sleep.ts'
import { RecoveryError } from '../world/recovery.ts'
import { ClaimTurn } from './claim-turn.ts'
import { onOwnerNews } from './owner-news.ts'
import { type OwnerLife, OwnerWatch } from './owner-watch.ts'

/** Time between two looks at the owner. */
const LOOK_MS = 100

/** Time until a world that could not be followed is followed again. */
const AGAIN_MS = 2000

export interface StandbyOptions {
  readonly database: Pick<Database, 'sql' | 'reserve' | 'isReserved'>
  readonly host: Host
  /** this host is to own nothing while another one can: it is drained, or its clock is wrong */
  readonly isUnfit: () => boolean
  /** brings what becomes durable sooner */
  readonly bus?: Pick<Bus, 'subscribe'> | undefined
  readonly shipsMax: number
  readonly modules?: GameModules | undefined
  /** follows a world of an older physics */
  readonly carried?: CarriedCore | undefined
  readonly createPool: (universe: Universe) => Pool
  readonly clock: WallClock
  readonly logger: GameLog
}

/** Of errors that end with a release or settings alone. */
const LACKS = ['ERR_MODULE', 'ERR_RECOVERY_NEWER'] as const

/** A world that was taken over. */
export interface TakenOver {
  readonly owner: Ownership
  /** undefined when it was not followed: a start opens what is stored */
  readonly promoted: PromotedUniverse | undefined
}

/** A host that follows the world of another, and takes it over when that dies. */
export interface Standby {
  /** of the owner, as it was seen last; undefined without one */
  owner(): string | undefined
  /** of the world that is followed; undefined before one opens */
  position(): FollowerPosition | undefined
  /** why it does not claim the world: a module that it was not given */
  lack(): string | undefined
  /**
   * Takes the systems of the home system's owner as soon as that is dead or has gone, or those
   * that are given to this host while it lives.
   *
   * @returns undefined when the signal ended it
   */
  takeOver(signal: AbortSignal): Promise<TakenOver | undefined>
  /** The world where it was given to this host and not taken over; undefined where it was not. */
  left(): Promise<TakenOver | undefined>
}

export function createStandby(options: StandbyOptions): Standby {
  return new FollowingStandby(options)
}

class FollowingStandby implements Standby {
  readonly #options: StandbyOptions
  readonly #watch: OwnerWatch
  readonly #turn: ClaimTurn
  #follower: Follower | undefined
  #owner: string | undefined
  /** it has come to what is stored, or knows why it does not */
  #hasLooked = false
  /** that flies the world */
  #physics = PHYSICS
  /** of an era, of none where that did not open */
  #lack: { readonly era: number | undefined; readonly reason: string } | undefined

  constructor(options: StandbyOptions) {
    this.#options = options
    this.#watch = new OwnerWatch(() => options.clock.monotonicMs())
    this.#turn = new ClaimTurn(options)
  }

  owner(): string | undefined {
    return this.#owner
  }

  position(): FollowerPosition | undefined {
    return this.#follower?.position()
  }

  lack(): string | undefined {
    return this.#lack?.reason
  }

  async takeOver(signal: AbortSignal): Promise<TakenOver | undefined> {
    const ending = new AbortController()
    const end = (): void => ending.abort()
    signal.addEventListener('abort', end)
    const following = this.#follow(ending.signal)
    const owner = await this.#claimed(signal).finally(end)
    await following
    const follower = this.#follower
    if (!owner) {
      await follower?.close()
      return undefined
    }
    return { owner, promoted: follower && (await this.#promoted(follower, owner)) }
  }

  async left(): Promise<TakenOver | undefined> {
    const { database, host } = this.#options
    const rows = await seenSystems(database.sql).catch((error: unknown) => {
      if (!isAway(error)) throw error
      return []
    })
    const owner = new Ownership(rows.filter((row) => row.host === host.incarnation))
    return owner.claims().has(HOME_ID) ? { owner, promoted: undefined } : undefined
  }

  /** Follows until the signal ends it, and begins again where that is not possible. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, database, logger } = this.#options
    const sleep = createInterruptibleSleep(clock)
    signal.addEventListener('abort', () => sleep.interrupt())
    let reported = ''
    while (!signal.aborted) {
      const ending = new AbortController()
      let mismatch: FollowerError | undefined
      let era: number | undefined
      const looks = {
        ...this.#options,
        sql: database.sql,
        onOpened: (place: FollowedPlace) => {
          era = place.era
          // Another era may begin before what it lacks.
          if (era !== this.#lack?.era) this.#lack = undefined
          this.#hasLooked = true
          logger.info(place, 'following the world')
        },
        onDigest: ({ systemId, index, digest, kept }: ComparedDigest) => {
          if (digest === kept) return
          const message = `${systemId} has digest ${digest} at index ${index}, its owner ${kept}.`
          mismatch = new FollowerError('ERR_FOLLOWER_DIGEST', message)
          ending.abort()
        },
        onAway: () => undefined,
        onBack: () => undefined,
      }
      let follower: Follower | undefined
      try {
        follower = await this.#newFollower(looks)
        this.#follower = follower
        await follower.follow(AbortSignal.any([signal, ending.signal]))
        if (mismatch) throw mismatch
      } catch (error) {
        this.#follower = undefined
        await follower?.close()
        const lacking = causeIn(error, LACKS)
        if (lacking) this.#lack = { era, reason: lacking }
        this.#hasLooked = true
        const reason = errorText(error)
        const what = lacking ? 'this server cannot own the world' : 'the world cannot be followed'
        if (reason !== reported) logger.error({ reason }, what)
        reported = reason
        if (!signal.aborted) await sleep.start(AGAIN_MS)
      }
    }
  }

  /** Follows by the core of the release before what that one flies. */
  async #newFollower(looks: FollowerOptions & CarriedFollowing): Promise<Follower> {
    const physics = await storedPhysics(looks.sql).catch((error: unknown) => {
      if (!isAway(error)) throw error
      return this.#physics
    })
    this.#physics = physics ?? PHYSICS
    return carriedFor(this.#options.carried, physics)?.follower(looks) ?? createFollower(looks)
  }

  async #claimed(signal: AbortSignal): Promise<Ownership | undefined> {
    const { clock, logger } = this.#options
    const sleep = createInterruptibleSleep(clock)
    signal.addEventListener('abort', () => sleep.interrupt())
    let hasNews = false
    using subscriptions = new DisposableStack()
    subscriptions.adopt(
      onOwnerNews(this.#options.bus, () => {
        hasNews = true
        sleep.interrupt()
      }),
      (news) => news?.end(),
    )
    while (!signal.aborted) {
      hasNews = false
      try {
        const rows = await seenSystems(this.#options.database.sql)
        const home = rows.find(({ system }) => system === HOME_ID)
        const given = rows.filter((row) => row.host === this.#options.host.incarnation)
        this.#owner = home?.address
        // Without its home a universe is somebody's, too.
        const led = rows.filter((row) => row.host === home?.host)
        const life = this.#watch.saw(led)
        if ((await this.#mayClaim(life, led)) && this.#isTogether(rows, led)) {
          logger.info({ owner: this.#owner, life }, 'taking the world')
          return await this.#claim(rows, this.#isOlder() ? rows : led)
        }
        // What is given is flown on from where it is followed.
        if (given.length > 0 && this.position()) return new Ownership(given)
      } catch (error) {
        // Another one that stood by was faster, or the database is away.
        if (!isAway(error) && Object(error).code !== 'ERR_CLAIM_LOST') throw error
        this.#watch.unanswered()
      }
      if (!signal.aborted && !hasNews) await sleep.start(LOOK_MS)
    }
    return undefined
  }

  #isOlder(): boolean {
    return this.#physics < PHYSICS
  }

  /** Whether all systems go on under one physics: those of an older one are taken at once. */
  #isTogether(rows: readonly SystemSeen[], led: readonly SystemSeen[]): boolean {
    return !this.#isOlder() || rows.every((row) => led.includes(row) || row.isLockFree)
  }

  async #mayClaim(life: OwnerLife, rows: readonly SystemSeen[]): Promise<boolean> {
    const { database, host } = this.#options
    // A claim whose answer was lost.
    if (rows.length > 0 && rows.every((row) => row.host === host.incarnation)) return true
    if (this.#lack || !this.#hasLooked) return false
    // An owner without beats shows by its lock alone that it lives.
    const isOwned = life === 'tool' ? await database.isReserved() : life === 'alive'
    return !isOwned && this.#turn.hasCome(rows.at(0), this.#physics)
  }

  /** Takes some systems, those of this host and those without a row. */
  async #claim(rows: readonly SystemSeen[], led: readonly SystemSeen[]): Promise<Ownership> {
    const { host, database } = this.#options
    const others = rows.filter((row) => !led.includes(row) && row.host !== host.incarnation)
    const systemIds = SYSTEM_IDS.filter((id) => !others.some(({ system }) => system === id))
    const owner = await claimSystems(database.sql, { systemIds, host, seen: rows })
    await database.reserve()
    return owner
  }

  async #promoted(follower: Follower, owner: Ownership): Promise<PromotedUniverse | undefined> {
    const claims = owner.claims()
    // Without the home system it was given, by a leader that lives.
    const until = claims.has(HOME_ID) ? 'now' : 'given'
    try {
      return await follower.promote(until, (systemId) => claims.has(systemId))
    } catch (error) {
      const isUnusable = error instanceof FollowerError || error instanceof RecoveryError
      if (!isUnusable) throw error
      this.#options.logger.error({ err: error }, 'the world that was followed is unusable')
      return undefined
    }
  }
}
