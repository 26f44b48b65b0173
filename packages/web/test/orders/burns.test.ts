// Law: a burn in a direction begins when the hull has turned there, unless another order came.
// Method: a server by hand, and timers.
import { ClientError, type Order, type OwnShipState } from '@orrery/client'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Burn, type Burns, createBurns } from '../../src/game/burns.ts'
import { type ShipDoing, createShipDoing } from '../../src/orders/ship-doing.ts'
import type { Thing } from '../../src/readings/thing.ts'
import { type EventLog, createEventLog } from '../../src/session/event-log.ts'
import { type Notices, createNotices } from '../../src/session/notices.ts'
import type { Session } from '../../src/session/session.ts'
import { type HandSession, createHandSession } from '../game/hand-session.ts'

const order = { type: 'control', thrust_level: 1, delta_v: 5 } as const
const burn: Burn = { mode: 'normal', order, words: 'Burn 5 m/s' }

let hand: HandSession
let session: Signal<Session | undefined>
let target: Signal<Thing | undefined>
let doing: ShipDoing
let notices: Notices
let log: EventLog
let burns: Burns

beforeEach(() => {
  vi.useFakeTimers()
  hand = createHandSession()
  session = signal<Session | undefined>(hand.session)
  target = signal<Thing | undefined>(undefined)
  doing = createShipDoing(session)
  notices = createNotices()
  log = createEventLog(undefined)
  burns = createBurns({ session, target, doing, notices, log })
  state({ mode: 'turning', pointing: 'normal' })
})

afterEach(() => {
  session.value = undefined
  vi.useRealTimers()
})

function state(steering: object): void {
  const still = { mode: 'locked', burn_delta_v: null }
  const ship = { maneuver: null, docked_at: null, steering: { ...still, ...steering } }
  hand.sky.state = () => Promise.resolve({ ...ship } as OwnShipState)
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const burnt = (): readonly Order[] => hand.given.filter((given) => 'thrust_level' in given)

test('it begins when the hull points there, and is logged then', async () => {
  void burns.start(burn)
  await pass(10_000)
  expect(hand.given).toEqual([{ type: 'control', pointing: 'normal' }])
  expect([burns.waiting.value, log.entries.value]).toEqual(['Burn 5 m/s', []])
  state({ pointing: 'normal' })
  await pass(1000)
  expect(burnt()).toEqual([order])
  expect(burns.waiting.value).toBeUndefined()
  expect(log.entries.value).toMatchObject([{ kind: 'order', text: 'Burn 5 m/s' }])
  await pass(60_000)
  expect(burnt()).toHaveLength(1)
})

test('a lock from before the order does not count', async () => {
  state({ pointing: 'normal' })
  void burns.start(burn)
  await pass(1900)
  expect(burnt()).toEqual([])
  await pass(2000)
  expect(burnt()).toHaveLength(1)
})

test('as the hull points now it begins at once', async () => {
  void burns.start({ ...burn, mode: undefined })
  await pass(0)
  expect(hand.given).toEqual([order])
  expect(burns.waiting.value).toBeUndefined()
  expect(burns.supposed({ ...burn, mode: undefined })).toEqual([{ order }])
})

test('at a target that is not chosen it never begins', async () => {
  void burns.start({ ...burn, mode: 'target' })
  await pass(60_000)
  expect([hand.given, burns.waiting.value]).toEqual([[], undefined])
})

test('the preview turns first, for as long as half a turn takes', () => {
  const [turn, then] = burns.supposed(burn)
  expect(turn).toEqual({ order: { type: 'control', pointing: 'normal' } })
  expect(then).toEqual({ after: 80, order })
})

test.each<[string, () => unknown]>([
  ['another order to turn', () => doing.note({ type: 'control', pointing: 'retrograde' })],
  ['the end of the session', () => (session.value = undefined)],
  ['the player', () => burns.cancel()],
])('%s cancels it', async (_, happen) => {
  void burns.start(burn)
  await pass(3000)
  happen()
  await pass(0)
  expect(burns.waiting.value).toBeUndefined()
  state({ pointing: 'normal' })
  await pass(60_000)
  expect(burnt()).toEqual([])
})

test('another burn takes its place', async () => {
  void burns.start(burn)
  await pass(3000)
  state({ mode: 'turning', pointing: 'radial_in' })
  void burns.start({ ...burn, mode: 'radial_in', words: 'Another' })
  await pass(3000)
  expect(burns.waiting.value).toBe('Another')
  state({ pointing: 'radial_in' })
  await pass(2000)
  expect(log.entries.value.map(({ text }) => text)).toEqual(['Another'])
})

test('a turn that is refused ends the wait', async () => {
  hand.sky.take = () => Promise.reject(new ClientError('E003', 'The ship is docked'))
  void burns.start(burn)
  await pass(0)
  expect(burns.waiting.value).toBeUndefined()
  expect(notices.shown.value).toMatchObject([{ text: 'The ship is docked' }])
})

test.each([
  ['target', { pointing: 'target', target_ship_id: 'ship-1' }, true],
  ['target', { pointing: 'target', target_ship_id: 'another' }, false],
  ['sun', { pointing: 'target', target_body: 'Sun' }, true],
  ['away', { pointing: 'hold' }, true],
] as const)('towards %s with %j it begins: %s', async (mode, steering, begins) => {
  target.value = { kind: 'ship', id: 'ship-1' }
  state(steering)
  void burns.start({ ...burn, mode })
  await pass(9000)
  expect(burnt()).toHaveLength(begins ? 1 : 0)
})
