import {
  type Body,
  conicOf,
  createConic,
  createStateVector,
  meanAxis,
  meanState,
} from '@orrery/sim'
import { type Orbit, osculatingOrbit } from './orbit.ts'

const state = createStateVector()
const conic = createConic()

/**
 * The mean orbit of a position [m] and velocity [m/s] relative to a body: without what oblateness
 * moves in each revolution. Where there is none, it is the osculating orbit.
 */
export function meanOrbit(
  r: readonly [number, number, number],
  v: readonly [number, number, number],
  body: Body,
): Orbit {
  state.r.set(r)
  state.v.set(v)
  meanState(state, state, body)
  conicOf(conic, state, body.gm)
  const [x, y, z] = state.r
  const [vx, vy, vz] = state.v
  const orbit = osculatingOrbit([x, y, z], [vx, vy, vz], body)
  const altitude = Math.hypot(...r) - body.radius
  const axis = meanAxis(conic, body)
  if (axis === conic.a) return { ...orbit, altitude }
  return {
    ...orbit,
    altitude,
    semiMajorAxis: axis,
    periapsisAltitude: axis * (1 - orbit.eccentricity) - body.radius,
    apoapsisAltitude: axis * (1 + orbit.eccentricity) - body.radius,
  }
}
