import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseError, reasonOf } from './error.ts'

/** What an owner writes down about itself, for messages and for clearing up after its death. */
export interface Owner {
  readonly pid: number
  /** ISO 8601 UTC: when the owning process started. */
  readonly started: string
  /** Temporary directory of the owner's socket, if it has one. */
  readonly socketDirectory?: string
}

/** The right to use one database directory; held by nobody else while it lasts. */
export interface Ownership {
  /** The owner before this one, when it ended without releasing. */
  readonly previous: Owner | undefined
  declare(socketDirectory?: string): void
  release(): void
}

// https://sqlite.org/rescode.html
const SQLITE_BUSY = 5
const LOCK_FILE = 'lock'
const OWNER_FILE = 'owner.json'

function recordedOwner(directory: string): Owner | undefined {
  try {
    const owner: Owner = JSON.parse(readFileSync(join(directory, OWNER_FILE), 'utf8'))
    return Number.isInteger(owner.pid) ? owner : undefined
  } catch {
    // Absent before the first start; half-written never, since it arrives by rename.
    return undefined
  }
}

function holder(owner: Owner | undefined): string {
  return owner === undefined
    ? 'another process'
    : `process ${owner.pid}, running since ${owner.started}`
}

function unusable(directory: string, error: unknown): DatabaseError {
  const message = `${directory} cannot be locked: ${reasonOf(error)}`
  return new DatabaseError('ERR_DATABASE_DIRECTORY', message)
}

/**
 * Takes a database directory for this process, at once or not at all.
 *
 * The lock is the operating system's, taken by SQLite on an empty file: it ends with its process
 * however that dies, so there is no stale lock, no reused pid and no race between two heirs.
 *
 * @param directory an existing directory
 * @throws DatabaseError `ERR_DATABASE_LOCKED` naming the owner's pid; `ERR_DATABASE_DIRECTORY`
 */
export function takeOwnership(directory: string): Ownership {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(directory, LOCK_FILE))
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (Object(error).errcode === SQLITE_BUSY) {
      const by = holder(recordedOwner(directory))
      throw new DatabaseError(
        'ERR_DATABASE_LOCKED',
        `The database in ${directory} is in use by ${by}.`,
      )
    }
    throw unusable(directory, error)
  }
  const held = lock
  const previous = recordedOwner(directory)
  const started = new Date(Math.round(Date.now() - process.uptime() * 1000)).toISOString()
  return {
    previous,
    declare(socketDirectory) {
      const owner: Owner = {
        pid: process.pid,
        started,
        ...(socketDirectory === undefined ? {} : { socketDirectory }),
      }
      const file = join(directory, OWNER_FILE)
      try {
        writeFileSync(`${file}.new`, `${JSON.stringify(owner)}\n`, { mode: 0o600 })
        renameSync(`${file}.new`, file)
      } catch (error) {
        rmSync(`${file}.new`, { force: true })
        throw unusable(directory, error)
      }
    },
    release() {
      rmSync(join(directory, OWNER_FILE), { force: true })
      // The lock file stays: removing it would let two owners hold locks on two files of one name.
      held.close()
    },
  }
}
