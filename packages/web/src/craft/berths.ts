/** Where docked ships stand: the server has them at the middle of their station. */
import { attitudeAlong, turned } from '../space/attitude.ts'
import { cross, fill, vector, type Vector } from '@orrery/page-kit'
import { BERTHS, BERTH_REACH, berthOf } from './station-model.ts'

/** A ship that is so near to the middle of a station is docked at it [m]. */
const DOCKED = 0.5

interface Station {
  readonly position: Vector
  readonly attitude: Float64Array
  readonly scale: number
}

/** A ship in its berth. */
interface Moored {
  readonly berth: number
  /** from where the server has it [m] */
  readonly offset: Vector
  isSeen: boolean
}

export class Berths {
  /** stations near the camera, and how many there are */
  readonly #stations: Station[] = []
  #count = 0
  /** by the id of the ship */
  readonly #moored = new Map<string, Moored>()
  readonly #axis = vector()
  readonly #outward = vector()
  readonly #across = vector()

  /** Begins a picture: ships that were not moored in the last one have left. */
  clear(): void {
    this.#count = 0
    for (const [id, moored] of this.#moored) {
      if (!moored.isSeen) this.#moored.delete(id)
      moored.isSeen = false
    }
  }

  /** @param position  from the camera [m]; both are read until `clear` */
  open(position: Vector, attitude: Float64Array, scale: number): void {
    this.#stations[this.#count++] = { position, attitude, scale }
  }

  /**
   * Moves a ship that is docked to its berth.
   *
   * @param position  from the camera [m]
   * @returns false when it is not docked, and nothing is written
   */
  moor(position: Vector, attitude: Float64Array, id: string): boolean {
    for (let i = 0; i < this.#count; i++) {
      const station = this.#stations[i]
      let square = 0
      for (let axis = 0; axis < 3; axis++) square += (position[axis] - station.position[axis]) ** 2
      if (square > DOCKED * DOCKED) continue
      this.#stand(position, attitude, { id, station })
      return true
    }
    return false
  }

  /** From the place that the server has of a docked ship to its berth [m]. */
  offsetOf(id: string): Vector | undefined {
    return this.#moored.get(id)?.offset
  }

  #stand(
    position: Vector,
    attitude: Float64Array,
    { id, station }: { readonly id: string; readonly station: Station },
  ): void {
    const { berth, offset } = this.#berthOf(id)
    const { z, angle } = berthOf(berth)
    turned(this.#axis, station.attitude, fill(this.#axis, 0, 0, 1))
    const outward = fill(this.#outward, Math.cos(angle), Math.sin(angle), 0)
    turned(outward, station.attitude, outward)
    for (let axis = 0; axis < 3; axis++) {
      offset[axis] = station.scale * (z * this.#axis[axis] + BERTH_REACH * outward[axis])
      position[axis] += offset[axis]
    }
    // Its nose is at the spine, its wings are along it.
    attitudeAlong(attitude, cross(this.#across, this.#axis, outward), this.#axis)
  }

  /** A ship keeps its berth; those that come find a free one while there is any. */
  #berthOf(id: string): Moored {
    let moored = this.#moored.get(id)
    if (!moored) {
      const taken = new Set([...this.#moored.values()].map(({ berth }) => berth))
      let berth = Number.parseInt(id.slice(0, 4), 16) % BERTHS || 0
      for (let tries = 0; tries < BERTHS && taken.has(berth); tries++) berth = (berth + 1) % BERTHS
      moored = { berth, offset: vector(), isSeen: true }
      this.#moored.set(id, moored)
    }
    moored.isSeen = true
    return moored
  }
}
