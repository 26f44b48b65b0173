// Goal: of several servers the one that writes is found, again after a promotion; a commit that no
// standby has confirmed is not taken for one. Method: a real server and a real standby.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type Database, isAway, openDatabase } from '../src/index.ts'
import { freePort } from '../src/embedded.ts'
import { startReplicated } from '@orrery/testkit/replicated-server'

const { primary, standby, url, remove } = await startReplicated()
afterAll(remove)
const closedPort = await freePort()

function open(...ports: number[]): Promise<Database> {
  return openDatabase({ url: url(ports), directory: '', schema: 'game' })
}

async function portOf({ sql }: Database): Promise<number> {
  const [row] = await sql<[{ port: number }]>`select inet_server_port() as port`
  return row.port
}

/** A handle on the standby, where nothing can be written. */
function openStandby(): Promise<Database> {
  const only = { url: url([standby.port]), directory: '', schema: 'pg_catalog', readOnly: true }
  return openDatabase(only)
}

async function promote(): Promise<void> {
  const database = await openStandby()
  await database.sql`select pg_promote()`
  await database.close()
}

/** Resolves when the standby has all that the primary wrote until now. */
async function received(sql: Database['sql']): Promise<void> {
  const [{ lsn }] = await sql<[{ lsn: string }]>`select pg_current_wal_lsn()::text as lsn`
  const database = await openStandby()
  const isThere = async (): Promise<boolean> => {
    const [row] = await database.sql`select pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as there`
    return row?.['there']
  }
  while (!(await isThere())) await setTimeout(10)
  await database.close()
}

test('the primary is found in any place of the URL, beside absent and silent hosts', async () => {
  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  for (const ports of [
    [primary.port, standby.port],
    [standby.port, primary.port],
    [closedPort, port, standby.port, primary.port],
  ]) {
    const database = await open(...ports)
    expect(await portOf(database)).toBe(primary.port)
    await database.close()
  }
  silent.close()
})

test('without a primary the reason is named, and nothing waits', async () => {
  await expect(open(closedPort, standby.port)).rejects.toMatchObject({
    code: 'ERR_DATABASE_UNREACHABLE',
    message: expect.stringContaining('none of the servers is a primary'),
  })
  await expect(open(closedPort, closedPort)).rejects.toMatchObject({
    message: expect.stringContaining('ECONNREFUSED'),
  })
})

test('a commit whose wait for the standby is cancelled is not known', async () => {
  const database = await open(primary.port)
  const beside = await open(primary.port)
  const { sql } = database
  await sql`create table entry (n int)`
  await sql.unsafe("alter system set synchronous_standby_names = 'another'")
  await sql`select pg_reload_conf()`
  const over = new AbortController()
  const cancelling = (async () => {
    while (!over.signal.aborted) {
      await beside.sql`
        select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
      await setTimeout(5)
    }
  })()
  let acknowledged = 0
  const counts: number[] = []
  for (const write of [
    () => sql`insert into entry values (${1})`.execute(),
    () => sql.begin((transaction) => transaction`insert into entry values (${2})`),
  ]) {
    // The setting is not in force at once; connections are cut, and a cancellation may come late.
    let code: unknown
    while (code !== 'ERR_DATABASE_UNREPLICATED') {
      code = await write().then(
        () => void (acknowledged += 1),
        (error: unknown) => Object(error).code,
      )
    }
    counts.push(acknowledged)
  }
  expect(counts[1]).toBe(counts[0])
  over.abort()
  await cancelling
  await beside.sql.unsafe('alter system reset synchronous_standby_names')
  await beside.sql`select pg_reload_conf()`
  // Written, but not as far as was asked for.
  const kept = (): Promise<unknown> => sql`select distinct n from entry order by n`
  await expect.poll(kept).toEqual([{ n: 1 }, { n: 2 }])
  await Promise.all([database.close(), beside.close()])
})

test('after a promotion the handle goes on with the promoted, also beside the old', async () => {
  const database = await open(primary.port, standby.port)
  const { sql } = database
  await sql`create table kept (n int)`
  await sql`insert into kept values (1)`
  await received(sql)
  await primary.stop()
  expect(isAway(await sql`select 1`.catch((error: unknown) => error))).toBe(true)
  await promote()
  await expect.poll(() => portOf(database).catch(isAway), { timeout: 20_000 }).toBe(standby.port)
  expect(await sql`select n from kept`).toEqual([{ n: 1 }])
  await sql`insert into kept values (2)`
  await primary.start()
  const next = await open(primary.port, standby.port)
  expect(await portOf(next)).toBe(standby.port)
  await Promise.all([database.close(), next.close()])
})
