// Law: while the owner of a world is killed and another goes on with it, clients of a gateway
// keep their sockets, see no moment twice, and their commands act once.
// Method: an owner, one that stands by and a gateway, real processes on a real PostgreSQL and a
// real NATS server; the journal is replayed at the end.
import type { ServerMessage } from '@orrery/protocol'
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { NATS_SERVER, type NatsServer, startNatsServer } from '@orrery/testkit/nats-server'
import { replayed } from '@orrery/testkit/replayed'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PlayerSocket, ask, openOrders, openSocket, register } from '../player-client.ts'
import {
  type StoredWorld,
  openStoredWorld,
  ownerOf,
  until,
  untilFollowing,
} from '../recovery/hosts.ts'
import { type ServerProcess, dataDirectory, environment, startServer } from '../server-process.ts'

const KILLS = 3

const directory = dataDirectory()
let postgres: PostgresServer
let nats: NatsServer
let variables: ReturnType<typeof environment>
let hosts: ServerProcess[]
let gateway: ServerProcess
let stored: StoredWorld
/** thrust levels that were acknowledged, and those whose outcome is not known */
const acknowledged: number[] = []
const unknown: number[] = []

describe.skipIf(!NATS_SERVER)('a gateway over take-overs', () => {
  beforeAll(async () => {
    postgres = await startPostgresServer()
    nats = await startNatsServer()
    variables = environment(directory.path, {
      DATABASE_URL: postgres.url,
      NATS_URL: nats.url,
      STANDBY: 'true',
    })
    hosts = [await startServer(variables)]
    await ownerOf(hosts)
    const order = await openOrders(hosts[0])
    await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
    gateway = await startServer({ ...variables, STANDBY: 'false', ROLES: 'gateway' })
    await until(async () => (await ask(gateway, 'GET', '/api/status')).status === 200)
    stored = await openStoredWorld(postgres.url)
  })

  afterAll(async () => {
    for (const server of [gateway, ...hosts]) await server.kill()
    await stored.close()
    await nats.stop()
    await postgres.stop()
    directory.remove()
  })

  /** Steers a ship with each tick; no level comes twice. */
  async function steer(socket: PlayerSocket, ending: AbortSignal): Promise<void> {
    for (let count = 1; !ending.aborted; count++) {
      await socket.next('tick')
      const level = count / 2 ** 16
      const answer = await socket.answer({ type: 'control', thrust_level: level })
      if (answer.type === 'accepted') acknowledged.push(level)
      else unknown.push(level)
    }
  }

  /** Levels in the journal, in their order. */
  async function steered(): Promise<number[]> {
    const rows = await stored.sql<{ level: number }[]>`
      select (command #>> '{control,thrustLevel}')::float8 as level from journal
      where command ->> 'kind' = 'control' order by era, system, sequence`
    return rows.map(({ level }) => level)
  }

  test('owners are killed under commands, and clients of the gateway do not notice', async () => {
    const { token } = await register(gateway, 'Pilot_1')
    const socket = await openSocket(gateway, token)
    const { era } = await socket.next('welcome')
    const ending = new AbortController()
    const steering = steer(socket, ending.signal)
    const answered = async (): Promise<void> => {
      const { length } = acknowledged
      await Promise.race([until(() => acknowledged.length > length + 20), steering])
    }
    for (let kill = 0; kill < KILLS; kill++) {
      const owner = await ownerOf(hosts)
      const next = await startServer(variables)
      hosts.push(next)
      await untilFollowing(next, owner)
      await answered()
      await owner.kill()
      hosts = hosts.filter((host) => host !== owner)
      await ownerOf(hosts)
      await answered()
    }
    ending.abort()
    await steering
    expect(socket.socket.readyState).toBe(socket.socket.OPEN)
    const ticks = socket.messages.filter(isTick)
    expect(ticks.length).toBeGreaterThan(20)
    expect(new Set(ticks.map((tick) => tick.era))).toEqual(new Set([era]))
    const numbers = ticks.map(({ tick }) => tick)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    await socket.close()
    const levels = await steered()
    expect(levels.length).toBe(new Set(levels).size)
    expect(levels.filter((level) => acknowledged.includes(level))).toEqual(acknowledged)
    expect(unknown.length).toBeLessThanOrEqual(KILLS)
    expect(await (await ownerOf(hosts)).stop()).toBe(0)
    expect(await gateway.stop()).toBe(0)
    expect(await replayed({ ...variables, STANDBY: 'false' })).toMatchObject({ differences: 0 })
  })
})

type Tick = Extract<ServerMessage, { type: 'tick' }>

function isTick(message: ServerMessage): message is Tick {
  return message.type === 'tick'
}
