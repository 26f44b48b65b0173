/** Backups as files, from one database to another. */
import type { Database } from '@orrery/database'
import { imageClock, publishedUtc } from '@orrery/engine/testing'
import {
  type CarriedBackup,
  carriedBackup,
  lastMigration,
  packBackup,
  sequencesOf,
  unpackBackup,
} from '@orrery/game'
import { PHYSICS } from '@orrery/sim'
import { type Backup, addBackup, backups, presentContents, snapshots } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { CommandError } from '../command/run.ts'
import { type WorldRoom, imageOf, openedOrReason, presentWorld } from './present-world.ts'

type Sql = Database['sql']

/** Era of worlds that no era of this database has flown: no start or replay opens them. */
const FOREIGN_ERA = 0

/**
 * Writes a backup, or what is there now, to a new file that only its owner reads.
 *
 * @throws {CommandError | EngineError}
 */
export async function exported(
  sql: Sql,
  file: string,
  backup: Backup | undefined,
  room: WorldRoom,
): Promise<string> {
  const taken = (code: unknown): CommandError =>
    new CommandError(`${file} cannot be written: ${reasonOf(code)}.`)
  if (existsSync(file)) throw taken('EEXIST')
  const carried = backup ? await carriedBackup(sql, backup) : await presentBackup(sql, room)
  const packed = await packBackup(carried, await lastMigration(sql))
  await writeFile(file, packed, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw taken(Object(error).code)
  })
  const { contents, world } = carried
  return (
    `${file}: backup ${contents.backupId}, game time ${world.gameTime.toISOString()},` +
    ` tick ${world.tick}, ${packed.length} bytes. It holds password hashes.`
  )
}

/**
 * Adds the backup in a file to those of this database.
 *
 * @throws {CommandError | EngineError | StoreError}
 */
export async function imported(sql: Sql, file: string, room: WorldRoom): Promise<Backup> {
  const packed = await readFile(file).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${reasonOf(Object(error).code)}.`)
  })
  const { contents, world } = await unpackBackup(packed, await lastMigration(sql))
  const opened = await openedOrReason(world, room)
  if (typeof opened === 'string') throw new CommandError(`Its world does not open: ${opened}`)
  const records = snapshots(sql)
  const id = await records.store({ ...world, era: FOREIGN_ERA, kind: 'automatic' })
  await addBackup(sql, contents, id)
  const added = await backups(sql).byId(contents.backupId)
  if (added) return added
  throw new CommandError(`Backup ${contents.backupId} is gone already.`)
}

/** An account that is made while the world is read gets its ship when the backup is restored. */
async function presentBackup(sql: Sql, room: WorldRoom): Promise<CarriedBackup> {
  const present = await presentWorld(sql, room)
  if (!present) throw new CommandError('No world has been stored in this database yet.')
  const { header, bytes } = imageOf(present.opened)
  const [first] = header.worlds
  return {
    contents: {
      backupId: randomUUID(),
      createdAt: new Date(),
      ...(await presentContents(sql)),
    },
    world: {
      tick: first.tick,
      lattice: first.index,
      sequences: sequencesOf(header),
      physics: PHYSICS,
      gameTime: new Date(publishedUtc(imageClock(first))),
      header: JSON.parse(JSON.stringify(header)),
      bytes,
    },
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already',
  ENOENT: 'there is no such file or folder',
  EACCES: 'access is denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
}

function reasonOf(code: unknown): string {
  return REASONS[String(code)] ?? String(code)
}
