import { CONTROL_QUANTA, QUANTA_PER_SECOND } from '@orrery/sim'
import type { ClientClock } from '../client-clock.ts'

/** Readings that are kept; the quickest counts. */
const READINGS_MAX = 16

/** The clock runs by so much of its rate faster or slower until it is right. */
const SLEW = 0.1

/** When it lags by more [ms], it leaps; when it leads by more, it stands. */
const LEAP_MS = 250

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
 * The game's clock as it is shown: it never runs backwards within an era, and leads the server's
 * by what an order takes to get there.
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
  /** of round trips [ms]: the quickest, the mean, the mean deviation; NaN before the first */
  #quickest = Infinity
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
    if (rate !== this.#rate || era !== this.#era) this.#offsets.fill(-Infinity)
    this.#rate = rate
    this.#era = era
    this.#index = index
    this.#offsets[this.#readings++ % READINGS_MAX] = index - rate * this.#clock.monotonicMs()
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
    this.#quickest = Math.min(this.#quickest, ms)
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
    const delayMs = this.#quickest < Infinity ? this.#quickest / 2 : 0
    return Math.max(...this.#offsets) + this.#rate * (this.#clock.monotonicMs() + delayMs)
  }

  /** Quanta by which the clock leads the server's when it is right. */
  get lead(): number {
    if (!this.isLeading || this.#rate === 0 || Number.isNaN(this.#mean)) return 0
    const wayMs = this.#mean / 2 + 2 * this.#deviation
    return Math.min(LEAD_MAX, this.#rate * wayMs + MARGIN_QUANTA)
  }

  /** Lattice index to show now, need not be whole; NaN before the first reading. */
  now(): number {
    const nowMs = this.#clock.monotonicMs()
    const goal = this.serverNow() + this.lead
    const due = this.#rate * (nowMs - this.#shownMs)
    const behind = goal - (this.#shown + due)
    const leap = LEAP_MS * this.#rate
    if (!(behind < leap)) this.#shown = goal
    else {
      const most = behind < -leap ? due : SLEW * due
      this.#shown += due + Math.max(-most, Math.min(most, behind))
    }
    this.#shownMs = nowMs
    return this.#shown
  }
}
