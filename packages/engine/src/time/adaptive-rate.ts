import { MICRO } from './clock.ts'
import {
  type TickCost,
  type TickWork,
  createTickCost,
  doubtTickCost,
  expectedBusy,
  learnTick,
  perTick,
} from './tick-cost.ts'

/** Share of the period that ticks should take, from their start to their last frame queued. */
const TARGET = 0.7

/** The rate rests while that share is no further from the target; half of it at first. */
const REST = 0.03
const REST_TICKS = 16

/** Rates that it keeps to [Hz], in steps of a thousandth. */
const RATE_MIN = 0.5
const RATE_MAX = 10
const STEP_MICRO = MICRO / 1000

/** The rate changes by no more than this factor at a time: the next tick knows better. */
const LEAP = 2

/** Ticks to be learnt from before the first change. */
const TICKS_MIN = 3

/** Below this share of all time for game seconds alone, they are too much no longer. */
const RELIEF = 0.65

/**
 * Finds the rate at which ticks take 70 % of their period. Work per second is a·rate + b·scale;
 * only the first part is the rate's to change.
 */
export interface AdaptiveRate {
  readonly cost: TickCost
  /** game seconds alone take more than 70 % of all time: no rate will do */
  overloaded: boolean
}

export function createAdaptiveRate(): AdaptiveRate {
  return { cost: createTickCost(), overloaded: false }
}

/** Looks at some ticks before it changes the rate again, as after a pause. */
export function doubtLoad({ cost }: AdaptiveRate): void {
  doubtTickCost(cost)
}

/** The nearest rate that it keeps to; in millionths of a hertz, as all of these. */
export function rateInReach(rateMicro: number): number {
  return Math.min(RATE_MAX * MICRO, Math.max(RATE_MIN * MICRO, rateMicro))
}

/**
 * The rate to go on at after one more tick.
 *
 * @param rateMicro   the rate in force
 * @param scaleMicro  game seconds per second of the ticks to come, in millionths
 */
export function adaptedRate(
  adaptive: AdaptiveRate,
  rateMicro: number,
  scaleMicro: number,
  work: TickWork,
): number {
  const { cost } = adaptive
  learnTick(cost, work)
  if (cost.ticks < TICKS_MIN) return rateMicro
  const rate = rateMicro / MICRO
  const scale = scaleMicro / MICRO
  const fixed = cost.perGameSecond * scale
  adaptive.overloaded = rate === RATE_MIN && fixed > (adaptive.overloaded ? RELIEF : TARGET)
  const off = Math.abs(expectedBusy(cost, scale / rate) * rate - TARGET)
  if (adaptive.overloaded || off <= (cost.ticks < REST_TICKS ? REST / 2 : REST)) return rateMicro
  const best = (TARGET - fixed) / perTick(cost)
  const next = Math.min(rate * LEAP, Math.max(rate / LEAP, best))
  return rateInReach(STEP_MICRO * Math.round((next * MICRO) / STEP_MICRO))
}
