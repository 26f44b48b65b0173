/** Where things are that can be looked at. */
import { createShipSample } from '@orrery/client/flight'
import type { Thing } from '../readings/thing.ts'
import { Berths } from '../craft/berths.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import { addScaled, fill, type Vector } from '@orrery/page-kit'

/** A `Place` to be written into. */
export interface PlaceBuffer {
  body: number
  readonly offset: Vector
}

export class PlaceFinder {
  /** where docked ships are drawn */
  readonly berths: Berths = new Berths()
  readonly #state = createShipSample()

  /** velocity of the ship or object found last, from the same body [m/s] */
  get velocity(): Vector {
    return this.#state.v
  }

  /**
   * Writes where a thing is as last advanced, from the body that holds it: so things that are near
   * one another differ by small numbers.
   *
   * @returns false when it is not known here
   */
  placeOf(out: PlaceBuffer, thing: Thing, surroundings: Surroundings): boolean {
    if (thing.kind === 'body') {
      const body = surroundings.bodies.findIndex(({ name }) => name === thing.name)
      if (body < 0) return false
      out.body = body
      fill(out.offset, 0, 0, 0)
      return true
    }
    const { world } = surroundings.craft ?? {}
    const { time } = surroundings
    if (!world) return false
    if (thing.kind === 'ship') {
      if (!world.shipAt(this.#state, thing.id, time)) return false
      if (!write(out, surroundings, this.#state.body, this.#state.r)) return false
      const toBerth = this.berths.offsetOf(thing.id)
      if (toBerth) addScaled(out.offset, out.offset, toBerth, 1)
      return true
    }
    const object = world.objects().find(({ id }) => id === thing.id)
    const parent = object && world.system?.bodies[object.rail.parent].name
    if (!parent || !world.objectAt(this.#state, thing.id, time, parent)) return false
    return write(out, surroundings, parent, this.#state.r)
  }
}

function write(
  out: PlaceBuffer,
  { bodies }: Surroundings,
  name: string,
  [x, y, z]: Float64Array,
): boolean {
  const body = bodies.findIndex((other) => other.name === name)
  if (body < 0) return false
  out.body = body
  fill(out.offset, x, y, z)
  return true
}
