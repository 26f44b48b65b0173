import { type SupposedOrder, type SystemMessage, controlOf } from '@orrery/protocol'
import {
  CHUNK_SLOTS,
  CONTROL_QUANTA,
  type CopiedOrder,
  type CopiedShip,
  type ForecastTarget,
  NODE_QUANTA,
  type NamedObject,
  QUANTA_PER_SECOND,
  boundaryAtOrAfter,
  writtenOrder,
} from '@orrery/sim'
import { ClientError } from '../client-error.ts'
import { type Forecast, readForecast } from './forecast.ts'
import { type ForecastThread, createForecastThread } from './forecast-thread.ts'
import type { ForecastPlace } from './forecaster.ts'
import type { Scene } from './scene.ts'
import { placesOf } from './scene-places.ts'
import type { Seed } from './seed.ts'
import { toldCopy } from './told-copy.ts'

/** Game hours that a forecast reaches at most: 16 days. */
const HOURS_MAX = 384

/** Orders that it supposes at most. */
const ORDERS_MAX = 16

/** What a forecast is to show. */
export interface ForecastRequest {
  /** game time, above 0 and 384 at most */
  readonly hours: number
  /** as if they were given `after` so many seconds, and after those that wait; 16 at most */
  readonly orders?: readonly SupposedOrder[]
  /** of which every closest approach is marked */
  readonly target?: { readonly body: string } | NamedObject
}

/** Flies ships of a scene ahead in a worker. */
export class Forecasts {
  readonly #scene: Scene
  readonly #thread: ForecastThread
  #system: SystemMessage | undefined
  #entered = 0

  /** @param file  address of the worker's file; beside this one when left out */
  constructor(scene: Scene, file?: URL) {
    this.#scene = scene
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
   * @throws {ClientError} E001 for what cannot be asked, 'forecast' when nothing is known of the
   *   ship yet or the worker fails, 'closed' after `close`
   */
  async forecast(
    id: string,
    { hours, orders = [], target }: ForecastRequest,
    now: number,
    own?: Seed,
  ): Promise<Forecast> {
    if (!(hours > 0 && hours <= HOURS_MAX)) throw bad(`hours must be above 0, ${HOURS_MAX} at most`)
    const scene = this.#scene
    const index = own?.index ?? now
    const place = this.#placeAt(index)
    const ship = own?.ship ?? this.#told(id, 0, index)
    if (!place || !ship) throw new ClientError('forecast', `Nothing is known of the ship ${id} yet`)
    const copies = [ship]
    const also = (number: number): CopiedShip | undefined => {
      const known = copies.find((copy) => copy.number === number)
      if (known) return known
      const other = scene.ships().find((one) => one.number === number)
      // Slots of the same chunk: each begins at a multiple of its ships.
      const chunk = ship.slot - (ship.slot % CHUNK_SLOTS)
      const slot = chunk + ((ship.slot + copies.length) % CHUNK_SLOTS)
      const copy = other && this.#told(other.id, slot, index)
      if (copy) copies.push(copy)
      return copy
    }
    const supposed = this.#supposed(ship, orders, Math.max(now, index), also)
    const isExact = own !== undefined && copies.length === 1
    const flown = await this.#thread.forecast({
      place,
      index,
      until: Math.max(now, index) + 3600 * hours * QUANTA_PER_SECOND,
      target: this.#targetOf(target, also),
      copies: [{ ...ship, shipId: id, orders: [...ship.orders, ...supposed] }, ...copies.slice(1)],
    })
    return readForecast(flown, place.system, isExact)
  }

  close(): void {
    this.#thread.close()
  }

  #told(id: string, slot: number, index: number): CopiedShip | undefined {
    const known = this.#scene.ship(id)
    return known && toldCopy(this.#scene.told, known, slot, index)
  }

  #placeAt(index: number): ForecastPlace | undefined {
    const start = this.#scene.bodies?.stateBefore(Math.floor(index / NODE_QUANTA) - 2)
    if (!this.#system || !start) return undefined
    const { home, system } = this.#system
    const spheres = this.#system.spheres.map((radius) => radius ?? Infinity)
    const objects = this.#scene.objects().map(({ row, rail }) => ({ row, rail }))
    return { entered: this.#entered, system, home, spheres, start, objects }
  }

  /** When supposed orders act: as if given now or later, and after those that wait. */
  #supposed(
    ship: CopiedShip,
    orders: readonly SupposedOrder[],
    now: number,
    also: (shipNumber: number) => CopiedShip | undefined,
  ): CopiedOrder[] {
    if (orders.length > ORDERS_MAX) throw bad(`orders must be ${ORDERS_MAX} at most`)
    const places = placesOf(this.#scene)
    const rows = {
      slotOf: (shipNumber: number) => also(shipNumber)?.slot ?? -1,
      railOf: (id: string) => this.#scene.objects().find((one) => one.id === id)?.row ?? -1,
    }
    let last = Math.max(0, ...ship.orders.map((order) => order.index))
    const sequence = Math.max(0, ...ship.orders.map((order) => order.sequence))
    return orders.map(({ after = 0, order }, i) => {
      if (!(after >= 0)) throw bad('after must be a number of seconds, 0 or more')
      const given = boundaryAtOrAfter(now + 1 + after * QUANTA_PER_SECOND, CONTROL_QUANTA)
      last = Math.max(last, given)
      const row = writtenOrder(controlOf(order, places), rows)
      return { index: last, sequence: sequence + 1 + i, order: row }
    })
  }

  #targetOf(
    target: ForecastRequest['target'],
    also: (shipNumber: number) => CopiedShip | undefined,
  ): ForecastTarget | undefined {
    if (!target) return undefined
    const places = placesOf(this.#scene)
    if ('body' in target) return { body: places.body(target.body) }
    if ('shipId' in target) {
      const copy = also(places.ship(target.shipId))
      if (!copy) throw bad(`Nothing is known of the ship ${target.shipId} yet`)
      return { slot: copy.slot, name: target }
    }
    const id =
      'stationId' in target ? places.station(target.stationId) : places.jumpgate(target.jumpgateId)
    return { row: this.#scene.objects().find((object) => object.id === id)!.row, name: target }
  }
}

function bad(message: string): ClientError {
  return new ClientError('E001', message)
}
