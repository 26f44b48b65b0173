/** What one tick did. */
export interface TickWork {
  /** game time that it covered */
  readonly gameSeconds: number
  /** wall time that it took [s] */
  readonly busy: number
}

/**
 * Kalman filter of what a tick costs: a fixed part, and a part per game second that it covers.
 *
 * The state is the cost of a tick as ticks are now (`busy`) and its slope (`perGameSecond`). While
 * rate and scale rest, measurements show only the first; the slope is learnt when the rate moves.
 * A cumulative sum (CUSUM) of the innovations detects a step of the cost. Its measurements are
 * held back meanwhile: after a step the filter starts again from the last ones; else all of them
 * update the filter, each clipped at the outlier gate.
 */
export interface TickCost {
  /** of the last tick in the estimate */
  gameSeconds: number
  /** what such a tick takes [s] */
  busy: number
  /** slope: [s] per game second */
  perGameSecond: number
  /** measurements since the last start of the filter */
  ticks: number
  /** standard deviation of measurements, as a share of the cost */
  noise: number
  /** covariance of `busy` and `perGameSecond` */
  varBusy: number
  covariance: number
  varGameSecond: number
  /** measurements held back while the CUSUM is not zero */
  held: TickWork[]
  /** in standard deviations; its sign is the side on which the innovations are */
  cusum: number
}

/** Measurement noise at first, and at least: shares of the cost. */
const NOISE = 0.1
const NOISE_MIN = 0.02

/** Gain of the noise's average; process noise of both states, as a share of the scatter. */
const GAIN = 1 / 32

/** Outlier gate: an innovation counts for so many standard deviations at most. */
const GATE = 3

/** Where the estimate is very sure the gate is wider: this share of the cost. */
const GATE_SHARE = 0.5

/**
 * The CUSUM sums what each innovation exceeds the slack by, in standard deviations. With the gate,
 * three measurements exceed the limit, two never.
 */
const CUSUM_SLACK = 1
const CUSUM_LIMIT = 5.7

/** So many measurements are held back at most; without a step among them they are noise. */
const HELD_MAX = 8

/** The filter starts again from so many measurements after a step. */
const STEP_TICKS = 3

/** No step is detected where the estimate's own share of the innovation's variance exceeds this. */
const UNKNOWN_MAX = 0.3

/** Least cost of a tick, and least fixed part of it [s]. */
const COST_MIN = 1e-6

export function createTickCost(): TickCost {
  return {
    gameSeconds: 1,
    busy: 0,
    perGameSecond: 0,
    ticks: 0,
    noise: NOISE,
    varBusy: 0,
    covariance: 0,
    varGameSecond: 0,
    held: [],
    cusum: 0,
  }
}

/** Expected cost of a tick [s]. */
export function expectedBusy(cost: TickCost, gameSeconds: number): number {
  return Math.max(COST_MIN, cost.busy + (gameSeconds - cost.gameSeconds) * cost.perGameSecond)
}

/** Fixed part of a tick's cost [s]. */
export function perTick(cost: TickCost): number {
  return cost.busy - cost.gameSeconds * cost.perGameSecond
}

/** Takes one measurement. */
export function measureTick(cost: TickCost, work: TickWork): void {
  if (cost.ticks === 0) startFrom(cost, work)
  const expected = expectedBusy(cost, work.gameSeconds)
  const variance = varianceAt(cost, work.gameSeconds)
  const total = variance + (cost.noise * expected) ** 2
  const innovation = clipped((work.busy - expected) / Math.sqrt(total), GATE)
  const side = Math.sign(cost.cusum) || Math.sign(innovation)
  const cusum = side * (cost.cusum + innovation) - CUSUM_SLACK
  cost.held.push(work)
  const isOff = cusum > 0 && variance <= UNKNOWN_MAX * total
  if (isOff && cusum > CUSUM_LIMIT) {
    const last = release(cost).slice(-STEP_TICKS)
    startFrom(cost, last[0])
    for (const each of last) update(cost, each)
  } else if (isOff && cost.held.length < HELD_MAX) {
    cost.cusum = side * cusum
  } else {
    for (const each of release(cost)) update(cost, each)
  }
}

/** Ends the CUSUM; returns the measurements that it held back. */
function release(cost: TickCost): readonly TickWork[] {
  const { held } = cost
  cost.held = []
  cost.cusum = 0
  return held
}

/** Sets the state from one measurement, with variances that the next ones soon outweigh. */
function startFrom(cost: TickCost, { gameSeconds, busy }: TickWork): void {
  cost.ticks = 0
  cost.gameSeconds = gameSeconds
  cost.busy = Math.max(COST_MIN, busy)
  cost.varBusy = (2 * cost.busy) ** 2
  cost.covariance = 0
  cost.varGameSecond = varianceOfUnknownSlope(cost)
  keepPossible(cost)
}

/** Variance of the expected cost, without the measurement noise. */
function varianceAt(cost: TickCost, gameSeconds: number): number {
  const further = gameSeconds - cost.gameSeconds
  return cost.varBusy + further * (2 * cost.covariance + further * cost.varGameSecond)
}

/** One step of the filter: prediction for the tick's game time, then correction. */
function update(cost: TickCost, { gameSeconds, busy }: TickWork): void {
  cost.varBusy = varianceAt(cost, gameSeconds)
  cost.covariance += (gameSeconds - cost.gameSeconds) * cost.varGameSecond
  cost.busy = expectedBusy(cost, gameSeconds)
  cost.gameSeconds = gameSeconds
  const scatter = cost.noise * cost.busy
  cost.varBusy += (GAIN * scatter) ** 2
  if (cost.varGameSecond < varianceOfUnknownSlope(cost)) {
    cost.varGameSecond += ((GAIN * scatter) / gameSeconds) ** 2
  }
  keepPossible(cost)

  const total = cost.varBusy + scatter ** 2
  const deviation = Math.sqrt(total)
  const gate = Math.max(GATE, (GATE_SHARE * cost.busy) / deviation)
  const innovation = clipped((busy - cost.busy) / deviation, gate)
  cost.busy += (cost.varBusy / deviation) * innovation
  cost.perGameSecond += (cost.covariance / deviation) * innovation
  cost.varGameSecond -= cost.covariance ** 2 / total
  cost.covariance *= scatter ** 2 / total
  cost.varBusy *= scatter ** 2 / total
  cost.ticks++
  keepPossible(cost)
  // The mean absolute value of a normal distribution is 0.8 of its standard deviation.
  const surprise = Math.abs(innovation) / 0.8
  cost.noise = Math.max(NOISE_MIN, cost.noise * (1 + GAIN * (surprise - 1)))
}

function clipped(innovation: number, gate: number): number {
  return Math.min(gate, Math.max(-gate, innovation))
}

/** Neither part of the cost is negative. */
function keepPossible(cost: TickCost): void {
  const slopeMax = Math.max(0, cost.busy - COST_MIN) / cost.gameSeconds
  cost.perGameSecond = Math.min(slopeMax, Math.max(0, cost.perGameSecond))
}

/** The standard deviation of an unknown slope: half of what a game second costs in all. */
function varianceOfUnknownSlope({ busy, gameSeconds }: TickCost): number {
  return (busy / gameSeconds / 2) ** 2
}
