import { expect, test } from 'vitest'

test('a wait that no timer ends', () => {
  expect(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)).toBe('ok')
})
