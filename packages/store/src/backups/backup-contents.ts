import type postgres from 'postgres'
import { StoreError } from '../error.ts'

/** Rows of accounts and settings, and the backup they belong to. */
export interface BackupContents {
  readonly backupId: string
  readonly createdAt: Date
  /** JSON, secrets included. */
  readonly accounts: string
  /** JSON. */
  readonly settings: string
}

type Rows = Pick<BackupContents, 'accounts' | 'settings'>

/** Accounts and settings as they are now. */
export async function presentContents(sql: postgres.ISql): Promise<Rows> {
  const [rows] = await sql<[Rows]>`
    select
      (select coalesce(jsonb_agg(account order by created_at, player_id), '[]') from account)::text
        as accounts,
      (select coalesce(jsonb_agg(setting order by key), '[]') from setting)::text as settings`
  return rows
}

/** Accounts and settings of a backup; undefined when it is unknown. */
export async function backupContents(
  sql: postgres.ISql,
  backupId: string,
): Promise<Rows | undefined> {
  const [rows] = await sql<Rows[]>`
    select accounts::text, settings::text from backup where backup_id = ${backupId}`
  return rows
}

/**
 * Adds a backup that another database has made, with its world as a snapshot of this one; a refusal
 * deletes the snapshot.
 *
 * @throws StoreError `ERR_BACKUP_INVALID` when it cannot be restored, or is here already
 */
export async function addBackup(
  sql: postgres.Sql,
  contents: BackupContents,
  snapshotId: number,
): Promise<void> {
  try {
    await sql.begin((transaction) => add(transaction, contents, snapshotId))
  } catch (error) {
    await sql`delete from snapshot where id = ${snapshotId}`
    throw error
  }
}

async function add(
  sql: postgres.ISql,
  { backupId, createdAt, accounts, settings }: BackupContents,
  snapshotId: number,
): Promise<void> {
  const invalid = (reason: string): StoreError =>
    new StoreError('ERR_BACKUP_INVALID', `The backup ${backupId} ${reason}.`)
  const [known] = await sql`select from backup where backup_id = ${backupId}`
  if (known) throw invalid('is here already')
  const [{ admins }] = await sql<[{ admins: number }]>`
    select count(*)::int as admins
    from jsonb_populate_recordset(null::account, ${accounts}::text::jsonb) where is_admin`
  if (admins === 0) throw invalid('has no admin')
  await sql`
    insert into backup (backup_id, created_at, reason, snapshot_id, accounts, settings)
    values (${backupId}, ${createdAt}, 'import', ${snapshotId}, ${accounts}::text::jsonb,
      ${settings}::text::jsonb)`
  await sql`update snapshot set kind = 'backup' where id = ${snapshotId}`
}
