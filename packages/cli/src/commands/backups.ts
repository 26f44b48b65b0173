import type { AdminClient } from '@orrery/client'
import type { Command } from 'commander'
import { open, rm } from 'node:fs/promises'
import { getSystemErrorMessage } from 'node:util'
import { askedPassword, confirmed } from '../asking.ts'
import { works } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { plain, table } from '../text.ts'

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
  addDownload(group)
  addReplacing(group)
}

/** Only the owner reads the file: it holds password hashes. */
const MODE = 0o600

function addDownload(group: Command): void {
  works(
    group
      .command('download')
      .description(
        'write a backup to a new file, which `scripts/orrery backup import` reads; asks for your ' +
          'password',
      )
      .argument('<id>', 'id of a backup')
      .argument('<file>', 'a new file, or - for stdout; it will hold password hashes'),
    'backup download 7ff6316d… monday.backup',
    async ({ admin, options }, id, file) => {
      const { backups } = await admin()
      if (file === '-') requirePipe(options.json)
      const password = await askedPassword('Your password')
      const bytesOf = async (): Promise<Uint8Array> =>
        new Uint8Array(await backups.file(id, password))
      if (file === '-') {
        process.stdout.write(await bytesOf())
        return undefined
      }
      const bytes = await written(file, bytesOf)
      const text = `${plain(file)}: backup ${id}, ${bytes} bytes. It holds password hashes.`
      return { answer: { file, bytes }, text }
    },
  )
}

/** Stdout is to hold nothing but the backup. @throws {Failure} */
function requirePipe(isJson: boolean | undefined): void {
  if (isJson) throw new Failure(EXIT.usage, 'Standard output holds the backup or JSON, not both.')
  if (process.stdout.isTTY) {
    throw new Failure(EXIT.usage, 'Standard output is a terminal; a backup goes to a file or pipe.')
  }
}

/** Writes a new file, which is there only when it is whole; resolves with its size [bytes]. */
async function written(file: string, bytesOf: () => Promise<Uint8Array>): Promise<number> {
  const unwritable = (error: unknown): never => {
    const reason = getSystemErrorMessage(Object(error).errno)
    throw new Failure(EXIT.usage, `${plain(file)} cannot be written: ${reason}.`)
  }
  // Made first: nothing is downloaded for a file that cannot be written.
  const handle = await open(file, 'wx', MODE).catch(unwritable)
  try {
    const bytes = await bytesOf()
    await handle.writeFile(bytes).catch(unwritable)
    return bytes.byteLength
  } catch (error) {
    await rm(file)
    throw error
  } finally {
    await handle.close()
  }
}

/** What loses something, and therefore asks. */
function addReplacing(group: Command): void {
  works<{ yes?: boolean }>(
    group
      .command('restore')
      .description('go on from a backup; what is there now becomes one')
      .argument('<id>', 'id of a backup')
      .option('--yes', 'do not ask'),
    'backup restore 7ff6316d… --yes',
    async ({ admin, options }, id) => {
      const { backups } = await admin()
      const thing = options.yes ? id : await described(backups, id)
      const question = `Restore accounts, passwords, settings and world of backup ${thing}?`
      await confirmed(`${question} The present ones become a backup.`, options.yes)
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
    'backup delete 7ff6316d… --yes',
    async ({ admin, options }, id) => {
      const { backups } = await admin()
      const thing = options.yes ? id : await described(backups, id)
      await confirmed(`Delete backup ${thing}? Nothing restores it then.`, options.yes)
      await backups.remove(id)
      return { answer: { success: true }, text: 'The backup is deleted.' }
    },
  )
}

/** A backup as questions have it. @throws {Failure} when it is unknown */
async function described(backups: AdminClient['backups'], id: string): Promise<string> {
  const { backups: all } = await backups.list()
  const found = all.find(({ backup_id }) => backup_id === id.toLowerCase())
  if (!found) throw new Failure(EXIT.refused, `No backup has the id "${plain(id)}".`)
  const { created_at, reason, game_time, accounts } = found
  return `${id} (made ${created_at} by ${reason}, game time ${game_time}, ${accounts} accounts)`
}
