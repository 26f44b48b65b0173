import type postgres from 'postgres'
import { reasonOf } from './error.ts'

/** A running housekeeper. */
export interface Housekeeping {
  stop(): void
}

const ROUND_MS = 60_000
// Bounds the log kept on disk, and the replay after a crash to well under a second.
const LOG_BYTES_MAX = 64 * 1024 * 1024
// PostgreSQL's own autovacuum defaults.
const DEAD_ROWS_BASE = 50
const DEAD_ROWS_SHARE = 0.2

/** Writes a checkpoint when the log since the last one has grown long. */
export async function checkpointIfDue(sql: postgres.Sql): Promise<boolean> {
  const [{ due }] = await sql<[{ due: boolean }]>`
    select pg_current_wal_lsn() - redo_lsn > ${LOG_BYTES_MAX}::numeric as due
    from pg_control_checkpoint()`
  if (due) await sql`checkpoint`
  return due
}

/** Vacuums and analyses the tables that autovacuum would; returns their names. */
export async function vacuumIfDue(sql: postgres.Sql): Promise<string[]> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select schemaname as schema, relname as name from pg_stat_user_tables
    where n_dead_tup > ${DEAD_ROWS_BASE} + ${DEAD_ROWS_SHARE}::float8 * n_live_tup
    order by schemaname, relname`
  for (const { schema, name } of tables) await sql`vacuum (analyze) ${sql(schema)}.${sql(name)}`
  return tables.map(({ name }) => name)
}

/**
 * Does what PostgreSQL's background processes would: PGlite is a single process without them, so
 * by itself its log grows until it is closed and deleted rows are never reclaimed.
 */
export function keepHouse(sql: postgres.Sql, onNotice: (message: string) => void): Housekeeping {
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    checkpointIfDue(sql)
      .then(() => vacuumIfDue(sql))
      .catch((error: unknown) => onNotice(`housekeeping: ${reasonOf(error)}`))
      .finally(() => {
        busy = false
      })
  }, ROUND_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
