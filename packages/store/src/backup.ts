import type postgres from 'postgres'
import { randomUUID } from 'node:crypto'
import { UUID } from './account-row.ts'
import { type NewAccount, accounts } from './account.ts'
import { type NewEra, eras } from './era.ts'
import { StoreError } from './error.ts'
import { type Settings, settings, settings as settingsRows } from './settings.ts'

/** Accounts, settings and world stored by a reset or by the restore of another backup. */
export interface Backup {
  readonly backupId: string
  readonly createdAt: Date
  /** The world as it was. */
  readonly snapshotId: number
  readonly tick: number
  readonly gameTime: Date
  readonly accountCount: number
}

/** Options of a restore from a backup. */
export interface BackupRestoration {
  readonly backupId: string
  /** The era to open; its snapshot holds the backup's world and is stored already. */
  readonly era: Omit<NewEra, 'reason'>
  /** A snapshot of the present world, to put it aside as a backup together with its accounts. */
  readonly presentSnapshotId?: number
}

export interface Backups {
  /** All backups, newest first. */
  list(): Promise<Backup[]>
  /**
   * Puts a backup's accounts and settings in the place of the present ones and opens an era, all
   * or nothing. Tokens of an account that is there now stay as good or void as they are; those of
   * one that is not are void. Returns the id of the backup of what was there, if one was asked for.
   *
   * @throws StoreError `ERR_BACKUP_UNKNOWN`, `ERR_ERA_EXISTS`
   */
  restore(restoration: BackupRestoration): Promise<string | undefined>
}

/** The backups behind a database. */
export function backups(sql: postgres.Sql): Backups {
  return {
    async list() {
      return [
        ...(await sql<Backup[]>`
          select backup_id as "backupId", backup.created_at as "createdAt",
            snapshot_id::float8 as "snapshotId", tick::float8 as tick, game_time as "gameTime",
            jsonb_array_length(accounts) as "accountCount"
          from backup join snapshot on snapshot.id = snapshot_id
          order by backup.created_at desc, backup_id`),
      ]
    },
    async restore({ backupId, era, presentSnapshotId }) {
      // A list of promises is something else to postgres.js, so the result comes out in an object.
      const { present } = await sql.begin(async (transaction) => {
        const [known] = UUID.test(backupId)
          ? await transaction`select from backup where backup_id = ${backupId}`
          : []
        if (known === undefined) {
          throw new StoreError('ERR_BACKUP_UNKNOWN', `There is no backup ${backupId}.`)
        }
        const aside =
          presentSnapshotId === undefined
            ? undefined
            : await storeBackup(transaction, presentSnapshotId)
        await restoreAccounts(transaction, backupId)
        await restoreSettings(transaction, backupId)
        await settings(transaction).save({ era: era.era })
        await eras(transaction).open({ ...era, reason: 'backup' })
        return { present: aside }
      })
      return present
    },
  }
}

/** Puts the present accounts and settings aside with a snapshot, and returns the backup's id. */
export async function storeBackup(sql: postgres.ISql, snapshotId: number): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into backup (backup_id, snapshot_id, accounts, settings)
    select ${id}, ${snapshotId},
      (select coalesce(jsonb_agg(account order by created_at, player_id), '[]') from account),
      (select coalesce(jsonb_agg(setting order by key), '[]') from setting)`
  await sql`update snapshot set kind = 'backup' where id = ${snapshotId}`
  return id
}

/**
 * A generation that no earlier account of the same id has reached: each password reset raises one
 * by one, and there was not one in every second. As seconds since 2020 it fits its column to 2088.
 */
export function unusedGeneration(): number {
  return Math.floor((Date.now() - Date.UTC(2020, 0, 1)) / 1000)
}

async function restoreAccounts(sql: postgres.ISql, backupId: string): Promise<void> {
  const present = await sql<{ player_id: string; generation: number }[]>`
    delete from account returning player_id, generation`
  // Or tokens that a password reset or a deletion has made void since would be valid again.
  await sql`
    insert into account (player_id, username, username_key, password_hash, is_admin, ship_id,
      created_at, generation)
    select player_id, kept.username, kept.username_key, kept.password_hash, kept.is_admin,
      kept.ship_id, kept.created_at,
      greatest(kept.generation, coalesce(present.generation, ${unusedGeneration()}))
    from backup
      cross join jsonb_populate_recordset(null::account, accounts) as kept
      left join jsonb_to_recordset(${sql.json([...present])})
        as present (player_id uuid, generation integer) using (player_id)
    where backup_id = ${backupId}`
}

async function restoreSettings(sql: postgres.ISql, backupId: string): Promise<void> {
  await sql`delete from setting`
  await sql`
    insert into setting (key, value)
    select kept.* from backup, jsonb_populate_recordset(null::setting, settings) as kept
    where backup_id = ${backupId}`
}

/** The new beginning after a reset. */
export interface NewBeginning {
  /** snapshot of kind 'backup' that holds the world as it was; stored already */
  readonly snapshotId: number
  /** the new world's own first snapshot, stored already, of the era in `settings` */
  readonly first: Pick<NewEra, 'snapshotId' | 'physics'>
  /** the only account there will be; its tokens stay good, those of one deleted before do not */
  readonly admin: NewAccount
  readonly settings: Settings
}

/**
 * Stores accounts and settings as a backup, deletes them, maneuver events and all snapshots
 * but those of backups and the eras' first, and stores a new beginning in an era of its own, all
 * or nothing; returns the backup's id. Audit trail and journal stay. The same once more, after an
 * answer that was lost, changes nothing.
 */
export function factoryReset(
  sql: postgres.Sql,
  { snapshotId, first, admin, settings }: NewBeginning,
): Promise<string> {
  return sql.begin(async (transaction) => {
    const begun = await eras(transaction).byNumber(settings.era)
    const [known] = await transaction<{ backupId: string }[]>`
      select backup_id as "backupId" from backup where snapshot_id = ${snapshotId}`
    if (known && begun?.snapshotId === first.snapshotId) return known.backupId
    const backupId = await storeBackup(transaction, snapshotId)
    await eras(transaction).open({ ...first, era: settings.era, reason: 'reset' })
    const before = await accounts(transaction).byId(admin.playerId)
    await wipe(transaction)
    // Or tokens that a password reset or a deletion has made void would be valid again.
    const generation = before?.generation ?? unusedGeneration()
    await accounts(transaction).create({ ...admin, generation })
    await settingsRows(transaction).save(settings)
    return backupId
  })
}

async function wipe(sql: postgres.ISql): Promise<void> {
  await sql`delete from account`
  await sql`delete from setting`
  await sql`delete from maneuver_event`
  await sql`
    delete from snapshot where kind <> 'backup' and id not in (select snapshot_id from era)`
}
