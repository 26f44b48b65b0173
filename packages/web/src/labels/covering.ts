/** What bodies stand before. */
import { dot, length, type Vector } from '@orrery/page-kit'
import type { CoveringBody } from '../view/label-source.ts'

/** A smaller one hides nothing worth a thought [px]. */
const PIXELS_MIN = 4

/** What stands on the ground is not behind it. */
const NEARER = 0.999_999

/** Bodies around the camera, wherever it looks: the ground below hides what is beyond it. */
export class Covering {
  readonly #bodies: CoveringBody[] = []

  fill(bodies: Iterable<CoveringBody>): void {
    for (const body of bodies) if (body.pixels >= PIXELS_MIN) this.#bodies.push(body)
  }

  clear(): void {
    this.#bodies.length = 0
  }

  /** Whether a body is before a place [m from the camera]. */
  covers(place: Vector): boolean {
    const distance = length(place)
    return this.#bodies.some(({ position, radius }) => {
      // What is within a body, such as its own middle, is not behind it.
      const squareApart = dot(position, position) - 2 * dot(position, place) + distance * distance
      if (squareApart < radius * radius) return false
      const along = dot(position, place) / distance
      const squareMiss = dot(position, position) - along * along
      if (along <= 0 || squareMiss >= radius * radius) return false
      return along - Math.sqrt(radius * radius - squareMiss) < NEARER * distance
    })
  }
}
