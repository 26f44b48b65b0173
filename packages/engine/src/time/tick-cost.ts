/** What one tick did. */
export interface TickWork {
  /** how far it moved the world on */
  readonly gameSeconds: number
  /** wall time it took [s] */
  readonly busy: number
}

/**
 * What a tick costs, learnt from ticks: some seconds of work, and some more for each game second
 * that it moves the world on.
 *
 * While rate and scale rest, ticks tell the sum of the two and nothing of its parts. So this is a
 * filter (Kalman's, of two states that wander) of the sum as ticks are now and of its slope, which
 * knows how unsure it is of each: the sum is learnt at every tick, the slope whenever the rate
 * moves, and kept meanwhile. Ticks that are off to one side wait for the next ones. Should these
 * say otherwise, they were accidents and count little. Else the cost has made a step, which is put
 * down to the tick: the sum is learnt anew, and the slope is a mere guess until the rate moves.
 */
export interface TickCost {
  /** of the last tick learnt from */
  gameSeconds: number
  /** what such a tick takes [s] */
  busy: number
  /** slope: [s] per game second */
  perGameSecond: number
  /** ticks learnt from since the last step */
  ticks: number
  /** how far ticks scatter, as a share of what they cost */
  noise: number
  /** covariance of `busy` and `perGameSecond` */
  varBusy: number
  covariance: number
  varGameSecond: number
  /** the last ticks, while they seem off to one side */
  suspects: TickWork[]
  /** how far off, summed up; its sign is the side */
  suspicion: number
}

/** Scatter to begin with, and the range that it is believed in. */
const NOISE = 0.1
const NOISE_MIN = 0.02
const NOISE_MAX = 1

/** One tick's share in what is known of many. */
const GAIN = 1 / 32

/** How fast the slope may wander, as a share of the scatter, per tick. */
const WANDER = 1 / 64

/** A slope that is a mere guess is that of all that a tick costs, give or take this share. */
const UNSURE_SHARE = 0.5

/**
 * A cumulative sum of how far ticks are off to one side, in standard deviations: each counts
 * beyond `ALLOWED` and up to `COUNTED`, and beyond `STEP` they are one. Three ticks far off are,
 * two never. The last ones tell the new cost; as many as wait at most are no step.
 */
const ALLOWED = 1
const COUNTED = 3
const STEP = 5
const WITNESSES = 3
const SUSPECTS_MAX = 8

/** Where more of the variance than this is its own ignorance, it suspects nobody. */
const UNKNOWN = 0.3

/** What is further off than this share, and so many deviations, counts as if it were not. */
const CLIP = 0.5
const CLIP_DEVIATIONS = 5

/** A tick is never quite free, nor without a part of its own. */
const COST_MIN = 1e-6
const TICK_SHARE_MIN = 0.01

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
    suspects: [],
    suspicion: 0,
  }
}

/** Makes what was learnt a mere guess: the next ticks may cost something else altogether. */
export function doubtTickCost(cost: TickCost): void {
  cost.ticks = 0
  trust(cost)
}

/** What a tick should take [s]. */
export function expectedBusy(cost: TickCost, gameSeconds: number): number {
  return Math.max(COST_MIN, cost.busy + (gameSeconds - cost.gameSeconds) * cost.perGameSecond)
}

/** What a tick that moves nothing should take [s]. */
export function perTick(cost: TickCost): number {
  return cost.busy - cost.gameSeconds * cost.perGameSecond
}

export function learnTick(cost: TickCost, work: TickWork): void {
  if (cost.ticks === 0) beginAt(cost, work)
  const expected = expectedBusy(cost, work.gameSeconds)
  const scatter = cost.noise * expected
  const variance = varianceAt(cost, work.gameSeconds)
  const total = variance + scatter ** 2
  const off = (work.busy - expected) / Math.sqrt(total)
  const side = Math.sign(cost.suspicion) || Math.sign(off)
  const counted = Math.min(COUNTED, Math.max(-COUNTED, side * off))
  const suspicion = side * cost.suspicion + counted - ALLOWED
  cost.suspects.push(work)
  const isSuspect = suspicion > 0 && variance <= UNKNOWN * total
  if (isSuspect && suspicion > STEP) {
    const witnesses = trust(cost).slice(-WITNESSES)
    beginAt(cost, witnesses[0])
    for (const each of witnesses) learn(cost, each)
  } else if (isSuspect && cost.suspects.length < SUSPECTS_MAX) {
    cost.suspicion = side * suspicion
  } else {
    for (const each of trust(cost)) learn(cost, each)
  }
}

/** Lets suspects go. */
function trust(cost: TickCost): readonly TickWork[] {
  const { suspects } = cost
  cost.suspects = []
  cost.suspicion = 0
  return suspects
}

/** Knows nothing of what a tick takes but what one took. */
function beginAt(cost: TickCost, { gameSeconds, busy }: TickWork): void {
  cost.ticks = 0
  cost.gameSeconds = gameSeconds
  cost.busy = Math.max(COST_MIN, busy)
  cost.varBusy = (2 * cost.busy) ** 2
  cost.covariance = 0
  cost.varGameSecond = unsureVariance(cost)
  keepPossible(cost)
}

/** How unsure it is of what a tick should take, scatter aside. */
function varianceAt(cost: TickCost, gameSeconds: number): number {
  const further = gameSeconds - cost.gameSeconds
  return cost.varBusy + further * (2 * cost.covariance + further * cost.varGameSecond)
}

function learn(cost: TickCost, work: TickWork): void {
  cost.varBusy = varianceAt(cost, work.gameSeconds)
  cost.covariance += (work.gameSeconds - cost.gameSeconds) * cost.varGameSecond
  cost.busy = expectedBusy(cost, work.gameSeconds)
  cost.gameSeconds = work.gameSeconds
  const scatter = cost.noise * cost.busy
  cost.varBusy += (GAIN * scatter) ** 2
  if (cost.varGameSecond < unsureVariance(cost)) {
    cost.varGameSecond += ((WANDER * scatter) / cost.gameSeconds) ** 2
  }
  keepPossible(cost)

  const total = cost.varBusy + scatter ** 2
  const most = Math.max(CLIP * cost.busy, CLIP_DEVIATIONS * Math.sqrt(total))
  const off = Math.min(most, Math.max(-most, work.busy - cost.busy))
  cost.busy += (cost.varBusy / total) * off
  cost.perGameSecond += (cost.covariance / total) * off
  cost.varGameSecond -= cost.covariance ** 2 / total
  cost.covariance *= scatter ** 2 / total
  cost.varBusy *= scatter ** 2 / total
  cost.ticks++
  keepPossible(cost)
  // The mean distance of a normal scatter is 0.8 of its deviation.
  const surprise = Math.abs(off) / Math.sqrt(total) / 0.8
  const noise = cost.noise * (1 + GAIN * (surprise - 1))
  cost.noise = Math.min(NOISE_MAX, Math.max(NOISE_MIN, noise))
}

/** Neither part of the sum is negative. */
function keepPossible(cost: TickCost): void {
  const slopeMax = ((1 - TICK_SHARE_MIN) * cost.busy) / cost.gameSeconds
  cost.perGameSecond = Math.min(slopeMax, Math.max(0, cost.perGameSecond))
}

/** The variance of a slope of which little is known. */
function unsureVariance({ busy, gameSeconds }: TickCost): number {
  return ((UNSURE_SHARE * busy) / gameSeconds) ** 2
}
