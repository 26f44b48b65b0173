// Laws: the ship follows the hand ten times a second, and the handle shows what the hand wants
// until the ship does it; a jump is an order through the gate that it names.
import type { Order } from '@orrery/client'
import type { ShipSample } from '@orrery/client/flight'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Helm, createHelm } from '../../src/orders/helm.ts'
import { type OrderedGame, jump } from '../../src/orders/orders.ts'
import type { Session } from '../../src/session/session.ts'

const RATE = 0.0399

let orders: (readonly [order: Order, words: string | undefined])[]
let session: Signal<Session | undefined>
let helm: Helm

beforeEach(() => {
  vi.useFakeTimers()
  orders = []
  session = signal<Session | undefined>(undefined)
  helm = createHelm(session, (order, words) => orders.push([order, words]))
})

afterEach(() => vi.useRealTimers())

/** A session whose ship burns at a level, in a game of some pace. */
function flown(thrustLevel: number | undefined, scale = 1): Session {
  const flight = {
    ship: { id: 'ship-1' },
    clock: { scale, now: () => 640 },
    world: {
      shipAt: (out: ShipSample, id: string, time: number) => {
        if (thrustLevel === undefined || id !== 'ship-1' || time !== 640) return false
        out.thrustLevel = thrustLevel
        return true
      },
    },
  }
  return { flight } as unknown as Session
}

const levels = (): unknown[] =>
  orders.map(([order]) => order.type === 'control' && order.thrust_level)

const rates = (): unknown[] =>
  orders.map(([order]) => order.type === 'control' && order.angular_rate)

test('the handle has what the hand wants for a second, then what the engine does', () => {
  expect(helm.throttle()).toBeNaN()
  session.value = flown(undefined)
  expect(helm.throttle()).toBeNaN()
  session.value = flown(0.25)
  expect(helm.throttle()).toBe(0.25)
  helm.setThrottle(0.5)
  vi.advanceTimersByTime(999)
  expect(helm.throttle()).toBe(0.5)
  vi.advanceTimersByTime(1)
  expect(helm.throttle()).toBe(0.25)
})

test('the throttle goes from nothing to all, with its words', () => {
  helm.setThrottle(-0.5, 'Cut the engine')
  expect(helm.throttle()).toBe(0)
  helm.setThrottle(0.3)
  vi.advanceTimersByTime(99)
  helm.setThrottle(2, 'Full thrust')
  expect(levels()).toEqual([0])
  vi.advanceTimersByTime(1)
  expect(orders).toEqual([
    [{ type: 'control', thrust_level: 0 }, 'Cut the engine'],
    [{ type: 'control', thrust_level: 1 }, 'Full thrust'],
  ])
})

test('a turn is a rate about each axis, ten a second at most', () => {
  helm.turn('keys', [1, -0.5, 0.25])
  helm.turn('keys', [0, 0, 1])
  vi.advanceTimersByTime(99)
  expect(rates()).toEqual([{ x: RATE, y: -0.5 * RATE, z: 0.25 * RATE }])
  vi.advanceTimersByTime(1)
  expect(rates().slice(1)).toEqual([{ x: 0, y: 0, z: RATE }])
})

test('hands that want the same add up to the greatest rate, either way', () => {
  helm.turn('keys', [0.75, -0.75, 0.25])
  vi.advanceTimersByTime(1000)
  helm.turn('pad', [0.75, -0.75, 0.25])
  expect(rates().at(-1)).toEqual({ x: RATE, y: -RATE, z: 0.5 * RATE })
})

test('what changes no sum is no order', () => {
  helm.turn('keys', [1, 0, 0])
  vi.advanceTimersByTime(1000)
  helm.turn('pad', [1, 0, 0])
  vi.advanceTimersByTime(1000)
  helm.turn('keys', [0, 0, 0])
  vi.advanceTimersByTime(1000)
  expect(orders).toHaveLength(1)
  helm.turn('pad', [0, 0, 0])
  expect(rates().at(-1)).toEqual({ x: 0, y: 0, z: 0 })
})

test('letting go ends a turn once, and without one it is no order', () => {
  helm.letGo()
  expect(orders).toEqual([])
  helm.turn('keys', [0, 0, 1])
  vi.advanceTimersByTime(1000)
  helm.letGo()
  helm.letGo()
  vi.advanceTimersByTime(1000)
  expect(rates().slice(1)).toEqual([{ x: 0, y: 0, z: 0 }])
})

test.each([
  [0, 1],
  [0.5, 1],
  [4, 4],
])('in a game of pace %d turns are %d times as slow', (scale, times) => {
  session.value = flown(0, scale)
  helm.turn('keys', [1, 0, 0])
  expect(rates()).toEqual([{ x: RATE / times, y: 0, z: 0 }])
})

test('a jump names its gate and is logged', async () => {
  const gates: string[] = []
  const log: unknown[] = []
  const socket = { jump: async (id: string) => void gates.push(id) }
  const clock = { now: () => 64, utc: (time: number) => time }
  const game = {
    session: signal({ flight: { clock }, socket }),
    doing: { refresh: () => undefined },
    notices: { withdraw: () => undefined },
    log: { add: (entry: object) => log.push(entry) },
  } as unknown as OrderedGame
  expect(await jump(game, 'gate-1', 'Jump to Sol')).toBe(true)
  expect([gates, log]).toEqual([['gate-1'], [{ ms: 64, kind: 'order', text: 'Jump to Sol' }]])
})
