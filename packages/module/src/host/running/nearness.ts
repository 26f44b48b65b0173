import {
  type EquatorialOrbit,
  FROZEN,
  type WorldState,
  createStateVector,
  segmentState,
  shipClassOf,
} from '@orrery/sim'
import type { Nearness } from '../../declaration.ts'
import { railPlace } from '../columns/table.ts'

const ship = createStateVector()
const place = createStateVector()

/** Distance and speed between a ship and a rail, at an index that its open step holds. */
export function nearness(
  state: WorldState,
  slot: number,
  rail: EquatorialOrbit,
  index: number,
): Nearness {
  const { condition, position, reference, velocity } = state.ships
  if (condition[slot] === FROZEN) {
    ship.r.set(position.subarray(3 * slot, 3 * slot + 3))
    ship.v.set(velocity.subarray(3 * slot, 3 * slot + 3))
  } else segmentState(ship, state.ships, slot, shipClassOf(state, slot), index, 0)
  railPlace(place, state, rail, reference[slot], index)
  return { distance: length(ship.r, place.r), speed: length(ship.v, place.v) }
}

function length(a: Float64Array, b: Float64Array): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
  return Math.sqrt(x * x + y * y + z * z)
}
