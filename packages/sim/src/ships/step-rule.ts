import { BLOCK_QUANTA, CONTROL_QUANTA, QUANTA_PER_SECOND } from '../lattice.ts'
import type { Surroundings } from './flight.ts'
import { PLANE, type StepScratch } from '../field/step-scratch.ts'

/** Longest step of a ship whose engine burns: 2 s. */
export const POWERED_QUANTA = 128

const TIERS = [BLOCK_QUANTA, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, CONTROL_QUANTA] as const

/**
 * Fractions of the two local time scales that a step may span. With them SRKN11B keeps the
 * energy of any orbit within 1e-13 per revolution, and the quintic between a step's ends is
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
 * @param scratch  position, velocity and gravity of the ship in its row, and what `bounds` of the
 * kernel found there
 * @param around   the bodies relative to the ship's reference at the step's start
 * @param cap      quanta
 */
export function stepQuanta(
  scratch: StepScratch,
  row: number,
  around: Surroundings,
  cap: number,
): number {
  const { bounds2, strictest } = scratch
  const heavy = around.nearBodies[strictest[row]]
  const close = around.nearBodies[strictest[PLANE + row]]
  const seconds2 = Math.min(
    DYNAMICAL_FRACTION * DYNAMICAL_FRACTION * bounds2[row],
    PASSAGE_FRACTION * PASSAGE_FRACTION * bounds2[PLANE + row],
  )
  for (let tier = 0; tier < TIERS.length - 1; tier++) {
    const quanta = TIERS[tier]
    const seconds = quanta / QUANTA_PER_SECOND
    if (
      quanta <= cap &&
      seconds * seconds <= seconds2 &&
      endsWithin(scratch, row, around, heavy, quanta) &&
      (close === heavy || endsWithin(scratch, row, around, close, quanta))
    ) {
      return quanta
    }
  }
  return CONTROL_QUANTA
}

/** Whether a step keeps one body's bounds where the ship will be at its end. */
function endsWithin(
  { position, velocity, gravity }: StepScratch,
  row: number,
  { bodies, gm }: Surroundings,
  body: number,
  quanta: number,
): boolean {
  const seconds = quanta / QUANTA_PER_SECOND
  for (let axis = 0; axis < 3; axis++) {
    const i = axis * PLANE + row
    const j = 3 * body + axis
    const v = velocity[i] - bodies.v[j]
    const gain = seconds * gravity[i]
    endR[axis] = position[i] - bodies.r[j] + seconds * (v + 0.5 * gain)
    endV[axis] = v + gain
  }
  const r2 = endR[0] * endR[0] + endR[1] * endR[1] + endR[2] * endR[2]
  const v2 = endV[0] * endV[0] + endV[1] * endV[1] + endV[2] * endV[2]
  const h2 = seconds * seconds
  return (
    h2 * gm[body] <= DYNAMICAL_FRACTION * DYNAMICAL_FRACTION * (r2 * Math.sqrt(r2)) &&
    h2 * v2 <= PASSAGE_FRACTION * PASSAGE_FRACTION * r2
  )
}

const endR = new Float64Array(3)
const endV = new Float64Array(3)
