import type postgres from 'postgres'
import { type NewAccount, accounts } from '../accounts/account.ts'
import { storeBackup, unusedGeneration } from './backup.ts'
import { type NewEra, eras } from '../journal/era.ts'
import { type Renewal, raiseFences } from '../ownership.ts'
import { type Settings, settings as settingsRows } from '../settings.ts'

/** The new beginning after a reset. */
export interface NewBeginning {
  /** snapshot of kind 'backup' that holds the world as it was; stored already */
  readonly snapshotId: number
  /** the new world's own first snapshot, stored already, of the era in `settings` */
  readonly first: Pick<NewEra, 'snapshotId' | 'physics'>
  /** the only account there will be; its tokens stay good, those of one deleted before do not */
  readonly admin: NewAccount
  readonly settings: Settings
  readonly now: Date
  /** of the owner that resets; to be adopted after it */
  readonly renewal: Renewal
}

/**
 * Stores accounts and settings as a backup, deletes them, service tokens, maneuver events and all
 * snapshots but those of backups and the eras' first, and stores a new beginning in an era of its
 * own, all or nothing; returns the backup's id. Audit trail and journal stay. The same once more,
 * after an answer that was lost, changes nothing. All fences are raised.
 *
 * @throws StoreError `ERR_FENCED`
 */
export function factoryReset(
  sql: postgres.Sql,
  { snapshotId, first, admin, settings, now, renewal }: NewBeginning,
): Promise<string> {
  return sql.begin(async (transaction) => {
    await raiseFences(transaction, renewal)
    const begun = await eras(transaction).byNumber(settings.era)
    const [known] = await transaction<{ backupId: string }[]>`
      select backup_id as "backupId" from backup where snapshot_id = ${snapshotId}`
    if (known && begun?.snapshotId === first.snapshotId) return known.backupId
    const backupId = await storeBackup(transaction, snapshotId, 'reset')
    await eras(transaction).open({ ...first, era: settings.era, reason: 'reset' })
    const before = await accounts(transaction).byId(admin.playerId)
    await wipe(transaction)
    // Or tokens that a password reset or a deletion has made void would be valid again.
    const { generation, tokensFrom, keptToken } = before ?? {
      generation: unusedGeneration(now),
      tokensFrom: now,
      keptToken: null,
    }
    await accounts(transaction).create({ ...admin, generation, tokensFrom, keptToken })
    await settingsRows(transaction).save(settings)
    return backupId
  })
}

async function wipe(sql: postgres.ISql): Promise<void> {
  await sql`delete from account`
  await sql`delete from service_token`
  await sql`delete from service_answer`
  await sql`delete from service_ship`
  await sql`delete from setting`
  await sql`delete from maneuver_event`
  await sql`delete from pruned_event`
  await sql`
    delete from snapshot where kind <> 'backup' and id not in (select snapshot_id from era)`
}
