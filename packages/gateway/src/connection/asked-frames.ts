import type { WallClock } from '@orrery/engine'

/** Least time between two frames that a client asks for beside the ticks [ms]. */
const ASKED_FRAMES_MS = 1000

/**
 * Limits the frames that one client asks for: a frame can be thousands of times as large as the
 * message that asks for it. What comes too early is answered once, when the time is over.
 */
export function createAskedFrames(clock: WallClock, onFrame: () => void): () => void {
  let lastMs = -Infinity
  let isWaiting = false
  const frame = (): void => {
    isWaiting = false
    lastMs = clock.monotonicMs()
    onFrame()
  }
  return () => {
    const waitMs = lastMs + ASKED_FRAMES_MS - clock.monotonicMs()
    if (isWaiting) return
    if (waitMs <= 0) return frame()
    isWaiting = true
    clock.after(waitMs, frame)
  }
}
