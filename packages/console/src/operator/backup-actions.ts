/** Accounts, settings and world, stored together. */
import type { AdminClient } from '@orrery/client'
import type { Actions, Field } from './action.ts'

const fields: readonly Field[] = [{ name: 'backup', label: 'Id of the backup' }]

/** When a backup was made. */
async function dateOf({ backups }: AdminClient, id: string): Promise<string> {
  const made = (await backups.list()).backups.find(({ backup_id }) => backup_id === id)
  return made ? `${made.created_at.slice(0, 19).replace('T', ' ')} UTC` : 'another time'
}

export const backupActions: Actions<
  'makeBackup' | 'downloadBackup' | 'restoreBackup' | 'deleteBackup'
> = {
  makeBackup: {
    key: '+',
    title: () => 'Make a backup',
    operations: ['createBackup'],
    run: async ({ backups }) => {
      const { backup_id, tick_number, accounts } = await backups.create()
      return `Backup ${backup_id}, tick ${tick_number}, ${accounts} accounts.`
    },
  },
  downloadBackup: {
    key: '>',
    title: () => 'Download a backup',
    operations: ['downloadBackup'],
    fields: [...fields, { name: 'password', label: 'Your password', kind: 'password' }],
    run: async ({ backups }, { backup = '', password = '' }) => {
      const bytes = await backups.file(backup, password)
      saveFile(`orrery-${backup}.backup`, bytes)
      return `Backup ${backup}, ${bytes.byteLength} bytes. It holds password hashes.`
    },
  },
  restoreBackup: {
    key: '<',
    title: () => 'Restore a backup',
    operations: ['restoreBackup', 'listBackups'],
    fields,
    isGrave: true,
    consequences: async (routes, { backup = '' }) => [
      `Accounts, passwords, roles and the world are those of ${await dateOf(routes, backup)}.`,
      'So are the settings.',
      'What is there now becomes a backup first.',
    ],
    run: async ({ backups }, { backup = '' }) => {
      const { tick_number, present_backup_id } = await backups.restore(backup)
      return `Restored: tick ${tick_number}. Before it: backup ${present_backup_id}.`
    },
  },
  deleteBackup: {
    key: '_',
    title: () => 'Delete a backup',
    operations: ['deleteBackup', 'listBackups'],
    fields,
    isGrave: true,
    consequences: async (routes, { backup = '' }) => [
      `The backup of ${await dateOf(routes, backup)} can never be restored again.`,
    ],
    run: async ({ backups }, { backup = '' }) => {
      await backups.remove(backup)
      return 'The backup is deleted.'
    },
  },
}

/** Lets the browser keep bytes as a file, as if they were downloaded. */
function saveFile(name: string, bytes: ArrayBuffer): void {
  const href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
