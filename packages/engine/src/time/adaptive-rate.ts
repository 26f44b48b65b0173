import { MICRO } from './game-clock.ts'
import {
  type TickCost,
  type TickWork,
  createTickCost,
  expectedBusy,
  measureTick,
  perTick,
} from './tick-cost.ts'

/** Target share of the period that ticks take, from their start to their last queued frame. */
const TARGET = 0.7

/** Dead band: the rate rests while that share is no further from the target; half at first. */
const REST = 0.03
const REST_TICKS = 16

/** Limits of the rate [Hz], which changes in steps of a thousandth. */
const RATE_MIN = 0.5
const RATE_MAX = 10
const STEP_MICRO = MICRO / 1000

/** The rate changes by no more than this factor at a time; the next tick corrects it. */
const FACTOR_MAX = 2

/** Measured ticks before the first change. */
const TICKS_MIN = 3

/** Hysteresis: the overload ends when game seconds alone take less than this share of all time. */
const OVERLOAD_END = 0.65

/**
 * Finds the rate at which ticks take 70 % of their period. Work per second is a·rate + b·scale;
 * only the first part is the rate's to change.
 */
export interface AdaptiveRate {
  readonly cost: TickCost
  /** game seconds alone take more than 70 % of all time, whatever the rate */
  overloaded: boolean
}

export function createAdaptiveRate(): AdaptiveRate {
  return { cost: createTickCost(), overloaded: false }
}

/** The nearest rate within its limits [millionths of a hertz]. */
export function rateInReach(rateMicro: number): number {
  return Math.min(RATE_MAX * MICRO, Math.max(RATE_MIN * MICRO, rateMicro))
}

/**
 * The rate after one more tick [millionths of a hertz].
 *
 * @param rateMicro   the rate in force, in the same unit
 * @param scaleMicro  game seconds per second of the ticks to come, in millionths
 */
export function adaptedRate(
  adaptive: AdaptiveRate,
  rateMicro: number,
  scaleMicro: number,
  work: TickWork,
): number {
  const { cost } = adaptive
  measureTick(cost, work)
  if (cost.ticks < TICKS_MIN) return rateMicro
  const rate = rateMicro / MICRO
  const scale = scaleMicro / MICRO
  const fixed = cost.perGameSecond * scale
  adaptive.overloaded = rate === RATE_MIN && fixed > (adaptive.overloaded ? OVERLOAD_END : TARGET)
  const off = Math.abs(expectedBusy(cost, scale / rate) * rate - TARGET)
  if (adaptive.overloaded || off <= (cost.ticks < REST_TICKS ? REST / 2 : REST)) return rateMicro
  const best = (TARGET - fixed) / perTick(cost)
  const next = Math.min(rate * FACTOR_MAX, Math.max(rate / FACTOR_MAX, best))
  return rateInReach(STEP_MICRO * Math.round((next * MICRO) / STEP_MICRO))
}
