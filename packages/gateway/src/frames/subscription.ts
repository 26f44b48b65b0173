/** How a client has narrowed its frames; an absent field does not narrow them. */
export interface Subscription {
  /** distance from one's own ship [m] */
  readonly radius?: number
  /** ships by their ids */
  readonly ids?: readonly string[]
  /** frames a second at most [Hz] */
  readonly rate?: number
  /** of frames [bytes/s] */
  readonly budget?: number
}

/** Frames that a client can have earned: the rest of one tick, and the next one. */
const CREDIT_MAX = 2

/** Chooses the ticks of which a client gets a frame. */
export interface Pace {
  /**
   * Whether a tick's frame is due: wall time earns frames, and each is sent with the tick nearest
   * to the moment it is earned. No more are sent than requested, and jitter loses none.
   *
   * @param nowMs       when the tick was published
   * @param tickRateHz  ticks per second
   */
  isDue(nowMs: number, tickRateHz: number): boolean
}

/** @param rateHz  frames per second; undefined for every tick */
export function createPace(rateHz: number | undefined, startMs: number): Pace {
  let credit = 0
  let lastMs = startMs
  return {
    isDue: (nowMs, tickRateHz) => {
      if (rateHz === undefined || rateHz >= tickRateHz) return true
      credit = Math.min(CREDIT_MAX, credit + ((nowMs - lastMs) / 1000) * rateHz)
      lastMs = nowMs
      // Half a tick early is nearer than half a tick late.
      if (credit < 1 - (0.5 * rateHz) / tickRateHz) return false
      credit--
      return true
    },
  }
}
