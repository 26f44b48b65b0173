import { type StateVector, bodyState, createStateVector, surroundingsAt } from '@orrery/sim'
import type { Marks } from './marks.ts'
import { type PredictionTask, type Stage, stateOf } from './stage.ts'
import { turnOf } from './turn.ts'

/** Approaches to a body are marked within so many radii of its sphere of influence. */
const NEAR_SPHERES = 3

/** Something that a ship may come close to. */
interface Neighbour {
  readonly name: { readonly body: string } | { readonly shipId: string }
  /** also when the ship goes about it */
  readonly isNamed: boolean
  /** approaches are marked within this distance [m] */
  readonly near: number
  /** the ship's state from it, where it was measured last */
  readonly before: StateVector
}

/** Bodies around a ship, and a ship that is named. */
export class Neighbours {
  readonly #stage: Stage
  readonly #marks: Marks
  readonly #bodies: readonly Neighbour[]
  readonly #named: (Neighbour & { readonly slot: number }) | undefined
  #measured = -1

  constructor(stage: Stage, { copies, target }: PredictionTask, marks: Marks) {
    const { flight, state } = stage
    const body = target && 'body' in target ? target.body : -1
    const shipId = target && 'shipId' in target ? target.shipId : undefined
    const slot = copies.find(({ entry }) => entry.shipId === shipId)?.entry.slot
    this.#stage = stage
    this.#marks = marks
    this.#bodies = state.system.bodies.map(({ name }, i) => {
      const isNamed = i === body
      const near = isNamed ? Infinity : NEAR_SPHERES * flight.territory.spheres[i]
      return { name: { body: name }, near, isNamed, before: createStateVector() }
    })
    this.#named =
      shipId === undefined || slot === undefined
        ? undefined
        : { name: { shipId }, slot, near: Infinity, isNamed: true, before: createStateVector() }
  }

  /** Measures all at index n, and marks what was closest since the last time. */
  measure(n: number, reference: number, at: StateVector): void {
    const { flight, state } = this.#stage
    const { lineage, parents } = state.ephemeris
    const { r, v } = surroundingsAt(flight, reference, n).bodies
    for (let body = 0; body < this.#bodies.length; body++) {
      differ(now, at, r, v, 3 * body)
      const { isNamed } = this.#bodies[body]
      // Of its reference body a ship has apsides, and with it goes about that body's parents.
      const isAbove = lineage[reference * parents.length + body] === 1
      const isMarked = body !== reference && (isNamed || !isAbove)
      this.#take(this.#bodies[body], n, isMarked)
    }
    if (this.#named) {
      shipState(this.#stage, this.#named.slot, reference, n)
      differ(now, at, theirs.r, theirs.v, 0)
      this.#take(this.#named, n, true)
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

/** Writes another ship's state from a body into `theirs`. */
function shipState(stage: Stage, slot: number, reference: number, n: number): void {
  const { ships, ephemeris } = stage.state
  stateOf(theirs, stage, slot, n)
  bodyState(shift, ephemeris, ships.reference[slot], reference, n, 0)
  for (let axis = 0; axis < 3; axis++) {
    theirs.r[axis] += shift.r[axis]
    theirs.v[axis] += shift.v[axis]
  }
}
