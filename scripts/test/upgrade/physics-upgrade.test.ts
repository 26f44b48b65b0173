// Law: a release with a raised physics follows a world of the one before by the core that it
// carries, takes it over once no host of that release is left, and goes on with all that was
// durable; each journal says from where on it did, and digests are compared on both sides. The
// former release takes the world no more. Method: real servers on a real PostgreSQL; the next
// release is these sources with another number and other steps.
import {
  type AdminClient,
  type PlayerClient,
  connectSocket,
  createGameClient,
} from '@orrery/client'
import { api } from '@orrery/client/routes'
import { type Database, openDatabase } from '@orrery/database'
import { PHYSICS } from '@orrery/sim'
import { type PostgresServer, type ServiceProcess, startService } from '@orrery/testkit'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carryCore } from '../../install/carried-core.ts'
import { nextRelease } from './releases.ts'

const PRESENT = import.meta.resolve('@orrery/gateway/main')
const CHIEF = ['Chief_1', 'a password of the tests'] as const
const root = mkdtempSync(join(tmpdir(), 'orrery-upgrade-'))
const carried = { CARRIED_CORE: join(root, 'core') }
const started: ServiceProcess[] = []
let postgres: PostgresServer
let database: Database
let next: string

beforeAll(async () => {
  ;[postgres, next] = await Promise.all([
    startGamePostgres(PRESENT),
    nextRelease(root),
    carryCore(carried.CARRIED_CORE),
  ])
  database = await openDatabase({ url: postgres.url, directory: '', schema: 'game' })
})

afterAll(async () => {
  for (const server of started) await server.kill()
  await database.close()
  await postgres.stop()
  rmSync(root, { recursive: true })
})

interface Server extends ServiceProcess {
  readonly url: string
}

async function start(main: string, more: Readonly<Record<string, string>> = {}): Promise<Server> {
  const server = startService({
    main,
    variables: {
      DATABASE_URL: postgres.url,
      DATA_DIR: join(root, 'data'),
      PORT: '0',
      WORKERS: '1',
      MAX_SHIPS: '2000',
      STANDBY: 'true',
      JWT_SECRET_KEY: 'a key of the tests, at least 32 bytes',
      ADMIN_USERNAME: CHIEF[0],
      ADMIN_PASSWORD: CHIEF[1],
      ...more,
    },
  })
  started.push(server)
  return { ...server, url: await server.ready }
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await setTimeout(20)
}

async function owner(server: Server): Promise<AdminClient> {
  await until(async () => (await fetch(`${server.url}/api/status`)).ok)
  const game = createGameClient({ url: server.url })
  return game.admin((await game.adminLogin(...CHIEF)).token)
}

async function readiness({ url }: Server): Promise<string> {
  return (await fetch(`${url}/health/ready`)).text()
}

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
  const old = await start(PRESENT)
  const admin = await owner(old)
  await admin.game.changeTimeScale(20)
  const ripley = await climbing(old)
  const later = await start(next, carried)
  await until(async () => {
    const { hosts } = await admin.call(api.listHosts)
    return hosts.some(({ physics, lag_seconds: lag }) => physics > PHYSICS && lag !== null)
  })
  const { game_time: before } = await admin.status()
  await old.kill()

  const present = await owner(later)
  expect(later.output().stderr).toContain('taking the world')
  expect((await barriers()).map(({ rows }) => rows)).toEqual([1, 1, 1])
  const { game_time: after, paused } = await present.status()
  expect(Date.parse(after)).toBeGreaterThan(Date.parse(before))
  expect(paused).toBe(false)
  expect(await pilot(later, ripley).ship()).toMatchObject({
    name: 'Nostromo',
    maneuver: { maneuver: 'set_orbit' },
  })

  // What its own physics has flown comes out again.
  await until(async () => (await barriers()).every(({ digests }) => digests > 1))
  await later.kill()
  const again = await start(next, { STANDBY: 'false' })
  await owner(again)
  const log = again.output().stderr
  const { digests } = JSON.parse(/^.*"msg":"world recovered".*$/m.exec(log)?.[0] ?? '{}')
  expect(digests).toBeGreaterThan(3)
  expect(log).not.toContain('did not come out')
  expect((await barriers()).map(({ rows }) => rows)).toEqual([1, 1, 1])

  const former = await start(PRESENT)
  await until(async () => (await readiness(former)).includes(`physics ${PHYSICS + 1}`))
  await again.kill()
  const last = await start(next)
  await owner(last)
  expect(await readiness(former)).toContain('it cannot own the world')
})
