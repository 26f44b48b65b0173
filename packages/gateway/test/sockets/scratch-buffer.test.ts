// Goal: what a client that stalls keeps of the shared buffer has a bound, whatever was sent before.
import { expect, test } from 'vitest'
import { createScratchBuffer } from '../../src/connection/socket-writer.ts'

const BYTES_MAX = 524_288

test('a small frame keeps no memory of a large one before', () => {
  const scratch = createScratchBuffer()
  expect(scratch.take(4 * BYTES_MAX).length).toBe(4 * BYTES_MAX)
  expect(scratch.take(100).buffer.byteLength).toBeLessThanOrEqual(BYTES_MAX)
})

test('frames share one buffer until it is released', () => {
  const scratch = createScratchBuffer()
  const { buffer } = scratch.take(BYTES_MAX)
  expect(scratch.take(100).buffer).toBe(buffer)
  scratch.release()
  expect(scratch.take(100).buffer).not.toBe(buffer)
})
