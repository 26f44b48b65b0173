// Law: a player has one socket over all servers of a universe, is online at each of them, and goes
// on at another gateway when his own is killed.
// Method: an owner and two gateways, real processes on a real PostgreSQL and a real NATS server.
import { CLOSE_CODES } from '@orrery/protocol'
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { NATS_SERVER, type NatsServer, startNatsServer } from '@orrery/testkit/nats-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminToken, ask, openOrders, openSocket, register } from '../player-client.ts'
import { until } from '../recovery/hosts.ts'
import { type ServerProcess, dataDirectory, environment, startServer } from '../server-process.ts'

const directory = dataDirectory()
const servers: ServerProcess[] = []
let postgres: PostgresServer
let nats: NatsServer
let variables: ReturnType<typeof environment>

async function openGateway(): Promise<ServerProcess> {
  const gateway = await startServer({ ...variables, ROLES: 'gateway' })
  servers.push(gateway)
  await until(async () => (await ask(gateway, 'GET', '/api/status')).status === 200)
  return gateway
}

/** Waits until all servers say that so many players are online. */
async function untilOnline(players: number, asked: readonly ServerProcess[]): Promise<void> {
  for (const server of asked) {
    await until(async () => {
      const { body } = await ask(server, 'GET', '/api/status')
      return Object(body).players_online === players
    })
  }
}

describe.skipIf(!NATS_SERVER)('two gateways', () => {
  beforeAll(async () => {
    postgres = await startPostgresServer()
    nats = await startNatsServer()
    variables = environment(directory.path, { DATABASE_URL: postgres.url, NATS_URL: nats.url })
    servers.push(await startServer(variables))
  })

  afterAll(async () => {
    for (const server of servers) await server.kill()
    await nats.stop()
    await postgres.stop()
    directory.remove()
  })

  test('one socket per player, who goes on at another gateway', async () => {
    const [owner] = servers
    const [a, b] = [await openGateway(), await openGateway()]
    const { token, player_id: id } = await register(a, 'Pilot_1')
    const atA = await openSocket(a, token)
    await untilOnline(1, servers)
    const account = await ask(owner, 'GET', `/api/admin/players/${id}`, {
      token: await adminToken(b),
    })
    expect(account.body).toMatchObject({ online: true })
    const { text: metrics } = await ask(a, 'GET', '/metrics', { token: await adminToken(a) })
    expect(metrics).toContain('\norrery_bus_connected 1\n')

    const atB = await openSocket(b, token)
    expect(await atA.closed).toEqual({ code: CLOSE_CODES.replaced, reason: 'replaced' })
    await untilOnline(1, servers)
    expect(await atB.answer({ type: 'control', thrust_level: 0.5 })).toMatchObject({
      type: 'accepted',
    })
    const { era, tick } = await atB.next('tick')

    await b.kill()
    await atB.closed
    const again = await openSocket(a, token)
    expect(await again.answer({ type: 'resume', era, tick })).toMatchObject({
      type: 'resumed_session',
      valid: true,
    })
    await again.next('tick', ({ ships }) => ships.some((ship) => ship.thrust_level === 0.5))
    await untilOnline(1, [owner, a])
    await again.close()
    await untilOnline(0, [owner, a])
  })

  test('while the bus is away each gateway goes on, and later they agree again', async () => {
    const [owner, a] = servers
    const c = await openGateway()
    const { token } = await register(c, 'Pilot_2')
    await nats.kill()
    const atA = await openSocket(a, token)
    const atC = await openSocket(c, token)
    expect(await atA.answer({ type: 'ping' })).toMatchObject({ type: 'pong' })
    expect(await atC.answer({ type: 'control', thrust_level: 0.5 })).toMatchObject({
      type: 'accepted',
    })
    await nats.restart()
    expect((await atA.closed).code).toBe(CLOSE_CODES.replaced)
    await untilOnline(1, [owner, a, c])
    expect(await atC.answer({ type: 'ping' })).toMatchObject({ type: 'pong' })
    await atC.close()
  })

  test('a pause and its end are shown, which no tick brings', async () => {
    const [owner, gateway] = servers
    const token = await adminToken(owner)
    const isPaused = async (): Promise<boolean> =>
      Object((await ask(gateway, 'GET', '/api/status')).body).paused
    await ask(owner, 'POST', '/api/admin/game/pause', { token })
    await until(isPaused)
    await ask(owner, 'POST', '/api/admin/game/resume', { token })
    await until(async () => !(await isPaused()))
    expect(await isPaused()).toBe(false)
  })

  test('pilots of both gateways vote for the pace; the next owner counts them, too', async () => {
    const [owner, a] = servers
    const b = await openGateway()
    const order = await openOrders(owner)
    const runsAt = async (scale: number): Promise<void> => {
      for (const gateway of [a, b]) {
        const token = await adminToken(gateway)
        await until(async () => {
          const { body } = await ask(gateway, 'GET', '/api/admin/status', { token })
          return Object(body).time_scale === scale
        })
      }
    }
    const [ida, jo] = [
      await openSocket(a, (await register(a, 'Voter_1')).token),
      await openSocket(b, (await register(b, 'Voter_2')).token),
    ]
    await order('PUT', '/api/admin/game/pace-vote', { lowest: 2, highest: 9 })
    await ida.next('votes', ({ voters }) => voters === 2)
    await jo.next('votes', ({ voters }) => voters === 2)
    await ida.answer({ type: 'vote', pace: 3 })
    expect(await jo.answer({ type: 'vote', pace: 5 })).toMatchObject({ type: 'voted', pace: 5 })
    await runsAt(3)
    await ida.next('tick', ({ effective_time_scale: scale }) => scale === 3)
    await owner.kill()
    servers[0] = await startServer(variables)
    await runsAt(3)
    await jo.close()
    await ida.next('votes', ({ voters, pace }) => voters === 1 && pace === 3)
    await ida.answer({ type: 'vote', pace: null })
    await runsAt(1)
    await (
      await openOrders(servers[0])
    )('DELETE', '/api/admin/game/pace-vote')
    await ida.close()
    await b.kill()
  })

  test('an owner that is killed and started again undoes nothing that was shown', async () => {
    const [owner, gateway] = servers
    const order = await openOrders(owner)
    await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
    const { token } = await register(gateway, 'Pilot_3')
    const socket = await openSocket(gateway, token)
    const first = await socket.freshTick()
    await socket.next('tick', ({ tick }) => tick > first.tick + 10)
    await owner.kill()
    servers[0] = await startServer(variables)
    expect(await socket.answer({ type: 'control', thrust_level: 0.5 })).toMatchObject({
      type: 'accepted',
    })
    await socket.next('tick', ({ ships }) => ships.some((ship) => ship.thrust_level === 0.5))
    expect(socket.messages.filter(({ type }) => type === 'restored')).toEqual([])
    const shown = socket.messages.flatMap((message) =>
      message.type === 'tick' ? message.tick : [],
    )
    expect(shown).toEqual(shown.toSorted((a, b) => a - b))
  })
})
