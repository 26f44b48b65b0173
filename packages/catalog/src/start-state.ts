import { type MassiveState, createMassiveState } from '@orrery/sim'
import start from '../data/sol-state-j2000.json' with { type: 'json' }
import { solSystem } from './bodies.ts'

const METRES_PER_KM = 1000

const records: Readonly<Record<string, { r_km: readonly number[]; v_km_s: readonly number[] }>> =
  start.bodies

/**
 * The solar system at J2000.0 TDB (node 0), ICRF axes, origin JPL's barycentre, which is 121 km
 * from the listed bodies' centre of mass.
 *
 * @source data/sol-state-j2000.json
 */
export function solStateJ2000(): MassiveState {
  const state = createMassiveState(solSystem.bodies.length)
  for (const [i, { name }] of solSystem.bodies.entries()) {
    const { r_km: r, v_km_s: v } = records[name]
    for (let axis = 0; axis < 3; axis++) {
      state.x[3 * i + axis] = r[axis] * METRES_PER_KM
      state.v[3 * i + axis] = v[axis] * METRES_PER_KM
    }
  }
  return state
}
