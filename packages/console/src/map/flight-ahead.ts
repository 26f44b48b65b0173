/** Where the ship that is followed goes: a forecast of it, as a line about each body on its way. */
import {
  type Flight,
  type Forecast,
  type ShipSample,
  createShipSample,
} from '@orrery/client/flight'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import {
  createLine,
  cutLine,
  hoursOfInterest,
  LINE_VERTICES_MAX,
  NEAR_VERTICES,
  sampledLine,
  turnedBy,
  vector,
} from '@orrery/page-kit'
import type { MapPicture } from './map-picture.ts'

/** Between two looks at whether another forecast is due [ms]. */
const LOOK_MS = 1000

/** So long after a failure [ms]. */
const RETRY_MS = 5000

const REVOLUTIONS = 1.2

/** This share of a forecast is flown before the next one. */
const FLOWN_SHARE = 0.4

/** After so much of a line it is sampled again from the ship on [rad]. */
const SAMPLED_AGAIN = 2.5

const ahead = createLine(LINE_VERTICES_MAX + NEAR_VERTICES)
const place = vector()
const state = createShipSample()

export class FlightAhead {
  readonly #flight: Flight
  readonly #forecast: Signal<Forecast | null | undefined> = signal(undefined)
  #ship: string | undefined
  #line = createLine(0)
  #isWanted = false
  #isBusy = false
  #notBeforeMs = 0
  readonly #stops: readonly (() => void)[]

  constructor(flight: Flight) {
    this.#flight = flight
    const timer = setInterval(() => this.#look(), LOOK_MS)
    this.#stops = [
      () => clearInterval(timer),
      flight.world.on('changed', (ships) => {
        if (ships.some(({ id }) => id === this.#ship)) this.#isWanted = true
      }),
      flight.world.on('system', () => this.follow(undefined)),
    ]
  }

  /** undefined until it is made, null where none can be made now */
  get forecast(): ReadonlySignal<Forecast | null | undefined> {
    return this.#forecast
  }

  /** Makes forecasts of a ship from now on, or of none. */
  follow(ship: string | undefined): void {
    if (ship === this.#ship) return
    this.#ship = ship
    this.#forecast.value = undefined
    this.#isWanted = ship !== undefined
    this.#notBeforeMs = 0
    this.#look()
  }

  /** @param ship  as it is now */
  draw(picture: MapPicture, ship: ShipSample): void {
    const flown = this.#forecast.peek()
    const { time: now, colours, system } = picture.parts
    if (!flown || flown.systemId !== system.id || !(now >= flown.from && now < flown.to)) return
    if (turnedBy(this.#line, now) > SAMPLED_AGAIN) this.#sample(flown, now)
    cutLine(ahead, this.#line, { flown, ship, now })
    picture.stroke({ colour: colours.ahead, width: 1.5 }, (pen) => {
      let isJoined = false
      for (let i = 0; i < ahead.count; i++) {
        for (let k = 0; k < 3; k++) place[k] = ahead.positions[3 * i + k]
        const { x, y } = picture.place(ahead.bodies[i], place)
        if (isJoined) pen.lineTo(x, y)
        else pen.moveTo(x, y)
        isJoined = ahead.gaps[i] === 0 && ahead.bodies[i + 1] === ahead.bodies[i]
      }
    })
  }

  close(): void {
    for (const stop of this.#stops) stop()
  }

  #look(): void {
    const ship = this.#ship
    const now = this.#flight.clock.now()
    if (ship === undefined || this.#isBusy || performance.now() < this.#notBeforeMs) return
    const { from = NaN, to = NaN } = this.#forecast.peek() ?? {}
    const isOld = !(now - from < FLOWN_SHARE * (to - from))
    if ((this.#isWanted || isOld) && this.#flight.world.shipAt(state, ship, now)) {
      void this.#make(ship)
    }
  }

  async #make(ship: string): Promise<void> {
    this.#isBusy = true
    this.#isWanted = false
    const { gm } = this.#flight.world.system!.bodies[state.reference]
    const hours = hoursOfInterest({ position: state.r, velocity: state.v, gm }, REVOLUTIONS)
    try {
      const forecast = await this.#flight.forecast(ship, { hours })
      if (ship !== this.#ship) return
      this.#sample(forecast, forecast.from)
      this.#forecast.value = forecast
      this.#notBeforeMs = performance.now() + LOOK_MS
    } catch {
      // Without a forecast there is no line.
      if (ship === this.#ship) this.#forecast.value = null
      this.#notBeforeMs = performance.now() + RETRY_MS
      this.#isWanted = true
    } finally {
      this.#isBusy = false
      this.#look()
    }
  }

  #sample(flown: Forecast, from: number): void {
    const changes = flown.marks.filter(({ kind }) => kind === 'sphere').map(({ index }) => index)
    this.#line = sampledLine(flown, changes, from)
  }
}
