import type { Command } from 'commander'
import { confirmed } from '../asking.ts'
import { works } from '../command.ts'
import { table } from '../text.ts'

const HEAD = ['ID', 'MADE', 'BY', 'GAME TIME', 'ACCOUNTS']

/** Backups of accounts, settings and world. */
export function addBackups(program: Command): void {
  const group = program.command('backup').description('accounts, settings and world together')
  works(
    group.command('create').description('store them as they are now'),
    'backup create',
    async ({ admin }) => {
      const answer = await (await admin()).backups.create()
      const { backup_id: id, tick_number: tick, accounts } = answer
      return { answer, text: `Backup ${id}, tick ${tick}, ${accounts} accounts.` }
    },
  )
  works(group.command('list').description('newest first'), 'backup list', async ({ admin }) => {
    const answer = await (await admin()).backups.list()
    const rows = answer.backups.map((one) => [
      one.backup_id,
      one.created_at,
      one.reason,
      one.game_time,
      one.accounts,
    ])
    return { answer, text: table(HEAD, rows, 'There are no backups.') }
  })
  addReplacing(group)
}

/** What loses something, and therefore asks. */
function addReplacing(group: Command): void {
  works<{ yes?: boolean }>(
    group
      .command('restore')
      .description('go on from a backup; what is there now becomes one')
      .argument('<id>', 'id of a backup')
      .option('--yes', 'do not ask'),
    'backup restore 7ff6316d-4fc9-46da-b1ac-9d88a3c8f71e --yes',
    async ({ admin, options }, id) => {
      const { backups } = await admin()
      const question = `Restore accounts, passwords, settings and world of backup ${id}?`
      await confirmed(question, options.yes)
      const answer = await backups.restore(id)
      return {
        answer,
        text:
          `Restored: tick ${answer.tick_number}, game time ${answer.game_time}.` +
          ` What was there before is backup ${answer.present_backup_id}.`,
      }
    },
  )
  works<{ yes?: boolean }>(
    group
      .command('delete')
      .description('delete a backup')
      .argument('<id>', 'id of a backup')
      .option('--yes', 'do not ask'),
    'backup delete 7ff6316d-4fc9-46da-b1ac-9d88a3c8f71e --yes',
    async ({ admin, options }, id) => {
      const { backups } = await admin()
      await confirmed(`Delete backup ${id}?`, options.yes)
      await backups.remove(id)
      return { answer: null, text: 'The backup is deleted.' }
    },
  )
}
