/** Where all ships are from the camera, and which are the nearest. */
import type { Ship } from '@orrery/client/flight'
import { Nearest } from '../space/nearest.ts'
import { addScaled, length, vector, type Vector } from '@orrery/page-kit'
import type { Frame, Lens } from '../scene/frame.ts'
import type { CraftWorld } from '../scene/surroundings.ts'

/** Ships that may have models and names. */
const NEAREST = 64

/** A ship that is far moves along its velocity, and is placed again once in so many frames. */
const ROUND = 16

/** So far such a ship may be drawn from where it is [px]. */
const TOLERANCE = 0.2

/** Few ships turn faster from their velocity [m/s²]: close to a giant planet. */
const ACCELERATION_MAX = 30

/** Few ships are faster about a body [m/s]. */
const SPEED_MAX = 1e5

const QUANTA_PER_SECOND = 64

export class ShipPlaces {
  readonly nearest: Nearest = new Nearest(NEAREST)
  /** ships in the order of `world.ships` */
  count = 0
  /** from the camera, triples [m]; NaN where one is not known */
  values: Float64Array = new Float64Array(0)
  /** triples [m/s], relative to the camera's body */
  #velocities = new Float64Array(0)
  /** states that are read at once */
  #states = new Float64Array(0)
  #indices = new Uint32Array(0)
  /** whose places these are: the last ship takes the index of one that leaves */
  readonly #ships: Ship[] = []
  /** by index, 1 for a ship within `#reach` */
  isNear: Uint8Array = new Uint8Array(0)
  /** of the images of all others since the picture before, at most [px] */
  pace: number = Infinity
  #reach = Infinity
  #hasVelocities = false
  #round = 0
  #body = -1
  #time = NaN
  readonly #offset = vector()
  readonly #moved = vector()

  /** Places all ships. */
  update({ camera, surroundings, time }: Frame, { focal }: Lens, world: ShipStates): void {
    const ships = world.ships()
    const seconds = (time - this.#time) / QUANTA_PER_SECOND
    addScaled(this.#moved, camera.offset, this.#offset, -1)
    const isKept = camera.body === this.#body && ships.length <= this.isNear.length
    const isSteady = isKept && this.#isSteady(seconds, focal)
    const way = SPEED_MAX * seconds + length(this.#moved)
    this.pace = isSteady && this.#hasVelocities ? (focal * way) / this.#reach : Infinity
    this.count = ships.length
    this.#ships.length = Math.min(this.#ships.length, ships.length)
    this.#body = camera.body
    this.#time = time
    this.#offset.set(camera.offset)
    this.#makeRoom()
    this.nearest.clear()
    const { name } = surroundings.bodies[camera.body]
    if (isSteady) {
      const due = this.#hasVelocities ? this.#advance(ships, seconds) : this.#all(ships)
      this.#read(due, world, time, name)
    } else {
      world.positionsAt(this.values, time, name)
      this.#subtractOffset()
    }
    this.#hasVelocities = isSteady
    this.#reach = 2 * Math.sqrt(this.nearest.limit)
  }

  /** Writes where a ship is from the camera [m]. */
  placeOf(out: Vector, index: number): void {
    for (let axis = 0; axis < 3; axis++) out[axis] = this.values[3 * index + axis]
  }

  /** Moves a ship that stands in a berth. */
  moveTo(index: number, place: Vector): void {
    this.values.set(place, 3 * index)
  }

  #makeRoom(): void {
    if (this.isNear.length >= this.count) return
    const room = Math.ceil(this.count * 1.25)
    this.values = new Float64Array(3 * room)
    this.#velocities = new Float64Array(3 * room)
    this.#states = new Float64Array(6 * room)
    this.#indices = new Uint32Array(room)
    this.isNear = new Uint8Array(room)
  }

  /** Whether ships beyond the reach stay near enough to the lines of their velocities. */
  #isSteady(seconds: number, focal: number): boolean {
    const bend = 0.5 * ACCELERATION_MAX * (ROUND * seconds) ** 2
    const isStraight = bend * focal < TOLERANCE * this.#reach
    return seconds >= 0 && isStraight && length(this.#moved) < this.#reach / 4
  }

  /**
   * Moves ships along their velocities, and returns those whose states have to be read: what is
   * near or new, and a part of the others.
   */
  #advance(ships: readonly Ship[], seconds: number): Uint32Array {
    const { values, count } = this
    const velocities = this.#velocities
    const isNear = this.isNear
    const known = this.#ships
    const [mx, my, mz] = this.#moved
    this.#round = (this.#round + 1) % ROUND
    const begin = Math.floor((count * this.#round) / ROUND)
    const end = Math.floor((count * (this.#round + 1)) / ROUND)
    let due = 0
    for (let i = 0, at = 0; i < count; i++, at += 3) {
      if (isNear[i] === 1 || (i >= begin && i < end) || ships[i] !== known[i]) {
        if (ships[i] !== known[i]) this.pace = Infinity
        known[i] = ships[i]
        this.#indices[due++] = i
        continue
      }
      values[at] += velocities[at] * seconds - mx
      values[at + 1] += velocities[at + 1] * seconds - my
      values[at + 2] += velocities[at + 2] * seconds - mz
      this.#measure(i)
    }
    return this.#indices.subarray(0, due)
  }

  #all(ships: readonly Ship[]): Uint32Array {
    for (let i = 0; i < this.count; i++) {
      this.#ships[i] = ships[i]
      this.#indices[i] = i
    }
    return this.#indices.subarray(0, this.count)
  }

  #read(indices: Uint32Array, world: ShipStates, time: number, body: string): void {
    const states = this.#states
    world.statesAt(states, indices, time, body)
    for (let k = 0; k < indices.length; k++) {
      const i = indices[k]
      for (let axis = 0; axis < 3; axis++) {
        this.values[3 * i + axis] = states[6 * k + axis] - this.#offset[axis]
        this.#velocities[3 * i + axis] = states[6 * k + 3 + axis]
      }
      this.#measure(i)
    }
  }

  #subtractOffset(): void {
    const [ox, oy, oz] = this.#offset
    for (let i = 0; i < this.count; i++) {
      this.values[3 * i] -= ox
      this.values[3 * i + 1] -= oy
      this.values[3 * i + 2] -= oz
      this.#measure(i)
    }
  }

  /** Notes whether a ship is among the nearest, and within the reach of the next frame. */
  #measure(i: number): void {
    const { nearest, values } = this
    const x = values[3 * i]
    const y = values[3 * i + 1]
    const z = values[3 * i + 2]
    const square = x * x + y * y + z * z
    this.isNear[i] = square < this.#reach ** 2 ? 1 : 0
    if (square < nearest.limit) nearest.offer(i, square)
  }
}

type ShipStates = Pick<CraftWorld, 'ships' | 'positionsAt' | 'statesAt'>
