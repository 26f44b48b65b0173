/** Where all ships are from the camera, and which are the nearest. */
import type { Ship, World } from '@orrery/client/flight'
import { Nearest } from '../space/nearest.ts'
import { type Vector, addScaled, length, vector } from '../space/vector.ts'
import type { Frame, Lens } from './frame.ts'

/** Ships that may have models and names. */
const NEAREST = 64

/** A ship that is far moves along its velocity, and is placed anew once in so many frames. */
const ROUND = 16

/** So far such a ship may be drawn from where it is [px]. */
const TOLERANCE = 0.2

/** Few ships turn faster from their velocity [m/s²]: close to a giant planet. */
const ACCELERATION_MAX = 30

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
  #isNear = new Uint8Array(0)
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
    const isKept = camera.body === this.#body && ships.length <= this.#isNear.length
    const isSteady = isKept && this.#isSteady(seconds, focal)
    this.count = ships.length
    this.#ships.length = Math.min(this.#ships.length, ships.length)
    this.#body = camera.body
    this.#time = time
    this.#offset.set(camera.offset)
    this.#makeRoom()
    const { name } = surroundings.bodies[camera.body]
    if (isSteady) {
      if (this.#hasVelocities) this.#advance(seconds)
      this.#read(this.#hasVelocities ? this.#due(ships) : this.#all(ships), world, time, name)
    } else {
      world.positionsAt(this.values, time, name)
      this.#subtractOffset()
    }
    this.#hasVelocities = isSteady
    this.#measure()
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
    if (this.#isNear.length >= this.count) return
    const room = Math.ceil(this.count * 1.25)
    this.values = new Float64Array(3 * room)
    this.#velocities = new Float64Array(3 * room)
    this.#states = new Float64Array(6 * room)
    this.#indices = new Uint32Array(room)
    this.#isNear = new Uint8Array(room)
  }

  /** Whether ships beyond the reach stay near enough to the lines of their velocities. */
  #isSteady(seconds: number, focal: number): boolean {
    const bend = 0.5 * ACCELERATION_MAX * (ROUND * seconds) ** 2
    const isStraight = bend * focal < TOLERANCE * this.#reach
    return seconds >= 0 && isStraight && length(this.#moved) < this.#reach / 4
  }

  #advance(seconds: number): void {
    const { values, count } = this
    const velocities = this.#velocities
    const [mx, my, mz] = this.#moved
    for (let i = 0; i < 3 * count; i += 3) {
      values[i] += velocities[i] * seconds - mx
      values[i + 1] += velocities[i + 1] * seconds - my
      values[i + 2] += velocities[i + 2] * seconds - mz
    }
  }

  #all(ships: readonly Ship[]): Uint32Array {
    for (let i = 0; i < this.count; i++) {
      this.#ships[i] = ships[i]
      this.#indices[i] = i
    }
    return this.#indices.subarray(0, this.count)
  }

  /** Those that are near or new, and a part of the others. */
  #due(ships: readonly Ship[]): Uint32Array {
    const { count } = this
    this.#round = (this.#round + 1) % ROUND
    const begin = Math.floor((count * this.#round) / ROUND)
    const end = Math.floor((count * (this.#round + 1)) / ROUND)
    let due = 0
    for (let i = 0; i < count; i++) {
      const isNew = ships[i] !== this.#ships[i]
      if (!isNew && this.#isNear[i] === 0 && (i < begin || i >= end)) continue
      this.#ships[i] = ships[i]
      this.#indices[due++] = i
    }
    return this.#indices.subarray(0, due)
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
    }
  }

  #subtractOffset(): void {
    const [ox, oy, oz] = this.#offset
    for (let i = 0; i < 3 * this.count; i += 3) {
      this.values[i] -= ox
      this.values[i + 1] -= oy
      this.values[i + 2] -= oz
    }
  }

  /** Finds the nearest ones, and those within the reach of the next frame. */
  #measure(): void {
    const { nearest, values, count } = this
    nearest.clear()
    const within = this.#reach ** 2
    for (let i = 0; i < count; i++) {
      const x = values[3 * i]
      const y = values[3 * i + 1]
      const z = values[3 * i + 2]
      const square = x * x + y * y + z * z
      this.#isNear[i] = square < within ? 1 : 0
      if (square < nearest.limit) nearest.offer(i, square)
    }
    this.#reach = 2 * Math.sqrt(nearest.limit)
  }
}

type ShipStates = Pick<World, 'ships' | 'positionsAt' | 'statesAt'>
