/** A star system as it is shown, whoever knows of it. */
import type { Flight } from '@orrery/client/flight'
import type { BodyChain } from '@orrery/page-kit'
import type { SceneBody } from './scene-body.ts'

export interface Surroundings {
  readonly id: string
  readonly name: string
  /** index of the body whose orbits ships start in */
  readonly home: number
  readonly bodies: readonly SceneBody[]
  /** where the bodies are, as last advanced */
  readonly chain: BodyChain
  /** of all bodies from their parents [m/s] */
  readonly velocities: Float64Array
  /** ships, stations and gates; undefined before signing in */
  readonly flight: Flight | undefined
  /** as last advanced: a lattice index, 64 to the second; NaN before signing in */
  readonly time: number
  /** that is shown in place of the present [Unix ms] */
  readonly date?: number
  /** game seconds per second; 0 while the game stands */
  readonly scale: number
  /**
   * Moves all bodies to the present.
   *
   * @param atMs  of the page's clock
   * @returns the game time shown [Unix ms]
   */
  advance(atMs: number): number
  close(): void
}
