// Goal: a database that is away costs nobody what was acknowledged, and is told; a world has one
// owner. Method: the real server on a real PostgreSQL that is killed, started again and cut off.
import { openDatabase } from '@orrery/database'
import type { ShipState } from '@orrery/protocol'
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PlayerSocket, ask, openSocket, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import {
  STARTING_TEST_MS_MAX,
  type ServerProcess,
  dataDirectory,
  environment,
  refusedStart,
  startServer,
} from '../server-process.ts'

const TEST_MS_MAX = 120_000

const directory = dataDirectory()
let postgres: PostgresServer
let server: ServerProcess
let pilot: { readonly token: string; readonly ship_id: string }
let socket: PlayerSocket

function variables(): ReturnType<typeof environment> {
  return environment(directory.path, { DATABASE_URL: postgres.url, JWT_SECRET_KEY: 'k'.repeat(32) })
}

beforeAll(async () => {
  postgres = await startPostgresServer()
  server = await startServer(variables())
  pilot = await register(server, 'Pilot_1')
  socket = await openSocket(server, pilot.token)
}, STARTING_TEST_MS_MAX)

afterAll(async () => {
  await (server as ServerProcess | undefined)?.kill()
  await postgres.stop()
  directory.remove()
})

async function shipName(): Promise<string> {
  const { body } = await ask(server, 'GET', '/api/player/ship', { token: pilot.token })
  return (body as ShipState).name
}

/** Renames the ship; resolves with the name that is answered, or the code of a refusal. */
async function rename(name: string): Promise<string> {
  socket.send({ type: 'ship_rename', id: name, name })
  for (;;) {
    for (const answer of socket.messages) {
      if (answer.type === 'ship_renamed' && answer.id === name) return answer.name
      if (answer.type === 'error' && answer.id === name) return answer.code
    }
    await setTimeout(20)
  }
}

test(
  'a connection that is cut is made again; nobody hears of it',
  async () => {
    const other = await openDatabase({ url: postgres.url, directory: '', schema: 'elsewhere' })
    for (let round = 0; round < 5; round++) {
      await other.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and backend_type = 'client backend'`
      expect(await rename(`After cut ${round}`)).toBe(`After cut ${round}`)
    }
    await other.close()
    expect(server.output()).not.toMatch(/"level":"fatal"/)
  },
  TEST_MS_MAX,
)

test(
  'killed: commands get E008, the world stands; back: all is kept, the world goes on',
  async () => {
    expect(await rename('Kept for good')).toBe('Kept for good')
    await postgres.kill()
    // Acted on, and not known to be kept: told so in time, neither done nor undone.
    expect(await rename('Kept later')).toBe('E008')
    expect(await rename('Never done')).toBe('E008')
    const refused = await ask(server, 'POST', '/api/auth/register', {
      body: { username: 'Latecomer', password: 'correct horse 7b' },
    })
    expect(refusalOf(refused)).toBe('500 E008')
    const { tick } = await socket.next('paused')
    await setTimeout(2500)
    const later = await ask(server, 'GET', '/api/status')
    expect(later.body).toMatchObject({ paused: true, tick })
    await postgres.restart()
    await socket.next('resumed')
    await socket.freshTick()
    expect(await shipName()).toBe('Kept later')
    await server.kill()
    server = await startServer(variables())
    expect(await shipName()).toBe('Kept later')
    socket = await openSocket(server, pilot.token)
  },
  TEST_MS_MAX,
)

test(
  'a second server is refused at once; a killed one leaves its place at once',
  async () => {
    const { code, stderr } = await refusedStart(variables())
    expect(code).toBe(1)
    expect(stderr).toMatch(/Cannot start: The schema "game" is in use by "orrery game on /)
    expect(await rename('Still here')).toBe('Still here')
    await server.kill()
    server = await startServer(variables())
    expect(await shipName()).toBe('Still here')
  },
  TEST_MS_MAX,
)
