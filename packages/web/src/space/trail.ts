/** Where something has been, from the body that it circles. */
import { fill, type Vector } from '@orrery/page-kit'

/** States that are kept: 280° of a circle. */
const STATES = 96

/** One is kept when the thing has moved so far, in distances from the body. */
const STEP = 0.05

/** After a larger leap it begins again. */
const LEAP = 0.6

/** Straight pieces from one state to the next; the pieces behind the thing halve towards it. */
const PIECES = 6
const HALVINGS = 14

/** Vertices of a trail at most. */
export const TRAIL_VERTICES: number = STATES * PIECES + HALVINGS + 2

/** Time [s], position [m] and velocity [m/s]. */
const DOUBLES = 7

export class Trail {
  /** what it is relative to; -1 before it begins */
  body = -1
  readonly #states = new Float64Array(DOUBLES * STATES)
  /** the newest state, and how many there are */
  #newest = -1
  #count = 0
  readonly #now = new Float64Array(DOUBLES)

  /**
   * Notes where the thing is.
   *
   * @param seconds  of game time
   * @param r        from the body [m]
   * @param v        [m/s]
   */
  note(body: number, seconds: number, r: Vector, v: Vector): void {
    const now = this.#now
    now[0] = seconds
    now.set(r, 1)
    now.set(v, 4)
    const moved = this.#movedSince(this.#newest)
    if (body !== this.body || !(moved < LEAP) || seconds < this.#states[DOUBLES * this.#newest]) {
      this.body = body
      this.#count = 0
      this.#newest = -1
    }
    if (this.#count === 0 || moved >= STEP) this.#keep()
  }

  /**
   * Writes its line from the thing back to its oldest state [m]; returns the count of vertices.
   *
   * @param out  room for `TRAIL_VERTICES` triples
   */
  vertices(out: Float64Array): number {
    if (this.#count === 0) return 0
    let vertex = 0
    const put = (
      from: Float64Array,
      at: number,
      to: Float64Array,
      then: number,
      s: number,
    ): void => {
      between(point, from, at, to, then, s)
      out.set(point, 3 * vertex++)
    }
    const newest = DOUBLES * this.#newest
    for (let k = 0; k < HALVINGS; k++) {
      put(this.#states, newest, this.#now, 0, k === 0 ? 1 : 1 - 2 ** (k - HALVINGS))
    }
    for (let i = 0; i < this.#count - 1; i++) {
      const later = DOUBLES * this.#rowOf(i)
      const sooner = DOUBLES * this.#rowOf(i + 1)
      for (let k = 0; k < PIECES; k++) {
        put(this.#states, sooner, this.#states, later, 1 - k / PIECES)
      }
    }
    const oldest = DOUBLES * this.#rowOf(this.#count - 1)
    put(this.#states, oldest, this.#states, oldest, 0)
    return vertex
  }

  /** Row of a state, 0 for the newest. */
  #rowOf(age: number): number {
    return (this.#newest - age + STATES) % STATES
  }

  #movedSince(row: number): number {
    if (row < 0) return 0
    const at = DOUBLES * row
    let square = 0
    let from = 0
    for (let axis = 1; axis <= 3; axis++) {
      square += (this.#now[axis] - this.#states[at + axis]) ** 2
      from += this.#states[at + axis] ** 2
    }
    return Math.sqrt(square / from)
  }

  #keep(): void {
    this.#newest = (this.#newest + 1) % STATES
    this.#count = Math.min(this.#count + 1, STATES)
    this.#states.set(this.#now, DOUBLES * this.#newest)
  }
}

const point = new Float64Array(3)

/** Writes the place at a share of the time between two states: a cubic through both. */
function between(
  out: Vector,
  from: Float64Array,
  at: number,
  to: Float64Array,
  then: number,
  s: number,
): void {
  const seconds = to[then] - from[at]
  const rest = 1 - s
  const [p0, v0] = [(1 + 2 * s) * rest * rest, s * rest * rest * seconds]
  const [p1, v1] = [s * s * (3 - 2 * s), -s * s * rest * seconds]
  const coordinate = (axis: number): number =>
    p0 * from[at + axis] +
    v0 * from[at + 3 + axis] +
    p1 * to[then + axis] +
    v1 * to[then + 3 + axis]
  fill(out, coordinate(1), coordinate(2), coordinate(3))
}
