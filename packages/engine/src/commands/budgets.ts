import type { WallClock } from '../time/wall-clock.ts'

/** What each key may spend: some at once, and more as wall time passes. */
export interface Budgets {
  /** whether a key has anything left; then it may spend more than that, and is in debt */
  hasLeft(key: string): boolean
  spend(key: string, units: number): void
}

/** Spendings between two removals of keys whose budget is whole. */
const TIDY_EVERY = 1000

/** @param most  a whole budget [units]; it is refilled by `perSecond` */
export function createBudgets(
  clock: Pick<WallClock, 'monotonicMs'>,
  { most, perSecond }: { readonly most: number; readonly perSecond: number },
): Budgets {
  const unitMs = 1000 / perSecond
  // When each budget is whole again; one that is absent is whole.
  const wholeMs = new Map<string, number>()
  let spendings = 0
  const tidy = (nowMs: number): void => {
    for (const [key, ms] of wholeMs) if (ms <= nowMs) wholeMs.delete(key)
  }
  return {
    hasLeft: (key) => (wholeMs.get(key) ?? -Infinity) - clock.monotonicMs() < most * unitMs,
    spend: (key, units) => {
      const nowMs = clock.monotonicMs()
      if (++spendings % TIDY_EVERY === 0) tidy(nowMs)
      wholeMs.set(key, Math.max(wholeMs.get(key) ?? nowMs, nowMs) + units * unitMs)
    },
  }
}
