/** Estimates of the round trip and of the server's clock, from pings. */
export interface RoundTrip {
  /** takes note of a pong */
  note(pong: {
    /** the client's own UTC when its ping went and when the pong came [ms] */
    readonly sentMs: number
    readonly cameMs: number
    readonly serverMs: number
  }): void
  /** there and back, the last one [ms]; undefined before the first pong */
  latestMs(): number | undefined
  /** one way, at its quickest [ms]; 0 before the first pong */
  delayMs(): number
  /** the server's UTC less the client's [ms]; 0 before the first pong */
  clockOffsetMs(): number
}

/** Pongs that are kept; the quickest gives the best offset. */
const PONGS_MAX = 8

/**
 * The offset is wrong by half of what the way there and the way back differ, which is at most the
 * round trip: so the quickest pong counts.
 *
 * @source RFC 5905, section 10, clock filter
 */
export function createRoundTrip(): RoundTrip {
  let pongs: readonly { readonly tookMs: number; readonly offsetMs: number }[] = []
  let quickest = { tookMs: 0, offsetMs: 0 }
  return {
    note: ({ sentMs, cameMs, serverMs }) => {
      const pong = {
        tookMs: Math.max(0, cameMs - sentMs),
        offsetMs: serverMs - (sentMs + cameMs) / 2,
      }
      pongs = [...pongs.slice(1 - PONGS_MAX), pong]
      quickest = pongs.reduce((best, other) => (other.tookMs < best.tookMs ? other : best))
    },
    latestMs: () => pongs.at(-1)?.tookMs,
    delayMs: () => quickest.tookMs / 2,
    clockOffsetMs: () => quickest.offsetMs,
  }
}
