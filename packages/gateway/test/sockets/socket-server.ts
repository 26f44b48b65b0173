// The sockets of a real engine: real connections, two small star systems, accounts laid out by
// hand, and simulated clocks.
import {
  type CommandJournal,
  Engine,
  type TickedUniverse,
  createPredictor,
} from '@orrery/engine/testing'
import type { Bearer } from '@orrery/game'
import type { EventMessage } from '@orrery/protocol'
import type { Account } from '@orrery/store'
import { type SimulatedClock, simulatedClock } from '@orrery/testkit'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach } from 'vitest'
import { type Sockets, createSockets } from '../../src/sockets/sockets.ts'
import type { SocketsOptions } from '../../src/sockets/upgrade.ts'
import { eventMessage } from '../../src/views/wire-views.ts'
import { START_MS, beginning } from './small-universe.ts'

/** Seconds that tokens are valid for. */
export const TOKEN_SECONDS = 3600

/** Whole quanta, so that nothing is shown between two indices [Hz]. */
export const TICK_RATE = 8

export interface SocketServer {
  readonly url: string
  readonly port: number
  readonly engine: Engine
  readonly sockets: Sockets
  /** of the sockets */
  readonly clock: SimulatedClock
  /** of the engine: another one unless they are one */
  readonly ticks: SimulatedClock
  /** ship of each account; `""` for none; an account that is not in it is deleted */
  readonly shipOf: Map<string, string>
  /** reported by the sockets, and by broken ticks */
  readonly errors: unknown[]
  readonly fanOuts: number[]
  /** when commands become durable */
  readonly journal: { kept: Promise<void>; durableUpTo?: CommandJournal['durableUpTo'] }
  /** lets one tick run on the engine's own clock */
  tick(): Promise<void>
  /** keeps ticks from ending until the result is called, with an error that breaks them */
  holdTicks(): (error?: Error) => void
  /** a new ship in the first system, or in another; its id */
  launch(name?: string, systemId?: string): Promise<string>
  launchMany(count: number, name?: string): Promise<string[]>
  /** makes an account with a ship or without one; its id is its token */
  join(shipId?: string): string
  /** makes the account of an observer */
  joinAdmin(): string
  /** flies another universe, in another era */
  replace(kind: 'restored' | 'reset', next?: TickedUniverse): Promise<void>
  /** ends the connections of all handshakes, as the system does when it notices a reset */
  cutHandshakes(): void
  /** holds checks of tokens until the result is called */
  holdChecks(): () => void
  /** resolves when `count` checks are held */
  heldChecks(count: number): Promise<void>
  close(): Promise<void>
}

export type SocketServerOptions = Partial<
  Pick<
    SocketsOptions,
    | 'bus'
    | 'isTalkEnabled'
    | 'paceBounds'
    | 'joinOthers'
    | 'socketsMax'
    | 'socketsPerAddress'
    | 'handshakesPerMinute'
    | 'jsonBudget'
  >
> & {
  readonly ticked?: TickedUniverse
  /** the engine ticks by the clock of the sockets */
  readonly isOneClock?: boolean
}

export async function openSocketServer({
  ticked = beginning(),
  isOneClock = false,
  ...limits
}: SocketServerOptions = {}): Promise<SocketServer> {
  const clock = simulatedClock(START_MS)
  const ticks = isOneClock ? clock : simulatedClock(START_MS)
  const { bearer, accountOf, ...joining } = handmadeAccounts(clock)
  const errors: unknown[] = []
  const onError = (error: unknown): unknown => errors.push(error)
  const fanOuts: number[] = []
  const flying = heldFlight(ticked)
  const journal: SocketServer['journal'] = { kept: Promise.resolve() }
  let era = 1
  const engine: Engine = new Engine({
    ...flying.ticked,
    clock: ticks,
    tickRate: TICK_RATE,
    timeScale: 1,
    paused: false,
    journal: writtenAtOnce(journal),
    onCommand: (systemId, command) => sockets.commanded(systemId, command),
    onEvent: (notice) => sockets.sendToPilot(eventMessage(notice)),
    onPublish: () => sockets.broadcastTick(),
    onFault: onError,
  })
  const sockets: Sockets = createSockets({
    engine,
    predictor: createPredictor(engine, onError),
    players: { bearer },
    clock,
    serverName: 'Proving Ground',
    era: () => era,
    accountOf,
    isTalkEnabled: async () => true,
    paceBounds: () => 'off',
    socketsMax: 2000,
    socketsPerAddress: 0,
    handshakesPerMinute: 1_000_000,
    frameBudget: 32_768,
    jsonBudget: 1_048_576,
    trustProxy: false,
    allowedOrigins: [],
    allowedHosts: undefined,
    onFanOut: (ms) => fanOuts.push(ms),
    onError,
    ...limits,
  })
  const listening = await listen(sockets)
  engine.start()
  return {
    ...joining,
    ...listening,
    ...ordersTo(engine),
    engine,
    clock,
    ticks,
    sockets,
    errors,
    fanOuts,
    journal,
    holdTicks: flying.hold,
    tick: () => ticks.advance(1000 / engine.status().tickRate),
    replace: async (kind, next = beginning()) => {
      era++
      await engine.replaceUniverse(next)
      sockets.worldReplaced(kind)
    },
    close: async () => {
      await sockets.close()
      await engine.stop()
      await listening.close()
    },
  }
}

/** A journal that reads each row as it comes, so that no later command merges into it. */
function writtenAtOnce(journal: SocketServer['journal']): CommandJournal {
  return {
    admit: () => undefined,
    keep: (row) => {
      row.seal()
      return journal.kept
    },
    get durableUpTo() {
      return journal.durableUpTo
    },
  }
}

/** An HTTP server whose upgrades the sockets take. */
async function listen(sockets: Sockets) {
  const server = createServer()
  sockets.attach(server)
  const streams = new Set<Duplex>()
  server.on('upgrade', (_, stream) => streams.add(stream))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    cutHandshakes: () => {
      for (const stream of streams) stream.destroy()
    },
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

/** A universe whose pool can be held within a tick. */
function heldFlight({ pool, ...rest }: TickedUniverse) {
  let held: Promise<void> | undefined
  return {
    ticked: {
      ...rest,
      pool: {
        ...pool,
        advance: async (...rounds: Parameters<typeof pool.advance>) => {
          await held
          return pool.advance(...rounds)
        },
      },
    },
    hold: () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      held = promise
      return (error?: Error) => {
        held = undefined
        if (error) reject(error)
        else resolve()
      }
    },
  }
}

function ordersTo(engine: Engine): Pick<SocketServer, 'launch' | 'launchMany'> {
  let count = 0
  const launch: SocketServer['launch'] = async (name = 'Ida', systemId = 'sol') => {
    const shipId = `abcdef00-0000-4000-8000-${(++count).toString(16).padStart(12, '0')}`
    await engine.execute({ kind: 'create_ship', shipId, name })
    if (systemId !== 'sol') {
      await engine.execute({ kind: 'transfer_ship', shipId, systemId })
    }
    return shipId
  }
  return {
    launch,
    launchMany: (number, name) => Promise.all(Array.from({ length: number }, () => launch(name))),
  }
}

function handmadeAccounts(clock: SimulatedClock) {
  const admins = new Set<string>()
  const shipOf = new Map<string, string>()
  let checking: Promise<void> | undefined
  let held = 0
  const accountOf = async (playerId: string): Promise<Account | undefined> => {
    const shipId = shipOf.get(playerId)
    if (shipId === undefined) return undefined
    return { playerId, isAdmin: admins.has(playerId), shipId: shipId || null } as Account
  }
  const join = (shipId = ''): string => {
    const token = randomUUID()
    shipOf.set(token, shipId)
    return token
  }
  return {
    shipOf,
    accountOf,
    join,
    bearer: async (token: string, type: 'player' | 'admin'): Promise<Bearer | 'invalid'> => {
      const account = await accountOf(token)
      if (checking) {
        held++
        await checking
      }
      if (!account || account.isAdmin !== (type === 'admin')) return 'invalid'
      const issuedAt = clock.utcMs() / 1000
      return { account, expiresAt: issuedAt + TOKEN_SECONDS, issuedAt, tokenHash: token }
    },
    joinAdmin: () => {
      const token = join()
      admins.add(token)
      return token
    },
    holdChecks: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      checking = promise
      return () => {
        checking = undefined
        held = 0
        resolve()
      }
    },
    heldChecks: async (count: number) => {
      for (;;) {
        if (held >= count) return
        await new Promise(setImmediate)
      }
    },
  }
}

/** An event of a ship, as the sockets are given it. */
export function shipEvent(shipId: string, event: EventMessage['event']): EventMessage {
  const moment = '2026-03-01T12:00:00.000Z'
  return { type: 'event', event, ship_id: shipId, game_time: moment, body: 'Globe sol' }
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
  return async (...given) => {
    const opened = await openSocketServer(...given)
    servers.push(opened)
    return opened
  }
}
