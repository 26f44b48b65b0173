// Laws: hands add up to the greatest rate at most; letting go of all of them ends the turn.
import type { Order } from '@orrery/client'
import { signal } from '@preact/signals'
import { expect, test, vi } from 'vitest'
import { createHelm } from '../../src/orders/helm.ts'

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
