import { CONTROL_QUANTA, QUANTA_PER_SECOND } from '@orrery/sim'
import type { ClientClock } from './client-clock.ts'

/** Readings that are kept; the quickest counts. */
const READINGS_MAX = 16

/** The clock runs by so much of its rate faster or slower until it is right. */
const SLEW = 0.1

/** When it lags by more [ms], it leaps; when it leads by more, it stands. */
const LEAP_MS = 250

/** When it leads by more [ms], as after time slows, it leaps back instead of standing longer. */
const LEAP_BACK_MS = 3000

/** Round trips that are kept: the route may change for a slower one. */
const ROUND_TRIPS_MAX = 16

/** An order acts at the boundary before its time, and its server's clock is known to 30 ms. */
const MARGIN_QUANTA = CONTROL_QUANTA + 2

/** It leads the server by less than orders may name their index ahead, which is 2 s [quanta]. */
const LEAD_MAX = 112

/** What the server states of its clock; what is absent is unchanged. */
export interface ClockReading {
  /** lattice index shown, need not be whole */
  readonly index: number
  /** game seconds per second; 0 while it stands */
  readonly scale?: number
  readonly era?: number
}

/**
 * The game's clock as it is shown: it leads the server's by what an order takes to get there, and
 * never runs backwards within an era, but leaps back where it would stand for seconds.
 */
export class FlightClock {
  /** whether orders are sent by it */
  isLeading = false
  readonly #clock: ClientClock
  #era: number | undefined
  /** quanta per millisecond */
  #rate = 0
  /** index less what has passed at that rate since any origin: of the last readings */
  readonly #offsets: Float64Array = new Float64Array(READINGS_MAX).fill(-Infinity)
  #readings = 0
  #index = NaN
  #published = NaN
  #shown = NaN
  #shownMs = 0
  #waitMs = 0
  /** the last round trips [ms] */
  readonly #roundTrips: number[] = []
  /** of round trips [ms]: the mean and the mean deviation; NaN before the first */
  #mean = NaN
  #deviation = NaN

  constructor(clock: ClientClock) {
    this.#clock = clock
  }

  /** game seconds per second; 0 while the game stands, and before the first reading */
  get scale(): number {
    return (this.#rate * 1000) / QUANTA_PER_SECOND
  }

  note({ index, scale = this.scale, era = this.#era }: ClockReading): void {
    const rate = (scale * QUANTA_PER_SECOND) / 1000
    if (era !== this.#era) this.#shown = this.#published = NaN
    const offset = index - rate * this.#clock.monotonicMs()
    // No message is on its way for so long: the server's clock has stood.
    const hasStood = Math.max(...this.#offsets) - offset > LEAP_BACK_MS * rate
    if (rate !== this.#rate || era !== this.#era || hasStood) this.#offsets.fill(-Infinity)
    this.#rate = rate
    this.#era = era
    this.#index = index
    this.#offsets[this.#readings++ % READINGS_MAX] = offset
  }

  /** Takes note of a published index, which the server shows at least; of a new one only. */
  notePublished(index: number): void {
    if (index <= this.#published) return
    this.#published = index
    if (index > this.#index) this.note({ index })
  }

  /**
   * Takes note of how long an answer took.
   *
   * @source RFC 6298, section 2
   */
  noteRoundTrip(ms: number): void {
    this.#roundTrips.push(ms)
    if (this.#roundTrips.length > ROUND_TRIPS_MAX) this.#roundTrips.shift()
    if (Number.isNaN(this.#mean)) {
      this.#mean = ms
      this.#deviation = ms / 2
      return
    }
    this.#deviation += (Math.abs(ms - this.#mean) - this.#deviation) / 4
    this.#mean += (ms - this.#mean) / 8
  }

  /** Lattice index that the server shows now, need not be whole; NaN before the first reading. */
  serverNow(): number {
    if (this.#rate === 0) return this.#index
    const delayMs = this.#roundTrips.length > 0 ? Math.min(...this.#roundTrips) / 2 : 0
    return Math.max(...this.#offsets) + this.#rate * (this.#clock.monotonicMs() + delayMs)
  }

  /** Quanta by which the clock leads the server's when it is right. */
  get lead(): number {
    if (!this.isLeading || this.#rate === 0 || Number.isNaN(this.#mean)) return 0
    const wayMs = this.#mean / 2 + 2 * this.#deviation
    return Math.min(LEAD_MAX, this.#rate * wayMs + MARGIN_QUANTA)
  }

  /** How long it stood when it was last read, until the server's clock reaches it [s]. */
  get waitSeconds(): number {
    return this.#waitMs / 1000
  }

  /** Lattice index to show now, need not be whole; NaN before the first reading. */
  now(): number {
    const nowMs = this.#clock.monotonicMs()
    const goal = this.serverNow() + this.lead
    const due = this.#rate * (nowMs - this.#shownMs)
    const behind = goal - (this.#shown + due)
    const leap = LEAP_MS * this.#rate
    // While the game stands, what is shown leads by game time.
    const leapBack = LEAP_BACK_MS * (this.#rate || QUANTA_PER_SECOND / 1000)
    this.#waitMs = 0
    if (!(behind < leap) || behind < -leapBack) this.#shown = goal
    else {
      const mustStand = behind < -leap
      if (mustStand && this.#rate > 0) this.#waitMs = -behind / this.#rate
      const most = mustStand ? due : SLEW * due
      this.#shown += due + Math.max(-most, Math.min(most, behind))
    }
    this.#shownMs = nowMs
    return this.#shown
  }
}
