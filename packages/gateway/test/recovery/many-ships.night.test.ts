// Law: a start gives each account its ship, also where more lack theirs than the journal lets wait,
// as after an old backup of a large world. Method: a real server, and accounts that were stored
// while it was down.
import { openDatabase } from '@orrery/database'
import { openFreshDatabase } from '@orrery/testkit'
import { migrations } from '@orrery/store'
import { afterAll, expect, test } from 'vitest'
import { ask } from '../player-client.ts'
import { usedServer } from '../used-server.ts'

/** More than `WAITING_MAX` of the journal. */
const ACCOUNTS = 21_000

let observer: Awaited<ReturnType<typeof openFreshDatabase>>

afterAll(() => observer.close())

const server = usedServer(async () => {
  observer = await openFreshDatabase({ schema: 'observer', migrations })
  return { DATABASE_URL: observer.url, MAX_SHIPS: '30000' }
})

test('21,000 accounts get their ships in one start', async () => {
  expect(await server.stop()).toBe(0)
  const { sql, close } = await openDatabase({ url: observer.url, directory: '', schema: 'game' })
  await sql`
    insert into account (player_id, username, username_key, password_hash, ship_id, created_at)
    select gen_random_uuid(), 'pilot_' || i, 'pilot_' || i, 'none', gen_random_uuid(), now()
    from generate_series(1, ${ACCOUNTS}::int) as i`
  await server.restart()
  expect((await ask(server, 'GET', '/health/ready')).status).toBe(200)
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int as count from journal where command ->> 'kind' = 'create_ship'`
  expect(count).toBe(ACCOUNTS)
  await close()
})
