import type { WallClock } from '../time/wall-clock.ts'
import type { Universe } from './universe.ts'
import { extendHorizon } from './world.ts'

/** Rest between two slices: a two-hundredth of the thread. Who waits for more extends it faster. */
const SLICE_PAUSE_MS = 200

/** Extends the ephemeris to its horizon, a slice at a time, so that no tick waits for it. */
export interface HorizonWork {
  /** Continues unless it is running. */
  begin(): void
  /** Ends the work. */
  stop(): void
}

/** @param universe  the one that is flown now */
export function createHorizonWork(clock: WallClock, universe: () => Universe): HorizonWork {
  let cancelSlice: (() => void) | undefined
  let stopped = false
  function begin(): void {
    if (cancelSlice || stopped) return
    cancelSlice = clock.after(SLICE_PAUSE_MS, () => {
      cancelSlice = undefined
      const extended = universe().worlds.map(extendHorizon)
      if (extended.includes(true)) begin()
    })
  }
  return {
    begin,
    stop() {
      stopped = true
      cancelSlice?.()
    },
  }
}
