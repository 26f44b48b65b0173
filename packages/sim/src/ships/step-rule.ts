import { BLOCK_QUANTA, CONTROL_QUANTA, QUANTA_PER_SECOND } from '../lattice.ts'
import type { ShipColumns } from '../state/state.ts'

/** Longest step of a ship whose engine burns: 2 s. */
export const POWERED_QUANTA = 128

/**
 * Fractions of the two local time scales that a step may span. With them SRKN11B keeps the
 * energy of any orbit within 1e-13 per revolution, and the quintic between a step's ends lies
 * within 0.1 mm of the integration.
 */
const DYNAMICAL_FRACTION = 0.05
const PASSAGE_FRACTION = 0.04

/**
 * The largest power of two of quanta, at most `cap`, within both bounds
 * h ≤ 0.05 √(r³/GM) and h ≤ 0.04 r/v over all bodies; never under one control period.
 *
 * The bounds hold at the step's start, and for the bodies that are strictest there also where
 * the ship will be at its end: a way there and the same way back then have the same steps, as
 * far as the lattice allows, and what a long step gains on one is lost on the other.
 *
 * @param positions  of the bodies relative to the ship's reference, one triple each [m]
 * @param velocities of the bodies, likewise [m/s]
 */
export function stepQuanta(
  ships: ShipColumns,
  slot: number,
  positions: Float64Array,
  velocities: Float64Array,
  gm: Float64Array,
  cap: number,
): number {
  const { position, velocity } = ships
  let dynamical2 = Infinity
  let passage2 = Infinity
  let heavy = 0
  let near = 0
  for (let j = 0; j < gm.length; j++) {
    const dx = positions[3 * j] - position[3 * slot]
    const dy = positions[3 * j + 1] - position[3 * slot + 1]
    const dz = positions[3 * j + 2] - position[3 * slot + 2]
    const vx = velocities[3 * j] - velocity[3 * slot]
    const vy = velocities[3 * j + 1] - velocity[3 * slot + 1]
    const vz = velocities[3 * j + 2] - velocity[3 * slot + 2]
    const r2 = dx * dx + dy * dy + dz * dz
    const v2 = vx * vx + vy * vy + vz * vz
    const free2 = (r2 * Math.sqrt(r2)) / gm[j]
    if (free2 < dynamical2) {
      dynamical2 = free2
      heavy = j
    }
    if (r2 < passage2 * v2) {
      passage2 = r2 / v2
      near = j
    }
  }
  const seconds2 = Math.min(
    DYNAMICAL_FRACTION * DYNAMICAL_FRACTION * dynamical2,
    PASSAGE_FRACTION * PASSAGE_FRACTION * passage2,
  )
  let quanta = Math.min(cap, BLOCK_QUANTA)
  while (quanta > CONTROL_QUANTA) {
    const seconds = quanta / QUANTA_PER_SECOND
    if (
      seconds * seconds <= seconds2 &&
      timeScale2(ships, slot, positions, velocities, gm, heavy, seconds) >= seconds * seconds &&
      (near === heavy ||
        timeScale2(ships, slot, positions, velocities, gm, near, seconds) >= seconds * seconds)
    ) {
      break
    }
    quanta /= 2
  }
  return quanta
}

/** Square of the longest step that one body allows where the ship will be after `seconds`. */
function timeScale2(
  { position, velocity, gravity }: ShipColumns,
  slot: number,
  positions: Float64Array,
  velocities: Float64Array,
  gm: Float64Array,
  body: number,
  seconds: number,
): number {
  let r2 = 0
  let v2 = 0
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    const a = gravity[i]
    const v = velocity[i] - velocities[3 * body + axis]
    const r = position[i] - positions[3 * body + axis] + seconds * (v + 0.5 * seconds * a)
    const end = v + seconds * a
    r2 += r * r
    v2 += end * end
  }
  const dynamical2 = (r2 * Math.sqrt(r2)) / gm[body]
  return Math.min(
    DYNAMICAL_FRACTION * DYNAMICAL_FRACTION * dynamical2,
    v2 > 0 ? (PASSAGE_FRACTION * PASSAGE_FRACTION * r2) / v2 : Infinity,
  )
}
