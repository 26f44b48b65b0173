import { STAR_SYSTEMS } from '@orrery/catalog'
import { type Database, migrate } from '@orrery/database'
import type { WallClock } from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import {
  type AccountRecords,
  type Accounts,
  type AuditTrail,
  type Backups,
  type FollowConsents,
  type Host,
  type Journal,
  type ManeuverEvents,
  type Ownership,
  type ServiceAnswers,
  type ServiceTokens,
  type Snapshots,
  accounts as accountRecords,
  audit,
  backups,
  changeAccounts,
  claimSystems,
  followConsents,
  journal,
  maneuverEvents,
  migrations,
  serviceAnswers,
  serviceTokens,
  settings as settingsRows,
  snapshots as snapshotRecords,
} from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { GameConfig, GameLog } from './game-config.ts'
import { ensureAdmin } from './accounts/environment-admin.ts'
import { type KeptSettings, keptSettings } from './world/kept-settings.ts'
import { type Passwords, createPasswords } from './accounts/passwords.ts'

/** The game's records in its database. */
export interface GameRecords {
  readonly sql: Database['sql']
  readonly accounts: Accounts
  /** writes an account and its audit entry in one transaction */
  readonly changeAccounts: <Result>(
    work: (records: AccountRecords) => Promise<Result>,
  ) => Promise<Result>
  readonly auditTrail: AuditTrail
  readonly backups: Backups
  readonly followConsents: FollowConsents
  readonly serviceAnswers: ServiceAnswers
  readonly serviceTokens: ServiceTokens
  readonly maneuverEvents: ManeuverEvents
  readonly snapshots: Snapshots
  readonly journal: Journal
  /** shows which star systems this process owns */
  readonly owner: Ownership
  readonly kept: KeptSettings
  readonly passwords: Passwords
}

/** A process as a host that may own star systems. */
export function hostOf(address: string, release: string): Host {
  return {
    incarnation: randomUUID(),
    address,
    cores: availableParallelism(),
    physics: PHYSICS,
    release,
  }
}

/** All star systems there are. */
export const SYSTEM_IDS: readonly string[] = STAR_SYSTEMS.map(({ system }) => system.id)

/** The star system in which new ships begin; its owner leads: accounts, settings and the clock. */
export const HOME_ID: string = SYSTEM_IDS[0]

/** Brings an open database up to this release, takes its world, and creates the first admin. */
export async function openRecords({
  database,
  config,
  logger,
  clock,
  watched,
  host,
  owner: claimed,
}: {
  readonly database: Database
  readonly config: GameConfig
  readonly logger: GameLog
  readonly clock: WallClock
  /** the snapshots again, with what is to happen when one is stored */
  readonly watched: (snapshots: Snapshots) => Snapshots
  /** whose rows the systems get; without it a tool takes them */
  readonly host?: Host
  /** of a database that is up to date, with all systems; without it they are taken */
  readonly owner?: Ownership | undefined
}): Promise<GameRecords> {
  const { sql } = database
  if (!claimed) await migrate(database, migrations)
  const owner =
    claimed ?? (await claimSystems(sql, { systemIds: SYSTEM_IDS, ...(host && { host }) }))
  const accounts = accountRecords(sql)
  const passwords = createPasswords(clock, (error) =>
    logger.error({ err: error }, 'the thread that hashes passwords failed'),
  )
  await ensureAdmin(accounts, passwords, config.admin)
  const stored = snapshotRecords(
    sql,
    ({ id, reason }) =>
      logger.error({ snapshot: id, reason }, 'a stored world is unusable; taking an older one'),
    owner,
  )
  return {
    sql,
    accounts,
    changeAccounts: (work) => changeAccounts(sql, work),
    auditTrail: audit(sql),
    backups: backups(sql),
    followConsents: followConsents(sql),
    serviceAnswers: serviceAnswers(sql),
    serviceTokens: serviceTokens(sql),
    maneuverEvents: maneuverEvents(sql, owner),
    snapshots: watched(stored),
    journal: journal(sql, {
      nowMs: () => clock.monotonicMs(),
      onTailLost: (systems) =>
        logger.fatal({ systems }, 'the database has lost commands; they are written again'),
    }),
    owner,
    kept: await keptSettings(settingsRows(sql), config.worldSeed),
    passwords,
  }
}
