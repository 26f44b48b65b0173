// Goal: the server is ready while ticks come, however late, and while an operator pauses them; it
// is not when none came for max(5 s, 2 periods), one broke, or the database is away; its metrics
// need an admin's token or METRICS_TOKEN. Method: a real engine whose ticks take simulated time;
// the routes are called directly.
import { Engine, type Pool, createGameClock, createUniverse } from '@orrery/engine/testing'
import { Secret, WrongTokens, createLogger, installErrors } from '@orrery/http'
import { createMassiveState } from '@orrery/sim'
import type { HostClock } from '@orrery/store'
import { type SimulatedClock, simulatedClock } from '@orrery/testkit'
import { Hono } from 'hono'
import { beforeEach, describe, expect, test } from 'vitest'
import { errorShape, knownError } from '../../src/documents/error-shape.ts'
import { createMetrics } from '../../src/operations/metrics.ts'
import { type OperationsParts, operationsRoutes } from '../../src/routes/operations.ts'
import type { SocketMetrics } from '../../src/connection/socket-metrics.ts'
import { type Refused, refusalOf } from '../refusal.ts'

const INDEX = 1_000_000

const SOCKETS: Partial<SocketMetrics> = {
  players: 3,
  observers: 1,
  seats: 4,
  bytesQueued: 0,
  wires: {
    json: { framesSent: 7, framesDropped: 0, bytesSent: 700 },
    binary: { framesSent: 5, framesDropped: 0, bytesSent: 50 },
  },
  messagesTaken: 5,
  messagesRefused: 0,
  closed: {
    shutdown: 0,
    replaced: 0,
    slow: 1,
    expired: 0,
    accountDeleted: 0,
    flooding: 0,
    passwordReset: 0,
    lost: 0,
    client: 2,
  },
  handshakesRefused: { E005: 4 },
  talk: { sent: 0, dropped: 0 },
}

let clock: SimulatedClock
let fly: () => Promise<void>
let probe: () => Promise<unknown>
let journalAway: string | undefined
let hostClock: HostClock | undefined
let engine: Engine
let app: Hono

beforeEach(() => {
  clock = simulatedClock(0)
  fly = () => Promise.resolve()
  probe = () => Promise.resolve()
  journalAway = undefined
  hostClock = undefined
  const globe = { name: 'Globe', parent: -1, gm: 4e14, radius: 6e6 }
  const universe = createUniverse({
    systems: [
      {
        system: { id: 'alone', name: 'Alone', position: [0, 0, 0], bodies: [globe] },
        territory: { home: 0, spheres: Float64Array.of(Infinity) },
        start: Object.assign(createMassiveState(1), { node: 0 }),
      },
    ],
    index: INDEX,
    seed: 'ready',
    shipsMax: 512,
  })
  const pool: Pool = {
    advance: () => fly(),
    status: () => ({ threads: 0, failures: 0, busyMs: 0 }),
    close: () => Promise.resolve(),
  }
  engine = new Engine({
    universe,
    pool,
    clock,
    gameClock: createGameClock(INDEX),
    tick: 0,
    tickRate: 1,
    timeScale: 1,
    paused: false,
    onPublish: () => undefined,
    onFault: () => undefined,
  })
  engine.start()
  app = appOf(new Secret('metrics-token-of-test'))
})

function appOf(metricsToken: Secret | undefined): Hono {
  const logger = createLogger({ level: 'error', destination: 'stderr' })
  // The routes need no more of the other parts.
  const parts = {
    config: { metricsToken },
    engine,
    players: {
      bearer: async (token: string) => (token === 'an-admin' ? { account: {} } : 'invalid'),
      counters: () => ({ loginsRefused: 1, loginsFailed: 2, registrations: 3 }),
    },
    sockets: { metrics: () => SOCKETS },
    passwords: { waiting: () => 0 },
    wrongTokens: new WrongTokens(),
    maneuverEventWriter: { waiting: () => 6, dropped: () => 0 },
    journalWriter: {
      metrics: () => ({
        lagRows: 7,
        lagSeconds: 0.5,
        rows: 100,
        batches: 10,
        failures: 1,
        lastBatchMs: 2,
        away: journalAway,
        stopped: [],
      }),
    },
    unflownAccounts: { removed: () => 0 },
    preflight: { counts: { good: 5, ended: 2, late: 1, unknown: 3, noRoom: 4 } },
    storageWatch: {
      reading: () => ({
        freeBytes: 5e9,
        databaseBytes: 7e8,
        backupAges: [{ reason: 'request', seconds: 90 }],
      }),
    },
    metrics: createMetrics(),
    hostClock: () => hostClock,
    probeDatabase: () => probe(),
    logger,
  } as unknown as OperationsParts
  const made = new Hono()
  installErrors(made, { shape: errorShape, logger, known: knownError })
  return made.route('/', operationsRoutes(parts))
}

async function ready(): Promise<number> {
  return (await app.request('/health/ready')).status
}

async function reason(): Promise<unknown> {
  return Object(await (await app.request('/health/ready')).json()).reason
}

const never = (): Promise<void> => new Promise(() => undefined)
const later = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, resolve)
  })

describe('ready', () => {
  test('while ticks come', async () => {
    await clock.advance(60_000)
    expect(engine.status().tick).toBe(60)
    expect(await ready()).toBe(200)
  })

  test('while each tick takes three periods', async () => {
    fly = () => later(3000)
    for (let i = 0; i < 40; i++) {
      await clock.advance(700)
      expect(await ready()).toBe(200)
    }
    expect(engine.status().ticksDropped).toBeGreaterThan(5)
  })

  test('while paused, for however long, and right after it', async () => {
    await engine.pause()
    await clock.advance(3_600_000)
    expect(await ready()).toBe(200)
    await engine.resume()
    expect(await ready()).toBe(200)
  })

  test('not without a tick for five seconds, but live', async () => {
    await clock.advance(10_000)
    fly = never
    await clock.advance(4900)
    expect(await ready()).toBe(200)
    await clock.advance(200)
    expect(await ready()).toBe(503)
    expect(await reason()).toBe('no tick for 5 s')
    expect((await app.request('/health/live')).status).toBe(200)
  })

  test('not without a tick for two periods, where those are longer', async () => {
    engine.changeTickRate(0.1)
    await clock.advance(10_000)
    expect(engine.status().tick).toBe(1)
    fly = never
    await clock.advance(19_900)
    expect(await ready()).toBe(200)
    await clock.advance(200)
    expect(await ready()).toBe(503)
  })

  test('not after a broken tick, until a resume', async () => {
    fly = () => Promise.reject(new Error('broken'))
    await clock.advance(1000)
    expect(engine.status().faulted).toBe(true)
    expect(await ready()).toBe(503)
    expect(await reason()).toBe('a tick broke; an operator has to resume or restore')
    fly = () => Promise.resolve()
    await engine.resume()
    expect(await ready()).toBe(200)
  })

  test('not while the database is away', async () => {
    probe = () => Promise.reject(Object.assign(new Error('by chief'), { code: '57P03' }))
    expect(await ready()).toBe(503)
    const starting = 'the server is starting up or shutting down (57P03)'
    expect(await reason()).toBe(`the database is away: ${starting}`)
    probe = () => Promise.resolve()
    expect(await ready()).toBe(200)
  })
})

test('not while commands do not become durable, also of a database that answers', async () => {
  journalAway = 'its disk is full (53100)'
  expect(await ready()).toBe(503)
  expect(await reason()).toBe('commands do not become durable: its disk is full (53100)')
})

test.each([
  [0.0004, 'right', undefined],
  [0.12, 'off', "its clock is 120 ms ahead of the database's"],
  [-2.04, 'wrong', "its clock is 2.0 s behind the database's"],
] as const)('with a clock that is %f s ahead, and says so beyond 50 ms', async (...row) => {
  const [clockOffset, clockState, warning] = row
  hostClock = { clockOffset, clockState }
  const answer = await app.request('/health/ready')
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', warning }])
})

describe('metrics', () => {
  const scrape = async (authorization?: string): Promise<Refused & { readonly text: string }> => {
    const response = await app.request('/metrics', {
      headers: authorization === undefined ? {} : { authorization },
    })
    const text = await response.text()
    const body: unknown = response.ok ? undefined : JSON.parse(text)
    return { status: response.status, headers: response.headers, body, text }
  }

  test('are given to METRICS_TOKEN and to admins, while a tick hangs', async () => {
    fly = never
    hostClock = { clockOffset: 0.12, clockState: 'off' }
    await clock.advance(2000)
    for (const token of ['metrics-token-of-test', 'an-admin']) {
      const { status, headers, text } = await scrape(`Bearer ${token}`)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
      expect(text).toMatch(/^orrery_ticks_behind 2$/m)
      expect(text).toMatch(/^orrery_clock_offset_seconds 0.12$/m)
      expect(text).toMatch(/^orrery_sockets_closed_total\{reason="slow"\} 1$/m)
      expect(text).toMatch(/^orrery_maneuver_events_waiting 6$/m)
      expect(text).toMatch(/^orrery_orders_flown_ahead_total\{outcome="no_room"\} 4$/m)
      expect(text).toMatch(/^orrery_journal_lag_rows 7$/m)
      expect(text).toMatch(/^orrery_journal_batch_seconds 0.002$/m)
      expect(text).toMatch(/^orrery_disk_free_bytes 5000000000$/m)
      expect(text).toMatch(/^orrery_database_bytes 700000000$/m)
      expect(text).toMatch(/^orrery_backup_age_seconds\{reason="request"\} 90$/m)
      expect(text).toMatch(/^orrery_handshakes_refused_total\{code="E005"\} 4$/m)
    }
  })

  test.each([
    [undefined],
    ['Bearer '],
    ['Bearer metrics-token-of-tesT'],
    ['Bearer metrics-token-of-test1'],
    ['Bearer metrics-token-of-tes'],
    ['Basic metrics-token-of-test'],
    ['metrics-token-of-test'],
  ])('are refused to %j', async (authorization) => {
    expect(refusalOf(await scrape(authorization))).toBe('401 E005')
  })

  test('are for admins alone while there is no METRICS_TOKEN', async () => {
    app = appOf(undefined)
    for (const token of ['', 'undefined', 'metrics-token-of-test']) {
      expect(refusalOf(await scrape(`Bearer ${token}`))).toBe('401 E005')
    }
    expect((await scrape('Bearer an-admin')).status).toBe(200)
  })
})
