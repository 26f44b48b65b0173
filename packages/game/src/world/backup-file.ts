/** A backup as one file: accounts with their password hashes, settings, and the world. */
import type { Database } from '@orrery/database'
import { type FileKind, fileRefusal, packFile, unpackFile } from '@orrery/engine/checked-file'
import { PHYSICS } from '@orrery/sim'
import {
  type Backup,
  type BackupContents,
  type Snapshot,
  StoreError,
  backupContents,
  snapshots,
} from '@orrery/store'
import * as v from 'valibot'

const KIND: FileKind = { name: 'backup', magic: 'orreryB\n', version: 1 }

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const moment = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
)
const manifest = v.object({
  /** number of the last migration of the database */
  migration: count,
  backupId: v.pipe(v.string(), v.uuid()),
  createdAt: moment,
  accountsBytes: count,
  settingsBytes: count,
  world: v.object({
    tick: count,
    lattice: v.pipe(v.number(), v.safeInteger()),
    sequences: v.record(v.string(), count),
    physics: count,
    gameTime: moment,
    header: v.record(v.string(), v.unknown()),
  }),
})

/** What the file holds. */
export interface CarriedBackup {
  readonly contents: BackupContents
  readonly world: Pick<
    Snapshot,
    'tick' | 'lattice' | 'sequences' | 'physics' | 'gameTime' | 'header' | 'bytes'
  >
}

type Sql = Database['sql']

/**
 * What a backup's file holds.
 *
 * @throws {StoreError} 'ERR_BACKUP_INVALID' when it is damaged or gone
 */
export async function carriedBackup(
  sql: Sql,
  { backupId, createdAt, snapshotId }: Backup,
): Promise<CarriedBackup> {
  let reason = 'it is gone'
  const world = await snapshots(sql, (unusable) => ({ reason } = unusable)).byId(snapshotId)
  const rows = await backupContents(sql, backupId)
  if (world && rows) return { contents: { backupId, createdAt, ...rows }, world }
  const message = `The world of backup ${backupId} is unusable: ${reason}.`
  throw new StoreError('ERR_BACKUP_INVALID', message)
}

/** Number of the database's last migration. */
export async function lastMigration(sql: Sql): Promise<number> {
  const [{ last }] = await sql<[{ last: number }]>`select max(version) as last from migration`
  return last
}

/** @param migration  number of the database's last one */
export function packBackup(
  { contents, world }: CarriedBackup,
  migration: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { backupId, createdAt } = contents
  const { tick, lattice, sequences, physics, gameTime, header, bytes } = world
  const accounts = Buffer.from(contents.accounts)
  const settings = Buffer.from(contents.settings)
  const described = {
    migration,
    backupId,
    createdAt,
    accountsBytes: accounts.length,
    settingsBytes: settings.length,
    world: { tick, lattice, sequences, physics, gameTime, header },
  }
  return packFile(KIND, described, [accounts, settings, bytes])
}

/**
 * @param migration  number of the last one that this release knows
 * @throws {EngineError} 'ERR_FILE' when it is damaged, or of a newer release
 */
export async function unpackBackup(file: Uint8Array, migration: number): Promise<CarriedBackup> {
  const { found, rest } = await unpackFile(KIND, manifest, file)
  const { accountsBytes, settingsBytes, world } = found
  if (found.migration > migration || world.physics > PHYSICS) {
    const theirs = `physics ${world.physics} and tables ${found.migration}`
    const ours = `physics ${PHYSICS} and tables ${migration}`
    throw fileRefusal(KIND, `a newer release made it, with ${theirs} when this one has ${ours}`)
  }
  const settingsAt = accountsBytes
  const bytesAt = settingsAt + settingsBytes
  if (bytesAt > rest.length) throw fileRefusal(KIND, 'its accounts are longer than the file')
  return {
    contents: {
      backupId: found.backupId,
      createdAt: found.createdAt,
      accounts: rest.toString('utf8', 0, settingsAt),
      settings: rest.toString('utf8', settingsAt, bytesAt),
    },
    world: {
      ...world,
      header: JSON.parse(JSON.stringify(world.header)),
      bytes: new Uint8Array(rest.subarray(bytesAt)),
    },
  }
}
