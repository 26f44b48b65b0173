import {
  type Control,
  HEIGHTS,
  LOW_ORBIT,
  type ManeuverOrder,
  ORBIT_ROOM,
  OSCULATING,
  leastAltitude,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { meanOrbit } from '../views/mean-orbit.ts'
import { osculatingOrbit } from '../views/orbit.ts'
import { loadRelative, relative } from '../views/ship-place.ts'
import { lengthText } from '../world/length-text.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/**
 * Refuses a maneuver to an orbit that no ship can have.
 *
 * @param ship  whose present orbit has what a `set_orbit` does not name; without one it is not
 *   looked at, as for orders of a later time
 * @throws {EngineError} 'ERR_CONTROL' naming the field
 */
export function requireReachable(world: World, { maneuver }: Control, ship?: RosterEntry): void {
  if (maneuver?.maneuver === 'transfer') requireRoom(world, maneuver)
  if (maneuver?.maneuver === 'set_orbit' && ship) requireOrbit(world, maneuver, ship)
}

function requireRoom({ setup, state }: World, { body = 0, params }: ManeuverOrder): void {
  const { name, radius } = state.system.bodies[body]
  const most = ORBIT_ROOM * setup.system.territory.spheres[body] - radius
  const least = leastAltitude(radius)
  const [altitude = 0] = params
  if (!(LOW_ORBIT * radius < most)) {
    throw refused(`target_body: no orbit about ${name} keeps a ship, its parent is too near`)
  }
  if (altitude === 0 || (altitude >= least && altitude < most)) return
  const range = `at least ${lengthText(least)}, below ${lengthText(most)}`
  throw refused(`altitude over ${name} must be ${range}; it is ${lengthText(altitude)}`)
}

function requireOrbit(world: World, { params }: ManeuverOrder, { slot }: RosterEntry): void {
  const { setup, state } = world
  const [first = 0, second = -1, , , , , , reading = 0] = params
  const areHeights = reading >= HEIGHTS
  if (!areHeights && first === 0 && second < 0) return
  const reference = state.ships.reference[slot]
  const body = state.system.bodies[reference]
  loadRelative(world, slot, 0)
  const { r, v } = relative
  const orbitOf = reading % 2 === OSCULATING ? osculatingOrbit : meanOrbit
  const present = orbitOf([r[0], r[1], r[2]], [v[0], v[1], v[2]], body)
  let [low, high] = [present.periapsisAltitude, present.apoapsisAltitude ?? Infinity]
  if (areHeights) [low, high] = [first < 0 ? low : first, second < 0 ? high : second]
  else {
    const a = first > 0 ? first : (present.semiMajorAxis ?? NaN)
    const e = second >= 0 ? second : present.eccentricity
    ;[low, high] = [a * (1 - e) - body.radius, a * (1 + e) - body.radius]
  }
  const fields = areHeights ? HEIGHT_FIELDS : ELEMENT_FIELDS
  const field = fields[first > 0 || (areHeights && first >= 0) ? 0 : 1]
  const sphere = setup.system.territory.spheres[reference]
  // NaN, of a parabola, is left to the autopilot.
  if (Math.min(low, high) <= 0) {
    const depth = lengthText(-Math.min(low, high))
    throw refused(`${field}: the periapsis would be ${depth} below the ground of ${body.name}`)
  }
  if (Math.max(low, high) + body.radius >= sphere) {
    const ends = `which ends at ${lengthText(sphere)}`
    throw refused(`${field}: the orbit would leave ${body.name}'s sphere of influence, ${ends}`)
  }
}

const ELEMENT_FIELDS = ['semi_major_axis', 'eccentricity'] as const
const HEIGHT_FIELDS = ['periapsis_altitude', 'apoapsis_altitude'] as const

function refused(message: string): EngineError {
  return new EngineError('ERR_CONTROL', `${message}.`)
}
