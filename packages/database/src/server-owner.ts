import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type postgres from 'postgres'
import { DatabaseError, type Notice, codeOf } from './error.ts'

/** A resource with one owner at a time. */
export interface Owned {
  /** The lock's key is its hash. */
  readonly key: string
  /** For messages, as in `schema "game"`. */
  readonly name: string
}

export interface OwnerOptions {
  readonly owned: Owned
  /** The session that has the lock is ended. */
  readonly isTaken?: boolean
  readonly schema: string
  /** A handle of one connection, with the given name. */
  readonly connect: (name: string, onClose: () => void) => postgres.Sql
  /** The server does not answer on an open connection. */
  readonly onSilence: () => void
  /** Another process owns it: called once, as the last call. */
  readonly onLost: (error: DatabaseError) => void
  readonly onNotice: Notice
}

/** A lock that a separate connection holds. */
export interface ServerOwnership {
  release(): Promise<void>
}

const OWNER_LOCK = 0x6f_77_6e_72
const NAME_BYTES_MAX = 63
// The server notices the end of a predecessor within milliseconds.
const TAKE_ATTEMPTS = 10
const TAKE_PAUSE_MS = 50
const TAKE_MS_MAX = 1000
const ASK_PAUSE_MS = 2000
const ANSWER_MS_MAX = 5000
const RETAKE_PAUSE_MS = 250

/** Name of the connection, for messages and to recognise it. */
function ownerName(schema: string): string {
  const tail = ` pid ${process.pid} ${randomBytes(4).toString('hex')}`
  const head = `orrery ${schema} on ${hostname()}`
  return head.slice(0, NAME_BYTES_MAX - tail.length).replaceAll(/[^\x20-\x7e]/gu, '?') + tail
}

export interface Holder {
  readonly pid: number
  readonly name: string | null
  readonly since: Date | null
}

/** Who holds the lock of a resource, if anybody does. */
export async function holderOf(sql: postgres.Sql, { key }: Owned): Promise<Holder | undefined> {
  const [holder] = await sql<Holder[]>`
    select pid, application_name as name, backend_start as since
    from pg_locks left join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${OWNER_LOCK}::int::oid and objid = hashtext(${key})::oid`
  return holder
}

function refusal({ name }: Owned, holder: Holder | undefined): DatabaseError {
  const who = holder?.name ? `"${holder.name}"` : 'another process'
  const details = holder === undefined ? '' : ` (server process ${holder.pid})`
  const since = holder?.since ? `, connected since ${holder.since.toISOString()}` : ''
  return new DatabaseError(
    'ERR_DATABASE_OWNED',
    `The ${name} is in use by ${who}${details}${since}.`,
  )
}

/** Ends the session of the holder, and is the first to take its lock then. */
async function isTakenFrom(sql: postgres.Sql, { key }: Owned, { pid }: Holder): Promise<boolean> {
  await sql`select set_config('lock_timeout', ${`${TAKE_MS_MAX}ms`}, false)`
  try {
    await sql`
      select pg_terminate_backend(${pid}), pg_advisory_lock(${OWNER_LOCK}, hashtext(${key}))`
    return true
  } catch (error) {
    if (codeOf(error) === '55P03') return false
    throw error
  }
}

/** Takes the lock; undefined on success. Ends an earlier connection of this process. */
async function take(
  sql: postgres.Sql,
  owned: Owned,
  name: string,
  isTaken = false,
): Promise<DatabaseError | undefined> {
  let holder: Holder | undefined
  for (let attempt = 0; attempt < TAKE_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await pause(TAKE_PAUSE_MS)
    // How soon the server notices the loss of this machine.
    const [{ taken }] = await sql<[{ taken: boolean }]>`
      select pg_try_advisory_lock(${OWNER_LOCK}, hashtext(${owned.key})) as taken,
        set_config('tcp_keepalives_idle', '5', false),
        set_config('tcp_keepalives_interval', '1', false),
        set_config('tcp_keepalives_count', '5', false)`
    if (taken) return undefined
    holder = await holderOf(sql, owned)
    if (!holder) continue
    if (holder.name === name) await sql`select pg_terminate_backend(${holder.pid})`
    else if (isTaken && (await isTakenFrom(sql, owned, holder))) return undefined
  }
  return refusal(owned, holder)
}

/** Reports an answer that takes too long. */
async function inTime<T>(asked: Promise<T>, onLate: () => void): Promise<T> {
  let isAnswered = false
  const late = setTimeout(() => {
    // Two turns of the event loop: an answer may have arrived while this thread was busy.
    setImmediate(() => setImmediate(() => isAnswered || onLate()))
  }, ANSWER_MS_MAX).unref()
  try {
    return await asked
  } finally {
    isAnswered = true
    clearTimeout(late)
  }
}

/**
 * Takes a lock for this process without waiting for its holder, and keeps it.
 *
 * The lock belongs to a session and ends with its connection. After a cut or a restart of the
 * server it is taken again as soon as possible.
 *
 * @throws DatabaseError `ERR_DATABASE_OWNED` naming the holder; the driver's errors
 */
export async function takeServer(options: OwnerOptions): Promise<ServerOwnership> {
  const { owned, schema, connect, onSilence, onLost, onNotice } = options
  const name = ownerName(schema)
  let cut = new AbortController()
  const ending = new AbortController()
  const sql = connect(name, () => cut.abort())
  const wait = (ms: number, { signal }: AbortController): Promise<void> =>
    pause(ms, undefined, { ref: false, signal }).catch(() => {})
  /** Waits until the connection that took the lock is cut. */
  const whileItStands = async (): Promise<void> => {
    while (!cut.signal.aborted) {
      await wait(ASK_PAUSE_MS, cut)
      if (!cut.signal.aborted) await inTime(sql`select 1`, onSilence).catch(() => cut.abort())
    }
  }
  const retaken = async (): Promise<DatabaseError | undefined> => {
    onNotice(`The connection that owns the ${owned.name} was lost.`, 'warn')
    while (!ending.signal.aborted) {
      cut = new AbortController()
      try {
        const refused = await inTime(take(sql, owned, name), onSilence)
        if (refused === undefined) onNotice(`The ${owned.name} is owned again.`, 'warn')
        return refused
      } catch {
        // The server is unreachable, which queries report.
        await wait(RETAKE_PAUSE_MS, ending)
      }
    }
    return undefined
  }
  const keep = async (): Promise<void> => {
    for (;;) {
      await whileItStands()
      if (ending.signal.aborted) return
      const refused = await retaken()
      if (refused !== undefined) return onLost(refused)
    }
  }
  const end = async (timeout: number): Promise<void> => {
    ending.abort()
    cut.abort()
    await sql.end({ timeout })
  }
  try {
    const refused = await take(sql, owned, name, options.isTaken)
    if (refused !== undefined) throw refused
  } catch (error) {
    await end(0)
    throw error
  }
  const kept = keep()
  return {
    async release() {
      await end(1)
      await kept
    },
  }
}
