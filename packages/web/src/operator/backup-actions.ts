/** Accounts, settings and world, stored together. */
import type { Action, Field } from './action.ts'
import { saveFile } from './save-file.ts'

const fields: readonly Field[] = [{ name: 'backup', label: 'Id of the backup' }]

export const backupActions: readonly Action[] = [
  {
    key: '+',
    title: () => 'Make a backup',
    operations: ['createBackup'],
    run: async ({ backups }) => {
      const { backup_id, tick_number, accounts } = await backups.create()
      return `Backup ${backup_id}, tick ${tick_number}, ${accounts} accounts.`
    },
  },
  {
    key: '>',
    title: () => 'Download a backup',
    operations: ['downloadBackup'],
    fields,
    run: async ({ backups }, { backup = '' }) => {
      const bytes = await backups.file(backup)
      saveFile(`orrery-${backup}.backup`, bytes)
      return `Backup ${backup}, ${bytes.byteLength} bytes. It holds password hashes.`
    },
  },
  {
    key: '<',
    title: () => 'Restore a backup',
    operations: ['restoreBackup'],
    fields,
    isGrave: true,
    consequences: async () => [
      'Accounts, passwords, roles, settings and the world are those of the backup.',
      'What is there now becomes a backup first.',
    ],
    run: async ({ backups }, { backup = '' }) => {
      const { tick_number, present_backup_id } = await backups.restore(backup)
      return `Restored: tick ${tick_number}. Before it: backup ${present_backup_id}.`
    },
  },
  {
    key: '_',
    title: () => 'Delete a backup',
    operations: ['deleteBackup'],
    fields,
    isGrave: true,
    consequences: async () => ['It can never be restored again.'],
    run: async ({ backups }, { backup = '' }) => {
      await backups.remove(backup)
      return 'The backup is deleted.'
    },
  },
]
