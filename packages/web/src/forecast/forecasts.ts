/** What the own ship will fly, kept up to date. */
import { type ReadonlySignal, type Signal, computed, effect, signal } from '@preact/signals'
import type { Flight, Forecast } from '@orrery/client/flight'
import { flightsAhead } from './flight-ahead.ts'
import { isLast, isOffCourse } from './off-course.ts'
import { type MarkContext, type NextMark, nextMarks } from './next-marks.ts'
import type { Session } from '../session/session.ts'
import type { ManeuverState } from '../orders/ship-doing.ts'
import { isTurn } from '../orders/turns.ts'
import { type Thing, isSame } from '../readings/thing.ts'

export interface OwnForecast {
  readonly forecast: Forecast
  /** another one is being made, since the ship flies another way */
  readonly isStale: boolean
}

export interface Forecasts {
  /** undefined before the first one and without a session */
  readonly own: ReadonlySignal<OwnForecast | undefined>
  /** the next ones on the way, by rising time */
  readonly marks: ReadonlySignal<readonly NextMark[]>
  /** key of the mark that is pointed at */
  readonly pointed: Signal<string | undefined>
  /** how far ahead they reach, chosen by the player [h]; undefined: by the orbit */
  readonly hours: Signal<number | undefined>
}

export interface ForecastsOptions {
  readonly session: ReadonlySignal<Session | undefined>
  readonly target: ReadonlySignal<Thing | undefined>
  /** the one under way */
  readonly maneuver: ReadonlySignal<ManeuverState | undefined>
}

/** Between two looks at whether another one is needed [ms]. */
const LOOK_MS = 250

/** After a failure [ms]. */
const RETRY_MS = 2000

/** Lattice indices per hour. */
const PER_HOUR = 64 * 3600

/** So much of a forecast is flown before it is made again. */
const FLOWN_SHARE = 0.4

/** Keeps a forecast of the ship of each session; at most one is made at a time. */
export function createForecasts({ session, target, maneuver }: ForecastsOptions): Forecasts {
  const own = signal<OwnForecast | undefined>(undefined)
  const hours = signal<number | undefined>(undefined)
  const now = signal(NaN)
  const marks = computed(() => {
    const { flight } = session.value ?? {}
    if (!flight || !own.value) return []
    return nextMarks(own.value.forecast, { now: now.value, ...namesOf(flight) })
  })
  const isManeuvering = computed(() => {
    const { value: one } = maneuver
    return one !== undefined && !isTurn(one.maneuver) && one.phase !== 'holding'
  })
  effect(() => {
    const { value } = session
    if (!value) return undefined
    const keeper = new Keeper(value, own, { hours, target, isManeuvering, now })
    return () => keeper.close()
  })
  return { own, marks, pointed: signal(undefined), hours }
}

/** What marks are called by. */
export function namesOf({ world }: Flight): Pick<MarkContext, 'radiusOf' | 'nameOf'> {
  return {
    radiusOf: (body) => world.system?.bodies.find(({ name }) => name === body)?.radius ?? NaN,
    nameOf: (id) => {
      const named = [...world.objects(), ...world.rows()].find((one) => one.id === id)
      return (world.ship(id) ?? named)?.name ?? id
    },
  }
}

interface Wishes extends Pick<ForecastsOptions, 'target'> {
  readonly hours: Signal<number | undefined>
  /** a maneuver is under way that will end, and changes the orbit */
  readonly isManeuvering: ReadonlySignal<boolean>
  /** lattice index, written at each look */
  readonly now: Signal<number>
}

class Keeper {
  readonly #session: Session
  readonly #own: Signal<OwnForecast | undefined>
  readonly #wishes: Wishes
  readonly #stops: (() => void)[]
  #isWanted = true
  #isBusy = false
  #isClosed = false
  #notBeforeMs = -Infinity
  /** the target of the last forecast that was asked for */
  #target: Thing | undefined

  constructor(session: Session, own: Signal<OwnForecast | undefined>, wishes: Wishes) {
    this.#session = session
    this.#own = own
    this.#wishes = wishes
    const { socket, flight } = session
    const again = (): void => this.#want()
    const timer = setInterval(() => this.#look(), LOOK_MS)
    this.#stops = [
      () => clearInterval(timer),
      socket.on('accepted', again),
      socket.on('event', again),
      flight.ship.on('corrected', again),
      flight.ship.on('mode', again),
      flight.world.on('objects', again),
      flight.world.on('system', () => {
        own.value = undefined
        again()
      }),
      wishes.hours.subscribe(again),
      wishes.isManeuvering.subscribe(again),
    ]
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#stops) stop()
    this.#own.value = undefined
  }

  #want(): void {
    this.#isWanted = true
    const { value } = this.#own
    if (value && !value.isStale) this.#own.value = { ...value, isStale: true }
  }

  #look(): void {
    this.#wishes.now.value = this.#session.flight.clock.now()
    if (!isSame(this.#target, this.#wishes.target.value)) this.#isWanted = true
    const { value: shown } = this.#own
    if (shown && isOffCourse(this.#session.flight, shown.forecast)) this.#want()
    if (!this.#isWanted && !this.#isOld()) return
    if (this.#isBusy || document.hidden || performance.now() < this.#notBeforeMs) return
    void this.#make()
  }

  async #make(): Promise<void> {
    this.#isBusy = true
    this.#isWanted = false
    const hours = this.#wishes.hours.value
    const target = this.#wishes.target.value
    this.#target = target
    const hasManeuver = this.#wishes.isManeuvering.value
    const atLeast = hasManeuver ? this.#hoursLeft() : 0
    const isFirst = this.#own.value === undefined
    try {
      const options = { hours, target, hasManeuver, atLeast }
      for await (const forecast of flightsAhead(this.#session, options)) {
        if (this.#isClosed || forecast.systemId !== this.#session.flight.world.system?.id) return
        this.#own.value = { forecast, isStale: this.#isWanted }
        if (this.#isWanted) return
      }
      if (isFirst) this.#session.flight.prepareForecasts()
    } catch {
      // Shown is what is known: without a forecast, no line.
      this.#isWanted = true
      this.#notBeforeMs = performance.now() + RETRY_MS
    } finally {
      this.#isBusy = false
    }
  }

  /** How far the forecast that is shown still reaches. */
  #hoursLeft(): number {
    const { to = -Infinity } = this.#own.value?.forecast ?? {}
    return (to - this.#session.flight.clock.now()) / PER_HOUR
  }

  #isOld(): boolean {
    const forecast = this.#own.value?.forecast
    if (!forecast || isLast(forecast)) return false
    const passed = this.#session.flight.clock.now() - forecast.from
    return passed > FLOWN_SHARE * (forecast.to - forecast.from)
  }
}
