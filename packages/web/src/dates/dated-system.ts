/** A star system at another date than the present. */
import type { Almanac } from '@orrery/client/almanac'
import type { Flight } from '@orrery/client/flight'
import { BodyChain } from '@orrery/page-kit'
import type { SceneBody } from '../scene/scene-body.ts'
import type { PastLook } from '../past/past-look.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import { type ForecastNow, datedFlight, latticeOf } from './dated-flight.ts'

/** A page that was in the background does not leap [ms]. */
const FRAME_MS_MAX = 250

/** So often the picture changes for those who want little motion [ms]. */
const CALM_MS = 1000

export class DatedSystem implements Surroundings {
  readonly live: Surroundings
  readonly id: string
  readonly name: string
  readonly home: number
  readonly bodies: readonly SceneBody[]
  readonly chain: BodyChain
  readonly velocities: Float64Array
  readonly flight: Flight | undefined
  /** game seconds per second, negative towards the past; 0 while it stands */
  pace = 0
  /** the date changes at once again: its bodies need not be as exact */
  isRough = false
  /** the picture changes seldom */
  isCalm = false
  readonly #almanac: Almanac
  readonly #past: PastLook | undefined
  /** shown or, while that is not known, to be shown [Unix ms] */
  #wantedMs: number
  #shownMs: number
  /** to a date that is not shown yet */
  #isGoing = false
  #lastMs = NaN

  /**
   * @param ms    is known to the almanac
   * @param past  whose ships are shown in place of the own one
   */
  constructor(
    live: Surroundings,
    almanac: Almanac,
    ms: number,
    forecast: ForecastNow,
    past?: PastLook,
  ) {
    const { id, name, home, bodies } = live
    this.live = live
    this.id = id
    this.name = name
    this.home = home
    this.bodies = bodies
    this.chain = new BodyChain(bodies.map(({ parent }) => parent))
    this.velocities = new Float64Array(3 * bodies.length)
    this.#almanac = almanac
    this.#wantedMs = ms
    this.#shownMs = ms
    almanac.statesAt(this.chain.relative, this.velocities, ms)
    const flight = live.flight && datedFlight(live.flight, this, almanac, forecast)
    this.flight = past && flight ? past.flight(flight, this) : flight
    this.#past = past
  }

  get craft(): Flight | undefined {
    return this.flight
  }

  get time(): number {
    return this.flight ? latticeOf(this.flight, this.#shownMs) : NaN
  }

  get date(): number {
    return this.#shownMs
  }

  get wantedMs(): number {
    return this.#wantedMs
  }

  get scale(): number {
    return this.pace
  }

  /** Whether it stands at the first or last date of the almanac. */
  get isAtEnd(): boolean {
    const { fromMs, untilMs } = this.#almanac
    return this.#wantedMs === (this.pace < 0 ? fromMs : untilMs)
  }

  /** Whether the date that is wanted is still being computed. */
  get isWaiting(): boolean {
    return this.#shownMs !== this.#wantedMs
  }

  /** Shows another date as soon as it is known. */
  go(ms: number): void {
    this.#wantedMs = ms
    this.#isGoing = true
  }

  advance(atMs: number): number {
    const passed = atMs - this.#lastMs
    if (this.isCalm && this.pace !== 0 && passed < CALM_MS) return this.#shownMs
    this.#lastMs = atMs
    const { fromMs, untilMs } = this.#almanac
    // What plays waits for what is computed.
    const from = this.pace === 0 || this.#isGoing ? this.#wantedMs : this.#shownMs
    const by = this.pace * (Math.min(passed, this.isCalm ? CALM_MS : FRAME_MS_MAX) || 0)
    const next = Math.min(Math.max(from + by, fromMs), untilMs)
    this.#almanac.want({ ms: next, pace: this.pace, ...(this.isRough && { isRough: true }) })
    this.#wantedMs = next
    if (!this.#almanac.statesAt(this.chain.relative, this.velocities, next)) return this.#shownMs
    this.#isGoing = false
    this.#shownMs = next
    this.#past?.want(next, this.pace)
    return next
  }

  close(): void {
    // The almanac stays for the next date.
  }
}
