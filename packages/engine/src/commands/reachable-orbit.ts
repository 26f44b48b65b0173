import { type Control, LOW_ORBIT, type ManeuverOrder, ORBIT_ROOM, leastAltitude } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
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
  const [wantedA = 0, wantedE = -1] = params
  if (wantedA === 0 && wantedE < 0) return
  const reference = state.ships.reference[slot]
  const body = state.system.bodies[reference]
  loadRelative(world, slot, 0)
  const { r, v } = relative
  const present = osculatingOrbit([r[0], r[1], r[2]], [v[0], v[1], v[2]], body)
  const a = wantedA > 0 ? wantedA : (present.semiMajorAxis ?? NaN)
  const e = wantedE >= 0 ? wantedE : present.eccentricity
  const field = wantedA > 0 ? 'semi_major_axis' : 'eccentricity'
  const altitude = a * (1 - e) - body.radius
  const sphere = setup.system.territory.spheres[reference]
  // NaN, of a parabola, is left to the autopilot.
  if (altitude <= 0) {
    const depth = lengthText(-altitude)
    throw refused(`${field}: the periapsis would be ${depth} below the ground of ${body.name}`)
  }
  if (a * (1 + e) >= sphere) {
    const ends = `which ends at ${lengthText(sphere)}`
    throw refused(`${field}: the orbit would leave ${body.name}'s sphere of influence, ${ends}`)
  }
}

function refused(message: string): EngineError {
  return new EngineError('ERR_CONTROL', `${message}.`)
}
