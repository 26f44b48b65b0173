/** `scripts/orrery backup` makes, lists, restores, deletes and carries backups of the game. */
import { type Database, migrate } from '@orrery/database'
import { backupEntryOf } from '@orrery/gateway'
import type { BackupsResponse } from '@orrery/protocol'
import { type Backup, backups, claimSystems, migrations, snapshots } from '@orrery/store'
import { exported, imported } from './backup/carrying.ts'
import { type WorldRoom, presentWorld, storedAs } from './backup/present-world.ts'
import { restored } from './backup/restoring.ts'
import { commandLine } from './command/command-line.ts'
import { environmentConfig, environmentModules, openGameDatabase } from './command/game-database.ts'
import { CommandError, run } from './command/run.ts'

const HELP = `Usage: scripts/orrery backup list [--json]
       scripts/orrery backup create [--json]
       scripts/orrery backup restore ID [--drop-present] [--json]
       scripts/orrery backup delete ID
       scripts/orrery backup export FILE [ID]
       scripts/orrery backup import FILE [--json]

A backup holds accounts, settings and the world. Factory resets and restores make one, too.

  list              all backups, newest first
  create            stores what is there now as a backup; of those made so, BACKUPS_KEPT are kept
  restore ID        restores accounts, settings and world of a backup, in a new era. The present
                    ones become a backup first
  delete ID         deletes a backup
  export FILE [ID]  writes a backup, or what is there now, to a new file. It holds password hashes
  import FILE       adds the backup in a file to those of this database, which may be a new one
  --drop-present    make no backup: for a world that does not open any more
  --json            print one JSON object and nothing else, as the API answers

\`list\` and \`export\` also work beside a running server. For the others it must be stopped; a
running one does them itself: scripts/orrery admin backup --help. The database is the server's:
DATA_DIR or DATABASE_URL, from the environment or .env.

Exits 0 on success, 1 when the backup does not exist or its world does not open, 2 on failure. After
a failure nothing has changed.
`

type Sql = Database['sql']

/** The words after each verb, and whether it only reads. */
const VERBS: Readonly<Record<string, readonly [least: number, most: number, reads: boolean]>> = {
  list: [0, 0, true],
  create: [0, 0, false],
  restore: [1, 1, false],
  delete: [1, 1, false],
  export: [1, 2, true],
  import: [1, 1, false],
}

interface Options extends WorldRoom {
  readonly json: boolean
  readonly dropPresent: boolean
  readonly backupsKept: number
}

const { values, positionals } = commandLine(
  'backup',
  HELP,
  {
    json: { type: 'boolean', default: false },
    'drop-present': { type: 'boolean', default: false },
  },
  true,
)

await run('backup', async () => {
  const [verb = '', ...words] = positionals
  const [least, most, readOnly] = VERBS[verb] ?? [0, -1, true]
  if (words.length < least || words.length > most) {
    throw new CommandError(`One of ${Object.keys(VERBS).join(', ')} is expected; see --help.`)
  }
  const config = environmentConfig()
  const modules = await environmentModules(config)
  const database = await openGameDatabase(config, { readOnly, isNew: verb === 'import' })
  try {
    await migrate(database, migrations)
    const asked = { json: values.json, dropPresent: values['drop-present'] }
    const options = { ...config, modules, ...asked }
    return await done(database.sql, verb, words, options)
  } finally {
    await database.close()
  }
})

/** Does the work of a verb; returns the exit code. */
async function done(
  sql: Sql,
  verb: string,
  [first = '', second]: readonly string[],
  options: Options,
): Promise<number> {
  if (verb === 'list') return list(await backups(sql).list(), options)
  if (verb === 'create') return shown(await created(sql, options), 'is made', options)
  if (verb === 'import') return shown(await imported(sql, first, options), 'is here', options)
  const id = verb === 'export' ? second : first
  const backup = id === undefined ? undefined : await backups(sql).byId(id)
  if (id !== undefined && !backup) {
    process.stderr.write(`backup: there is no backup ${id}; \`list\` shows those there are.\n`)
    return 1
  }
  if (backup && verb === 'restore') return restored(sql, backup, options)
  if (backup && verb === 'delete') {
    await backups(sql).delete(backup.backupId)
    process.stdout.write(`Backup ${backup.backupId} is deleted.\n`)
    return 0
  }
  process.stdout.write(`${await exported(sql, first, backup, options)}\n`)
  return 0
}

async function created(sql: Sql, { backupsKept, ...room }: Options): Promise<Backup> {
  const present = await presentWorld(sql, room)
  if (!present) throw new CommandError('No world has been stored in this database yet.')
  const owner = await claimSystems(sql)
  const backup = await backups(sql).create(
    await storedAs(snapshots(sql, undefined, owner), present.opened, present.era),
  )
  await backups(sql).prune({ keep: backupsKept })
  return backup
}

function list(stored: readonly Backup[], { json }: Options): number {
  const answer: BackupsResponse = { backups: stored.map(backupEntryOf) }
  if (json) process.stdout.write(`${JSON.stringify(answer, undefined, 2)}\n`)
  else if (stored.length === 0) process.stdout.write('There are no backups.\n')
  else for (const backup of stored) process.stdout.write(`${lineOf(backup)}\n`)
  return 0
}

function shown(backup: Backup, what: string, { json }: Options): number {
  const entry = backupEntryOf(backup)
  const text = json ? JSON.stringify(entry, undefined, 2) : `Backup ${lineOf(backup)} ${what}.`
  process.stdout.write(`${text}\n`)
  return 0
}

function lineOf({ backupId, createdAt, reason, gameTime, tick, accountCount }: Backup): string {
  return (
    `${backupId}  made ${createdAt.toISOString()} by ${reason}` +
    `  game time ${gameTime.toISOString()}  tick ${tick}  accounts ${accountCount}`
  )
}
