/** `npx pnpm backup` lists what factory resets have put aside, and brings one of them back. */
import { type Database, migrate } from '@orrery/database'
import { EngineError, allShips, universeImage } from '@orrery/engine'
import { type OpenedUniverse, openStored, storeUniverse } from '@orrery/game'
import { type WorldConfig } from '@orrery/gateway'
import { PHYSICS } from '@orrery/sim'
import {
  type Backup,
  type Snapshots,
  backups,
  claimWorld,
  eras,
  migrations,
  settings,
  snapshots,
} from '@orrery/store'
import { parseArgs } from 'node:util'
import { CommandError, environmentConfig, openGameDatabase, run } from './command.ts'
import { fly } from './replay/flight.ts'
import { storedRecords } from './replay/records.ts'
import { openSpan, passedOver } from './replay/span.ts'

const HELP = `Usage: npx pnpm backup list [--json]
       npx pnpm backup restore ID [--drop-present] [--json]

A factory reset stores the world, its accounts and its settings as a backup.

  list            all backups, newest first
  restore ID      restores accounts, settings and world of a backup, in a new era. The present ones
                  become a backup first
  --drop-present  make no backup: for a world that does not open any more
  --json          print one JSON object and nothing else

The server must be stopped. The database is the server's: DATA_DIR or DATABASE_URL, from the
environment or .env.

Exits 0 on success, 1 when the backup does not exist or its world does not open, 2 on failure. After
a failure nothing has changed.
`

type Sql = Database['sql']

interface Options {
  readonly json: boolean
  readonly dropPresent: boolean
}

/** What was done. */
interface Restored {
  readonly backupId: string
  readonly era: number
  /** what was put aside as a backup; null when there was nothing, or it was to be dropped */
  readonly presentBackupId: string | null
  readonly accounts: number
  readonly ships: number
  readonly tick: number
  readonly gameTime: string
}

await run('backup', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      'drop-present': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const [verb, id, ...rest] = positionals
  const isKnown = (verb === 'list' && id === undefined) || (verb === 'restore' && id !== undefined)
  if (!isKnown || rest.length > 0) {
    throw new CommandError('`list` or `restore ID` is expected; --help says more.')
  }
  const config = environmentConfig()
  const database = await openGameDatabase(config, { readOnly: false })
  try {
    await migrate(database, migrations)
    const options = { json: values.json, dropPresent: values['drop-present'] }
    const stored = await backups(database.sql).list()
    if (id === undefined) return list(stored, options)
    const backup = stored.find(({ backupId }) => backupId === id.toLowerCase())
    if (backup) return await restore(database.sql, backup, config, options)
    process.stderr.write(`backup: there is no backup ${id}; \`list\` shows those there are.\n`)
    return 1
  } finally {
    await database.close()
  }
})

function list(stored: readonly Backup[], { json }: Options): number {
  if (json) {
    process.stdout.write(`${JSON.stringify({ backups: stored }, undefined, 2)}\n`)
    return 0
  }
  for (const { backupId, createdAt, gameTime, tick, accountCount } of stored) {
    process.stdout.write(
      `${backupId}  made ${createdAt.toISOString()}  game time ${gameTime.toISOString()}` +
        `  tick ${tick}  accounts ${accountCount}\n`,
    )
  }
  if (stored.length === 0) process.stdout.write('There are no backups.\n')
  return 0
}

async function restore(
  sql: Sql,
  { backupId, snapshotId, accountCount }: Backup,
  { shipsMax }: WorldConfig,
  { json, dropPresent }: Options,
): Promise<number> {
  let reason = 'it is gone'
  const records = snapshots(sql, (unusable) => ({ reason } = unusable))
  const stored = await records.byId(snapshotId)
  const opened = stored && (await openStored(stored, { shipsMax }).catch(unopened))
  if (!opened || opened instanceof Error) {
    const why = opened?.message ?? reason
    process.stderr.write(`backup: the world of backup ${backupId} is unusable: ${why}\n`)
    return 1
  }
  const present = await presentWorld(sql, shipsMax, dropPresent)
  const begun = [...(await eras(sql).list()), ...(await records.list())].map((one) => one.era)
  const era = Math.max(...begun) + 1
  await claimWorld(sql)
  const presentSnapshotId = present && (await storedAs(records, present.opened, present.era))
  const firstId = await storedAs(records, opened, era)
  const { presentBackupId } = await backups(sql).restore({
    backupId,
    era: { era, snapshotId: firstId, physics: PHYSICS },
    ...(presentSnapshotId !== undefined && { presentSnapshotId }),
  })
  const done: Restored = {
    backupId,
    era,
    presentBackupId: presentBackupId ?? null,
    accounts: accountCount,
    ships: [...allShips(opened.universe)].length,
    tick: opened.tick,
    gameTime: stored.gameTime.toISOString(),
  }
  process.stdout.write(json ? `${JSON.stringify(done, undefined, 2)}\n` : summary(done))
  return 0
}

/** The world that the next start would open; undefined when none exists or it is dropped. */
async function presentWorld(
  sql: Sql,
  shipsMax: number,
  drop: boolean,
): Promise<{ readonly opened: OpenedUniverse; readonly era: number } | undefined> {
  if (drop) return undefined
  const { era } = await settings(sql).load()
  if (era === undefined || !(await eras(sql).byNumber(era))) return undefined
  const newest = { kind: 'moment', index: Infinity } as const
  const { start, opened } = await openSpan(
    sql,
    { era, from: newest, to: undefined, shipsMax },
    passedOver('backup'),
  )
  const flight = await fly({
    opened,
    records: (systemId) => storedRecords(sql, start, systemId),
    stops: [],
    onDigest: () => undefined,
    onStop: () => Promise.resolve(),
  })
  return { era, opened: flight.opened }
}

function storedAs(
  records: Snapshots,
  { universe, gameClock, tick }: OpenedUniverse,
  era: number,
): Promise<number> {
  return storeUniverse(records, universeImage(universe, gameClock, tick), {
    era,
    kind: 'automatic',
  })
}

function summary({
  backupId,
  era,
  presentBackupId,
  accounts,
  ships,
  tick,
  gameTime,
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

function unopened(error: unknown): Error {
  if (error instanceof EngineError) return error
  throw error
}
