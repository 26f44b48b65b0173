import {
  type Body,
  type MassiveState,
  type Oblateness,
  type StarSystem,
  createMassiveState,
} from '@orrery/sim'
import solBodies from '../data/sol-bodies.json' with { type: 'json' }
import start from '../data/sol-state-j2000.json' with { type: 'json' }

interface BodyRecord {
  readonly name: string
  readonly parent: string | null
  readonly gm_m3_s2: number
  readonly mean_radius_m: number
  readonly pole: readonly number[]
  readonly reference_radius_m?: number
  readonly j2?: number
  readonly j4?: number
}

const records: readonly BodyRecord[] = solBodies.bodies

/**
 * The solar system: the Sun, its planets and their moons, four dwarf planets, in the order of
 * every array about them.
 *
 * GM, zonal fields and vectors belong together: all GM are from Horizons' own file of DE430/431
 * (version 3.0, 2017), the fields of Jupiter, Uranus and Neptune from its satellite solutions,
 * the others from the gravity papers. Other GM fit worse: those of DE440 move Callisto by 125 km
 * and Neptune by 177 km in ten years, and the barycentre of DE441 is 108 km away.
 *
 * @source data/sol-bodies.json
 */
export const solSystem: StarSystem = {
  id: 'sol',
  name: 'Sol',
  position: [0, 0, 0],
  bodies: records.map(bodyOf),
}

/** Index of a body by name, in any case; -1 when there is none. */
export function bodyIndex(system: StarSystem, name: string): number {
  const wanted = name.toLowerCase()
  return system.bodies.findIndex((body) => body.name.toLowerCase() === wanted)
}

const METRES_PER_KM = 1000

const vectors: Readonly<Record<string, { r_km: readonly number[]; v_km_s: readonly number[] }>> =
  start.bodies

const speedCorrections: Readonly<Partial<Record<string, number>>> = start.speed_corrections

/**
 * The solar system at J2000.0 TDB (node 0), ICRF axes, origin JPL's barycentre, which is 121 km
 * from the listed bodies' centre of mass. Some moons have corrected speeds: the noise of
 * interpolated vectors, below 0.08 mm/s, moves Ganymede by 60 km in ten years, and what the fields
 * lack moves Phobos by 16,000 km.
 *
 * @source data/sol-state-j2000.json
 */
export function solStateJ2000(): MassiveState {
  const state = createMassiveState(solSystem.bodies.length)
  for (const [i, { name, parent }] of solSystem.bodies.entries()) {
    const { r_km: r, v_km_s: v } = vectors[name]
    const { v_km_s: above } = vectors[solSystem.bodies[Math.max(0, parent)].name]
    const part = speedCorrections[name] ?? 0
    for (let axis = 0; axis < 3; axis++) {
      state.x[3 * i + axis] = r[axis] * METRES_PER_KM
      state.v[3 * i + axis] = (v[axis] + part * (v[axis] - above[axis])) * METRES_PER_KM
    }
  }
  return state
}

function bodyOf(record: BodyRecord): Body {
  const oblateness = oblatenessOf(record)
  return {
    name: record.name,
    parent: records.findIndex(({ name }) => name === record.parent),
    gm: record.gm_m3_s2,
    radius: record.mean_radius_m,
    ...(oblateness && { oblateness }),
  }
}

function oblatenessOf(record: BodyRecord): Oblateness | undefined {
  const { pole, j2, j4, reference_radius_m: referenceRadius } = record
  if (j2 === undefined || referenceRadius === undefined) return undefined
  const [x, y, z] = pole
  return { referenceRadius, j2, ...(j4 !== undefined && { j4 }), pole: [x, y, z] }
}
