import type { Bus } from '@orrery/bus'
import { isAway } from '@orrery/database'
import { type Engine, type SystemDigest, errorText } from '@orrery/engine'
import {
  type Host,
  type Ownership,
  type SystemSeen,
  claimSystems,
  giveSystems,
  seenSystems,
} from '@orrery/store'
import {
  type SystemFollower,
  type SystemFollowerOptions,
  followSystem,
} from '../following/system-follower.ts'
import { createInterruptibleSleep } from '../interruptible-sleep.ts'
import { encodeStreamMessage, rowSubject } from '../streaming/stream-message.ts'
import type { JournalWriter } from '../journal/journal-writer.ts'
import { Arrivals, type HandOff } from './arrivals.ts'
import { drainMove, heirOf, mayBeGiven } from './giving.ts'
import { announceOwner, onOwnerNews } from './owner-news.ts'
import { OwnerWatch } from './owner-watch.ts'

/** Time between two looks at the owners, where this process owns all systems and where not. */
const LOOK_ALONE_MS = 500
const LOOK_MS = 100

/** A system is given and taken in less: for those who look at it no tick is missing. */
const GIVING_MS = 80

/** So long the world stands at most for a system that is given. */
const REST_MS_MAX = 1000

/** Clocks of hosts, and ticks of one, are no farther apart. */
const AHEAD_MS = 250

/** The last command of each system. */
type Heads = ReadonlyMap<string, number>

export interface PlacementOptions extends Omit<
  SystemFollowerOptions,
  'bus' | 'era' | 'systemId' | 'onDeparted'
> {
  /** brings what becomes durable, and who owns what, sooner */
  readonly bus: Pick<Bus, 'publish' | 'subscribe'> | undefined
  readonly engine: Pick<Engine, 'followed' | 'atRest' | 'completeHandOffs' | 'status'>
  readonly host: Host
  readonly owner: Ownership
  readonly era: () => number
  readonly journal: Pick<JournalWriter, 'durable'>
  /** whether it may take a system whose owner is dead, by its row */
  readonly mayTake: (row: SystemSeen) => Promise<boolean>
  /** a digest that the owner before has not stored */
  readonly onDigest: (digest: SystemDigest) => void
  /** this process owns a system from now on, or does no more */
  readonly onOwned: (systemId: string) => void
  readonly onGiven: (systemId: string) => void
  /** awaited before a system is another's */
  readonly beforeGiven?: () => Promise<void>
  /** this host is to own nothing while another one can: it is drained, or its clock is wrong */
  readonly isUnfit: () => boolean
  /** all that could be given while both fly is: another host is there for the rest */
  readonly onDrained: () => void
  /**
   * a system is followed no more: it cannot be flown as its owner has journalled it, which the
   * stored world can where a former owner had published too much
   */
  readonly onUnfollowed: (systemId: string, wasMisled: boolean) => void
  /** a system is this host's, and cannot be flown from where it is followed */
  readonly onUnflyable: (systemId: string) => void
  /** called with each look; false where no system is to change hands any more */
  readonly onSeen?: (rows: readonly SystemSeen[]) => boolean
}

interface Following {
  readonly follower: SystemFollower
  readonly ending: AbortController
  readonly ended: Promise<void>
}

/**
 * The star systems of an engine that change owners: given to the host that they are wanted on,
 * followed while another owns them, and taken when that is dead.
 */
export class Placement {
  readonly #options: PlacementOptions
  readonly #stopping = new AbortController()
  readonly #watches = new Map<string, OwnerWatch>()
  readonly #following = new Map<string, Following>()
  /** ships that have arrived by their rows, each with heads that are later */
  #arrived: ReadonlyMap<HandOff, Heads> = new Map<HandOff, Heads>()
  readonly #arrivals: Arrivals
  /** the owners may be others than those of the last look */
  #hasNews = false
  #running: Promise<void> | undefined

  constructor(options: PlacementOptions) {
    this.#options = options
    this.#arrivals = new Arrivals(options)
  }

  /** Follows systems of the engine that others own. */
  async follow(systemIds: readonly string[]): Promise<void> {
    for (const systemId of systemIds) await this.#follow(systemId)
  }

  start(): void {
    this.#arrivals.start()
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#arrivals.stop()
    await this.#running
    await this.forget()
  }

  /** Follows no system any more: the world is replaced. */
  async forget(): Promise<void> {
    const all = [...this.#following.values()]
    this.#following.clear()
    for (const { ending } of all) ending.abort()
    await Promise.all(all.map(({ ended }) => ended))
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    const sleep = createInterruptibleSleep(this.#options.clock)
    signal.addEventListener('abort', () => sleep.interrupt())
    const news = onOwnerNews(this.#options.bus, () => {
      this.#hasNews = true
      sleep.interrupt()
    })
    while (!signal.aborted) {
      this.#hasNews = false
      await this.#lookIfThere()
      if (signal.aborted || this.#hasNews) continue
      await sleep.start(this.#following.size > 0 ? LOOK_MS : LOOK_ALONE_MS)
    }
    news?.end()
  }

  async #lookIfThere(): Promise<void> {
    try {
      const arrived = await this.#arrivals.arrived()
      const rows = await seenSystems(this.#options.sql)
      if (this.#options.onSeen?.(rows) === false) return
      await this.#forget(arrived, rows)
      for (const row of rows) if (!this.#stopping.signal.aborted) await this.#look(row)
      await this.#giveAway(rows)
    } catch (error) {
      for (const watch of this.#watches.values()) watch.unanswered()
      const { code } = Object(error)
      if (isAway(error) || code === 'ERR_CLAIM_LOST') return
      this.#options.logger.error({ reason: errorText(error) }, 'star systems do not change hands')
    }
  }

  /** Gives away a system where this host is unfit, one with each look. */
  async #giveAway(rows: readonly SystemSeen[]): Promise<void> {
    const { host, isUnfit, onDrained, owner, sql } = this.#options
    const { signal } = this.#stopping
    if (!isUnfit() || signal.aborted) return
    const own = rows.filter(({ claim, system }) => owner.claims().get(system)?.claim === claim)
    if (own.length === 0) return
    const move = await drainMove(
      sql,
      host,
      own.map(({ system }) => system),
    )
    if (move) await this.#give(move.systemId, move.host)
    else if (!signal.aborted && (await heirOf(sql, host))) onDrained()
  }

  async #look(row: SystemSeen): Promise<void> {
    const { engine, host, mayTake, owner, sql } = this.#options
    const { system, wanted } = row
    const isOwn = owner.claims().get(system)?.claim === row.claim
    const isWantedElsewhere = wanted !== undefined && wanted !== host.incarnation
    const { timeScale } = engine.status()
    if (isOwn && isWantedElsewhere && (await mayBeGiven(sql, wanted, timeScale))) {
      return this.#give(system, wanted)
    }
    const following = this.#following.get(system)
    if (!following) return
    // A claim whose answer was lost, one that was given, or one that could not be given.
    if (row.host === host.incarnation) return this.#take(row, following)
    const watch = this.#watches.get(system) ?? this.#newWatch(system)
    const life = watch.saw([row])
    if (life === 'alive' || life === 'tool' || !(await mayTake(row))) return
    const { logger } = this.#options
    logger.info({ system, owner: row.address, life }, 'taking a star system')
    const seen = [row]
    const taken = await claimSystems(sql, { systemIds: [system], host, seen })
    for (const claim of taken.claims().values()) {
      if (following.follower.isPublished()) await this.#outlast(claim)
      await this.#take(claim, following)
    }
  }

  /** Waits until what its owner has published of a system lies before what is flown here. */
  async #outlast({ fence, system }: Parameters<Ownership['add']>[0][number]): Promise<void> {
    const { bus, clock, era } = this.#options
    // An owner that lives publishes until its next commit fails; followers pass over it from here.
    const message = { kind: 'rows', era: era(), fence, rows: [] } as const
    bus?.publish(rowSubject(system, fence), encodeStreamMessage(message))
    await new Promise<void>((resolve) => void clock.after(AHEAD_MS, resolve))
  }

  /** Forgets ships that have arrived, once their arrival is flown here, too. */
  async #forget(arrived: readonly HandOff[], rows: readonly SystemSeen[]): Promise<void> {
    const heads = new Map(rows.map(({ system, sequence }) => [system, sequence]))
    this.#arrived = new Map(arrived.map((one) => [one, this.#arrived.get(one) ?? heads]))
    if (arrived.length > 0) await this.#options.engine.followed.forget(this.#arrived)
  }

  #newWatch(system: string): OwnerWatch {
    const watch = new OwnerWatch(() => this.#options.clock.monotonicMs())
    this.#watches.set(system, watch)
    return watch
  }

  /** Goes on with a system that this process has a claim on. */
  async #take(claim: Parameters<Ownership['add']>[0][number], following: Following): Promise<void> {
    const { journal, logger, onDigest, onOwned, onUnflyable, owner } = this.#options
    const { system } = claim
    following.ending.abort()
    await following.ended
    // Before its first clock is to be written.
    owner.add([claim])
    const digests = await following.follower.takeOver().catch((error: unknown) => {
      owner.drop(system)
      if (!isAway(error) && !this.#stopping.signal.aborted) onUnflyable(system)
      throw error
    })
    this.#following.delete(system)
    this.#watches.delete(system)
    this.#hasNews = true
    for (const digest of digests) onDigest(digest)
    onOwned(system)
    // Nothing of it is shown before this host's first clock is durable.
    void journal.durable().catch(() => undefined)
    this.#arrivals.announced()
    logger.info({ system }, 'a star system is flown here')
  }

  /** Gives a system to the host that it is wanted on. */
  async #give(system: string, host: string): Promise<void> {
    const { beforeGiven, bus, engine, journal, logger, onGiven, owner, sql } = this.#options
    await beforeGiven?.()
    if (!this.#following.has(system)) {
      // The next owner begins where this one has flown to: its clock there is durable.
      await engine.atRest(async () => {
        await this.#durableSoon()
        await this.#follow(system)
      }, GIVING_MS)
    }
    // Nothing of it is on its way by then.
    await journal.durable()
    await giveSystems(sql, owner, { systems: [system], host })
    announceOwner(bus, system)
    onGiven(system)
    logger.info({ system, host }, 'a star system is flown by another host')
  }

  /** The world stands meanwhile: where the database is slow it goes on, and nothing is given. */
  async #durableSoon(): Promise<void> {
    const { clock, journal } = this.#options
    const late = Promise.withResolvers<never>()
    const cancel = clock.after(REST_MS_MAX, () =>
      late.reject(new Error(`The journal was not durable within ${REST_MS_MAX} ms.`)),
    )
    await Promise.race([journal.durable(), late.promise]).finally(cancel)
  }

  async #follow(systemId: string): Promise<void> {
    const { era, logger, onUnfollowed } = this.#options
    const onDeparted = (): void => this.#arrivals.announced()
    const follower = await followSystem({ ...this.#options, onDeparted, era: era(), systemId })
    const ending = new AbortController()
    const ended = follower.follow(ending.signal).catch((error: unknown) => {
      logger.error({ system: systemId, err: error }, 'a star system cannot be followed')
      onUnfollowed(systemId, follower.wasMisled(error))
    })
    this.#following.set(systemId, { follower, ending, ended })
  }
}
