import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'

test('a product', () => {
  expect(2 * 2).toBe(4)
})

test('a wrong product', () => {
  expect(2 * 2).toBe(5)
})

test('a wait that no timer ends', async () => {
  // The results before it are on their way.
  await setTimeout(1000)
  expect(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)).toBe('ok')
})
