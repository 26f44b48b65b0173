import type { Bus } from '@orrery/bus'
import { type Engine, type SystemDigest, systemClock } from '@orrery/engine'
import {
  type CommandExecution,
  type GameRecords,
  type JournalWriter,
  Placement,
  announceOwner,
  createCommandExecution,
  heirOf,
} from '@orrery/game'
import type { Logger } from '@orrery/http'
import { giveSystems } from '@orrery/store'
import type { Config } from '../config.ts'
import { createOwnerAddresses } from '../forwarding/owner-address.ts'
import { gatewayToken } from '../remote/owner-commands.ts'
import { createOwnerLink } from '../remote/owner-link.ts'
import { ownersIn } from '../remote/owners.ts'
import type { Sockets } from '../sockets/sockets.ts'
import { answeredSystems } from './answered-systems.ts'
import type { HostLife } from './host.ts'
import { type SharedClock, leadersClock, ownClock } from './shared-clock.ts'

export interface PlacedSystemsOptions {
  readonly records: Pick<GameRecords, 'sql' | 'owner' | 'kept' | 'journal'>
  /** undefined where no other host can be */
  readonly life?: HostLife | undefined
  readonly bus?: Bus | undefined
  readonly logger: Logger
}

/** Star systems of a world that this process leads, some of which others may own. */
export interface PlacedSystems {
  /** carries out commands of gateways */
  readonly carryOut: CommandExecution
  readonly sharedClock: SharedClock
  /** the world is another one: all of it is this process's */
  worldReplaced(): void
  start(): void
  stop(): Promise<void>
  /**
   * Gives all of them to a host that follows them, when nothing is written any more.
   *
   * @returns false where no host follows
   */
  handOver(): Promise<boolean>
}

export async function placeSystems(
  { records: { sql, owner, kept, journal }, life, bus, logger }: PlacedSystemsOptions,
  {
    engine,
    journalWriter,
    sockets,
    onDigest,
    onError,
  }: {
    readonly engine: Engine
    readonly journalWriter: JournalWriter
    readonly sockets: Pick<Sockets, 'broadcast' | 'ordered'>
    readonly onDigest: (digest: SystemDigest) => void
    readonly onError: (error: unknown) => void
  },
): Promise<PlacedSystems> {
  const clock = systemClock
  const answers = answeredSystems(bus, owner, onError)
  const onOrdered = (shipId: string): void => sockets.ordered(shipId)
  const carryOut = createCommandExecution({
    engine,
    fence: answers.fence,
    clock,
    sent: (systemIds) => journal.sent(kept.settings.era, systemIds),
    onOrdered,
  })
  const begin = (systemId: string): void => answers.begin(systemId, carryOut)
  for (const systemId of owner.claims().keys()) begin(systemId)
  if (!life) return alone(carryOut, engine)
  const leading = { sql, owner, kept, logger, engine, sockets, journal: journalWriter }
  const sharedClock = leadersClock({ ...leading, hostClock: life.hostClock })
  const placement = new Placement({
    sql,
    bus,
    ...life,
    owner,
    engine,
    era: () => kept.settings.era,
    journal: journalWriter,
    clock,
    logger,
    mayTake: async () => true,
    onDigest,
    onOwned: begin,
    onGiven: (systemId) => answers.end(systemId),
    beforeGiven: () => sharedClock.share(),
  })
  const all = engine.universe.worlds.map(({ state }) => state.system.id)
  await placement.follow(all.filter((systemId) => !owner.claims().has(systemId)))
  await sharedClock.load()
  return {
    carryOut,
    sharedClock,
    worldReplaced: () => {
      sharedClock.forget()
      placement.forget().catch(onError)
      for (const systemId of owner.claims().keys()) begin(systemId)
    },
    start: () => {
      placement.start()
      sharedClock.start()
    },
    stop: async () => {
      await sharedClock.stop()
      await placement.stop()
    },
    handOver: () => handOver({ sql, owner, bus, logger, ...life }),
  }
}

/** All systems of a process beside which no other can own one. */
function alone(carryOut: CommandExecution, engine: Engine): PlacedSystems {
  return {
    carryOut,
    sharedClock: ownClock(engine),
    worldReplaced: () => undefined,
    start: () => undefined,
    stop: async () => undefined,
    handOver: async () => false,
  }
}

/** Gives all that a host owns to one that follows it; false where no host follows. */
async function handOver({
  sql,
  owner,
  bus,
  logger,
  host,
}: Pick<GameRecords, 'sql' | 'owner'> &
  Pick<PlacedSystemsOptions, 'bus' | 'logger'> &
  Pick<HostLife, 'host'>): Promise<boolean> {
  const heir = await heirOf(sql, host)
  if (heir === undefined) return false
  const systems = [...owner.claims().keys()]
  await giveSystems(sql, owner, { systems, host: heir })
  for (const systemId of systems) announceOwner(bus, systemId)
  logger.info({ systems, host: heir }, 'the world is given to another host')
  return true
}

/**
 * The same engine for clients: commands to star systems that another process owns, or to ships
 * there, go there. What is written together with an account is not sent.
 */
export function servedElsewhere(
  engine: Engine,
  {
    config: { tokenKey },
    records: { sql },
    bus,
  }: Pick<PlacedSystemsOptions, 'bus' | 'records'> & { readonly config: Pick<Config, 'tokenKey'> },
): Engine {
  const clock = systemClock
  const { fences, readOwner } = ownersIn(sql)
  const link = createOwnerLink({
    bus,
    fences,
    ownerAddress: createOwnerAddresses(readOwner, () => clock.monotonicMs()),
    token: gatewayToken(tokenKey),
    clock,
    mirror: () => ({
      universe: engine.universe,
      shows: (systemId, sequence) => engine.followed.shows(systemId, sequence),
    }),
    onCommand: () => undefined,
  })
  const isElsewhere = (shipId: string): boolean => engine.followed.has(shipId)
  const own: Partial<Record<PropertyKey, unknown>> = {
    execute: async (...[command, by]: Parameters<Engine['execute']>) => {
      if (by?.alongside !== undefined) return engine.execute(command, by)
      const { own: isOwn, others } = engine.followed.concerned(command)
      const sent = await Promise.all(others.map((id) => link.executeIn(id, command, by)))
      if (!isOwn) return sent[0]
      return engine.execute(command, by).catch((error: unknown) => {
        // It was given away while the command waited for a tick.
        const isStopped = Object(error).code === 'ERR_SYSTEM_STOPPED'
        const now = isStopped ? engine.followed.concerned(command) : undefined
        if (!now || now.own) throw error
        return link.executeIn(now.others[0], command, by)
      })
    },
    steer: (...order: Parameters<Engine['steer']>) =>
      isElsewhere(order[0]) ? link.control(...order) : engine.steer(...order),
  }
  return new Proxy(engine, {
    get: (_engine, key) => {
      if (own[key] !== undefined) return own[key]
      const value: unknown = Reflect.get(engine, key, engine)
      if (typeof value !== 'function') return value
      // Private fields are the engine's own.
      return (own[key] = value.bind(engine))
    },
  })
}
