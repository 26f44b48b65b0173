import type { Bus } from '@orrery/bus'
import type { Database } from '@orrery/database'
import { type Engine, createEngine, systemClock } from '@orrery/engine'
import {
  FollowedClock,
  HOME_ID,
  type JournalWriter,
  type ManeuverEventWriter,
  OwnerWatch,
  Placement,
  type TakenOver,
  announceOwner,
  createCommandExecution,
  createJournalWriter,
  createManeuverEventWriter,
  createRowStream,
  storedSettings,
} from '@orrery/game'
import type { Logger } from '@orrery/http'
import {
  type Host,
  type HostClock,
  giveSystems,
  listHosts,
  mayOwn,
  journal as journalOf,
  sentCommands,
  maneuverEvents,
  settings as settingsRows,
} from '@orrery/store'
import { Hono } from 'hono'
import type { Config } from '../config.ts'
import { ownerCommandRoutes } from '../remote/owner-commands.ts'
import { type AnsweredSystems, answeredSystems } from './answered-systems.ts'

/** So long a host that stands by has to lead in place of one that is gone [ms]. */
const HEIR_MS = 2500

export interface FlyingHostOptions extends TakenOver {
  readonly config: Pick<Config, 'tokenKey'>
  readonly database: Pick<Database, 'sql'>
  readonly bus: Bus | undefined
  readonly host: Host
  readonly isUnfit: () => boolean
  readonly hostClock: () => HostClock | undefined
  readonly logger: Logger
  /** takes commands from then on */
  readonly onFlying: (app: Hono, engine: Engine) => void
}

/** The same with a universe that was followed. */
type Followed = FlyingHostOptions & { readonly promoted: NonNullable<TakenOver['promoted']> }

/** What flies, and what it writes. */
interface Flight {
  readonly engine: Engine
  readonly journal: JournalWriter
  readonly maneuvers: ManeuverEventWriter
  readonly answers: AnsweredSystems
  readonly followedClock: FollowedClock
}

/**
 * Flies star systems of a universe that another host leads, until they are another's, that one is
 * gone, or the signal ends it; the leader gets what is left.
 */
export async function flySystems(options: FlyingHostOptions, signal: AbortSignal): Promise<void> {
  const { config, logger, onFlying, owner, promoted } = options
  if (!promoted) throw new Error('A universe that is not followed cannot be flown')
  const ended = Promise.withResolvers<string>()
  signal.addEventListener('abort', () => ended.resolve('it stops'))
  const flight = await openFlight({ ...options, promoted }, (reason) => ended.resolve(reason))
  const { answers, engine, journal } = flight
  const onOrdered = (): void => undefined
  const carryOut = createCommandExecution({
    engine,
    fence: answers.fence,
    clock: systemClock,
    sent: (systemIds) => sentCommands(options.database.sql, promoted.era, systemIds),
    onOrdered,
  })
  const watch = new OwnerWatch(() => systemClock.monotonicMs())
  let leader: string | undefined
  let isLed = true
  let isWaiting = false
  // A new leader lets this host fly on what it has.
  const awaitHeir = async (): Promise<void> => {
    isWaiting = true
    const hasHeir = await isStoodBy(options).catch(() => false)
    if (hasHeir) await new Promise<void>((resolve) => void systemClock.after(HEIR_MS, resolve))
    isWaiting = false
    if (!isLed) ended.resolve('the leader is gone')
  }
  const placement: Placement = new Placement({
    ...options,
    ...flight,
    sql: options.database.sql,
    owner,
    era: () => promoted.era,
    clock: systemClock,
    mayTake: () => false,
    onDrained: () => undefined,
    onDigest: (digest) => journal.digest(digest),
    onOwned: (systemId) => answers.begin(systemId, carryOut),
    onGiven: (systemId) => {
      answers.end(systemId)
      if (owner.claims().size === 0) ended.resolve('another host has its star systems')
    },
    onSeen: (rows) => {
      const home = rows.filter(({ system }) => system === HOME_ID)
      leader = home.at(0)?.host ?? leader
      if (leader === options.host.incarnation) {
        ended.resolve('it is to lead')
        return false
      }
      const life = watch.saw(home)
      isLed = life === 'alive' || life === 'tool'
      if (!isLed && !isWaiting) void awaitHeir()
      return true
    },
  })
  const all = engine.universe.worlds.map(({ state }) => state.system.id)
  const others = all.filter((systemId) => !owner.claims().has(systemId))
  await Promise.all([placement.follow(others), flight.followedClock.start()])
  for (const digest of promoted.digests) journal.digest(digest)
  for (const systemId of owner.claims().keys()) answers.begin(systemId, carryOut)
  journal.start()
  engine.start()
  placement.start()
  onFlying(new Hono().route('/', ownerCommandRoutes({ config, carryOut, logger })), engine)
  logger.info({ systems: [...owner.claims().keys()] }, 'flying star systems')
  const reason = await ended.promise
  logger.warn({ reason }, 'flying star systems no more')
  await placement.stop()
  await closeFlight(options, flight, leader)
}

/** Whether another host lives that owns nothing. */
async function isStoodBy({ database: { sql }, host }: FlyingHostOptions): Promise<boolean> {
  const idle = (await listHosts(sql)).filter(
    ({ incarnation, systems }) => incarnation !== host.incarnation && systems.length === 0,
  )
  const alive = await Promise.all(idle.map(({ incarnation }) => mayOwn(sql, incarnation)))
  return alive.includes(true)
}

/** An engine with the systems, not started, that journals what it does. */
async function openFlight(
  { bus, database: { sql }, hostClock, logger, owner, promoted }: Followed,
  end: (reason: string) => void,
): Promise<Flight> {
  const { era, events, digests: _digests, ...opened } = promoted
  const clock = systemClock
  const onError = (error: unknown): void => logger.error({ err: error }, 'unexpected')
  const records = journalOf(sql, { nowMs: () => clock.monotonicMs() })
  const present = { owner, era: () => era, moment: () => engine.clock() }
  const rows = bus && createRowStream({ ...present, bus, clock })
  const journal = createJournalWriter({
    ...present,
    clock,
    append: async (batch) => {
      const outcome = await records.append(batch)
      rows?.written(batch)
      return outcome
    },
    onError: (error) => logger.error({ err: error }, 'the journal could not be written; trying on'),
    onAway: () => logger.error('the database is away; commands are refused'),
    onBack: () => logger.warn('the database is back; all that was acknowledged is kept'),
    onFenced: () => end('another host has taken its star systems'),
    onSystemStopped: (systemId, error) => {
      logger.fatal({ system: systemId, err: error }, 'a star system is stopped')
      end('a star system is stopped')
    },
  })
  const maneuvers = createManeuverEventWriter({
    records: maneuverEvents(sql, owner),
    era: () => era,
    durableIndex: (of) => journal.durableIndex(of),
    clock,
    onError,
  })
  for (const event of events) maneuvers.add(event)
  const engine: Engine = createEngine({
    ...opened,
    ...(await storedSettings(settingsRows(sql))),
    // The plan follows UTC where the leader does.
    timeSyncEnabled: false,
    clock,
    journal,
    onPublish: () => rows?.ticked(),
    onDigest: (digest) => journal.digest(digest),
    onManeuver: (event) => maneuvers.add(event),
    onFault: (error) => {
      logger.fatal({ err: error }, 'a tick broke')
      end('a tick broke')
    },
  })
  // How time ran up to the index of a change is durable soon.
  const onPace = (): void => void journal.durable().catch(() => undefined)
  const followedClock = new FollowedClock({ sql, era, engine, hostClock, clock, logger, onPace })
  return {
    engine,
    journal,
    maneuvers,
    answers: answeredSystems(bus, owner, onError),
    followedClock,
  }
}

async function closeFlight(
  { bus, database: { sql }, logger, owner }: FlyingHostOptions,
  { answers, engine, followedClock, journal, maneuvers }: Flight,
  leader: string | undefined,
): Promise<void> {
  const onError = (error: unknown): void => logger.error({ err: error }, 'unexpected')
  answers.endAll()
  await followedClock.stop()
  await engine.stop()
  await journal.stop().catch(onError)
  await maneuvers.stop()
  if (leader === undefined) return
  const systems = [...owner.claims().keys()]
  await giveSystems(sql, owner, { systems, host: leader }).catch(onError)
  for (const systemId of systems) announceOwner(bus, systemId)
}
