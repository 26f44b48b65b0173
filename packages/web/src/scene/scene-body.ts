import type { Vector } from '@orrery/page-kit'
import type { Look } from './looks.ts'

/** What of a body does not change. */
export interface SceneBody {
  readonly name: string
  readonly kind: 'star' | 'planet' | 'minor_planet' | 'moon'
  /** index, -1 for a root */
  readonly parent: number
  /** [m] */
  readonly radius: number
  /** radius of its sphere of influence [m]; Infinity for a root */
  readonly sphere: number
  /** [m³/s²] */
  readonly gm: number
  /** unit vector */
  readonly pole: Vector
  readonly look: Look
  /** of bodies that JPL has places of */
  readonly accuracy?: Accuracy
}

/** How true the places of a body are. */
export interface Accuracy {
  /** largest distance from JPL's places [m] */
  readonly error: number
  /** such as `2000–2010` */
  readonly years: string
}
