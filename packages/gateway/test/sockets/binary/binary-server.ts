// Sockets of a real engine on a simulated clock: two small star systems, accounts laid out by hand.
import {
  Engine,
  type Pool,
  type SystemSetup,
  type Universe,
  createGameClock,
  createPredictor,
  createUniverse,
} from '@orrery/engine/testing'
import type { Bearer, Players } from '@orrery/game'
import {
  type Body,
  advanceChunk,
  createMassiveState,
  spheresOfInfluence,
  utcFromLattice,
} from '@orrery/sim'
import type { Account } from '@orrery/store'
import { type SimulatedClock, simulatedClock } from '@orrery/testkit'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import { type Sockets, createSockets } from '../../../src/sockets/sockets.ts'

const INDEX = 4096 * 250

export interface BinaryServer {
  readonly url: string
  readonly engine: Engine
  readonly clock: SimulatedClock
  readonly sockets: Sockets
  /** reported by the sockets */
  readonly errors: unknown[]
  /** a new ship; its id */
  launch(name?: string): Promise<string>
  /** a token of the player of a ship, or of an observer */
  join(shipId?: string): string
  /** game time passes: ticks at 8 Hz */
  pass(seconds: number): Promise<void>
  /** flies another universe, in another era */
  replace(kind: 'restored' | 'reset', universe?: Universe): Promise<void>
  /** called before the server is closed */
  readonly endings: (() => void)[]
  close(): Promise<void>
}

/** A globe with a moon: ships go round it in steps of a minute and less. */
function system(id: string): SystemSetup {
  const bodies: Body[] = [
    { name: `Globe ${id}`, parent: -1, gm: 3.986004418e14, radius: 6.371e6 },
    { name: `Moon ${id}`, parent: 0, gm: 4.9e12, radius: 1.74e6 },
  ]
  const start = createMassiveState(2)
  start.x.set([0, 0, 0, 3.844e8, 0, 0])
  start.v.set([0, 0, 0, 0, 1018, 0])
  const sky = { id, name: id, position: [0, 0, 0] as const, bodies }
  const state = Object.assign(start, { node: 60 })
  return { system: sky, territory: { home: 0, spheres: spheresOfInfluence(sky, state) }, start }
}

export function smallUniverse(shipsMax = 1024): Universe {
  const systems = [system('sol'), system('alpha')]
  return createUniverse({ systems, index: INDEX, seed: 'wire', shipsMax })
}

/** Flies all ships on this thread. */
export function callingThread({ worlds }: Universe): Pool {
  return {
    advance: async (rounds) => {
      for (const [place, round] of rounds.entries()) {
        if (!round) continue
        const { state, flight } = worlds[place]
        for (let chunk = 0; chunk < state.chunks; chunk++) {
          advanceChunk(flight, chunk, round.target)
        }
      }
    },
    status: () => ({ threads: 0, failures: 0, busyMs: 0 }),
    close: async () => undefined,
  }
}

async function openBinaryServer(
  universe: Universe = smallUniverse(),
  pool: Pool = callingThread(universe),
): Promise<BinaryServer> {
  const clock = simulatedClock(utcFromLattice(INDEX))
  const errors: unknown[] = []
  const onError = (error: unknown): unknown => errors.push(error)
  const accounts = new Map<string, Account>()
  const endings: (() => void)[] = []
  let era = 1
  const engine: Engine = new Engine({
    universe,
    pool,
    clock,
    gameClock: createGameClock(INDEX),
    tick: 0,
    // Whole quanta, so that nothing is shown between two indices.
    tickRate: 8,
    timeScale: 1,
    paused: false,
    onCommand: (systemId, command) => sockets.commanded(systemId, command),
    onPublish: () => sockets.broadcastTick(),
    onFault: onError,
  })
  const bearer = async (token: string, type: 'player' | 'admin'): Promise<Bearer | 'invalid'> => {
    const account = accounts.get(token)
    if (account?.isAdmin !== (type === 'admin')) return 'invalid'
    const issuedAt = clock.utcMs() / 1000
    return { account, expiresAt: issuedAt + 3600, issuedAt, tokenHash: token }
  }
  const sockets: Sockets = createSockets({
    engine,
    predictor: createPredictor(engine, onError),
    players: { bearer } as Players,
    clock,
    serverName: 'Proving Ground',
    era: () => era,
    accountOf: async (id) => accounts.get(id),
    socketsMax: 2000,
    socketsPerAddress: 0,
    handshakesPerMinute: 1_000_000,
    frameBudget: 32_768,
    jsonBudget: 1_048_576,
    trustProxy: false,
    allowedOrigins: [],
    allowedHosts: undefined,
    onFanOut: () => undefined,
    onError,
  })
  const server = createServer()
  sockets.attach(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  engine.start()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    engine,
    clock,
    sockets,
    errors,
    launch: async (name = 'Ida') => {
      const shipId = randomUUID()
      await engine.execute({ kind: 'create_ship', shipId, name })
      return shipId
    },
    join: (shipId) => {
      const playerId = randomUUID()
      const isAdmin = shipId === undefined
      accounts.set(playerId, { playerId, isAdmin, shipId: shipId ?? null } as Account)
      return playerId
    },
    pass: (seconds) => clock.advance(1000 * seconds),
    replace: async (kind, next = smallUniverse()) => {
      era++
      await engine.replaceUniverse({
        universe: next,
        pool: callingThread(next),
        gameClock: createGameClock(INDEX),
        tick: 0,
      })
      sockets.worldReplaced(kind)
    },
    endings,
    close: async () => {
      for (const end of endings) end()
      await sockets.close()
      await engine.stop()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

/** Opens servers that are closed after each test, which fails if one has reported an error. */
export function usedBinaryServers(): typeof openBinaryServer {
  const servers: BinaryServer[] = []
  afterEach(async () => {
    for (const opened of servers.splice(0)) {
      await opened.close()
      if (opened.errors.length > 0) throw opened.errors[0]
    }
  })
  return async (...given) => {
    const opened = await openBinaryServer(...given)
    servers.push(opened)
    return opened
  }
}

/** Where all ships of a system are as published, by id. */
export function shipsOf(
  { engine }: BinaryServer,
  systemId: string,
): Map<string, readonly number[]> {
  const fleet = engine.sky().fleets.get(systemId)!
  return new Map(
    fleet.ships.map(({ shipId }, place) => {
      const { relativePosition, relativeVelocity } = fleet.view(place)
      return [shipId, [...relativePosition, ...relativeVelocity]]
    }),
  )
}
