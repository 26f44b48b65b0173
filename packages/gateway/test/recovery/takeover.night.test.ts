// Law: however often a world is taken over, nothing acknowledged is lost or done twice, and all
// digests are those of a replay. Method: owners that are killed, and owners that are stopped and go
// on once another owns, each under commands; real server processes on a real PostgreSQL.
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { replayed } from '@orrery/testkit/replayed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PlayerSocket, openOrders, openSocket, register } from '../player-client.ts'
import { type ServerProcess, dataDirectory, environment, startServer } from '../server-process.ts'
import { type StoredWorld, openStoredWorld, ownerOf, until, untilFollowing } from './hosts.ts'

const KILLS = 20
const ZOMBIES = 100

/** Of one take-over, on a busy machine. */
const ROUND_MS_MAX = 30_000

const directory = dataDirectory()
let postgres: PostgresServer
let variables: ReturnType<typeof environment>
let owner: ServerProcess
let stored: StoredWorld
let token: string
const acknowledged: string[] = []

beforeAll(async () => {
  postgres = await startPostgresServer()
  variables = environment(directory.path, { DATABASE_URL: postgres.url, STANDBY: 'true' })
  owner = await startServer(variables)
  await ownerOf([owner])
  const order = await openOrders(owner)
  await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  await order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  token = (await register(owner, 'Pilot_1')).token
  stored = await openStoredWorld(postgres.url)
})

afterAll(async () => {
  await owner.kill()
  await stored.close()
  await postgres.stop()
  directory.remove()
})

/** Renames the ship again and again, until its socket is closed. */
function steer(socket: PlayerSocket, name: string): void {
  const send = async (count: number): Promise<void> => {
    const answer = await socket.answer({ type: 'ship_rename', name: `${name} ${count}` })
    if (answer.type === 'ship_renamed') acknowledged.push(answer.name)
    await send(count + 1)
  }
  send(0).catch(() => undefined)
}

/** Commands to the owner, and a server that follows it, which owns once the owner is hit. */
async function round(name: string, hit: (former: ServerProcess) => Promise<void>): Promise<void> {
  const heir = await startServer(variables)
  await untilFollowing(heir, owner)
  const socket = await openSocket(owner, token)
  const enough = acknowledged.length + 10
  steer(socket, name)
  await until(() => acknowledged.length > enough)
  const former = owner
  owner = heir
  await hit(former)
}

test(
  `${KILLS} owners are killed`,
  async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await round(`Killed ${kill}`, async (former) => {
        await former.kill()
        expect(await ownerOf([owner])).toBe(owner)
        expect(former.running()).toBe(false)
      })
    }
  },
  ROUND_MS_MAX * (KILLS + 1),
)

test(
  `${ZOMBIES} owners are stopped, and go on when another owns`,
  async () => {
    for (let zombie = 0; zombie < ZOMBIES; zombie++) {
      await round(`Zombie ${zombie}`, async (former) => {
        process.kill(former.pid!, 'SIGSTOP')
        await ownerOf([owner])
        const { length } = await stored.renamed()
        process.kill(former.pid!, 'SIGCONT')
        await until(() => !former.running())
        expect(await stored.renamed()).toHaveLength(length)
      })
    }
  },
  ROUND_MS_MAX * (ZOMBIES + 1),
)

test(
  'each acknowledged command is there once, and all digests are those of a replay',
  async () => {
    const names = await stored.renamed()
    expect(new Set(names).size).toBe(names.length)
    expect(acknowledged.filter((name) => !names.includes(name))).toEqual([])
    expect(await owner.stop()).toBe(0)
    const report = await replayed(variables)
    expect(report).toMatchObject({ differences: 0, ships: 1 })
    expect(report.digests_compared).toBeGreaterThan(KILLS + ZOMBIES)
  },
  ROUND_MS_MAX * 4,
)
