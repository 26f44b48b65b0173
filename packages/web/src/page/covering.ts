/** What bodies stand before. */
import { type Vector, length } from '../space/vector.ts'
import type { SeenThing } from './label-source.ts'

/** A smaller one hides nothing worth a thought [px]. */
const PIXELS_MIN = 4

/** A body is not before its own middle. */
const NEARER = 0.999_999

interface Disc {
  x: number
  y: number
  pixels: number
  distance: number
}

type Project = (out: { x: number; y: number }, point: Vector) => boolean

/** Discs of bodies on the screen. */
export class Covering {
  readonly #discs: Disc[] = []

  fill(things: Iterable<SeenThing>, project: Project): void {
    for (const { position, pixels } of things) {
      if (!(pixels >= PIXELS_MIN)) continue
      const disc = { x: 0, y: 0, pixels, distance: length(position) }
      if (project(disc, position)) this.#discs.push(disc)
    }
  }

  clear(): void {
    this.#discs.length = 0
  }

  /** Whether a body is before a point of the screen [px] that is so far away [m]. */
  covers(x: number, y: number, distance: number): boolean {
    for (const disc of this.#discs) {
      if (disc.distance < NEARER * distance && Math.hypot(disc.x - x, disc.y - y) < disc.pixels)
        return true
    }
    return false
  }
}
