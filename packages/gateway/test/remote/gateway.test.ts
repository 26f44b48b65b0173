// Law: a gateway serves clients from its mirror with the bits of the owner of the world, hands the
// rest on to it, and keeps its clients while the owner dies and another goes on.
// Method: two real server processes with a module on one PostgreSQL; with a NATS server, until that
// ends, too.
import { connectSocket, createGameClient } from '@orrery/client'
import { createShipSample, openFlight } from '@orrery/client/flight'
import { type PostgresServer, openIssuer, startPostgresServer } from '@orrery/testkit'
import { NATS_SERVER, type NatsServer, startNatsServer } from '@orrery/testkit/nats-server'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLOSE_CODES, type ServerMessage } from '@orrery/protocol'
import {
  PASSWORD,
  type PlayerSocket,
  adminToken,
  ask,
  openOrders,
  openSocket,
  register,
} from '../player-client.ts'
import { modulesAtGateways } from '../modules/at-gateways.ts'
import { until } from '../recovery/hosts.ts'
import { QUARRY } from '../recovery/lacking-module.ts'
import {
  MAIN,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
  trusting,
} from '../server-process.ts'

const issuer = await openIssuer()
const directory = dataDirectory()
let postgres: PostgresServer
let nats: NatsServer | undefined
let variables: ReturnType<typeof environment>
let owner: ServerProcess
let gateway: ServerProcess
let pilots: { readonly token: string; readonly ship_id: string }[]

beforeAll(async () => {
  // By day the world is there, which a first start takes seconds to make.
  postgres = await (IS_NIGHT ? startPostgresServer() : startGamePostgres(MAIN))
  nats = NATS_SERVER ? await startNatsServer() : undefined
  variables = environment(directory.path, {
    DATABASE_URL: postgres.url,
    MODULES: QUARRY,
    ...(nats && { NATS_URL: nats.url }),
    ...trusting(issuer),
  })
  // At night it waits for a database that has no tables yet.
  gateway = await startServer({ ...variables, ROLES: 'gateway' })
  owner = await startServer(variables)
  await until(async () => (await ask(gateway, 'GET', '/api/status')).status === 200)
  const order = await openOrders(gateway)
  await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 10 })
  pilots = [await register(gateway, 'Pilot_1'), await register(gateway, 'Pilot_2')]
})

afterAll(async () => {
  await gateway.kill()
  await owner.kill()
  await nats?.stop()
  await postgres.stop()
  await issuer.close()
  directory.remove()
})

modulesAtGateways({
  get owner() {
    return owner
  },
  get gateway() {
    return gateway
  },
  get pilots() {
    return pilots
  },
  endBus: async () => nats?.kill(),
})

type Tick = Extract<ServerMessage, { type: 'tick' }>

function ticksOf({ messages }: PlayerSocket): ReadonlyMap<number, Tick> {
  const ticks = messages.filter((message): message is Tick => message.type === 'tick')
  return new Map(ticks.map((tick) => [tick.tick, tick]))
}

/** Frames of the same ticks at both, once there are some. */
async function sameTicks(here: PlayerSocket, there: PlayerSocket, from: number): Promise<number[]> {
  const both = (): number[] => {
    const others = ticksOf(there)
    return [...ticksOf(here).keys()].filter((tick) => tick >= from && others.has(tick))
  }
  await until(() => both().length >= 3)
  return both()
}

test('a ship that is steered at a gateway has the same bits there and at the owner', async () => {
  const mine = await openSocket(gateway, pilots[0].token)
  const token = await adminToken(gateway)
  const here = await openSocket(gateway, token)
  const there = await openSocket(owner, token)
  const steered = await mine.answer({ type: 'control', thrust_level: 0.5 })
  expect(steered).toMatchObject({ type: 'accepted' })
  expect(await mine.answer({ type: 'ship_rename', name: 'Far away' })).toMatchObject({
    type: 'ship_renamed',
  })
  const isBurning = ({ ships }: Tick): boolean =>
    ships.some((ship) => ship.ship_id === pilots[0].ship_id && ship.thrust_level === 0.5)
  const { tick } = await mine.next('tick', isBurning)
  // Those of its own tick the owner may have sent before the ship had its name.
  for (const at of await sameTicks(here, there, tick + 1)) {
    const { age: _, ...shown } = ticksOf(here).get(at) ?? {}
    expect(shown).toMatchObject({ ships: [{}, {}], tick: at })
    expect(ticksOf(there).get(at)).toMatchObject(shown)
  }
  expect(await mine.answer({ type: 'jump', jumpgate_id: pilots[0].ship_id })).toMatchObject({
    type: 'error',
    code: 'E002',
  })
  for (const socket of [mine, here, there]) await socket.close()
})

test('whoever another server knows signs in at a gateway, and flies there', async () => {
  const { token, is_admin: isAdmin } = await createGameClient(gateway).signIn(issuer.token('Ida'))
  expect(isAdmin).toBe(false)
  await until(async () => (await ask(gateway, 'GET', '/api/player/ship', { token })).status === 200)
})

test('how long frames of a gateway take to be written is measured', async () => {
  const mine = await openSocket(gateway, pilots[0].token)
  const token = await adminToken(gateway)
  const metrics = async (): Promise<string> =>
    (await ask(gateway, 'GET', '/metrics', { token })).text
  expect(await metrics()).toContain('orrery_fan_out_duration_seconds')
  await until(async () => /^orrery_fan_out_\w+_count [1-9]/m.test(await metrics()))
  await mine.close()
})

test('frames of a gateway are its ticks to a millimetre, through orders', async () => {
  const mine = await openSocket(gateway, pilots[1].token)
  const token = await adminToken(gateway)
  const ticks = await openSocket(gateway, token)
  const socket = connectSocket({ url: gateway.url, token, wire: 'binary' })
  const flight = openFlight({ socket })
  const state = createShipSample()
  for (const thrust of byTier({ gate: [1], night: [1, 0, 0.25] })) {
    expect(await mine.answer({ type: 'control', thrust_level: thrust })).toMatchObject({
      type: 'accepted',
    })
    ticks.skip()
    await ticks.next('tick', ({ ships }) => ships.some((ship) => ship.thrust_level === thrust))
    for (let i = 0; i < 3; i++) {
      ticks.skip()
      const { index, offset, ships } = await ticks.next('tick')
      await socket.ping()
      for (const { ship_id: id, relative_position: p } of ships) {
        expect(flight.world.shipAt(state, id, index + offset)).toBe(true)
        // The sum of index and offset is rounded to 8e-6 quanta.
        const { r } = state
        expect(Math.hypot(r[0] - p.x, r[1] - p.y, r[2] - p.z)).toBeLessThan(1e-3)
      }
    }
  }
  flight.close()
  socket.close()
  for (const one of [mine, ticks]) await one.close()
})

/** What is no other between two moments or two processes. */
const OWN = /_seconds|_bytes|_rate|version|canary_|"(?:at|from|until|utilisation|load|phases)"/

/** An answer without what each process, or each moment, has of its own. */
function common(text: string): string {
  return text
    .replace(/"[a-z_]*"(?=:)/g, (name) => (OWN.test(name) ? '"own"' : name))
    .replace(/"own":(?:"[^"]*"|-?[\d.e+-]+|null|\{[^}]*\}|\[[^\]]*\])/g, '')
}

test('each route that reads answers alike at the gateway and at the owner', async () => {
  const admin = await adminToken(gateway)
  await ask(gateway, 'POST', '/api/admin/game/pause', { token: admin })
  const paused = async (): Promise<boolean> =>
    Object((await ask(gateway, 'GET', '/api/status')).body).paused
  await until(paused)
  const { body: document } = await ask(gateway, 'GET', '/api/openapi.json')
  const paths = Object.entries<object>(Object(document).paths)
    .filter(([path, operations]) => 'get' in operations && !/metrics|^\/$|admin$/.test(path))
    .map(([path]) => path.replace('{system_id}', 'sol').replace(/\{\w+\}/, pilots[0].ship_id))
  expect(paths.length).toBeGreaterThan(25)
  // By day every second one.
  const asked = paths.filter((_, i) => IS_NIGHT || i % 2 === 0)
  const answers = new Map<string, string[]>()
  for (const path of asked) {
    const token = path.startsWith('/api/admin') ? admin : pilots[0].token
    const [here, there] = await Promise.all(
      [gateway, owner].map(async (server) => ask(server, 'GET', path, { token })),
    )
    answers.set(
      path,
      [here, there].map(({ status, text }) => `${status} ${common(text)}`),
    )
  }
  const differing = [...answers].filter(([, [here, there]]) => here !== there)
  expect(differing).toEqual([])
  const found = [...answers.values()].filter(([here]) => here.startsWith('200'))
  expect(found.length).toBeGreaterThan(0.4 * asked.length)
  await ask(gateway, 'POST', '/api/admin/game/resume', { token: admin })
})

test('sockets of a gateway follow what the owner changes in their accounts', async () => {
  const { player_id: id, token } = await register(owner, 'Pilot_3')
  const order = await openOrders(owner)
  const socket = await openSocket(gateway, token)
  // The gateway has seen the account with its socket.
  await socket.next('tick')
  await ask(owner, 'DELETE', '/api/account/tokens', { token })
  expect(await socket.closed).toMatchObject({ code: CLOSE_CODES.expired })
  const { body } = await ask(gateway, 'POST', '/api/auth/login', {
    body: { username: 'Pilot_3', password: PASSWORD },
  })
  const again = await openSocket(gateway, Object(body).token)
  await again.next('welcome')
  await order('DELETE', `/api/admin/players/${id}`)
  expect(await again.closed).toMatchObject({ code: CLOSE_CODES.accountDeleted })
})

test('players at a gateway keep their sockets while the owner dies', async () => {
  const mine = await openSocket(gateway, pilots[0].token)
  await owner.kill()
  expect(await mine.answer({ type: 'control', thrust_level: 0.25 })).toMatchObject({
    type: 'error',
    code: 'E008',
  })
  const { status, body } = await ask(gateway, 'POST', '/api/auth/login', { body: {} })
  expect({ status, body }).toMatchObject({ status: 503, body: { error: { code: 'E008' } } })
  const ship = await ask(gateway, 'GET', '/api/player/ship', { token: pilots[0].token })
  expect(ship.body).toMatchObject({ name: 'Far away', thrust_level: 0.5 })
  // Another start of the owner costs much; at night the gateway goes on with it.
  if (!IS_NIGHT) return
  owner = await startServer(variables)
  mine.skip()
  expect(await mine.answer({ type: 'control', thrust_level: 0.25 })).toMatchObject({
    type: 'accepted',
  })
  await mine.next('tick', ({ ships }) => ships.some((one) => one.thrust_level === 0.25))
  expect(mine.messages.filter(({ type }) => type === 'restored')).toEqual([])
  expect(await gateway.stop()).toBe(0)
})
