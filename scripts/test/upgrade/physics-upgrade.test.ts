// Law: a release with a raised physics follows a world of the one before by the core that it
// carries, takes it over once no host of that release is left, and goes on with all that was
// durable; each journal says from where on it did, and digests are compared on both sides. The
// former release takes the world no more. Method: real servers on a real PostgreSQL; the next
// release is these sources with another number and other steps.
import { type PlayerClient, connectSocket, createGameClient } from '@orrery/client'
import { api } from '@orrery/client/routes'
import { type Database, openDatabase } from '@orrery/database'
import { PHYSICS } from '@orrery/sim'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Server, type Servers, adminOf, openServers, readiness, until } from './servers.ts'

let servers: Servers
let database: Database

beforeAll(async () => {
  servers = await openServers()
  database = await openDatabase({ url: servers.postgres.url, directory: '', schema: 'game' })
})

afterAll(async () => {
  await database.close()
  await servers.end()
})

/** Registers a pilot whose ship climbs for minutes of game time. */
async function climbing({ url }: Server): Promise<{ readonly token: string }> {
  const { token } = await createGameClient({ url }).register('Ripley', 'correct horse 7b')
  const socket = connectSocket({ url, token })
  await socket.opened
  await socket.rename('Nostromo')
  await socket.startManeuver({ maneuver: 'set_orbit', semi_major_axis: 7.2e6 })
  socket.close()
  return { token }
}

function pilot({ url }: Server, { token }: { readonly token: string }): PlayerClient {
  return createGameClient({ url }).player(token)
}

/** Rows by which the journal of each star system begins the next physics. */
function barriers(): Promise<readonly { readonly rows: number; readonly digests: number }[]> {
  return database.sql`
    select count(*)::int as rows, (
      select count(*)::int from digest
      where digest.system = journal.system and digest.lattice > min(journal.lattice)
    ) as digests
    from journal
    where command ->> 'kind' = 'begin_physics' and (command ->> 'physics')::int = ${PHYSICS + 1}
    group by system`
}

test('a world goes on under the next physics', async () => {
  const old = await servers.start('present')
  const admin = await adminOf(old)
  await admin.game.changeTimeScale(100)
  const ripley = await climbing(old)
  const later = await servers.start('next')
  await until(async () => {
    const { hosts } = await admin.call(api.listHosts)
    return hosts.some(({ physics, lag_seconds: lag }) => physics > PHYSICS && lag !== null)
  })
  const { game_time: before } = await admin.status()
  await old.kill()

  const present = await adminOf(later)
  expect(later.output().stderr).toContain('taking the world')
  expect((await barriers()).map(({ rows }) => rows)).toEqual([1, 1, 1])
  const { game_time: after, paused } = await present.status()
  expect(Date.parse(after)).toBeGreaterThan(Date.parse(before))
  expect(paused).toBe(false)
  expect(await pilot(later, ripley).ship()).toMatchObject({
    name: 'Nostromo',
    maneuver: { maneuver: 'set_orbit' },
  })

  // What its own physics has flown comes out again, in no hands but its own.
  await until(async () => (await barriers()).every(({ digests }) => digests > 1))
  await later.kill()
  const former = await servers.start('present')
  const isRefused = async (): Promise<boolean> =>
    (await readiness(former)).includes(`cannot own the world: The world is flown by a release`)
  await until(isRefused)
  const again = await servers.start('next', { STANDBY: 'false', CARRIED_CORE: undefined })
  await adminOf(again)
  const log = again.output().stderr
  const { digests } = JSON.parse(/^.*"msg":"world recovered".*$/m.exec(log)?.[0] ?? '{}')
  expect(digests).toBeGreaterThan(3)
  expect(log).not.toContain('did not come out')
  expect((await barriers()).map(({ rows }) => rows)).toEqual([1, 1, 1])
  expect(await isRefused()).toBe(true)
})
