import type { CheckpointsQuery, CheckpointsResponse, SystemResponse } from '@orrery/protocol'
import {
  type Ephemeris,
  QUANTA_PER_SECOND,
  type Rail,
  type StarSystem,
  type StateVector,
  bodyState,
  createStateVector,
  latticeFromUtc,
  railState,
  utcFromLattice,
} from '@orrery/sim'
import { FINE_STEP, ROUGH_STEP, type Span, spanEphemeris } from './span.ts'
import { type SpanMaker, createSpanMaker } from './span-maker.ts'
import { starSystemOf } from './star-system-of.ts'

/** Where the bodies of a star system are at any date of decades, as the server integrates them. */
export interface Almanac {
  /** first and last date that can be asked for [Unix ms] */
  readonly fromMs: number
  readonly untilMs: number
  /**
   * Writes the state of each body from its parent, of the root from the barycentre; false, and
   * nothing, while the date is not known.
   *
   * @param positions   triples [m]
   * @param velocities  triples [m/s]
   */
  statesAt(positions: Float64Array, velocities: Float64Array, ms: number): boolean
  /** writes the state on a rail from its parent body; false while the date is not known */
  railAt(out: StateVector, rail: Rail, ms: number): boolean
  /** makes known what is around a date, and what a pace leads to next; the last wish counts */
  want(wish: AlmanacWish): void
  /** resolves when a date is known; rejects with a {@link ClientError} when it cannot be made */
  reach(ms: number): Promise<void>
  close(): void
}

export interface AlmanacWish {
  /** [Unix ms] */
  readonly ms: number
  /** game seconds per second of the page; negative towards the past */
  readonly pace: number
  /** the date changes at once again: in steps twice as long */
  readonly isRough?: boolean
}

export interface AlmanacOptions {
  /** answer of the star system's route */
  readonly system: SystemResponse
  readonly checkpoints: (asked?: CheckpointsQuery) => Promise<CheckpointsResponse>
  /** a worker of the page when left out */
  readonly maker?: SpanMaker
}

/** Checkpoints that are asked for at a time. */
const GROUP = 16

/** Spans are made so far ahead of what plays [s of the page]. */
const AHEAD_SECONDS = 3
const AHEAD_MAX = 15

/** Spans that are kept: 31 of the solar system take 40 to 80 MB. */
const KEPT_MAX = 31

/** Between a failure and the next attempt [ms]. */
const RETRY_MS = 2000

/** Above this pace steps are rough: a moon turns by the frame. */
const ROUGH_PACE = 2e6

const state = createStateVector()

/** @throws {ClientError} when the server does not answer, or game time is outside of its span */
export async function openAlmanac(options: AlmanacOptions): Promise<Almanac> {
  const first = await options.checkpoints()
  return new CheckpointAlmanac(options, first)
}

interface KnownSpan extends Pick<Span, 'step'> {
  readonly ephemeris: Ephemeris
}

interface Waiting {
  readonly ms: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

class CheckpointAlmanac implements Almanac {
  readonly fromMs: number
  readonly untilMs: number
  readonly #system: StarSystem
  readonly #checkpoints: AlmanacOptions['checkpoints']
  readonly #maker: SpanMaker
  /** lattice index of the first checkpoint, quanta between two, and how many there are */
  readonly #first: number
  readonly #interval: number
  readonly #count: number
  readonly #groups = new Map<number, Promise<CheckpointsResponse>>()
  readonly #spans = new Map<number, KnownSpan>()
  #wish: AlmanacWish | undefined
  #isBusy = false
  #isClosed = false
  #waiting: readonly Waiting[] = []

  constructor({ system, checkpoints, maker }: AlmanacOptions, answer: CheckpointsResponse) {
    this.#system = starSystemOf(system)
    this.#checkpoints = checkpoints
    this.#maker = maker ?? createSpanMaker()
    this.fromMs = Date.parse(answer.from)
    this.untilMs = Date.parse(answer.until)
    this.#interval = answer.interval
    this.#first = latticeFromUtc(this.fromMs)
    this.#count = Math.round((latticeFromUtc(this.untilMs) - this.#first) / this.#interval) + 1
  }

  statesAt(positions: Float64Array, velocities: Float64Array, ms: number): boolean {
    const known = this.#knownAt(ms)
    if (!known) return false
    const { index, past } = latticeAt(ms)
    for (const [body, { parent }] of this.#system.bodies.entries()) {
      bodyState(state, known, body, parent, index, past)
      positions.set(state.r, 3 * body)
      velocities.set(state.v, 3 * body)
    }
    return true
  }

  railAt(out: StateVector, rail: Rail, ms: number): boolean {
    const known = this.#knownAt(ms)
    if (!known) return false
    const { index, past } = latticeAt(ms)
    railState(out, known, rail, index, past)
    return true
  }

  want(wish: AlmanacWish): void {
    this.#wish = wish
    if (!this.#isBusy) void this.#work()
  }

  reach(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = [...this.#waiting, { ms, resolve, reject }]
      this.want({ ms, pace: 0 })
    })
  }

  close(): void {
    this.#isClosed = true
    this.#maker.close()
  }

  #knownAt(ms: number): Ephemeris | undefined {
    const isWithin = ms >= this.fromMs && ms <= this.untilMs
    return isWithin ? this.#spans.get(this.#spanOf(ms))?.ephemeris : undefined
  }

  /** Number of the span that holds a date; the last one holds its end. */
  #spanOf(ms: number): number {
    const number = Math.floor((latticeFromUtc(ms) - this.#first) / this.#interval)
    return Math.min(Math.max(number, 0), this.#count - 2)
  }

  /** Makes one span after the other until all that is wanted is known. */
  async #work(): Promise<void> {
    this.#isBusy = true
    try {
      for (let next = this.#next(); next && !this.#isClosed; next = this.#next()) {
        await this.#make(next.number, next.step)
        this.#answer()
      }
      this.#answer()
      this.#isBusy = false
    } catch (error) {
      for (const { reject } of this.#waiting) reject(error)
      this.#waiting = []
      setTimeout(() => (this.#isBusy = false), RETRY_MS)
    }
  }

  #answer(): void {
    const isKnown = ({ ms }: { ms: number }): boolean => this.#spans.has(this.#spanOf(ms))
    for (const { resolve } of this.#waiting.filter(isKnown)) resolve()
    this.#waiting = this.#waiting.filter((one) => !isKnown(one))
  }

  /** The span that is wanted most and not known. */
  #next(): { readonly number: number; readonly step: number } | undefined {
    if (!this.#wish) return undefined
    const { ms, pace, isRough = Math.abs(pace) > ROUGH_PACE } = this.#wish
    const step = isRough ? ROUGH_STEP : FINE_STEP
    const here = this.#spanOf(ms)
    const there = this.#spanOf(ms + 1000 * pace * AHEAD_SECONDS)
    const ahead = Math.min(Math.abs(there - here), AHEAD_MAX)
    const towards = Math.sign(there - here)
    for (let i = 0; i <= ahead; i++) {
      const number = here + i * towards
      const known = this.#spans.get(number)
      if (!known || known.step > step) return { number, step }
    }
    return undefined
  }

  async #make(number: number, step: number): Promise<void> {
    const group = Math.floor(number / GROUP)
    const { bodies } = await this.#groupOf(group)
    const span = await this.#maker.make({
      system: this.#system,
      index: this.#first + number * this.#interval,
      quanta: this.#interval,
      vectors: bodies.map(({ state_vectors: all }) => all[number - group * GROUP]),
      step,
    })
    this.#spans.set(number, { step, ephemeris: spanEphemeris(this.#system, span) })
    this.#forget(number)
  }

  /** Drops what is farthest from a span. */
  #forget(number: number): void {
    while (this.#spans.size > KEPT_MAX) {
      const far = [...this.#spans.keys()].toSorted(
        (a, b) => Math.abs(b - number) - Math.abs(a - number),
      )
      this.#spans.delete(far[0])
    }
  }

  async #groupOf(group: number): Promise<CheckpointsResponse> {
    const index = this.#first + group * GROUP * this.#interval
    const at = new Date(Math.ceil(utcFromLattice(index))).toISOString()
    const answer = this.#groups.get(group) ?? this.#checkpoints({ at, count: GROUP })
    this.#groups.set(group, answer)
    try {
      return await answer
    } catch (error) {
      this.#groups.delete(group)
      throw error
    }
  }
}

/** A lattice index at or before a date, and quanta from there on. */
function latticeAt(ms: number): { readonly index: number; readonly past: number } {
  const nearest = latticeFromUtc(ms)
  const past = ((ms - utcFromLattice(nearest)) * QUANTA_PER_SECOND) / 1000
  return past < 0 ? { index: nearest - 1, past: past + 1 } : { index: nearest, past }
}
