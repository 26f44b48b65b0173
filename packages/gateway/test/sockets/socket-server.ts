// The sockets alone: real connections, a world that the test lays out, and a simulated clock.
import { type Engine, type EngineStatus, type ShipView, createPredictor } from '@orrery/engine'
import type { Account } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach } from 'vitest'
import { type SimulatedClock, simulatedClock } from '@orrery/testkit'
import type { Bearer, Players } from '@orrery/game'
import { type Sockets, createSockets } from '../../src/sockets/sockets.ts'
import type { SocketsOptions } from '../../src/sockets/upgrade.ts'
import { skyWith } from '../fleets.ts'

const START_MS = Date.UTC(2026, 2, 1, 12)

/** Seconds that tokens are valid for. */
export const TOKEN_SECONDS = 3600

export interface SocketServer {
  readonly url: string
  readonly port: number
  readonly sockets: Sockets
  readonly clock: SimulatedClock
  /** the world; change it, then publish */
  readonly world: {
    ships: ShipView[]
    tick: number
    tickRate: number
    timeScale: number
    paused: boolean
    era: number
    /** of the simulated clock, when the last tick ended */
    publishedMs: number
    /** a tick runs: reads of the world wait for `settle` */
    isTicking: boolean
    /** settles when control commands are durable */
    kept: Promise<void>
  }
  /** ship of each account; `""` for none; an account that is not in it is deleted */
  readonly shipOf: Map<string, string>
  /** reported by the sockets */
  readonly errors: unknown[]
  readonly fanOuts: number[]
  /** the end of a tick */
  publish(): void
  /** the end of a tick without a broadcast, as of a broken one */
  settle(): void
  /** makes an account; its id is its token; admins are observers */
  join(kind?: 'player' | 'admin', shipId?: string): string
  /** ends the connections of all handshakes, as the system does when it notices a reset */
  cutHandshakes(): void
  /** holds checks of tokens until the result is called */
  holdChecks(): () => void
  /** resolves when `count` checks are held */
  heldChecks(count: number): Promise<void>
  close(): Promise<void>
}

export async function openSocketServer(
  limits: {
    readonly socketsMax?: number
    readonly socketsPerAddress?: number
    readonly handshakesPerMinute?: number
    readonly jsonBudget?: number
  } = {},
): Promise<SocketServer> {
  const clock = simulatedClock(START_MS)
  const { engine, players, ...parts } = partsOf(clock)
  const sockets = createSockets({
    engine,
    predictor: createPredictor(engine, (error) => parts.errors.push(error)),
    players,
    clock,
    serverName: 'Proving Ground',
    era: () => parts.world.era,
    accountOf: parts.accountOf,
    socketsMax: limits.socketsMax ?? 100,
    socketsPerAddress: limits.socketsPerAddress ?? 0,
    handshakesPerMinute: limits.handshakesPerMinute ?? 1000,
    frameBudget: 32_768,
    jsonBudget: limits.jsonBudget ?? 1_048_576,
    trustProxy: false,
    allowedOrigins: [],
    allowedHosts: undefined,
    onFanOut: (ms) => parts.fanOuts.push(ms),
    onError: (error) => parts.errors.push(error),
  })
  const server: Server = createServer()
  sockets.attach(server)
  const streams = new Set<Duplex>()
  server.on('upgrade', (_, stream) => streams.add(stream))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...parts,
    url: `http://127.0.0.1:${port}`,
    port,
    sockets,
    clock,
    cutHandshakes: () => {
      for (const stream of streams) stream.destroy()
    },
    publish: () => {
      parts.world.tick++
      parts.world.publishedMs = clock.monotonicMs()
      parts.settle()
      sockets.broadcastTick()
    },
    close: async () => {
      await sockets.close()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

type Parts = Omit<
  SocketServer,
  'url' | 'port' | 'sockets' | 'clock' | 'cutHandshakes' | 'publish' | 'close'
> &
  Pick<SocketsOptions, 'engine' | 'players' | 'accountOf'>

function partsOf(clock: SimulatedClock): Parts {
  const world: SocketServer['world'] = {
    ships: [],
    tick: 100,
    tickRate: 10,
    timeScale: 1,
    paused: false,
    era: 1,
    publishedMs: 0,
    isTicking: false,
    kept: Promise.resolve(),
  }
  let waiting: (() => void)[] = []
  const engine = {
    status: () =>
      ({
        tick: world.tick,
        gameTimeMs: START_MS + world.publishedMs,
        sinceTickMs: world.paused ? 0 : clock.monotonicMs() - world.publishedMs,
        tickRate: world.tickRate,
        timeScale: world.timeScale,
        effectiveTimeScale: world.timeScale,
        paused: world.paused,
      }) as EngineStatus,
    get universe() {
      const worlds = ['sol', 'alpha'].map((id) => {
        const ships = world.ships.filter(({ systemId }) => systemId === id)
        const byId = new Map(ships.map(({ shipId }) => [shipId, {}]))
        return { state: { system: { id } }, roster: { byId } }
      })
      return { worlds }
    },
    sky: () => skyWith(world.ships),
    control: () => ({ index: 0, kept: world.kept }),
    stations: () => [],
    jumpgates: () => [],
    whenSettled: async (act: () => unknown) => {
      if (world.isTicking) await new Promise<void>((resolve) => waiting.push(resolve))
      return act()
    },
  } as unknown as Engine

  const admins = new Set<string>()
  const shipOf = new Map<string, string>()
  let checking: Promise<void> | undefined
  let held = 0
  const accountOf = async (playerId: string): Promise<Account | undefined> => {
    const shipId = shipOf.get(playerId)
    if (shipId === undefined) return undefined
    return { playerId, isAdmin: admins.has(playerId), shipId: shipId || null } as Account
  }
  const bearer = async (token: string, type: 'player' | 'admin'): Promise<Bearer | 'invalid'> => {
    const account = await accountOf(token)
    if (checking) {
      held++
      await checking
    }
    if (!account || account.isAdmin !== (type === 'admin')) return 'invalid'
    const issuedAt = clock.utcMs() / 1000
    return { account, expiresAt: issuedAt + TOKEN_SECONDS, issuedAt, tokenHash: token }
  }
  return {
    engine,
    players: { bearer } as Players,
    accountOf,
    world,
    shipOf,
    errors: [],
    fanOuts: [],
    settle: () => {
      world.isTicking = false
      for (const act of waiting) act()
      waiting = []
    },
    join: (kind = 'player', shipId = '') => {
      const token = randomUUID()
      shipOf.set(token, shipId)
      if (kind === 'admin') admins.add(token)
      return token
    },
    holdChecks: () => {
      let goOn = (): void => {}
      checking = new Promise((resolve) => {
        goOn = resolve
      })
      return () => {
        checking = undefined
        held = 0
        goOn()
      }
    },
    heldChecks: async (count) => {
      for (;;) {
        if (held >= count) return
        await new Promise(setImmediate)
      }
    },
  }
}

/** Opens servers that are closed after each test, which fails if one has reported an error. */
export function usedSocketServers(): typeof openSocketServer {
  const servers: SocketServer[] = []
  afterEach(async () => {
    for (const opened of servers.splice(0)) {
      await opened.close()
      if (opened.errors.length > 0) throw opened.errors[0]
    }
  })
  return async (...limits) => {
    const opened = await openSocketServer(...limits)
    servers.push(opened)
    return opened
  }
}
