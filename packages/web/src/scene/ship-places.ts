/** Where all ships are from the camera, and which are the nearest. */
import type { Flight } from '@orrery/client/flight'
import { Nearest } from '../space/nearest.ts'
import type { Vector } from '../space/vector.ts'
import type { Frame } from './frame.ts'

/** Ships that may have models and names. */
const NEAREST = 64

export class ShipPlaces {
  readonly nearest: Nearest = new Nearest(NEAREST)
  /** ships in the order of `world.ships` */
  count = 0
  /** distances of the nearest and the farthest one [m] */
  near = 0
  far = 0
  /** from the camera, triples [m]; NaN where one is not known */
  values: Float64Array = new Float64Array(0)

  /** Places all ships. */
  update({ camera, surroundings, time }: Frame, { world }: Flight): void {
    const { nearest } = this
    const known = world.ships().length
    if (this.values.length < 3 * known) this.values = new Float64Array(3 * Math.ceil(known * 1.25))
    const { values } = this
    this.count = world.positionsAt(values, time, surroundings.bodies[camera.body].name)
    const [ox, oy, oz] = camera.offset
    nearest.clear()
    let least = Infinity
    let most = 0
    for (let i = 0; i < this.count; i++) {
      const x = (values[3 * i] -= ox)
      const y = (values[3 * i + 1] -= oy)
      const z = (values[3 * i + 2] -= oz)
      const square = x * x + y * y + z * z
      if (square < least) least = square
      if (square > most) most = square
      if (square < nearest.limit) nearest.offer(i, square)
    }
    this.near = Math.sqrt(least)
    this.far = Math.sqrt(most)
  }

  /** Writes where a ship is from the camera [m]. */
  placeOf(out: Vector, index: number): void {
    for (let axis = 0; axis < 3; axis++) out[axis] = this.values[3 * index + axis]
  }

  /** Moves a ship that stands in a berth. */
  moveTo(index: number, place: Vector): void {
    this.values.set(place, 3 * index)
  }
}
