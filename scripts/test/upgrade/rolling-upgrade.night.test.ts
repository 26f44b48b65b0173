// Law: while servers are replaced one after the other by a release with another physics, pilots
// behind a balancer lose nothing that was acknowledged, of modules neither, and no command is
// refused. A start alone after a crash goes on by the carried core, and without it is refused by
// name. Method: two hosts and a gateway of each release, real processes, beside pilots who rename
// their ships and have a module note numbers in their order, each once; the next release has a
// newer version of it. The balancer gives a connection to a gateway that is ready.
import { type GameSocket, connectSocket, createGameClient } from '@orrery/client'
import { createModulesClient } from '@orrery/client/flight'
import { api } from '@orrery/client/routes'
import { PHYSICS } from '@orrery/sim'
import { NATS_SERVER, type NatsServer, startNatsServer } from '@orrery/testkit/nats-server'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Server, type Servers, adminOf, openServers, readiness, until } from './servers.ts'

const PILOTS = 8

const MODULES = new URL('tally.ts', import.meta.url).pathname
/** What the module has for all ships at first [kg]. */
const STOCK = 1e6

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

/** The file of a version that keeps, too, up to where the older one has noted. */
function newerTally(directory: string): string {
  const source = readFileSync(MODULES, 'utf8')
    .replace('version: 1,', 'version: 2, from: { 1: { ship: ({ last }) => ({ before: last }) } },')
    .replace('ship: {', "ship: { before: u32(''),")
  const file = join(directory, 'tally-2.ts')
  writeFileSync(file, source)
  return file
}

interface Pilot {
  /** of the last name that was acknowledged */
  named: number
  /** the last number that was acknowledged, and how often it was not known whether one has acted */
  noted: number
  unknown: number
  readonly refused: string[]
  /** between two ticks, at most [ms] */
  gapMs: number
  readonly token: string
  end(): Promise<void>
}

/** Notes a number; false where it is not known whether it has acted. */
async function note(socket: GameSocket, number: number, isAgain: boolean): Promise<boolean> {
  try {
    await socket.commandModule('tally', 'note', { number })
    return true
  } catch (error) {
    const { code, refusal } = Object(error)
    // It had acted before the connection or the owner went.
    if (isAgain && refusal?.data.last === number) return true
    if (code === 'connection_lost' || code === 'E008') return false
    throw error
  }
}

/** A pilot who renames his ship and notes numbers until the end, while it climbs. */
async function flying(url: string, name: string): Promise<Pilot> {
  const { token } = await createGameClient({ url }).register(name, 'correct horse 7b')
  const socket = connectSocket({ url, token })
  await socket.opened
  const over = new AbortController()
  let tickMs = performance.now()
  await socket.startManeuver({ maneuver: 'set_orbit', semi_major_axis: 7.2e6 })
  const pilot = { named: 0, noted: 0, unknown: 0, refused: [] as string[], gapMs: 0, token }
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
  const noted = async (): Promise<void> => {
    for (let isAgain = false; isAgain || !over.signal.aborted;) {
      try {
        const hasActed = await note(socket, pilot.noted + 1, isAgain)
        if (hasActed) pilot.noted++
        else pilot.unknown++
        isAgain = !hasActed
      } catch (error) {
        pilot.refused.push(Object(error).message)
        return
      }
      await setTimeout(100)
    }
  }
  const acting = Promise.all([named(), noted()])
  return Object.assign(pilot, {
    end: async () => {
      over.abort()
      await acting
      socket.close()
    },
  })
}

/** What the module keeps, of a world that is paused. */
async function keptAsNoted(
  { url }: Server,
  pilots: readonly Pick<Pilot, 'noted' | 'token'>[],
): Promise<void> {
  let taken = 0
  let left = 0
  for (const { noted, token } of pilots) {
    const { ship_values: values, tables } = await createModulesClient({ url, token }).read()
    const { tally } = values
    expect(noted).toBeGreaterThan(0)
    expect(tally).toMatchObject({ last: noted, credits: (noted * (noted + 1)) / 2 })
    expect(Number(tally['taken'])).toBeGreaterThan(0)
    taken += Number(tally['taken'])
    left = Number(tables['tally']['stock'][0]['kg'])
  }
  expect(taken + left).toBe(STOCK)
}

test.skipIf(!NATS_SERVER)('servers are replaced one after the other', async () => {
  const nats: NatsServer = await startNatsServer()
  const bus = { NATS_URL: nats.url, MODULES }
  const newer = { ...bus, MODULES: `${newerTally(servers.directory)},${MODULES}` }
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

  const nextHost = await servers.start('next', newer)
  const nextGateway = await servers.start('next', { ...newer, ROLES: 'gateway', STANDBY: 'false' })
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
  await present.game.pause()
  await keptAsNoted(nextHost, pilots)
  for (const { noted, token } of pilots) {
    const modules = createModulesClient({ url: nextHost.url, token })
    expect((await modules.list()).modules).toMatchObject([{ version: 2, stopped: {} }])
    const before = Number((await modules.read()).ship_values['tally']['before'])
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(noted)
  }
  await nextHost.kill()
  const again = await servers.start('next', newer)
  await adminOf(again)
  await keptAsNoted(again, pilots)
  for (const host of [leader, second, nextHost, again]) {
    expect(host.output().stderr).not.toMatch(/did not come out|has digest/)
  }
  const gaps = pilots.map(({ gapMs }) => Math.round(gapMs))
  console.log(
    `switched in ${Math.round(switchedMs)} ms; longest gaps of ticks [ms]: ${gaps.join()}; ` +
      `noted ${pilots.map(({ noted, unknown }) => `${noted} (${unknown} asked again)`).join()}`,
  )
  front.close()
  await nats.stop()
})

test('one server goes on after a crash by the core that it carries', async () => {
  const alone = { DATABASE_URL: undefined, STANDBY: 'false', MODULES }
  const old = await servers.start('present', alone)
  const { token } = await createGameClient({ url: old.url }).register('Ripley', 'correct horse 7b')
  const socket = connectSocket({ url: old.url, token })
  await socket.opened
  await socket.rename('Nostromo')
  await note(socket, 1, false)
  await note(socket, 2, false)
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
  await keptAsNoted(next, [{ noted: 2, token }])

  await next.kill()
  const former = servers.launch('present', alone)
  await former.ready.catch(() => undefined)
  expect(await former.ended).toBe(1)
  expect(former.output().stderr).toContain(
    `is flown by a release with physics ${PHYSICS + 1}, this one has ${PHYSICS}`,
  )
})
