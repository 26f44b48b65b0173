// Law: the page shows what was ordered at once, and then what the server states of it. Method: a
// server by hand, and timers.
import { ClientError, type Order, type OwnShipState } from '@orrery/client'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ShipDoing, createShipDoing } from '../../src/orders/ship-doing.ts'
import type { Session } from '../../src/session/session.ts'
import { type HandSession, createHandSession } from '../game/hand-session.ts'

let hand: HandSession
let session: Signal<Session | undefined>
let doing: ShipDoing
let asked: number
let answer: () => Promise<OwnShipState>

function stated(steering: object = {}, more: object = {}): OwnShipState {
  const still = { mode: 'locked', pointing: 'prograde', burn_delta_v: null }
  return { maneuver: null, docked_at: null, steering: { ...still, ...steering }, ...more } as never
}

beforeEach(() => {
  vi.useFakeTimers()
  hand = createHandSession()
  asked = 0
  answer = () => Promise.resolve(stated())
  hand.sky.state = () => {
    asked++
    return answer()
  }
  session = signal<Session | undefined>(hand.session)
  doing = createShipDoing(session)
})

afterEach(() => {
  session.value = undefined
  vi.useRealTimers()
})

async function askedIn(ms: number): Promise<number> {
  const before = asked
  await vi.advanceTimersByTimeAsync(ms)
  return asked - before
}

/** Waits until it asks no more. */
const settled = (): Promise<number> => askedIn(60_000)

test.each(['welcome', 'event', 'ship_assigned', 'restored', 'resumed'])(
  'the server is asked for the ship after %s',
  async (kind) => {
    expect(await askedIn(5000)).toBe(0)
    hand.socket.say(kind)
    expect(await askedIn(399)).toBe(0)
    expect(await askedIn(1)).toBe(1)
    expect(doing.ship.value).toEqual(stated())
    expect(await askedIn(60_000)).toBe(0)
  },
)

test('much news is one question', async () => {
  for (let i = 0; i < 5; i++) hand.socket.say('event')
  expect(await settled()).toBe(1)
})

test.each<[string, OwnShipState]>([
  ['a maneuver', stated({}, { maneuver: { phase: 'waiting' } })],
  ['a burn', stated({ burn_delta_v: 5 })],
  ['a turn', stated({ mode: 'turning' })],
])('%s under way is looked at every second', async (_, state) => {
  answer = () => Promise.resolve(state)
  doing.refresh()
  expect(await askedIn(400)).toBe(1)
  expect(await askedIn(999)).toBe(0)
  expect(await askedIn(1)).toBe(1)
  expect(doing.maneuver.value).toEqual(state.maneuver ?? undefined)
  answer = () => Promise.resolve(stated({}, { docked_at: 'station-1' }))
  await settled()
  expect(await askedIn(5000)).toBe(0)
  expect(doing.dockedAt.value).toBe('station-1')
})

test('an account without a ship is known by the server', async () => {
  hand.socket.say('welcome', { ship_id: 'own' })
  expect(doing.isShipless.value).toBe(false)
  await settled()
  hand.socket.say('ship_assigned', { ship_id: '' })
  expect(doing.isShipless.value).toBe(true)
  answer = () => Promise.reject(new ClientError('network', 'Away'))
  await settled()
  expect(doing.ship.value).toEqual(stated())
  answer = () => Promise.reject(new ClientError('E006', 'No ship'))
  doing.refresh()
  await settled()
  expect(doing.ship.value).toBeUndefined()
})

const spin = { x: 0, y: 0.01, z: 0 }
const attitude = { w: 1, x: 0, y: 0, z: 0 }

test.each<[Order, string | undefined]>([
  [{ type: 'control', pointing: 'normal' }, 'normal'],
  [{ type: 'control', pointing: 'sun' }, 'sun'],
  [{ type: 'control', angular_rate: spin }, 'spin'],
  [{ type: 'control', angular_rate: { ...spin, y: 0, x: 1 } }, 'spin'],
  [{ type: 'control', angular_rate: { ...spin, y: 0, z: 1 } }, 'spin'],
  [{ type: 'control', angular_rate: { x: 0, y: 0, z: 0 } }, 'rest'],
  [{ type: 'control', attitude }, 'hold'],
  [{ type: 'maneuver_abort' }, 'rest'],
  [{ type: 'control', thrust_level: 1 }, 'prograde'],
  [{ type: 'maneuver_start', maneuver: 'circularize' }, 'prograde'],
])('%j shows at once', async (order, pointing) => {
  doing.refresh()
  await settled()
  doing.note(order)
  expect(doing.pointing.value).toBe(pointing)
  doing.forget()
  expect(doing.pointing.value).toBe('prograde')
})

test('an order is shown until the server states it', async () => {
  doing.note({ type: 'control', pointing: 'normal' })
  doing.refresh()
  expect(await askedIn(3000)).toBe(3)
  expect(doing.pointing.value).toBe('normal')
  answer = () => Promise.resolve(stated({ pointing: 'normal' }))
  await askedIn(1000)
  answer = () => Promise.resolve(stated({ pointing: 'radial_in' }))
  hand.socket.say('event')
  await askedIn(400)
  expect(doing.pointing.value).toBe('radial_in')
})

test('what the server does not state in half a minute is not shown any more', async () => {
  doing.note({ type: 'control', pointing: 'normal' })
  doing.refresh()
  expect(await askedIn(29_900)).toBe(30)
  expect(doing.pointing.value).toBe('normal')
  await askedIn(1000)
  expect(doing.pointing.value).toBe('prograde')
  expect(await askedIn(9000)).toBe(0)
})

test('a new order is looked at for three seconds, though it is stated', async () => {
  doing.note({ type: 'control', thrust_level: 1 })
  doing.refresh()
  expect(await settled()).toBe(4)
})

test('an answer from before an order says nothing of it', async () => {
  let reply: (state: OwnShipState) => void = () => undefined
  answer = () => new Promise((resolve) => (reply = resolve))
  doing.refresh()
  await askedIn(400)
  doing.note({ type: 'control', pointing: 'normal' })
  reply(stated({ pointing: 'normal' }))
  await askedIn(0)
  expect(doing.ship.value).toBeUndefined()
  doing.refresh()
  await askedIn(400)
  session.value = undefined
  reply(stated())
  await askedIn(0)
  expect(doing.ship.value).toBeUndefined()
})

test('the star is a pointing of its own', async () => {
  answer = () => Promise.resolve(stated({ pointing: 'target', target_body: 'Sun' }))
  doing.refresh()
  await settled()
  expect(doing.pointing.value).toBe('sun')
  answer = () => Promise.resolve(stated({ pointing: 'target', target_body: 'Earth' }))
  doing.refresh()
  await settled()
  expect(doing.pointing.value).toBe('target')
  answer = () => Promise.resolve(stated({ pointing: 'target' }))
  doing.refresh()
  await settled()
  expect(doing.pointing.value).toBe('target')
})

test('the next session begins with nothing', async () => {
  hand.socket.say('welcome', { ship_id: '' })
  await settled()
  doing.note({ type: 'control', pointing: 'normal' })
  doing.refresh()
  const next = createHandSession()
  session.value = next.session
  expect([doing.ship.value, doing.pointing.value, doing.isShipless.value]).toEqual([
    undefined,
    undefined,
    false,
  ])
  expect(hand.socket.count).toBe(0)
  expect(await settled()).toBe(0)
})
