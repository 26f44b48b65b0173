/** Where bodies are at any time between two moments that the server has sent. */

/** All bodies at one moment; per body x, y, z and their rates, from its parent [m, m/s]. */
export interface BodyMoment {
  /** Unix milliseconds of game time */
  readonly ms: number
  readonly states: Float64Array
}

/** Moments that are kept: one interval, and the next before it begins. */
const MOMENTS_MAX = 3

/** With one moment only, bodies go straight on for at most so long [s]. */
const ALONE_SECONDS_MAX = 10

export class Ephemeris {
  #moments: BodyMoment[] = []

  /** Forgets all moments but this one. */
  begin(moment: BodyMoment): void {
    this.#moments = [moment]
  }

  /** Keeps a moment later than all others; any other replaces them. */
  extend(moment: BodyMoment): void {
    const isLater = moment.ms > this.untilMs
    this.#moments = isLater ? [...this.#moments.slice(1 - MOMENTS_MAX), moment] : [moment]
  }

  /** Last game time that it knows [Unix ms]; -Infinity before the first moment. */
  get untilMs(): number {
    return this.#moments.at(-1)?.ms ?? -Infinity
  }

  /**
   * Positions and velocities at a game time, which is clamped to those it knows.
   *
   * Between two moments, the cubic of their positions and velocities: within 1 mm for Phobos over
   * a minute.
   *
   * @param positions  of each body from its parent [m], to write
   * @param velocities  likewise [m/s]
   * @returns the game time in fact shown [Unix ms]
   */
  at(ms: number, positions: Float64Array, velocities: Float64Array): number {
    const [first] = this.#moments
    if (!first) return NaN
    const last = this.#moments[this.#moments.length - 1]
    if (first === last) {
      const seconds = Math.min(Math.max((ms - first.ms) / 1000, 0), ALONE_SECONDS_MAX)
      straight(first, seconds, positions, velocities)
      return first.ms + seconds * 1000
    }
    const shown = Math.min(Math.max(ms, first.ms), last.ms)
    const end = Math.max(
      this.#moments.findIndex((moment) => moment.ms >= shown),
      1,
    )
    cubic([this.#moments[end - 1], this.#moments[end]], shown, positions, velocities)
    return shown
  }
}

function straight(
  { states }: BodyMoment,
  seconds: number,
  positions: Float64Array,
  velocities: Float64Array,
): void {
  for (let at = 0, out = 0; at < states.length; at += 6, out += 3) {
    for (let k = 0; k < 3; k++) {
      velocities[out + k] = states[at + 3 + k]
      positions[out + k] = states[at + k] + states[at + 3 + k] * seconds
    }
  }
}

/** Hermite's cubic, as the start and what is added to it, so that large parts cancel first. */
function cubic(
  [start, end]: readonly [BodyMoment, BodyMoment],
  ms: number,
  positions: Float64Array,
  velocities: Float64Array,
): void {
  const h = (end.ms - start.ms) / 1000
  const s = (ms - start.ms) / 1000 / h
  const { states: from } = start
  const { states: to } = end
  for (let at = 0, out = 0; at < from.length; at += 6, out += 3) {
    for (let k = 0; k < 3; k++) {
      const difference = to[at + k] - from[at + k]
      const rateFrom = from[at + 3 + k] * h
      const rateTo = to[at + 3 + k] * h
      const square = 3 * difference - 2 * rateFrom - rateTo
      const cube = rateFrom + rateTo - 2 * difference
      positions[out + k] = from[at + k] + s * (rateFrom + s * (square + s * cube))
      velocities[out + k] = (rateFrom + s * (2 * square + s * 3 * cube)) / h
    }
  }
}
