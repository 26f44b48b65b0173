import { setImmediate } from 'node:timers/promises'

/** How long work goes on while all other requests wait. */
const SLICE_MS = 10

/** Lets other requests in, when their turn has come. */
export type Pause = () => Promise<void>

/** To be asked between small pieces of long work. */
export function pauses(): Pause {
  let from = performance.now()
  return async () => {
    if (performance.now() - from < SLICE_MS) return
    await setImmediate()
    from = performance.now()
  }
}
