// Law: what was acknowledged survives any number of promotions, where commits wait for a standby.
import { startFailoverServer } from '@orrery/testkit/failover-server'
import { afterAll, expect, test } from 'vitest'
import { isAway, openDatabase } from '../src/index.ts'

const FAIL_OVERS = 6

const server = await startFailoverServer()
afterAll(() => server.stop())

test('a row that was acknowledged is there, and nothing is there that was not sent', async () => {
  const { sql, close } = await openDatabase({ url: server.url, directory: '', schema: 'game' })
  await sql`create table entry (n int)`
  const over = new AbortController()
  const acknowledged: number[] = []
  let sent = 0
  const writing = (async () => {
    while (!over.signal.aborted) {
      const n = ++sent
      try {
        await sql`insert into entry values (${n})`
        acknowledged.push(n)
      } catch (error) {
        if (!isAway(error)) throw error
      }
    }
  })()
  for (let i = 0; i < FAIL_OVERS; i++) {
    const before = acknowledged.length
    await (i % 3 === 2 ? server.crash() : server.failOver())
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before)
  }
  over.abort()
  await writing
  const rows = await sql<{ n: number }[]>`select n from entry`
  const kept = new Set(rows.map(({ n }) => n))
  expect(acknowledged.filter((n) => !kept.has(n))).toEqual([])
  expect(rows).toHaveLength(kept.size)
  expect(Math.max(...kept)).toBeLessThanOrEqual(sent)
  await close()
})
