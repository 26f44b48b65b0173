// A session in the embedded database of a running service, to observe and to block it.
import { join } from 'node:path'
import postgres from 'postgres'
import { until } from '../until.ts'

/** Opens the session; it ends with the service, or by `end`. */
export function besideService(dataDirectory: string): postgres.Sql {
  return postgres({
    path: join(dataDirectory, 'design-sessions/postgresql/.s.PGSQL.5432'),
    user: 'orrery',
    database: 'orrery',
    connection: { search_path: 'design_sessions' },
  })
}

/** Takes a lock, and keeps it until the service or the session ends. */
export async function hold(sql: postgres.Sql, lock: string): Promise<void> {
  const held = Promise.withResolvers<void>()
  sql
    .begin(async (transaction) => {
      await transaction.unsafe(lock)
      held.resolve()
      for (;;) await transaction`select pg_sleep(60)`
    })
    .catch(held.reject)
  await held.promise
}

/** Resolves when a session waits for a lock. */
export async function waitingForLock(sql: postgres.Sql): Promise<void> {
  await until(
    () => sql`select 1 from pg_locks where not granted`,
    ({ length }) => length > 0,
  )
}

/** Resolves after two beats of a run, by which it has read its latest commands. */
export async function twoBeats(sql: postgres.Sql): Promise<void> {
  const seen = new Set<string>()
  const look = async (): Promise<number> => {
    const [{ beat }] = await sql<[{ beat: string }]>`select beat::text from knowledge_run`
    return seen.add(beat).size
  }
  await until(look, (beats) => beats === 3)
}
