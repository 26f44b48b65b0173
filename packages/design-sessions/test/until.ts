// Waits for what a test needs. A wait that fails ends before the test and shows the last value.
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { testPatience } from '@orrery/testkit/tier'

/** Less than the time of a test. */
const LIMIT_MS = 50_000 * testPatience()

/** Between two looks, which follow more slowly in a long wait: each costs two processes time. */
const PAUSE_MS = 20
const PAUSE_MS_MAX = 150

/** The first value that meets a condition. */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  isMet: (value: Value) => boolean,
): Promise<Value> {
  const beginMs = performance.now()
  for (;;) {
    const value = await read()
    if (isMet(value)) return value
    const ms = performance.now() - beginMs
    if (ms > LIMIT_MS) throw new Error(`Waited in vain; last seen: ${inspect(value)}`)
    await setTimeout(Math.min(PAUSE_MS_MAX, PAUSE_MS + ms / 4))
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
