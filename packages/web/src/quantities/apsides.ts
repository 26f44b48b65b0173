/** The size and shape of an orbit by the altitudes of its apsides. */
import type { OwnShipState } from '@orrery/client'
import { say } from '../languages/say.ts'
import { type Texts, readQuantities } from './quantity-fields.ts'

/** What altitudes are counted from, and the present apsides. */
export interface PresentOrbit {
  /** of the body [m] */
  readonly radius: number
  readonly orbit: Pick<OwnShipState['orbit'], 'periapsis_altitude' | 'apoapsis_altitude'>
}

export interface Elements {
  readonly semi_major_axis?: number
  readonly eccentricity?: number
}

/**
 * The elements of an orbit with the apsides of a form, or what is wrong with them in a sentence.
 * An empty one stays as it is; with both empty the elements are free.
 */
export function elementsOf(texts: Texts, present: PresentOrbit | undefined): Elements | string {
  const wanted = readQuantities(texts, ['apoapsis', 'periapsis'])
  if (wanted.apoapsis === undefined && wanted.periapsis === undefined) return {}
  if (!present) return say('Nothing is known of the ship yet.')
  const { radius, orbit } = present
  const { apoapsis = orbit.apoapsis_altitude, periapsis = orbit.periapsis_altitude } = wanted
  if (apoapsis === null) return say('apoapsis is needed: the present orbit has none.')
  if (!Number.isFinite(apoapsis)) return say('apoapsis must be a number of kilometres.')
  if (!Number.isFinite(periapsis)) return say('periapsis must be a number of kilometres.')
  if (periapsis <= -radius) return say('periapsis must be above the middle of the body.')
  if (periapsis > apoapsis) return say('periapsis must not be above the apoapsis.')
  const axis = radius + (apoapsis + periapsis) / 2
  return { semi_major_axis: axis, eccentricity: (apoapsis - periapsis) / 2 / axis }
}
