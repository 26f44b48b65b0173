import type { Bus } from '@orrery/bus'
import type { Database } from '@orrery/database'
import { type Engine, createEngine, systemClock } from '@orrery/engine'
import {
  ClaimTurn,
  type CommandExecution,
  FollowedClock,
  HOME_ID,
  type JournalWriter,
  type ManeuverEventWriter,
  Placement,
  type PromotedUniverse,
  type TakenOver,
  announceOwner,
  createCommandExecution,
  createJournalWriter,
  createManeuverEventWriter,
  createRowStream,
  lastManeuverEvents,
  storedSettings,
} from '@orrery/game'
import type { Logger } from '@orrery/http'
import {
  type Host,
  type HostClock,
  giveSystems,
  journal as journalOf,
  sentCommands,
  maneuverEvents,
  settings as settingsRows,
} from '@orrery/store'
import { Hono } from 'hono'
import type { Config } from '../config.ts'
import { ownerCommandRoutes } from '../remote/owner-commands.ts'
import { type AnsweredSystems, answeredSystems } from './answered-systems.ts'

/** Why a flight ends that goes on as the world of a leader. */
const TO_LEAD = 'it is to lead'

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
 * Flies star systems of a universe that another host leads, until they are another's, this host is
 * to lead in its place, or the signal ends it; the leader gets what is left.
 *
 * @returns what it flies, where it is to lead
 */
export async function flySystems(
  options: FlyingHostOptions,
  signal: AbortSignal,
): Promise<TakenOver | undefined> {
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
  const end = ended.resolve
  const { events, placement, leader } = placed({ ...options, promoted }, flight, { carryOut, end })
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
  const { isDurable, ...halted } = await endFlight(options, flight)
  const isLeading = reason === TO_LEAD && owner.claims().has(HOME_ID)
  if (isLeading && isDurable && !signal.aborted) {
    return { owner, promoted: { ...halted, era: promoted.era, events, digests: [] } }
  }
  await halted.pool.close()
  await giveBack(options, leader())
  return undefined
}

/** How star systems of a flight change hands: this host leads when no other one is to. */
function placed(
  options: Followed,
  flight: Flight,
  {
    carryOut,
    end,
  }: { readonly carryOut: CommandExecution; readonly end: (reason: string) => void },
): Pick<PromotedUniverse, 'events'> & {
  readonly placement: Placement
  /** incarnation of the host that leads, as far as it was seen */
  readonly leader: () => string | undefined
} {
  const { answers, journal } = flight
  const { database, host, owner, promoted } = options
  const turn = new ClaimTurn({ ...options, clock: systemClock })
  const { add: onManeuver, events } = lastManeuverEvents()
  let leader: string | undefined
  const placement = new Placement({
    ...options,
    ...flight,
    sql: database.sql,
    era: () => promoted.era,
    clock: systemClock,
    // The leader takes what another host had.
    mayTake: async (row) => row.host === leader && turn.hasCome(row),
    onManeuver,
    onUnfollowed: () => end('a star system cannot be followed'),
    onUnflyable: () => end('a star system cannot be flown on'),
    onDrained: () => undefined,
    onDigest: (digest) => journal.digest(digest),
    onOwned: (systemId) => answers.begin(systemId, carryOut),
    onGiven: (systemId) => {
      answers.end(systemId)
      if (owner.claims().size === 0) end('another host has its star systems')
    },
    onSeen: (rows) => {
      const isLeading = owner.claims().has(HOME_ID)
      const before = leader
      leader = rows.find(({ system }) => system === HOME_ID)?.host ?? leader
      const isToLead = leader === host.incarnation
      // One that could not take the home system in one look opens the world as it is stored.
      if (isToLead && (isLeading || before === leader)) end(TO_LEAD)
      return !isLeading
    },
  })
  return { placement, events, leader: () => leader }
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

/** Ends a flight; what was not durable within some seconds is not. */
async function endFlight(
  { logger }: Pick<FlyingHostOptions, 'logger'>,
  { answers, engine, followedClock, journal, maneuvers }: Flight,
): Promise<Awaited<ReturnType<Engine['halt']>> & { readonly isDurable: boolean }> {
  answers.endAll()
  await followedClock.stop()
  const halted = await engine.halt()
  const isDurable = await journal.stop().then(
    () => true,
    (error: unknown) => {
      logger.error({ err: error }, 'unexpected')
      return false
    },
  )
  await maneuvers.stop()
  return { ...halted, isDurable }
}

/** Gives what it owns to the host that leads, where that is another one. */
async function giveBack(
  { bus, database: { sql }, host, logger, owner }: FlyingHostOptions,
  leader: string | undefined,
): Promise<void> {
  if (leader === undefined || leader === host.incarnation) return
  const systems = [...owner.claims().keys()]
  await giveSystems(sql, owner, { systems, host: leader }).catch((error: unknown) =>
    logger.error({ err: error }, 'unexpected'),
  )
  for (const systemId of systems) announceOwner(bus, systemId)
}
