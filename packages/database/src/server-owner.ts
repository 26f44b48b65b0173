import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type postgres from 'postgres'
import { DatabaseError } from './error.ts'

export interface OwnerOptions {
  readonly schema: string
  /** A handle of one connection, with the given name. */
  readonly connect: (name: string, onClose: () => void) => postgres.Sql
  /** The server does not answer, though the connection stands. */
  readonly onSilence: () => void
  /** Somebody else has it: once, and the last that is heard. */
  readonly onLost: (error: DatabaseError) => void
  readonly onNotice: (message: string) => void
}

/** The right to a schema of a server, held by a connection of its own. */
export interface ServerOwnership {
  release(): Promise<void>
}

interface Holder {
  readonly pid: number
  readonly name: string | null
  readonly since: Date | null
}

const OWNER_LOCK = 0x6f_77_6e_72
const NAME_BYTES_MAX = 63
// A predecessor that has just ended, or been killed, is gone for the server within milliseconds.
const TAKE_ATTEMPTS = 10
const TAKE_PAUSE_MS = 50
const ASK_PAUSE_MS = 2000
const ANSWER_MS_MAX = 5000
const RETAKE_PAUSE_MS = 250

/** How the connection is called, for messages and to know it again. */
function ownerName(schema: string): string {
  const tail = ` pid ${process.pid} ${randomBytes(4).toString('hex')}`
  const head = `orrery ${schema} on ${hostname()}`
  return head.slice(0, NAME_BYTES_MAX - tail.length).replaceAll(/[^\x20-\x7e]/gu, '?') + tail
}

async function holderOf(sql: postgres.Sql, schema: string): Promise<Holder | undefined> {
  const [holder] = await sql<Holder[]>`
    select pid, application_name as name, backend_start as since
    from pg_locks left join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${OWNER_LOCK}::int::oid and objid = hashtext(${schema})::oid`
  return holder
}

function owned(schema: string, holder: Holder | undefined): DatabaseError {
  const name = holder?.name ? `"${holder.name}"` : 'another process'
  const details = holder === undefined ? '' : ` (server process ${holder.pid})`
  const since = holder?.since ? `, connected since ${holder.since.toISOString()}` : ''
  const message = `The schema "${schema}" is in use by ${name}${details}${since}.`
  return new DatabaseError('ERR_DATABASE_OWNED', message)
}

/** Takes the lock; undefined when it is ours. An earlier connection of ours is ended for it. */
async function take(
  sql: postgres.Sql,
  schema: string,
  name: string,
): Promise<DatabaseError | undefined> {
  let holder: Holder | undefined
  for (let attempt = 0; attempt < TAKE_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await pause(TAKE_PAUSE_MS)
    // How soon the server misses us, should our machine vanish.
    const [{ taken }] = await sql<[{ taken: boolean }]>`
      select pg_try_advisory_lock(${OWNER_LOCK}, hashtext(${schema})) as taken,
        set_config('tcp_keepalives_idle', '5', false),
        set_config('tcp_keepalives_interval', '1', false),
        set_config('tcp_keepalives_count', '5', false)`
    if (taken) return undefined
    holder = await holderOf(sql, schema)
    if (holder?.name === name) await sql`select pg_terminate_backend(${holder.pid})`
  }
  return owned(schema, holder)
}

/** Calls out when an answer takes too long. */
async function inTime<T>(asked: Promise<T>, onLate: () => void): Promise<T> {
  let isAnswered = false
  const late = setTimeout(() => {
    // Twice round the loop: an answer may have come while this thread was busy with other things.
    setImmediate(() => setImmediate(() => isAnswered || onLate()))
  }, ANSWER_MS_MAX).unref()
  try {
    return await asked
  } finally {
    isAnswered = true
    clearTimeout(late)
  }
}

async function serverProcess(sql: postgres.Sql): Promise<number> {
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  return pid
}

/**
 * Takes a schema for this process, at once or not at all, and keeps it.
 *
 * The lock is a session's: it ends with its connection, however the process dies. When the
 * connection is cut, or the server restarted, the lock is taken again as soon as that is possible.
 *
 * @throws DatabaseError `ERR_DATABASE_OWNED` naming the holder; the driver's errors
 */
export async function takeServer(options: OwnerOptions): Promise<ServerOwnership> {
  const { schema, connect, onSilence, onLost, onNotice } = options
  const name = ownerName(schema)
  let cut = new AbortController()
  const ending = new AbortController()
  const sql = connect(name, () => cut.abort())
  const retaken = async (): Promise<DatabaseError | undefined> => {
    onNotice(`The connection that owns the schema "${schema}" was lost.`)
    while (!ending.signal.aborted) {
      try {
        const refusal = await inTime(take(sql, schema, name), onSilence)
        if (refusal === undefined) onNotice(`The schema "${schema}" is owned again.`)
        return refusal
      } catch {
        // The server is away; whoever has queries is told by them.
        const { signal } = ending
        await pause(RETAKE_PAUSE_MS, undefined, { ref: false, signal }).catch(() => {})
      }
    }
    return undefined
  }
  /** Whether the server process that took the lock for us is still ours. */
  const stands = async (pid: number | undefined): Promise<boolean> => {
    const { signal } = cut
    await pause(ASK_PAUSE_MS, undefined, { ref: false, signal }).catch(() => {})
    if (signal.aborted) return false
    return inTime(serverProcess(sql), onSilence).then(
      (answering) => answering === pid,
      () => false,
    )
  }
  const keep = async (first: number): Promise<void> => {
    let pid: number | undefined = first
    while (!ending.signal.aborted) {
      if ((await stands(pid)) || ending.signal.aborted) continue
      const refusal = await retaken()
      if (refusal !== undefined) return onLost(refusal)
      cut = new AbortController()
      pid = await serverProcess(sql).catch(() => undefined)
    }
  }
  try {
    const refusal = await take(sql, schema, name)
    if (refusal !== undefined) throw refusal
    const kept = keep(await serverProcess(sql))
    return {
      async release() {
        ending.abort()
        cut.abort()
        await sql.end({ timeout: 1 })
        await kept
      },
    }
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw error
  }
}
