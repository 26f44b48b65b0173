import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { type NewAccount, accounts } from './account.ts'
import { type Settings, settings as settingsRows } from './settings.ts'

/** What a game begins with again. */
export interface NewBeginning {
  /** snapshot of kind 'backup' that holds the world as it was; stored already */
  readonly snapshotId: number
  /** the only account there will be; its tokens stay good, those of one deleted before do not */
  readonly admin: NewAccount
  readonly settings: Settings
}

/**
 * Puts accounts and settings aside as a backup, forgets them, maneuver events and all snapshots
 * but those of backups, and stores a new beginning, all or nothing; returns the backup's id. What
 * was done stays in the audit trail.
 */
export function factoryReset(
  sql: postgres.Sql,
  { snapshotId, admin, settings }: NewBeginning,
): Promise<string> {
  return sql.begin(async (transaction) => {
    const backupId = await storeBackup(transaction, snapshotId)
    const before = await accounts(transaction).byId(admin.playerId)
    await wipe(transaction)
    // Or tokens that a password reset or a deletion has made void would be valid again.
    const generation = before?.generation ?? unusedGeneration()
    await accounts(transaction).create({ ...admin, generation })
    await settingsRows(transaction).save(settings)
    return backupId
  })
}

/**
 * A generation that no earlier account of the same id has reached: each password reset raises one
 * by one, and there was not one in every second. As seconds since 2020 it fits its column to 2088.
 */
function unusedGeneration(): number {
  return Math.floor((Date.now() - Date.UTC(2020, 0, 1)) / 1000)
}

async function storeBackup(sql: postgres.ISql, snapshotId: number): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into backup (backup_id, snapshot_id, accounts, settings)
    select ${id}, ${snapshotId},
      (select coalesce(jsonb_agg(account order by created_at, player_id), '[]') from account),
      (select coalesce(jsonb_agg(setting order by key), '[]') from setting)`
  return id
}

async function wipe(sql: postgres.ISql): Promise<void> {
  await sql`delete from account`
  await sql`delete from setting`
  await sql`delete from maneuver_event`
  await sql`delete from snapshot where kind <> 'backup'`
}
