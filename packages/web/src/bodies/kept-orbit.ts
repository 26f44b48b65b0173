/** The orbit of a body: its pieces are traced again only when they move in the picture. */
import { addScaled, length, type OrbitState, vector, type Vector } from '@orrery/page-kit'
import { OrbitPieces, type OrbitView } from './orbit-lines.ts'

/** So far pieces may be drawn from where they are [px]. */
const TOLERANCE = 0.1

/** An opacity that differs by less is the same. */
const OPACITY_STEP = 0.01

/** Where a body and the one that it goes round are, from the camera [m]. */
export interface OrbitPlace {
  readonly object: Vector
  readonly parent: Vector
}

export class KeptOrbit {
  readonly #pieces = new OrbitPieces()
  readonly #object = vector()
  readonly #parent = vector()
  #opacity = NaN

  /** Has the orbit traced again at the next look. */
  forget(): void {
    this.#opacity = NaN
  }

  /** @param stateOf  reads the state of the body about its parent */
  pieces(place: OrbitPlace, stateOf: () => OrbitState, view: OrbitView): OrbitPieces {
    if (!this.#stands(place, view)) {
      this.#pieces.trace(place.object, stateOf(), view)
      this.#object.set(place.object)
      this.#parent.set(place.parent)
      this.#opacity = view.opacity
    }
    return this.#pieces
  }

  /** The line moves with the parent, the body along the line. */
  #stands({ object, parent }: OrbitPlace, { opacity, focal }: OrbitView): boolean {
    if (!(Math.abs(opacity - this.#opacity) < OPACITY_STEP)) return false
    const moved = Math.max(distance(object, this.#object), distance(parent, this.#parent))
    return moved * focal < TOLERANCE * this.#pieces.nearest
  }
}

const difference = vector()

function distance(a: Vector, b: Vector): number {
  return length(addScaled(difference, a, b, -1))
}
