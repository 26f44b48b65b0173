import { CHUNK_SLOTS, type CopiedOrder, type CopiedShip } from '@orrery/sim'
import type { Scene } from '../scene/scene.ts'
import { receivedCopy } from './received-copy.ts'

/** The ship of a forecast, and copies of received ones that it watches or comes near. */
export class ForecastCopies {
  readonly #scene: Scene
  readonly #index: number
  readonly #ships: CopiedShip[]

  /** @param index  at which they stand */
  constructor(scene: Scene, ship: CopiedShip, index: number) {
    this.#scene = scene
    this.#index = index
    this.#ships = [ship]
  }

  /** number of the ship itself */
  get own(): number {
    return this.#ships[0].number
  }

  /** whether there is none but the ship itself */
  get isAlone(): boolean {
    return this.#ships.length === 1
  }

  /** The slot of a ship, which is copied when it was not yet; -1 when nothing is known of it. */
  slotOf(shipNumber: number): number {
    const known = this.#ships.find(({ number }) => number === shipNumber)
    if (known) return known.slot
    const ship = this.#scene.ships().find(({ number }) => number === shipNumber)
    const own = this.#ships[0].slot
    // All in one chunk, which has no other ships.
    const place = (own + this.#ships.length) % CHUNK_SLOTS
    const slot = own - (own % CHUNK_SLOTS) + place
    const copy = ship && receivedCopy(this.#scene, ship, slot, this.#index)
    if (!copy) return -1
    this.#ships.push(copy)
    return slot
  }

  /** All, with further orders of the first. */
  withOrders(orders: readonly CopiedOrder[]): CopiedShip[] {
    const [ship, ...others] = this.#ships
    return [{ ...ship, orders: [...ship.orders, ...orders] }, ...others]
  }
}
