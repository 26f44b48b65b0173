import type postgres from 'postgres'
import type { ShipOwner } from '../accounts/service-ship.ts'
import { randomUUID } from 'node:crypto'
import { UUID } from '../accounts/account-row.ts'
import { type NewEra, eras } from '../journal/era.ts'
import { type Renewal, raiseFences } from '../ownership.ts'
import { StoreError } from '../error.ts'
import { type Settings, settings } from '../settings.ts'

/** What a backup was made by or for. */
export type BackupReason = 'reset' | 'restore' | 'request' | 'import'

/** Accounts, settings and world as they were, stored together. */
export interface Backup {
  readonly backupId: string
  readonly createdAt: Date
  readonly reason: BackupReason
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
  readonly now: Date
  /** of the owner that restores; to be adopted after it */
  readonly renewal: Renewal
}

/** What a restore has put in place. */
export interface BackupRestored {
  /** The backup of what was there, if one was asked for. */
  readonly presentBackupId: string | undefined
  readonly settings: Partial<Settings>
}

export interface Backups {
  /** All backups, newest first. */
  list(): Promise<Backup[]>
  byId(backupId: string): Promise<Backup | undefined>
  /** Stores the present accounts and settings with a snapshot, which becomes the backup's. */
  create(snapshotId: number): Promise<Backup>
  /** Deletes a backup and its world; false when it is unknown. */
  delete(backupId: string): Promise<boolean>
  /** Deletes the backups made on request but the newest `keep`; returns the ids of those. */
  prune(options: { readonly keep: number }): Promise<string[]>
  /** The ships of a backup's accounts. */
  owners(backupId: string): Promise<ShipOwner[]>
  /**
   * Puts a backup's accounts and settings in the place of the present ones and opens an era, all
   * or nothing; the same once more, after an answer that was lost, changes nothing. Tokens of an
   * account that is there now stay as good or void as they are; those of one that is not are void.
   * So do consents to be followed.
   *
   * All fences are raised.
   *
   * @throws StoreError `ERR_BACKUP_UNKNOWN`, `ERR_ERA_EXISTS`, `ERR_FENCED`, `ERR_SETTING_INVALID`
   */
  restore(restoration: BackupRestoration): Promise<BackupRestored>
}

/** The backups behind a database. */
export function backups(sql: postgres.Sql): Backups {
  const selected = (condition: postgres.PendingQuery<postgres.Row[]>): Promise<Backup[]> => sql<
    Backup[]
  >`
    select backup_id as "backupId", backup.created_at as "createdAt", reason,
      snapshot_id::float8 as "snapshotId", tick::float8 as tick, game_time as "gameTime",
      jsonb_array_length(accounts) as "accountCount"
    from backup join snapshot on snapshot.id = snapshot_id
    where ${condition} order by backup.created_at desc, backup_id`

  async function byId(backupId: string): Promise<Backup | undefined> {
    if (!UUID.test(backupId)) return undefined
    const [backup] = await selected(sql`backup_id = ${backupId}`)
    return backup
  }

  return {
    list: async () => [...(await selected(sql`true`))],
    byId,
    async create(snapshotId) {
      const backupId = await sql.begin((transaction) =>
        storeBackup(transaction, snapshotId, 'request'),
      )
      const created = await byId(backupId)
      if (created) return created
      throw new StoreError('ERR_BACKUP_UNKNOWN', `The backup ${backupId} is gone already.`)
    },
    delete: (backupId) => sql.begin((transaction) => deleteBackup(transaction, backupId)),
    async prune({ keep }) {
      const old = await sql<{ id: string }[]>`
        select backup_id as id from backup where reason = 'request'
        order by created_at desc, backup_id offset ${keep}`
      for (const { id } of old) await sql.begin((transaction) => deleteBackup(transaction, id))
      return old.map(({ id }) => id)
    },
    async owners(backupId) {
      return [
        ...(await sql<ShipOwner[]>`
          select ship as "shipId", kept.username
          from backup cross join jsonb_populate_recordset(null::account, accounts) as kept
            cross join unnest(kept.ship_id || kept.coasting_ships) as ship
          where backup_id = ${backupId} and ship is not null
          order by kept.created_at, kept.player_id`),
      ]
    },
    restore: (restoration) => sql.begin((transaction) => restoreBackup(transaction, restoration)),
  }
}

async function restoreBackup(
  sql: postgres.TransactionSql,
  { backupId, era, presentSnapshotId, now, renewal }: BackupRestoration,
): Promise<BackupRestored> {
  await raiseFences(sql, renewal)
  const begun = await eras(sql).byNumber(era.era)
  if (begun && begun.snapshotId === era.snapshotId) {
    const [aside] = await sql<{ id: string }[]>`
      select backup_id as id from backup where snapshot_id = ${presentSnapshotId ?? null}`
    return { presentBackupId: aside?.id, settings: await settings(sql).load() }
  }
  const [known] = UUID.test(backupId)
    ? await sql`select from backup where backup_id = ${backupId}`
    : []
  if (known === undefined) {
    throw new StoreError('ERR_BACKUP_UNKNOWN', `There is no backup ${backupId}.`)
  }
  const presentBackupId =
    presentSnapshotId === undefined
      ? undefined
      : await storeBackup(sql, presentSnapshotId, 'restore')
  await restoreAccounts(sql, backupId, now)
  await restoreSettings(sql, backupId)
  await settings(sql).save({ era: era.era })
  await eras(sql).open({ ...era, reason: 'backup' })
  return { presentBackupId, settings: await settings(sql).load() }
}

/** Puts the present accounts and settings aside with a snapshot, and returns the backup's id. */
export async function storeBackup(
  sql: postgres.ISql,
  snapshotId: number,
  reason: BackupReason,
): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into backup (backup_id, reason, snapshot_id, accounts, settings)
    select ${id}, ${reason}, ${snapshotId},
      (select coalesce(jsonb_agg(account order by created_at, player_id), '[]') from account),
      (select coalesce(jsonb_agg(setting order by key), '[]') from setting)`
  await sql`update snapshot set kind = 'backup' where id = ${snapshotId}`
  return id
}

async function deleteBackup(sql: postgres.ISql, backupId: string): Promise<boolean> {
  const [gone] = UUID.test(backupId)
    ? await sql<{ snapshotId: number }[]>`
        delete from backup where backup_id = ${backupId}
        returning snapshot_id::float8 as "snapshotId"`
    : []
  if (!gone) return false
  const isEraStart = sql`id in (select snapshot_id from era)`
  const ofIt = sql`id = ${gone.snapshotId} and kind = 'backup'`
  // A pruned journal may begin with it.
  await sql`update snapshot set kind = 'automatic' where ${ofIt} and ${isEraStart}`
  await sql`delete from snapshot where ${ofIt}`
  return true
}

/**
 * A generation that no earlier account of the same id has reached: each password reset raises one
 * by one, and there was not one in every second. As seconds since 2020 it fits its column to 2088.
 */
export function unusedGeneration(now: Date): number {
  return Math.floor((now.getTime() - Date.UTC(2020, 0, 1)) / 1000)
}

async function restoreAccounts(sql: postgres.ISql, backupId: string, now: Date): Promise<void> {
  const followed = await sql`select player_id, given_at from follow_consent`
  const present = await sql`
    delete from account
    returning player_id, generation, tokens_from, kept_token, unflown_since`
  // Or tokens that a password reset or a deletion has made void since would be valid again.
  await sql`
    insert into account (player_id, username, username_key, password_hash, is_admin, ship_id,
      coasting_ships, created_at, generation, tokens_from, kept_token, unflown_since)
    select player_id, kept.username, kept.username_key, kept.password_hash, kept.is_admin,
      kept.ship_id, coalesce(kept.coasting_ships, '{}'), kept.created_at,
      greatest(kept.generation, coalesce(present.generation, ${unusedGeneration(now)})),
      case when present.player_id is null then now()
        else greatest(kept.tokens_from, present.tokens_from) end,
      present.kept_token,
      case when kept.unflown_since is not null
        and (present.player_id is null or present.unflown_since is not null) then now() end
    from backup
      cross join jsonb_populate_recordset(null::account, accounts) as kept
      left join jsonb_to_recordset(${sql.json([...present])})
        as present (player_id uuid, generation integer, tokens_from timestamptz, kept_token text,
          unflown_since timestamptz)
        using (player_id)
    where backup_id = ${backupId}`
  // One that was withdrawn since the backup stays withdrawn.
  await sql`
    insert into follow_consent (player_id, given_at)
    select player_id, given_at
    from jsonb_to_recordset(${sql.json([...followed])})
        as kept (player_id uuid, given_at timestamptz)
      join account using (player_id)`
}

async function restoreSettings(sql: postgres.ISql, backupId: string): Promise<void> {
  await sql`delete from setting`
  await sql`
    insert into setting (key, value)
    select kept.* from backup, jsonb_populate_recordset(null::setting, settings) as kept
    where backup_id = ${backupId}`
}
