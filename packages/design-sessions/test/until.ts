// Waits for what a test needs. A wait that fails ends before the test and shows the last value.
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { testPatience } from '@orrery/testkit/tier'

/** Less than the time of a test. */
const LIMIT_MS = 50_000 * testPatience()

const PAUSE_MS = 20

/** The first value that meets a condition. */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  isMet: (value: Value) => boolean,
): Promise<Value> {
  const endMs = performance.now() + LIMIT_MS
  for (;;) {
    const value = await read()
    if (isMet(value)) return value
    if (performance.now() > endMs) throw new Error(`Waited in vain; last seen: ${inspect(value)}`)
    await setTimeout(PAUSE_MS)
  }
}

/** Ends of runs take fewer statements. */
const LOOKS = 8

/** Whether a paused run stays: it may have been about to end, which takes a few statements. */
export async function isHeld(
  status: () => Promise<{ readonly reindexing: boolean }>,
): Promise<boolean> {
  for (let i = 0; i < LOOKS; i++) {
    if (!(await status()).reindexing) return false
  }
  return true
}
