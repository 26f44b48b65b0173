// Law: a world whose owner dies goes on with one of the servers that stand by: nothing acknowledged
// is lost or done twice, what the former owner still does has no effect, and all digests are those
// of a replay. Method: real server processes, whose clocks are up to an hour apart, on a real
// PostgreSQL; each test begins with the owner that the one before it has left.
import type { PostgresServer } from '@orrery/testkit'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { replayed } from '@orrery/testkit/replayed'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, openOrders, openSocket, register } from '../player-client.ts'
import {
  MAIN,
  type ServerEnvironment,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
} from '../server-process.ts'
import {
  HOUR_MS,
  type Hosts,
  SYSTEMS,
  type StoredWorld,
  clockOff,
  openStoredWorld,
  ownerOf,
  owns,
  rename,
  until,
  untilFollowing,
} from './hosts.ts'
import { QUARRY, lackingModule } from './lacking-module.ts'
import { sharedClock } from './shared-clock.ts'
import { wrongClock } from './wrong-clock.ts'

/** Longer than an owner may be silent, in its beats. */
const BEATS = 15

/** Between a claim of the world and the end of who takes it: somewhere it opens the world [ms]. */
const TAKING_MS = [20, 50, 100, 200, 400]

/** Of the clocks of those that stand by. */
const HOURS_OFF = byTier({ gate: [1], night: [-1, 1] })

const directory = dataDirectory()
const started: ServerProcess[] = []
let postgres: PostgresServer
let variables: ReturnType<typeof environment>
/** which may own the world */
let servers: readonly ServerProcess[]
let owner: ServerProcess
let stored: StoredWorld
let pilots: Hosts['pilots']
/** names that were acknowledged, in their order */
const acknowledged: string[] = []

beforeAll(async () => {
  postgres = await startGamePostgres(MAIN)
  variables = environment(directory.path, { DATABASE_URL: postgres.url, STANDBY: 'true' })
  owner = await ownerOf([await start()])
  const order = await openOrders(owner)
  await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  await order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  pilots = [await register(owner, 'Pilot_1'), await register(owner, 'Pilot_2')]
  const others = HOURS_OFF.map((hours) => start(clockOff(hours * HOUR_MS)))
  servers = [owner, ...(await Promise.all(others))]
  for (const server of servers.slice(1)) await untilFollowing(server, owner)
  stored = await openStoredWorld(postgres.url)
})

afterAll(async () => {
  for (const server of started) await server.kill()
  await stored.close()
  await postgres.stop()
  directory.remove()
})

async function start(changes: ServerEnvironment = {}): Promise<ServerProcess> {
  const server = await startServer({ ...variables, MODULES: hosts.modules.join(), ...changes })
  started.push(server)
  return server
}

const hosts: Hosts = {
  start,
  modules: [QUARRY],
  get variables() {
    return variables
  },
  get stored() {
    return stored
  },
  get pilots() {
    return pilots
  },
  get owner() {
    return owner
  },
  set owner(server) {
    owner = server
  },
}

/** What the clock of a server shows too much, by its log. */
function hoursOff(server: ServerProcess): number {
  const [, time = ''] = /"time":"([^"]+)"/.exec(server.output()) ?? []
  // Without the sum a clock that is right is -0 hours off.
  return Math.round((Date.parse(time) - Date.now()) / HOUR_MS) + 0
}

/** The servers that are left without one. */
function othersThan(one: ServerProcess): readonly ServerProcess[] {
  return servers.filter((server) => server !== one)
}

test('killed under commands: one of two owns, the other follows it', async () => {
  expect(servers.map(hoursOff)).toEqual([0, ...HOURS_OFF])
  expect((await ask(servers[1], 'GET', '/api/status')).body).toEqual({
    error: {
      code: 'E008',
      message: expect.stringContaining(`This server stands by: ${owner.url} owns the world`),
    },
  })
  for (const [index, { token }] of pilots.entries()) {
    const socket = await openSocket(owner, token)
    rename(socket, `Ship ${index}`, acknowledged).catch(() => undefined)
    socket.send({ type: 'control', thrust_level: 0.5 })
  }
  await until(() => acknowledged.length > 50)
  await owner.kill()
  const others = (servers = othersThan(owner))
  owner = await ownerOf(others)
  for (const server of others) if (server !== owner) await untilFollowing(server, owner)
  expect(await Promise.all(others.map(owns))).toEqual(others.map((server) => server === owner))
  const order = await openOrders(owner)
  await until(async () => {
    const { hosts } = await order('GET', '/api/admin/hosts')
    const states = new Map(hosts.map(({ url, state }: Record<string, string>) => [url, state]))
    return others.every(({ url }) => states.get(url) === (url === owner.url ? 'owner' : 'standby'))
  })
  const names = await stored.renamed()
  expect(names.filter((name) => acknowledged.includes(name)).toSorted()).toEqual(
    acknowledged.toSorted(),
  )
  for (const { token, ship_id: shipId } of pilots) {
    const ship = await ask(owner, 'GET', '/api/player/ship', { token })
    expect(ship.body).toMatchObject({ ship_id: shipId, name: expect.stringMatching(/^Ship/) })
  }
})

test.runIf(IS_NIGHT)(
  'the database away for longer than an owner may be silent: the world stays',
  async () => {
    const fence = await stored.fence()
    const socket = await openSocket(owner, pilots[0].token)
    await postgres.kill()
    // The outcome of a command is unknown when it has waited for 2 s.
    const answer = await socket.answer({ type: 'ship_rename', name: 'Kept later' })
    expect(answer).toMatchObject({ type: 'error', code: 'E008' })
    await postgres.restart()
    const beats = async (): Promise<number> => {
      const [row] = await stored.sql<[{ beats: number }]>`
      select beats::int from host join system_owner on host = incarnation limit 1`
      return row.beats
    }
    await until(() =>
      beats().then(
        () => true,
        () => false,
      ),
    )
    const enough = (await beats()) + BEATS
    await until(async () => (await beats()) > enough)
    expect(await stored.fence()).toBe(fence)
    expect(await owns(owner)).toBe(true)
  },
)

test.runIf(IS_NIGHT)(
  'stopped: the other takes the world; what it does when it wakes has no effect',
  async () => {
    const socket = await openSocket(owner, pilots[0].token)
    const zombie = owner
    process.kill(zombie.pid!, 'SIGSTOP')
    socket.send({ type: 'ship_rename', name: 'Zombie' })
    owner = await ownerOf(othersThan(zombie))
    const before = await ask(owner, 'GET', '/api/player/ship', { token: pilots[0].token })
    process.kill(zombie.pid!, 'SIGCONT')
    await until(() => !zombie.running())
    expect(zombie.output()).toMatch(/another server has taken the world|is in use by/)
    const after = await ask(owner, 'GET', '/api/player/ship', { token: pilots[0].token })
    expect(after.body).toMatchObject({ name: Object(before.body).name })
    expect(await stored.renamed()).not.toContain('Zombie')
    expect(socket.messages.filter(({ type }) => type === 'ship_renamed')).toEqual([])
  },
)

test.runIf(IS_NIGHT)('ended as it takes the world: it stores the world', async () => {
  for (const delayMs of TAKING_MS) {
    const heir = await start()
    servers = [owner, heir]
    await untilFollowing(heir, owner)
    const fence = await stored.fence()
    await owner.kill()
    await until(async () => (await stored.fence()) !== fence)
    await sleep(delayMs)
    expect([delayMs, await heir.stop()]).toEqual([delayMs, 0])
    servers = [await start()]
    owner = await ownerOf(servers)
  }
})

wrongClock(hosts)

const lacking = lackingModule(hosts)

sharedClock(hosts)

lacking.beside()

test('all digests of the owners are those of a replay', async () => {
  const last = await digests()
  // Of the last owner, too.
  await until(async () => (await digests()).every((count, i) => count >= Math.max(6, last[i] + 2)))
  expect(await owner.stop()).toBe(0)
  const report = await replayed({ ...variables, MODULES: hosts.modules.join() })
  expect(report).toMatchObject({ differences: 0, ships: pilots.length })
  expect(report.digests_compared).toBeGreaterThan(3)
})

lacking.without()

/** How many each star system has. */
async function digests(): Promise<number[]> {
  const rows = await stored.sql<{ count: number }[]>`
    select count(*)::int as count from digest group by system order by system`
  return SYSTEMS.map((_, i) => rows[i]?.count ?? 0)
}
