// Law: the player knows whether the game is connected, when the next attempt is, and what ended it.
// Method: a socket by hand, and timers.
import { CLOSE_CODES, ClientError, type GameClient, type GameSocket } from '@orrery/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Connection, followConnection } from '../../src/session/connection.ts'
import { type Pause, followPause, pauseOf } from '../../src/session/pause.ts'
import { Source } from '../game/hand-session.ts'

let source: Source
let changes: Connection[]
let asked: number
let status: () => Promise<unknown>
const last = (): Connection | undefined => changes.at(-1)

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  source = new Source()
  changes = []
  asked = 0
  status = () => Promise.reject(new ClientError('network', 'Away'))
  const client = { status: () => (asked++, status()) } as unknown as GameClient
  const socket = { on: source.on } as unknown as GameSocket
  followConnection({ client, socket, onChange: (change) => changes.push(change) })
})

afterEach(() => vi.useRealTimers())

/** An attempt that failed; the next one is in two seconds. */
function lose(): void {
  source.say('disconnected', { code: 1006, retryMs: 2000 })
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)

test('a connection that is lost is tried again until it is live', async () => {
  source.say('welcome')
  expect(changes).toEqual(['live'])
  const nowMs = performance.now()
  lose()
  expect(last()).toEqual({ retryAtMs: nowMs + 2000, why: 'lost' })
  lose()
  lose()
  await settle()
  expect(last()).toEqual({ retryAtMs: nowMs + 2000, why: 'lost' })
  source.say('welcome')
  expect(last()).toBe('live')
})

test('a server that answers, and takes no socket, refuses', async () => {
  status = () => Promise.resolve({})
  lose()
  await settle()
  expect([last(), asked]).toMatchObject([{ why: 'lost' }, 0])
  lose()
  await settle()
  expect([last(), asked]).toMatchObject([{ why: 'refused' }, 1])
  lose()
  await settle()
  expect([last(), asked]).toMatchObject([{ why: 'refused' }, 1])
  source.say('welcome')
  lose()
  await settle()
  expect([last(), asked]).toMatchObject([{ why: 'lost' }, 1])
})

test('one that stops may still answer for some attempts', async () => {
  status = () => Promise.resolve({})
  source.say('shutdown')
  for (let attempt = 0; attempt < 5; attempt++) lose()
  await settle()
  expect([last(), asked]).toMatchObject([{ why: 'shutdown' }, 0])
  lose()
  await settle()
  expect([last(), asked]).toMatchObject([{ why: 'refused' }, 1])
})

test('an answer that comes too late says nothing', async () => {
  const answers: (() => void)[] = []
  status = () => new Promise((resolve) => answers.push(() => resolve({})))
  lose()
  lose()
  lose()
  answers[0]()
  await settle()
  expect(last()).toMatchObject({ why: 'lost' })
  source.say('disconnected', { code: CLOSE_CODES.replaced, error: new ClientError('closed', '') })
  answers[1]()
  await settle()
  expect(last()).toEqual({ ended: 'replaced' })
})

const closed = new ClientError('closed', 'Closed')

test.each([
  [CLOSE_CODES.replaced, closed, 'replaced'],
  [CLOSE_CODES.expired, closed, 'expired'],
  [CLOSE_CODES.accountDeleted, closed, 'account_deleted'],
  [CLOSE_CODES.passwordReset, closed, 'password_reset'],
  [CLOSE_CODES.expired, new ClientError('E001', 'No token'), 'expired'],
  [1006, new ClientError('E001', 'No token'), 'token_refused'],
  [1006, new ClientError('origin_refused', 'No'), 'origin_refused'],
] as const)('%d with %s is the end: %s', (code, error, ended) => {
  source.say('disconnected', { code, error })
  expect(changes).toEqual([{ ended }])
  // Whatever comes later is of no game.
  source.say('welcome')
  source.say('reset')
  lose()
  expect(changes).toHaveLength(1)
})

test('a reset is the end, and closing by oneself is no news', () => {
  source.say('disconnected', { code: 1000, error: closed })
  expect(changes).toEqual([])
  source.say('reset')
  expect(changes).toEqual([{ ended: 'reset' }])
})

test('a pause has its moment, until the game goes on', () => {
  const pauses: (Pause | undefined)[] = []
  followPause({ on: source.on } as unknown as GameSocket, (pause) => pauses.push(pause))
  const time = { game_time: '1970-01-01T00:00:07.000Z' }
  source.say('welcome', { ...time, tick: 3, paused: true })
  source.say('resumed', { ...time, tick: 4 })
  source.say('paused', { ...time, tick: 5 })
  source.say('restored', { tick: 2 })
  source.say('clock', { ...time, paused: true })
  source.say('clock', { ...time, paused: false })
  expect(pauses.map((pause) => pause?.tick)).toEqual([3, undefined, 5, 2, undefined])
  expect(pauses[0]).toEqual({ tick: 3, ms: 7000 })
  expect(pauseOf({ ...time, tick: 1, paused: false })).toBeUndefined()
})
