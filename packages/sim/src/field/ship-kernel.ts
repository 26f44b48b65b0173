import { turnFreely } from '../attitude/rigid-body.ts'
import { addExactly } from '../math/compensated.ts'
import { type Pull, pull } from './gravity.ts'
import type { NodePair } from '../ephemeris/node-pair.ts'
import { type FieldPlan, placeBodies } from './field-plan.ts'
import { addFrame } from './frame.ts'
import { PLANE, STAGE, type Stage, type StepScratch } from './step-scratch.ts'

/**
 * The hot arithmetic of ships: `shipKernel`, or a twin of it in another language that gives the
 * same bits. Ships are rows of the scratch's planes, so that a twin can work on neighbours at once.
 */
export interface ShipKernel {
  readonly pull: Pull
  readonly place: PlaceBodies
  readonly step: MakeSteps
  readonly bounds: FindBounds
  readonly turn: TurnHulls
}

/**
 * Writes the bodies of a field into a stage, where they are at a moment: the table of `pull`, the
 * oblate bodies, and the acceleration of the reference body itself.
 *
 * @param pair  the nodes around the moment, with its weights
 */
export type PlaceBodies = (stage: Stage, plan: FieldPlan, pair: NodePair) => void

/**
 * Takes ships from the start of a step to its end, in place: position and velocity with their low
 * parts, and gravity.
 *
 * Methods kick first and last (BAB): the first kick takes the gravity of the step's start from
 * its plane, and the last one's gravity is that of the step's end.
 *
 * @param count    rows
 * @param last     stage of the last kick; the first is 0 and needs no bodies
 * @param dryMass  of every ship [kg]; 0 where no row has a force
 */
export type MakeSteps = (scratch: StepScratch, count: number, last: number, dryMass: number) => void

/**
 * Finds what bounds the next step of ships: for each row the least r³/GM and r²/v² over a list of
 * bodies, the bodies that have them, and if some body is nearer than its row allows.
 *
 * @param count   rows
 * @param table   `SURROUNDINGS_DOUBLES` of one body after the other
 * @param bodies  how many
 */
export type FindBounds = (
  scratch: StepScratch,
  count: number,
  table: Float64Array,
  bodies: number,
) => void

/**
 * Turns hulls over a step, in the scratch's planes of attitude, momentum and wheels: `turnFreely`
 * row by row.
 *
 * @param count    rows
 * @param inertia  principal moments [kg m²]
 * @param quanta   length of the step
 */
export type TurnHulls = (
  scratch: StepScratch,
  count: number,
  inertia: readonly [number, number, number],
  quanta: number,
) => void

/**
 * Doubles of one body in the table of `bounds`: position [m], gravitational parameter [m³/s²],
 * velocity [m/s], and the square of the distance within which its ground is near [m²].
 */
export const SURROUNDINGS_DOUBLES = 8

const makeSteps: MakeSteps = (scratch, count, last, dryMass) => {
  const { position, gravity, stages } = scratch
  for (let s = 0; s <= last; s++) {
    const { numbers, table } = stages[s]
    if (s > 0) {
      pull(gravity, position, PLANE, count, table, numbers[STAGE.bodies])
      addFrame(gravity, position, PLANE, count, numbers)
    }
    for (let row = 0; row < count; row++) {
      kick(scratch, row, numbers, dryMass)
      if (s < last) drift(scratch, row, numbers)
    }
  }
}

/** v ← v + h (gravity + force / mass), compensated. */
function kick(scratch: StepScratch, row: number, numbers: Float64Array, dryMass: number): void {
  const { velocity, velocityLow, gravity, force, fuel, endFuel } = scratch
  const h = numbers[STAGE.kick]
  const left = fuel[row] + numbers[STAGE.burnt] * (endFuel[row] - fuel[row])
  const inverseMass = 1 / (dryMass + left)
  for (let i = row; i < 3 * PLANE; i += PLANE) {
    const pulled = dryMass > 0 ? gravity[i] + force[i] * inverseMass : gravity[i]
    addExactly(velocity, velocityLow, i, h * pulled + velocityLow[i])
  }
}

/** r ← r + h v, compensated. */
function drift(scratch: StepScratch, row: number, numbers: Float64Array): void {
  const { position, positionLow, velocity, velocityLow } = scratch
  const h = numbers[STAGE.drift]
  for (let i = row; i < 3 * PLANE; i += PLANE) {
    const gain = h * velocity[i] + (h * velocityLow[i] + positionLow[i])
    addExactly(position, positionLow, i, gain)
  }
}

const least = new Float64Array(2)

const findBounds: FindBounds = (scratch, count, table, bodies) => {
  const { position, velocity, bounds2, strictest, nearGround } = scratch
  for (let row = 0; row < count; row++) {
    const px = position[row]
    const py = position[PLANE + row]
    const pz = position[2 * PLANE + row]
    const ux = velocity[row]
    const uy = velocity[PLANE + row]
    const uz = velocity[2 * PLANE + row]
    // Memory instead of variables: doubles that live across a loop would be boxed.
    least.fill(Infinity)
    let heavy = 0
    let close = 0
    let near = 0
    for (let body = 0, at = 0; body < bodies; body++, at += SURROUNDINGS_DOUBLES) {
      const dx = table[at] - px
      const dy = table[at + 1] - py
      const dz = table[at + 2] - pz
      const vx = table[at + 4] - ux
      const vy = table[at + 5] - uy
      const vz = table[at + 6] - uz
      const r2 = dx * dx + dy * dy + dz * dz
      const v2 = vx * vx + vy * vy + vz * vz
      const free2 = (r2 * Math.sqrt(r2)) / table[at + 3]
      if (free2 < least[0]) {
        least[0] = free2
        heavy = body
      }
      if (r2 < least[1] * v2) {
        least[1] = r2 / v2
        close = body
      }
      if (!(r2 > table[at + 7])) near = 1
    }
    bounds2[row] = least[0]
    bounds2[PLANE + row] = least[1]
    strictest[row] = heavy
    strictest[PLANE + row] = close
    nearGround[row] = near
  }
}

const turnHulls: TurnHulls = (scratch, count, inertia, quanta) => {
  for (let row = 0; row < count; row++) turnFreely(scratch, row, inertia, quanta)
}

/** The specification. */
export const shipKernel: ShipKernel = {
  pull,
  place: placeBodies,
  step: makeSteps,
  bounds: findBounds,
  turn: turnHulls,
}
