/** Measures how long a tick takes to reach its clients. */
export interface FanOut {
  /** a tick was published; unwritten frames of the one before are left out */
  begin(): void
  /** a frame of the tick was sent; call the result when it is written */
  underWay(): () => void
  /** all frames of the tick were sent */
  end(): void
  /** of the last tick that is over [ms] */
  lastMs(): number
}

/** @param onTimed  receives for each tick with frames the time until the last is written [ms] */
export function createFanOut(nowMs: () => number, onTimed: (ms: number) => void): FanOut {
  let startMs = 0
  let writtenMs: number | undefined
  let lastMs = 0
  let tick = 0
  let left = 0
  const report = (): void => {
    if (writtenMs === undefined) return
    lastMs = writtenMs - startMs
    writtenMs = undefined
    onTimed(lastMs)
  }
  const written = (of: number): void => {
    if (of !== tick) return
    writtenMs = nowMs()
    if (--left === 0) report()
  }
  return {
    begin: () => {
      report()
      tick++
      startMs = nowMs()
      // One for the tick itself: it is not over before its last frame was sent.
      left = 1
    },
    underWay: () => {
      const of = tick
      left++
      return () => written(of)
    },
    end: () => {
      if (--left === 0) report()
    },
    lastMs: () => lastMs,
  }
}
