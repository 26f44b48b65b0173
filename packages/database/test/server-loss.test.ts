// Goal: a server that dies or is cut off costs its queries, never our process or an acknowledged
// row; and it has one owner. Method: a real server, killed and restarted; child processes.
import { startPostgresServer } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { type Database, type DatabaseOptions, isAway, openDatabase } from '../src/index.ts'
import { ownerProcess } from './embedded-place.ts'
import { startRelay } from './relay.ts'
import { startWriters } from './writers.ts'

/** Of a server, while twenty write. */
const KILLS = byTier({ gate: 1, night: 3 })

const server = await startPostgresServer()
afterAll(() => server.stop())

function open(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  return openDatabase({ url: server.url, directory: '', schema: 'game', ...options })
}

/** Whether it answers; any other error than that it is away is a fault. */
async function isThere({ sql }: Pick<Database, 'sql'>): Promise<boolean> {
  try {
    await sql`select 1`
    return true
  } catch (error) {
    if (isAway(error)) return false
    throw error
  }
}

describe('a server', () => {
  it('serves the same handles after a kill, with all acknowledged rows and the lock', async () => {
    const database = await open()
    const { sql } = database
    const notices: string[] = []
    const losses: unknown[] = []
    const owner = await open({
      exclusive: true,
      onNotice: (notice) => notices.push(notice),
      onLost: (error) => losses.push(error),
    })
    const ownedAgain = async (times: number): Promise<void> => {
      const count = (): number => notices.filter((text) => text.includes('owned again')).length
      while (count() < times) await setTimeout(10)
      await expect(open({ exclusive: true })).rejects.toMatchObject({ code: 'ERR_DATABASE_OWNED' })
    }
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'orrery % pid %'`
    await ownedAgain(1)
    const writers = await startWriters(database)
    const { acknowledged, errors } = writers
    for (let kill = 0; kill < KILLS; kill += 1) {
      const enough = acknowledged.length + 100
      while (acknowledged.length < enough) await setTimeout(5)
      await server.kill()
      const failure = await sql`select 1`.catch((error: unknown) => error)
      expect(isAway(failure), `kill ${kill}: ${inspect(failure)}`).toBe(true)
      await server.restart()
      while (!(await isThere(database))) await setTimeout(20)
      await ownedAgain(kill + 2)
    }
    expect(await writers.stopped()).toEqual({ lost: [], faults: [] })
    expect(errors.length).toBeGreaterThan(0)
    expect(losses).toEqual([])
    await Promise.all([database.close(), owner.close()])
  })

  it('that cuts a connection rolls back its transaction', async () => {
    const { sql, close } = await open()
    await sql`create table if not exists pair (n int)`
    const { promise: late, resolve: settle } = Promise.withResolvers<unknown>()
    const cut = sql.begin(async (transaction) => {
      await transaction`insert into pair values (1)`
      const [{ pid }] = await transaction<[{ pid: number }]>`select pg_backend_pid() as pid`
      await sql`select pg_terminate_backend(${pid})`
      // Other queries take the freed place in the pool, and a new connection with it.
      await setTimeout(20)
      await Promise.all(Array.from({ length: 30 }, () => sql`select 1`))
      settle(await transaction`insert into pair values (2)`.catch((error: unknown) => error))
    })
    const failure = await cut.catch((error: unknown) => error)
    const next = await late
    expect(isAway(failure), `the transaction: ${inspect(failure)}`).toBe(true)
    expect(isAway(next), `its next statement: ${inspect(next)}`).toBe(true)
    expect([...(await sql`select n from pair`)]).toEqual([])
    await close()
  })

  it('ends a transaction that stands still, which frees what it locked', async () => {
    const { sql, close } = await open({ transactionIdleMs: 100 })
    await sql`create table seat (n int)`
    await sql`insert into seat values (1)`
    const taken = Promise.withResolvers<void>()
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
    const stopped = sql.begin(async (transaction) => {
      await transaction`update seat set n = 2`
      taken.resolve()
      await resumed
      await transaction`update seat set n = 3`
    })
    const failure = stopped.catch((error: unknown) => error)
    await taken.promise
    await sql`update seat set n = n + 10`
    resume()
    expect(await failure).toSatisfy(isAway)
    expect(await sql`select n from seat`).toEqual([{ n: 11 }])
    await close()
  })

  it('waits for a transaction that stands still where it was not given a time', async () => {
    const { sql, close } = await open()
    const [row] = await sql`show idle_in_transaction_session_timeout`
    expect(row).toEqual({ idle_in_transaction_session_timeout: '0' })
    await close()
  })

  it('that falls silent before a commit fails it, and is left at once', async () => {
    const relay = await startRelay(server.url)
    const { sql, close } = await open({ url: relay.url, exclusive: true })
    const failure = await sql
      .begin(async (transaction) => {
        await transaction`select 1`
        relay.silence()
      })
      .catch((error: unknown) => error)
    expect(failure).toSatisfy(isAway)
    relay.remove()
    expect(isAway(await sql`select 1`.catch((error: unknown) => error))).toBe(true)
    await close()
  })

  it('refuses a second owner and names the first; after a kill the lock is free', async () => {
    const owner = ownerProcess('', { url: server.url })
    await owner.stored()
    await expect(open({ exclusive: true })).rejects.toMatchObject({
      code: 'ERR_DATABASE_OWNED',
      message: expect.stringContaining(`pid ${owner.child.pid}`),
    })
    const [beside, elsewhere] = await Promise.all([
      open(),
      open({ exclusive: true, schema: 'elsewhere' }),
    ])
    await Promise.all([beside.close(), elsewhere.close()])
    await owner.kill()
    const heir = await open({ exclusive: true })
    await heir.close()
    const next = await open({ exclusive: true })
    await next.close()
  })

  it('calls onLost when another process reserves the schema', async () => {
    const { promise: lost, resolve: onLost } = Promise.withResolvers<unknown>()
    const database = await open({ exclusive: true, onLost })
    const heir = await open({ exclusive: 'later' })
    expect(await heir.isReserved()).toBe(true)
    await heir.reserve()
    expect(await lost).toMatchObject({ code: 'ERR_DATABASE_OWNED' })
    await database.close()
    await expect(open({ exclusive: true })).rejects.toMatchObject({ code: 'ERR_DATABASE_OWNED' })
    await heir.close()
    const next = await open({ exclusive: 'later' })
    expect(await next.isReserved()).toBe(false)
    await next.close()
  })

  it('gives a work a session with settings of its own', async () => {
    const database = await open()
    const session = database.session('work', { synchronous_commit: 'off' })
    const [row] = await session`
      select current_setting('synchronous_commit') as commit,
        current_setting('search_path') as path, current_setting('application_name') as name`
    expect(row).toEqual({ commit: 'off', path: 'game', name: 'orrery game work' })
    await database.close()
    expect(isAway(await session`select 1`.catch((error: unknown) => error))).toBe(true)
  })
})

describe('an address without an answer', () => {
  it.each([
    ['that accepts and hangs up', true],
    ['that accepts and is silent', false],
  ])('%s is refused instead of waited for', async (_, hangsUp) => {
    const proxy = createServer((socket) => {
      if (hangsUp) socket.end()
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const address = proxy.address()
    const port = typeof address === 'object' ? address?.port : 0
    const opening = open({ url: `postgres://captain:secret@127.0.0.1:${port}/game` })
    await expect(opening).rejects.toMatchObject({ code: 'ERR_DATABASE_UNREACHABLE' })
    proxy.close()
  })
})
