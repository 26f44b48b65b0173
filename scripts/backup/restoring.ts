/** Puts a backup in the place of what is there. */
import type { Database } from '@orrery/database'
import { allShips } from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import { type Backup, backups, Renewal, claimSystems, eras, snapshots } from '@orrery/store'
import { type WorldRoom, openedOrReason, presentWorld, storedAs } from './present-world.ts'

/** What was done. */
interface Restored {
  readonly backup_id: string
  readonly era: number
  /** what was put aside as a backup; null when there was nothing, or it was to be dropped */
  readonly present_backup_id: string | null
  readonly accounts: number
  readonly ships: number
  readonly tick_number: number
  readonly game_time: string
}

/** Restores a backup; returns the exit code. */
export async function restored(
  sql: Database['sql'],
  { backupId, snapshotId, gameTime, accountCount }: Backup,
  {
    json,
    dropPresent,
    ...room
  }: WorldRoom & { readonly json: boolean; readonly dropPresent: boolean },
): Promise<number> {
  let reason = 'it is gone'
  const records = snapshots(sql, (unusable) => ({ reason } = unusable))
  const stored = await records.byId(snapshotId)
  const opened = stored && (await openedOrReason(stored, room))
  if (opened === undefined || typeof opened === 'string') {
    const why = opened ?? reason
    process.stderr.write(`backup: the world of backup ${backupId} is unusable: ${why}\n`)
    return 1
  }
  const present = dropPresent ? undefined : await presentWorld(sql, room)
  const begun = [...(await eras(sql).list()), ...(await records.list())].map((one) => one.era)
  const era = Math.max(...begun) + 1
  const renewal = new Renewal(await claimSystems(sql))
  const presentSnapshotId = present && (await storedAs(records, present.opened, present.era))
  const { presentBackupId } = await backups(sql).restore({
    backupId,
    era: { era, snapshotId: await storedAs(records, opened, era), physics: PHYSICS },
    now: new Date(),
    renewal,
    ...(presentSnapshotId !== undefined && { presentSnapshotId }),
  })
  const done: Restored = {
    backup_id: backupId,
    era,
    present_backup_id: presentBackupId ?? null,
    accounts: accountCount,
    ships: [...allShips(opened.universe)].length,
    tick_number: opened.tick,
    game_time: gameTime.toISOString(),
  }
  process.stdout.write(json ? `${JSON.stringify(done, undefined, 2)}\n` : summary(done))
  return 0
}

function summary({
  backup_id: backupId,
  era,
  present_backup_id: presentBackupId,
  accounts,
  ships,
  tick_number: tick,
  game_time: gameTime,
}: Restored): string {
  const aside =
    presentBackupId === null
      ? 'Nothing was put aside.'
      : `What was there before is backup ${presentBackupId}.`
  return [
    `Backup ${backupId} is restored, in era ${era}: ${accounts} accounts, ${ships} ships,` +
      ` tick ${tick}, game time ${gameTime}.`,
    aside,
    'Names, passwords, roles and settings are those of the backup. To go on: npx pnpm start',
    '',
  ].join('\n')
}
