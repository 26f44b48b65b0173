// Law: memory that grows is distinguished from memory that only goes up and down.
import { expect, test } from 'vitest'
import { trend } from '../../soak/trend.ts'

test('a rise shows through a saw-tooth and outliers, and a saw-tooth alone is none', () => {
  const samples = (perHour: number): Parameters<typeof trend>[0] =>
    Array.from({ length: 300 }, (_, i) => ({
      atMs: i * 6000,
      value: 100 + (perHour * i) / 600 + (i % 7) + (i === 150 ? 1000 : 0),
    }))
  expect(trend(samples(0)).rise).toBe(0)
  const { slope, noise, rise } = trend(samples(20))
  expect(slope).toBeCloseTo(20, 0)
  expect(noise).toBeLessThan(2)
  expect(rise).toBeGreaterThan(8)
  expect(rise).toBeLessThan(10)
})
