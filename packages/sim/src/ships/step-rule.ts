import { BLOCK_QUANTA, CONTROL_QUANTA, QUANTA_PER_SECOND } from '../lattice.ts'

/** Longest step of a ship whose engine burns: 2 s. */
export const POWERED_QUANTA = 128

/** Step of a ship that turns under control: 1/4 s. */
export const TURNING_QUANTA = 16

/**
 * Fractions of the two local time scales that a step may span. With them SRKN11B keeps a low
 * orbit within 2e-12 of its energy per revolution, and the quintic between a step's ends within
 * a millimetre of the integration.
 */
const DYNAMICAL_FRACTION = 0.05
const PASSAGE_FRACTION = 0.06

/**
 * The largest power of two of quanta, at most `cap`, within both bounds
 * h ≤ 0.05 √(r³/GM) and h ≤ 0.06 r/v over all bodies; never under one control period.
 *
 * @param position   of the ship [m], same origin as the tables
 * @param velocity   of the ship [m/s]
 * @param positions  of the bodies, one triple each [m]
 * @param velocities of the bodies, one triple each [m/s]
 * @param slot       row of the ship in `position` and `velocity`
 */
export function stepQuanta(
  position: Float64Array,
  velocity: Float64Array,
  slot: number,
  positions: Float64Array,
  velocities: Float64Array,
  gm: Float64Array,
  cap: number,
): number {
  let dynamical2 = Infinity
  let passage2 = Infinity
  for (let j = 0; j < gm.length; j++) {
    const dx = positions[3 * j] - position[3 * slot]
    const dy = positions[3 * j + 1] - position[3 * slot + 1]
    const dz = positions[3 * j + 2] - position[3 * slot + 2]
    const vx = velocities[3 * j] - velocity[3 * slot]
    const vy = velocities[3 * j + 1] - velocity[3 * slot + 1]
    const vz = velocities[3 * j + 2] - velocity[3 * slot + 2]
    const r2 = dx * dx + dy * dy + dz * dz
    const v2 = vx * vx + vy * vy + vz * vz
    dynamical2 = Math.min(dynamical2, (r2 * Math.sqrt(r2)) / gm[j])
    if (v2 > 0) passage2 = Math.min(passage2, r2 / v2)
  }
  const seconds2 = Math.min(
    DYNAMICAL_FRACTION * DYNAMICAL_FRACTION * dynamical2,
    PASSAGE_FRACTION * PASSAGE_FRACTION * passage2,
  )
  let quanta = Math.min(cap, BLOCK_QUANTA)
  while (quanta > CONTROL_QUANTA) {
    const seconds = quanta / QUANTA_PER_SECOND
    if (seconds * seconds <= seconds2) break
    quanta /= 2
  }
  return quanta
}
