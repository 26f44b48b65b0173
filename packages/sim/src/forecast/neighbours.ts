import { bodyState } from '../ephemeris/ephemeris.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { isRail, railRowState } from '../rails/rail-table.ts'
import { surroundingsAt } from '../ships/flight.ts'
import { slotIn } from './copied-ship.ts'
import type { Marks } from './marks.ts'
import type { NamedObject } from './prediction.ts'
import { type Stage, stateOf } from './stage.ts'
import type { ForecastTarget } from './forecast-task.ts'
import { turnOf } from './turn.ts'

/** Approaches to a body are marked within so many radii of its sphere of influence. */
const NEAR_SPHERES = 3

/** Something that a ship may come close to. */
interface Neighbour {
  readonly name: { readonly body: string } | NamedObject
  /** approaches are marked within this distance [m] */
  readonly near: number
  /** the ship's state from it, where it was measured last */
  readonly before: StateVector
}

/** Bodies around a ship, and what is named. */
export class Neighbours {
  readonly #stage: Stage
  readonly #marks: Marks
  readonly #bodies: readonly Neighbour[]
  readonly #target: ForecastTarget
  readonly #object: Neighbour | undefined
  #measured = -1

  constructor(stage: Stage, target: ForecastTarget, marks: Marks) {
    const { flight, state } = stage
    this.#stage = stage
    this.#marks = marks
    this.#target = target
    this.#bodies = state.system.bodies.map(({ name: body }, i) => {
      const near = i === target.body ? Infinity : NEAR_SPHERES * flight.territory.spheres[i]
      return { name: { body }, near, before: createStateVector() }
    })
    const { name } = target
    this.#object = name && { name, near: Infinity, before: createStateVector() }
  }

  /** Measures all at index n, and marks what was closest since the last time. */
  measure(n: number, reference: number, at: StateVector): void {
    const { flight, state } = this.#stage
    const { lineage, parents } = state.ephemeris
    const { r, v } = surroundingsAt(flight, reference, n).bodies
    for (let body = 0; body < this.#bodies.length; body++) {
      differ(now, at, r, v, 3 * body)
      // Of its reference body a ship has apsides, and with it goes about that body's parents.
      const isAbove = lineage[reference * parents.length + body] === 1
      const isMarked = body !== reference && (body === this.#target.body || !isAbove)
      this.#take(this.#bodies[body], n, isMarked)
    }
    if (this.#object && objectState(this.#stage, this.#target, reference, n)) {
      differ(now, at, theirs.r, theirs.v, 0)
      this.#take(this.#object, n, true)
    }
    this.#measured = n
  }

  /** Marks an approach to `now`, and keeps that for the next. */
  #take({ name, near, before }: Neighbour, n: number, isMarked: boolean): void {
    if (isMarked && this.#measured >= 0) {
      const quanta = n - this.#measured
      const turn = turnOf(before, now, quanta)
      if (turn?.isClosest && turn.distance < near) {
        const { distance, speed } = turn
        this.#marks.add({
          kind: 'approach',
          index: this.#measured + turn.at * quanta,
          ...name,
          distance,
          speed,
        })
      }
    }
    before.r.set(now.r)
    before.v.set(now.v)
  }
}

const now = createStateVector()
const theirs = createStateVector()
const shift = createStateVector()

function differ(
  out: StateVector,
  at: StateVector,
  r: Float64Array,
  v: Float64Array,
  from: number,
): void {
  for (let axis = 0; axis < 3; axis++) {
    out.r[axis] = at.r[axis] - r[from + axis]
    out.v[axis] = at.v[axis] - v[from + axis]
  }
}

/** Writes the state of what is named from a body into `theirs`; false when it is gone. */
function objectState(
  stage: Stage,
  { slot: worldSlot = -1, row = -1 }: ForecastTarget,
  reference: number,
  n: number,
): boolean {
  const { state } = stage
  const slot = slotIn(state, worldSlot)
  let from = -1
  if (slot >= 0) {
    stateOf(theirs, stage, slot, n)
    from = state.ships.reference[slot]
  } else if (isRail(state.rails, row)) from = railRowState(theirs, state, row, n)
  if (from < 0) return false
  bodyState(shift, state.ephemeris, from, reference, n, 0)
  for (let axis = 0; axis < 3; axis++) {
    theirs.r[axis] += shift.r[axis]
    theirs.v[axis] += shift.v[axis]
  }
  return true
}
