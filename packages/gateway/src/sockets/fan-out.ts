/** Times how long a tick takes to reach its clients. */
export interface FanOut {
  /** a tick was published; what of the one before is not written by now is left out */
  begin(): void
  /** a frame of the tick is on its way; call what is returned when it is written */
  underWay(): () => void
  /** all frames of the tick are on their way */
  end(): void
  /** of the last tick that is over [ms] */
  lastMs(): number
}

/** @param onTimed  told of each tick with frames, from its end to the last one written [ms] */
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
      // One for the tick itself, so that it is not over before its last frame is under way.
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
