import {
  type Places,
  type SupposedOrder,
  type SystemMessage,
  controlOf,
  fieldSentence,
  predictionRequest,
} from '@orrery/protocol'
import {
  CONTROL_QUANTA,
  type CopiedOrder,
  type CopiedShip,
  type ForecastTarget,
  NODE_QUANTA,
  type NamedObject,
  type OrderPlaces,
  QUANTA_PER_SECOND,
  boundaryAtOrAfter,
  plainControl,
  writtenOrder,
} from '@orrery/sim'
import * as v from 'valibot'
import { ClientError } from '../client-error.ts'
import type { Address } from '../platform.ts'
import { type Forecast, joined, readForecast } from './forecast.ts'
import { ForecastCopies } from './forecast-copies.ts'
import { type ForecastThread, createForecastThread } from './forecast-thread.ts'
import { type ForecastPlace, earliestOf } from './forecast-place.ts'
import type { Scene } from '../scene/scene.ts'
import type { Seed } from '../pilot/seed-reading.ts'
import { createPlaces } from '../pilot/ship-places.ts'
import { receivedCopy } from './received-copy.ts'

/** Game hours that a forecast reaches at most: 16 days. */
const HOURS_MAX = 384

/** What a forecast is to show. */
export interface ForecastRequest {
  /** game time, above 0 and 384 at most */
  readonly hours: number
  /** as if they were given `after` so many seconds, and after those that wait; 16 at most */
  readonly orders?: readonly SupposedOrder[]
  /** of which every closest approach is marked */
  readonly target?: { readonly body: string } | NamedObject
  /** as if the ship had so much fuel [kg] */
  readonly fuel?: number
  /**
   * One of many while its one order, a plan, is changed: only the newest is flown. Beside another
   * draft it is as if asked at the same time, and flown from where the burns differ.
   */
  readonly draft?: true | Forecast
}

/** Where forecasts begin. */
interface Begin {
  readonly ship: CopiedShip
  /** lattice index at which it is known, and after which orders are given */
  readonly index: number
  readonly from: number
  readonly isKnown: boolean
}

/** What drafts have in common. */
interface Draft extends Begin {
  readonly number: number
  readonly place: ForecastPlace
  /** the first of them */
  readonly whole: Forecast
}

/** Flies ships of a scene ahead in a worker. */
export class Forecasts {
  readonly #scene: Scene
  readonly #places: Places & OrderPlaces
  readonly #thread: ForecastThread
  readonly #drafts = new WeakMap<Forecast, Draft>()
  #system: SystemMessage | undefined
  #entered = 0
  #draftsBegun = 0

  /** @param file  address of the worker's file; beside this one when left out */
  constructor(scene: Scene, file?: Address) {
    this.#scene = scene
    this.#places = createPlaces(scene)
    this.#thread = createForecastThread(file)
  }

  /** Takes up another star system. */
  enter(system: SystemMessage): void {
    this.#system = system
    this.#entered++
  }

  /**
   * Makes the massive bodies ready, so that the first forecast need not wait for them.
   *
   * @param index  lattice index that forecasts will begin at or after
   */
  prepare(index: number): void {
    const place = this.#placeAt(index)
    if (place) this.#thread.prepare({ place, index })
  }

  /**
   * @param id    of the ship
   * @param now   lattice index at which it is asked
   * @param own   the ship, when its whole state is known; it coasts when left out
   * @throws {ClientError} E001 or E002 for what cannot be asked, 'forecast' when nothing is
   *   known of the ship yet or the worker fails, 'closed' after `close`
   */
  async forecast(id: string, request: ForecastRequest, now: number, own?: Seed): Promise<Forecast> {
    const { hours, orders = [], target, fuel, draft } = request
    if (!(hours > 0 && hours <= HOURS_MAX)) throw bad(`hours must be above 0, ${HOURS_MAX} at most`)
    const known = draft === true || !draft ? undefined : this.#drafts.get(draft)
    const begin = known ?? this.#begin(id, fuel, now, own)
    const { ship, index, from } = begin
    const copies = new ForecastCopies(this.#scene, ship, index)
    const supposed = this.#supposed(ship, orders, from, copies)
    const isExact = begin.isKnown && copies.isAlone
    const aim = this.#targetOf(target, copies)
    const flying = copies.withOrders(supposed)
    const place = known?.place ?? this.#placeAt(earliestOf({ copies: flying, index }))
    if (!place) throw unknown('the massive bodies')
    const isDraft = draft && orders.length === 1 && flying.length === 1
    const number = isDraft ? (known?.number ?? ++this.#draftsBegun) : undefined
    const flown = await this.#thread.forecast({
      place,
      index,
      until: from + 3600 * hours * QUANTA_PER_SECOND,
      target: aim,
      copies: flying,
      draft: number,
    })
    const read = readForecast(flown, place.system, isExact)
    const forecast = known && flown.from > index ? joined(known.whole, read) : read
    if (number !== undefined) {
      this.#drafts.set(forecast, { ...begin, number, place, whole: known?.whole ?? forecast })
    }
    return forecast
  }

  close(): void {
    this.#thread.close()
  }

  #begin(id: string, fuel: number | undefined, now: number, own: Seed | undefined): Begin {
    const received = own ? undefined : this.#received(id, now)
    const ship = fuelled(own?.ship ?? received, fuel)
    // Steps that are received may end before the time of the server is known to have come so far.
    const index = own?.index ?? Math.min(now, (received?.columns['stepEnd'][0] ?? NaN) - 1)
    if (!ship || Number.isNaN(index)) throw unknown('the ship')
    const isKnown = own !== undefined && fuel === undefined
    return { ship: { ...ship, shipId: id }, index, from: Math.max(now, index), isKnown }
  }

  #received(id: string, time: number): CopiedShip | undefined {
    const ship = this.#scene.ship(id)
    return ship && receivedCopy(this.#scene, ship, 0, time)
  }

  #placeAt(index: number): ForecastPlace | undefined {
    // NaN before the clock is known.
    if (!this.#system || Number.isNaN(index)) return undefined
    const start = this.#scene.bodies?.stateBefore(Math.floor(index / NODE_QUANTA) - 2)
    if (!start) return undefined
    const { home, system } = this.#system
    const spheres = this.#system.spheres.map((radius) => radius ?? Infinity)
    const objects = this.#scene.rails().map(({ row, rail }) => ({ row, rail }))
    const { classes } = this.#scene
    return { entered: this.#entered, system, classes, home, spheres, start, objects }
  }

  /** When supposed orders act: as if given now or later, and after those that wait. */
  #supposed(
    ship: CopiedShip,
    orders: readonly SupposedOrder[],
    now: number,
    copies: ForecastCopies,
  ): CopiedOrder[] {
    const { issues } = v.safeParse(predictionRequest, { hours: 1, orders })
    if (issues) throw bad(fieldSentence(issues[0]))
    const places = {
      ...this.#places,
      ship: (id: string, field: string) => this.#numberOf(id, field, copies),
      slotOf: (shipNumber: number) => copies.slotOf(shipNumber),
    }
    let last = Math.max(0, ...ship.orders.map((order) => order.index))
    const sequence = Math.max(0, ...ship.orders.map((order) => order.sequence))
    return orders.map(({ after = 0, order }, i) => {
      const given = boundaryAtOrAfter(now + 1 + after * QUANTA_PER_SECOND, CONTROL_QUANTA)
      last = Math.max(last, given)
      const row = writtenOrder(plainControl(controlOf(order, places)), places)
      return { index: last, sequence: sequence + 1 + i, order: row }
    })
  }

  #targetOf(target: ForecastRequest['target'], copies: ForecastCopies): ForecastTarget | undefined {
    if (!target) return undefined
    const places = this.#places
    if ('body' in target) return { body: places.body(target.body, 'target.body') }
    if ('shipId' in target) {
      const slot = copies.slotOf(this.#numberOf(target.shipId, 'target.shipId', copies))
      return { slot, name: target }
    }
    const id =
      'stationId' in target
        ? places.anchorage(target.stationId, 'target.stationId')
        : places.jumpgate(target.jumpgateId, 'target.jumpgateId')
    return { row: places.railOf(id), name: target }
  }

  /** Number of another ship that is copied. */
  #numberOf(id: string, field: string, copies: ForecastCopies): number {
    const number = this.#scene.ship(id.toLowerCase())?.number
    if (number === copies.own) throw bad(`${field} names the ship itself`)
    if (number !== undefined && copies.slotOf(number) >= 0) return number
    throw new ClientError('E002', `${field} names a ship that is out of view`)
  }
}

function fuelled(ship: CopiedShip | undefined, fuel: number | undefined): CopiedShip | undefined {
  if (!ship || fuel === undefined) return ship
  return { ...ship, columns: { ...ship.columns, fuel: Float64Array.of(fuel) } }
}

function unknown(what: string): ClientError {
  return new ClientError('forecast', `Nothing is known of ${what} yet`)
}

function bad(message: string): ClientError {
  return new ClientError('E001', message)
}
