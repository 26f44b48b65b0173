/** One moment as a camera sees it. */
import type { Place, Vector } from '@orrery/page-kit'
import type { Surroundings } from './surroundings.ts'

/** Unit vectors of a camera. */
export interface Orientation {
  readonly right: Vector
  readonly up: Vector
  readonly forward: Vector
}

export interface Frame extends Orientation {
  /** of the page's clock */
  readonly nowMs: number
  /** game time [Unix ms] */
  readonly gameTimeMs: number
  /** the same as a lattice index, 64 to the second; NaN before signing in */
  readonly time: number
  readonly camera: Place
  readonly surroundings: Surroundings
}

/** The canvas [px] and how it maps angles. */
export interface Lens {
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
  /** pixels per unit of the tangent of an angle from the middle */
  readonly focal: number
}
