import { setImmediate } from 'node:timers/promises'

/** How long work may block other requests. */
const SLICE_MS = 10

/** Lets other requests run when a slice is used up. */
export type Pause = () => Promise<void>

/** For calls between small pieces of long work. */
export function pauses(): Pause {
  let from = performance.now()
  return async () => {
    if (performance.now() - from < SLICE_MS) return
    await setImmediate()
    from = performance.now()
  }
}
