import type { WallClock } from '@orrery/engine'

/** Events a ship may have at once, and per second of wall time on the long run. */
const BURST = 60
const PER_SECOND = 2

const COST_MS = 1000 / PER_SECOND

/** Rate limit of events per ship. */
export interface ShipBudgets {
  /** whether a ship may have one more event now */
  take(shipId: string): boolean
  /** removes ships whose budget is whole again */
  tidy(): void
}

export function createShipBudgets(clock: WallClock): ShipBudgets {
  // When each ship's budget is whole again; one that is absent is whole.
  const wholeMs = new Map<string, number>()
  return {
    take: (shipId) => {
      const nowMs = clock.monotonicMs()
      const nextMs = Math.max(wholeMs.get(shipId) ?? nowMs, nowMs) + COST_MS
      if (nextMs - nowMs > BURST * COST_MS) return false
      wholeMs.set(shipId, nextMs)
      return true
    },
    tidy: () => {
      const nowMs = clock.monotonicMs()
      for (const [shipId, ms] of wholeMs) if (ms <= nowMs) wholeMs.delete(shipId)
    },
  }
}
