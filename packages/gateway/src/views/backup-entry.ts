import type { BackupEntry } from '@orrery/protocol'
import type { Backup } from '@orrery/store'

/** A stored backup as the API has it. */
export function backupEntryOf(backup: Backup): BackupEntry {
  return {
    backup_id: backup.backupId,
    created_at: backup.createdAt.toISOString(),
    reason: backup.reason,
    tick_number: backup.tick,
    game_time: backup.gameTime.toISOString(),
    accounts: backup.accountCount,
  }
}
