import { resolve } from 'node:path'
import type postgres from 'postgres'
import { openEmbedded } from './embedded.ts'
import { DatabaseError, type Notice, codeOf, errorText } from './error.ts'
import { type SessionSettings, openServer } from './server.ts'

export interface DatabaseOptions {
  /** A PostgreSQL server, as `postgres://...`; without it the embedded database is used. */
  readonly url?: string
  /** Directory of the embedded database; created when missing. */
  readonly directory: string
  /** Schema of unqualified names; created when missing. Lower-case letters, digits, `_`. */
  readonly schema: string
  /**
   * Reserves the schema for this process, `later` once it asks for that; an embedded database is
   * always reserved.
   */
  readonly exclusive?: boolean | 'later'
  /** After so long without a statement the server ends a transaction; by default it waits. */
  readonly transactionIdleMs?: number
  /**
   * Only reads, also an embedded database that another process has reserved; `joined` never starts
   * one, so that its owner can.
   */
  readonly readOnly?: boolean | 'joined'
  /** Called once when another process owns the schema; then this one must stop writing. */
  readonly onLost?: (error: DatabaseError) => void
  readonly onNotice?: Notice
}

/** An open database: postgres.js in front of a PostgreSQL server. */
export interface Database {
  readonly sql: postgres.Sql
  readonly kind: 'embedded' | 'server'
  /** A handle of one connection with settings of PostgreSQL; it is closed with the database. */
  session(this: void, name: string, settings: SessionSettings): postgres.Sql
  /**
   * Reserves the schema from now on; the session of a process that has it is ended.
   *
   * @throws DatabaseError `ERR_DATABASE_OWNED`; the driver's errors
   */
  reserve(this: void): Promise<void>
  /** Whether a process has reserved the schema. */
  isReserved(this: void): Promise<boolean>
  /** Waits for running queries (10 s at most), then ends everything; may be repeated. */
  close(this: void): Promise<void>
}

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/u
const SCHEMA_LOCK = 0x6f_72_72_79

async function createSchema(sql: postgres.Sql, schema: string): Promise<void> {
  await sql.begin(async (transaction) => {
    // "if not exists" alone fails for two concurrent processes.
    await transaction`select pg_advisory_xact_lock(${SCHEMA_LOCK}, 0)`
    const [existing] = await transaction`select 1 from pg_namespace where nspname = ${schema}`
    // Checked first, because creating needs a privilege that using does not.
    if (existing === undefined) await transaction`create schema ${transaction(schema)}`
  })
}

/** A server that only reads would fail at the first write. */
async function requireWrites(sql: postgres.Sql): Promise<void> {
  const [{ mode, standby }] = await sql<[{ mode: string; standby: boolean }]>`
    select current_setting('transaction_read_only') as mode, pg_is_in_recovery() as standby`
  if (mode === 'off') return
  const reason = standby
    ? 'the server is a standby, which is read-only: connect to its primary'
    : "the role's transactions are read-only (default_transaction_read_only)"
  throw new DatabaseError('ERR_DATABASE_SCHEMA', reason)
}

/** Without it the schema's tables are not found, and new ones have no place. */
async function requireUsage(sql: postgres.Sql, schema: string): Promise<void> {
  const [{ usage }] = await sql<[{ usage: boolean }]>`
    select has_schema_privilege(${schema}, 'usage') as usage`
  if (usage) return
  const remedy = `an operator may run "grant usage, create on schema ${schema} to ROLE"`
  throw new DatabaseError('ERR_DATABASE_SCHEMA', `the role may not use it: ${remedy}`)
}

function schemaFault(error: unknown, schema: string): DatabaseError {
  const isRefused = codeOf(error) === '42501'
  const remedy = `an operator may run "create schema ${schema} authorization ROLE"`
  const reason = isRefused ? `the role may not create it: ${remedy}` : errorText(error)
  const message = `The schema "${schema}" is unusable: ${reason}`
  return new DatabaseError('ERR_DATABASE_SCHEMA', message)
}

async function openBare(options: DatabaseOptions): Promise<Database> {
  const { url, directory, schema, exclusive = false, readOnly = false, transactionIdleMs } = options
  const { onLost = () => {}, onNotice = () => {} } = options
  const shared = { schema, readOnly, transactionIdleMs, onLost, onNotice }
  if (url === undefined) {
    const embedded = { directory: resolve(directory), ...shared }
    return { kind: 'embedded', ...(await openEmbedded(embedded)) }
  }
  const owned = exclusive !== false ? { key: schema, name: `schema "${schema}"` } : undefined
  const server = await openServer({
    ...shared,
    readOnly: readOnly !== false,
    address: url,
    owned,
    isOwnedLater: exclusive === 'later',
  })
  return { kind: 'server', ...server }
}

/**
 * Opens the database: the server at `url`, or the embedded one in `directory`.
 *
 * @throws DatabaseError `ERR_DATABASE_DIRECTORY`, `ERR_DATABASE_OWNED` (exclusive, and in use by a
 *   named process), `ERR_DATABASE_UNREACHABLE`,
 *   `ERR_DATABASE_URL`, `ERR_DATABASE_SCHEMA`
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { schema, readOnly = false } = options
  if (!SCHEMA.test(schema)) {
    throw new DatabaseError('ERR_DATABASE_SCHEMA', `"${schema}" is no usable schema name.`)
  }
  const database = await openBare(options)
  try {
    if (readOnly === false) await requireWrites(database.sql)
    await createSchema(database.sql, schema)
    await requireUsage(database.sql, schema)
  } catch (error) {
    await database.close()
    throw schemaFault(error, schema)
  }
  return database
}
