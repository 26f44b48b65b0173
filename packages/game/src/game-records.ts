import { type Database, migrate } from '@orrery/database'
import type { WallClock } from '@orrery/engine'
import {
  type AccountRecords,
  type Accounts,
  type AuditTrail,
  type Backups,
  type Journal,
  type ManeuverEvents,
  type Snapshots,
  accounts as accountRecords,
  audit,
  backups,
  changeAccounts,
  claimWorld,
  journal,
  maneuverEvents,
  migrations,
  settings as settingsRows,
  snapshots as snapshotRecords,
} from '@orrery/store'
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
  readonly maneuverEvents: ManeuverEvents
  readonly snapshots: Snapshots
  readonly journal: Journal
  /** shows that this process owns the world; a higher one belongs to another */
  readonly fence: number
  readonly kept: KeptSettings
  readonly passwords: Passwords
}

/** Brings an open database up to this release, takes its world, and creates the first admin. */
export async function openRecords({
  database,
  config,
  logger,
  clock,
  watched,
}: {
  readonly database: Database
  readonly config: GameConfig
  readonly logger: GameLog
  readonly clock: WallClock
  /** the snapshots again, with what is to happen when one is stored */
  readonly watched: (snapshots: Snapshots) => Snapshots
}): Promise<GameRecords> {
  const { sql } = database
  await migrate(database, migrations)
  const fence = await claimWorld(sql)
  const accounts = accountRecords(sql)
  const passwords = createPasswords(clock, (error) =>
    logger.error({ err: error }, 'the thread that hashes passwords failed'),
  )
  await ensureAdmin(accounts, passwords, config.admin)
  const stored = snapshotRecords(sql, ({ id, reason }) =>
    logger.error({ snapshot: id, reason }, 'a stored world is unusable; taking an older one'),
  )
  return {
    sql,
    accounts,
    changeAccounts: (work) => changeAccounts(sql, work),
    auditTrail: audit(sql),
    backups: backups(sql),
    maneuverEvents: maneuverEvents(sql),
    snapshots: watched(stored),
    journal: journal(sql),
    fence,
    kept: await keptSettings(settingsRows(sql), config.worldSeed),
    passwords,
  }
}
