import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import type postgres from 'postgres'
import type { Database } from './database.ts'
import { DatabaseError, codeOf, errorText } from './error.ts'

interface Migration {
  readonly version: number
  readonly file: string
  readonly script: string
  /** SHA-256 of the script with LF line ends, hexadecimal. */
  readonly checksum: string
}

interface AppliedMigration {
  readonly version: number
  readonly file: string
  readonly checksum: string
}

const FILE_NAME = /^(?<version>\d{3,})\.do\.[a-z0-9-]+\.sql$/u
const MIGRATION_LOCK = 0x6d_69_67_72

async function migration(folder: URL, file: string): Promise<Migration> {
  const version = Number(FILE_NAME.exec(file)?.groups?.['version'])
  if (!(version > 0)) {
    const message = `${file} is not named like 001.do.some-name.sql.`
    throw new DatabaseError('ERR_MIGRATION_FOLDER', message)
  }
  // A checkout may have changed the line ends; the statements are the same.
  const script = (await readFile(new URL(file, folder), 'utf8')).replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(script).digest('hex')
  return { version, file, script, checksum }
}

async function migrationsIn(folder: URL): Promise<Migration[]> {
  const directory = new URL(folder.href.endsWith('/') ? folder : `${folder.href}/`)
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(files.map((file) => migration(directory, file)))
  migrations.sort((a, b) => a.version - b.version)
  migrations.forEach(({ version, file }, index) => {
    if (version === index + 1) return
    const message = `${file} should be number ${index + 1}: versions count up from 1 without gaps.`
    throw new DatabaseError('ERR_MIGRATION_FOLDER', message)
  })
  return migrations
}

function verify(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  applied.forEach(({ version, file, checksum }, index) => {
    const known = migrations[index]
    if (known === undefined || version !== known.version) {
      const message = `The database has migration ${file}, which this release does not know.`
      throw new DatabaseError('ERR_MIGRATION_UNKNOWN', message)
    }
    if (checksum !== known.checksum && index === 0 && file !== known.file) {
      const message =
        'The database was made before release 0.1, which this one does not open: ' +
        'move it away, or set DATA_DIR or DATABASE_URL.'
      throw new DatabaseError('ERR_MIGRATION_FORMER', message)
    }
    if (checksum !== known.checksum) {
      const message = `${known.file} was changed after it had been applied (as ${file}).`
      throw new DatabaseError('ERR_MIGRATION_CHANGED', message)
    }
  })
}

async function apply(sql: postgres.TransactionSql, next: Migration): Promise<void> {
  const { version, file, script, checksum } = next
  try {
    await sql.unsafe(script)
    await sql`insert into migration ${sql({ version, file, checksum })}`
  } catch (error) {
    failed(file)(error)
  }
}

function failed(what: string): (error: unknown) => never {
  return (error) => {
    const reason = `${what} fails: ${errorText(error)} (${codeOf(error)}).`
    throw new DatabaseError('ERR_MIGRATION_FAILED', reason, { cause: error })
  }
}

async function createRecord(sql: postgres.TransactionSql): Promise<void> {
  await sql`
    create table migration (
      version integer primary key,
      file text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`
}

/** Applies the first missing migration in a transaction; false when none is missing. */
function applyNext(sql: postgres.Sql, migrations: readonly Migration[]): Promise<boolean> {
  return sql.begin(async (transaction) => {
    // Held until the commit: a second process waits here and then finds nothing to apply.
    await transaction`
      select pg_advisory_xact_lock(${MIGRATION_LOCK}, hashtext(current_schema()))`
    const [{ exists }] = await transaction<[{ exists: boolean }]>`
      select to_regclass('migration') is not null as exists`
    if (!exists) await createRecord(transaction).catch(failed('The table of migrations'))
    const applied = await transaction<AppliedMigration[]>`
      select version, file, checksum from migration order by version`
    verify(applied, migrations)
    const next = migrations[applied.length]
    if (next === undefined) return false
    await apply(transaction, next)
    return true
  }) as Promise<boolean>
}

/**
 * Brings the database's schema up to the newest migration of a folder.
 *
 * Each `NNN.do.name.sql` runs once, in order, in one transaction with its record in the table
 * `migration`; scripts contain no `begin` or `commit`. Concurrent calls are safe.
 *
 * @throws DatabaseError `ERR_MIGRATION_FAILED` naming the file, none of which is applied;
 *   `ERR_MIGRATION_CHANGED` when an applied file was edited; `ERR_MIGRATION_UNKNOWN` when the
 *   database is newer than the folder; `ERR_MIGRATION_FORMER` when it begins with another file;
 *   `ERR_MIGRATION_FOLDER` for names and numbers
 */
export async function migrate(database: Database, migrations: URL): Promise<void> {
  const known = await migrationsIn(migrations)
  while (await applyNext(database.sql, known));
}
