/** Where all ships are from the camera, and which are the nearest. */
import type { Flight } from '@orrery/client/flight'
import { Nearest } from '../space/nearest.ts'
import type { Vector } from '../space/vector.ts'
import type { Frame } from './frame.ts'
import type { LightPoints } from './light-points.ts'

/** Ships that may have models and names. */
const NEAREST = 64

export class ShipPlaces {
  readonly nearest: Nearest = new Nearest(NEAREST)
  /** ships in the order of `world.ships` */
  count = 0
  #doubles = new Float64Array(0)

  /** Places all ships, and writes a point for each. */
  update(frame: Frame, { world }: Flight, points: LightPoints): void {
    const { camera, surroundings, time } = frame
    const { nearest } = this
    const known = world.ships().length
    if (this.#doubles.length < 3 * known) {
      this.#doubles = new Float64Array(3 * Math.ceil(known * 1.25))
    }
    const doubles = this.#doubles
    this.count = world.positionsAt(doubles, time, surroundings.bodies[camera.body].name)
    const out = points.reserve(this.count)
    const [ox, oy, oz] = camera.offset
    nearest.clear()
    let least = Infinity
    let most = 0
    for (let i = 0; i < this.count; i++) {
      const x = (doubles[3 * i] -= ox)
      const y = (doubles[3 * i + 1] -= oy)
      const z = (doubles[3 * i + 2] -= oz)
      const square = x * x + y * y + z * z
      const isKnown = square >= 0
      out[4 * i] = isKnown ? x : 0
      out[4 * i + 1] = isKnown ? y : 0
      out[4 * i + 2] = isKnown ? z : 0
      out[4 * i + 3] = isKnown ? 1 : 0
      if (square < least) least = square
      if (square > most) most = square
      if (square < nearest.limit) nearest.offer(i, square)
    }
    points.near = Math.sqrt(least)
    points.far = Math.sqrt(most)
  }

  /** Writes where a ship is from the camera [m]. */
  placeOf(out: Vector, index: number): void {
    for (let axis = 0; axis < 3; axis++) out[axis] = this.#doubles[3 * index + axis]
  }

  /** Moves a ship that stands in a berth. */
  moveTo(index: number, place: Vector): void {
    this.#doubles.set(place, 3 * index)
  }
}
