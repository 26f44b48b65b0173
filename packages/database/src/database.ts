import type postgres from 'postgres'
import type { FallBack } from './cluster.ts'
import { openEmbedded } from './embedded.ts'
import { DatabaseError, reasonOf } from './error.ts'
import { openServer } from './server.ts'

export interface DatabaseOptions {
  /** A PostgreSQL server, as `postgres://...`; without it the embedded database is used. */
  readonly url?: string
  /** Directory of the embedded database; created when missing. */
  readonly directory: string
  /** Schema that unqualified names mean; created when missing. Lower-case letters, digits, `_`. */
  readonly schema: string
  /** On a server: the schema is to be this process's alone, as an embedded database always is. */
  readonly exclusive?: boolean
  /** Another process has the schema now: called once, and then this one must stop writing. */
  readonly onLost?: (error: DatabaseError) => void
  /** Receives what the database says beside results, one message at a time. */
  readonly onNotice?: (message: string) => void
}

/** An open database: postgres.js in front of PGlite or of a server. */
export interface Database {
  readonly sql: postgres.Sql
  readonly kind: 'embedded' | 'server'
  /** That the embedded database was broken and a copy of it was opened: to be said loudly. */
  readonly fellBack: FallBack | undefined
  /** Waits for running queries (10 s at most), then ends everything; again is harmless. */
  close(this: void): Promise<void>
}

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/u
const SCHEMA_LOCK = 0x6f_72_72_79

async function createSchema(sql: postgres.Sql, schema: string): Promise<void> {
  await sql.begin(async (transaction) => {
    // "if not exists" alone fails when two processes get there at once.
    await transaction`select pg_advisory_xact_lock(${SCHEMA_LOCK}, 0)`
    const [existing] = await transaction`select 1 from pg_namespace where nspname = ${schema}`
    // Asked first, because creating needs a right that using does not.
    if (existing === undefined) await transaction`create schema ${transaction(schema)}`
  })
}

async function openBare(options: DatabaseOptions): Promise<Database> {
  const { url, directory, schema, exclusive = false } = options
  const { onLost = () => {}, onNotice = () => {} } = options
  if (url === undefined) {
    return { kind: 'embedded', ...(await openEmbedded({ directory, schema, onNotice })) }
  }
  const server = await openServer({ url, schema, exclusive, onLost, onNotice })
  return { kind: 'server', fellBack: undefined, ...server }
}

/**
 * Opens the database: the server at `url`, or the embedded one in `directory`.
 *
 * @throws DatabaseError `ERR_DATABASE_LOCKED` (in use by a named pid), `ERR_DATABASE_DIRECTORY`,
 *   `ERR_DATABASE_OWNED` (exclusive, and in use by a named process), `ERR_DATABASE_UNREACHABLE`,
 *   `ERR_DATABASE_URL`, `ERR_DATABASE_SCHEMA`
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { schema } = options
  if (!SCHEMA.test(schema)) {
    throw new DatabaseError('ERR_DATABASE_SCHEMA', `"${schema}" is no usable schema name.`)
  }
  const database = await openBare(options)
  try {
    await createSchema(database.sql, schema)
  } catch (error) {
    await database.close()
    throw new DatabaseError(
      'ERR_DATABASE_SCHEMA',
      `The schema "${schema}" is unusable: ${reasonOf(error)}`,
    )
  }
  return database
}
