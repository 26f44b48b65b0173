// Laws: hands add up to the greatest rate at most; letting go of all of them ends the turn.
import type { Order } from '@orrery/client'
import { signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Helm, createHelm } from '../../src/orders/helm.ts'
import { createHandSession } from '../game/hand-session.ts'

/** Greatest rate that wheels hold for ever [rad/s]. */
const RATE_MAX = 0.04

test('what hands want becomes orders', () => {
  vi.useFakeTimers()
  const orders: Order[] = []
  const helm = createHelm(signal(undefined), (order) => orders.push(order))
  const last = (): Order | undefined => {
    vi.advanceTimersByTime(1000)
    return orders.at(-1)
  }
  helm.turn('keys', [0, 1, 0])
  helm.turn('pad', [0, 0.5, -0.5])
  const both = last()
  const rate = both?.type === 'control' ? both.angular_rate : undefined
  expect(rate?.x).toBe(0)
  expect(rate?.y).toBeLessThanOrEqual(RATE_MAX)
  expect(rate?.z).toBeCloseTo(-0.5 * (rate?.y ?? NaN), 12)
  helm.turn('keys', [0, 0, 0])
  helm.turn('pad', [0, 0, 0])
  expect(last()).toEqual({ type: 'control', angular_rate: { x: 0, y: 0, z: 0 } })
  const count = orders.length
  helm.turn('pad', [0, 0, 0])
  last()
  expect(orders).toHaveLength(count)
  helm.turn('pad', [0, 1, 0])
  helm.turn('gamepad', [1, 0, 0])
  last()
  helm.letGo()
  expect(last()).toEqual({ type: 'control', angular_rate: { x: 0, y: 0, z: 0 } })
  helm.setThrottle(1.7)
  expect(helm.throttle()).toBe(1)
  expect(last()).toEqual({ type: 'control', thrust_level: 1 })
  vi.useRealTimers()
})

const hand = createHandSession()
const given: (readonly [Order, string | undefined])[] = []
let helm: Helm

beforeEach(() => {
  vi.useFakeTimers()
  given.length = 0
  helm = createHelm(signal(hand.session), (order, words) => given.push([order, words]))
})

afterEach(() => vi.useRealTimers())

test.each([
  [0.5, 1],
  [1, 1],
  [20, 20],
])('at %d times real time hands are as quick', (scale, factor) => {
  hand.sky.scale = scale
  helm.turn('keys', [1, -1, 0])
  helm.turn('pad', [0, -1, 0.5])
  vi.advanceTimersByTime(100)
  const [[order]] = given.slice(-1)
  const rate = order.type === 'control' ? order.angular_rate : undefined
  const most = (rate?.x ?? NaN) * factor
  expect(most).toBeLessThanOrEqual(RATE_MAX)
  expect(most).toBeGreaterThan(0.99 * RATE_MAX)
  expect(rate?.y).toBe(-(rate?.x ?? NaN))
  expect(rate?.z).toBeCloseTo((rate?.x ?? NaN) / 2, 12)
})

test('ten orders a second are sent at most, and none without a change', () => {
  for (let i = 1; i <= 100; i++) {
    helm.turn('pad', [i / 100, 0, 0])
    vi.advanceTimersByTime(10)
  }
  expect(given).toHaveLength(11)
  helm.turn('pad', [1, 0, 0])
  vi.advanceTimersByTime(1000)
  expect(given).toHaveLength(11)
  helm.letGo()
  expect(given).toHaveLength(12)
  helm.letGo()
  vi.advanceTimersByTime(1000)
  expect(given).toHaveLength(12)
})

test('the throttle is where the hand has it for a second, and then as the engine does', () => {
  expect(helm.throttle()).toBe(0.25)
  helm.setThrottle(-3, 'Cut')
  expect(given).toEqual([[{ type: 'control', thrust_level: 0 }, 'Cut']])
  vi.advanceTimersByTime(999)
  expect(helm.throttle()).toBe(0)
  vi.advanceTimersByTime(1)
  expect(helm.throttle()).toBe(0.25)
  helm.setThrottle(0.7)
  expect(given.at(-1)).toEqual([{ type: 'control', thrust_level: 0.7 }, undefined])
  expect(createHelm(signal(undefined), () => undefined).throttle()).toBeNaN()
})

test('a turn about all axes is one, and one that has ended is none', () => {
  helm.turn('pad', [1, 1, 1])
  expect(given).toHaveLength(1)
  helm.turn('pad', [0, 0, 0])
  vi.advanceTimersByTime(1000)
  expect(given.at(-1)?.[0]).toEqual({ type: 'control', angular_rate: { x: 0, y: 0, z: 0 } })
  helm.letGo()
  vi.advanceTimersByTime(1000)
  expect(given).toHaveLength(2)
})
