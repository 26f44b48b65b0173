// Law: while servers are replaced one after the other by a release with another physics, pilots
// behind a balancer lose nothing that was acknowledged, and no command is refused. A start alone
// after a crash goes on by the carried core, and without it is refused by name. Method: two hosts
// and a gateway of each release, real processes, beside pilots who rename their ships; the balancer
// gives a connection to a gateway that is ready.
import { connectSocket, createGameClient } from '@orrery/client'
import { api } from '@orrery/client/routes'
import { PHYSICS } from '@orrery/sim'
import { NATS_SERVER, type NatsServer, startNatsServer } from '@orrery/testkit/nats-server'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Server, type Servers, adminOf, openServers, readiness, until } from './servers.ts'

const PILOTS = 8

let servers: Servers

beforeEach(async () => {
  servers = await openServers()
})

afterEach(() => servers.end())

/** Gives each connection to the first of some servers that is ready. */
async function balancer(behind: readonly Server[]): Promise<{ url: string; close(): void }> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    void join(near)
  })
  async function join(near: Socket): Promise<void> {
    open.add(near)
    near.once('error', () => near.destroy())
    const target = await firstReady(behind)
    if (!target) {
      near.destroy()
      return
    }
    const far = connect(Number(new URL(target.url).port), '127.0.0.1')
    far.once('error', () => far.destroy())
    far.once('close', () => near.destroy())
    near.once('close', () => far.destroy())
    near.pipe(far).pipe(near)
  }
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

async function firstReady(servers: readonly Server[]): Promise<Server | undefined> {
  for (const one of servers) {
    if ((await fetch(`${one.url}/health/ready`)).ok) return one
  }
  return undefined
}

interface Pilot {
  /** of the last name that was acknowledged */
  named: number
  readonly refused: string[]
  /** between two ticks, at most [ms] */
  gapMs: number
  readonly token: string
  end(): Promise<void>
}

/** A pilot who renames his ship until the end. */
async function flying(url: string, name: string): Promise<Pilot> {
  const { token } = await createGameClient({ url }).register(name, 'correct horse 7b')
  const socket = connectSocket({ url, token })
  await socket.opened
  const over = new AbortController()
  let tickMs = performance.now()
  const pilot = { named: 0, refused: [] as string[], gapMs: 0, token }
  socket.on('tick', () => {
    const now = performance.now()
    pilot.gapMs = Math.max(pilot.gapMs, now - tickMs)
    tickMs = now
  })
  const named = async (): Promise<void> => {
    for (let n = 1; !over.signal.aborted; n++) {
      try {
        await socket.rename(`${name}_${n}`)
        pilot.named = n
      } catch (error) {
        const { code, message } = Object(error)
        if (code !== 'connection_lost') pilot.refused.push(`${code} ${message}`)
        // The name may have acted, or not.
      }
      await setTimeout(100)
    }
  }
  const naming = named()
  return Object.assign(pilot, {
    end: async () => {
      over.abort()
      await naming
      socket.close()
    },
  })
}

test.skipIf(!NATS_SERVER)('servers are replaced one after the other', async () => {
  const nats: NatsServer = await startNatsServer()
  const bus = { NATS_URL: nats.url }
  const leader = await servers.start('present', bus)
  const admin = await adminOf(leader)
  const second = await servers.start('present', bus)
  const gateway = await servers.start('present', { ...bus, ROLES: 'gateway', STANDBY: 'false' })
  await adminOf(gateway)
  const behind = [gateway]
  const front = await balancer(behind)
  const pilots = await Promise.all(
    Array.from({ length: PILOTS }, (_, i) => flying(front.url, `Pilot_${i}`)),
  )
  const hostOf = async ({ url }: Server): Promise<string> => {
    const { hosts } = await admin.call(api.listHosts)
    return hosts.find((host) => host.url === url)?.host_id ?? ''
  }

  const nextHost = await servers.start('next', bus)
  const nextGateway = await servers.start('next', { ...bus, ROLES: 'gateway', STANDBY: 'false' })
  behind.push(nextGateway)
  await until(async () => {
    const { hosts } = await admin.call(api.listHosts)
    return hosts.some(({ physics, lag_seconds: lag }) => physics > PHYSICS && lag !== null)
  })
  await admin.call(api.drainHost, { host_id: await hostOf(second) })
  expect(await second.stop()).toBe(0)
  const startMs = performance.now()
  await admin.call(api.drainHost, { host_id: await hostOf(leader) })
  await until(() => !leader.running())
  const present = await adminOf(nextHost)
  await until(async () => (await fetch(`${nextGateway.url}/health/ready`)).ok)
  const switchedMs = performance.now() - startMs
  await setTimeout(2000)
  for (const pilot of pilots) await pilot.end()

  expect(await readiness(gateway)).toContain(`physics ${PHYSICS + 1}`)
  expect(pilots.flatMap(({ refused }) => refused)).toEqual([])
  const { hosts } = await present.call(api.listHosts)
  expect(hosts.filter(({ state }) => state === 'owner')).toMatchObject([{ physics: PHYSICS + 1 }])
  for (const { named, token } of pilots) {
    const { name } = await createGameClient({ url: nextHost.url }).player(token).ship()
    expect(Number(name.split('_').at(-1))).toBe(named)
  }
  const gaps = pilots.map(({ gapMs }) => Math.round(gapMs))
  console.log(
    `switched in ${Math.round(switchedMs)} ms; longest gaps of ticks [ms]: ${gaps.join()}`,
  )
  front.close()
  await nats.stop()
})

test('one server goes on after a crash by the core that it carries', async () => {
  const alone = { DATABASE_URL: undefined, STANDBY: 'false' }
  const old = await servers.start('present', alone)
  const { token } = await createGameClient({ url: old.url }).register('Ripley', 'correct horse 7b')
  const socket = connectSocket({ url: old.url, token })
  await socket.opened
  await socket.rename('Nostromo')
  socket.close()
  await old.kill()

  const refused = servers.launch('next', { ...alone, CARRIED_CORE: undefined })
  await refused.ready.catch(() => undefined)
  expect(await refused.ended).toBe(1)
  const words = `was written by a release with physics ${PHYSICS}, this one has ${PHYSICS + 1}`
  expect(refused.output().stderr).toContain(words)
  const next = await servers.start('next', alone)
  await adminOf(next)
  const { name } = await createGameClient({ url: next.url }).player(token).ship()
  expect(name).toBe('Nostromo')

  await next.kill()
  const former = servers.launch('present', alone)
  await former.ready.catch(() => undefined)
  expect(await former.ended).toBe(1)
  expect(former.output().stderr).toContain(
    `is flown by a release with physics ${PHYSICS + 1}, this one has ${PHYSICS}`,
  )
})
