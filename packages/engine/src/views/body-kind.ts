import type { StarSystem } from '@orrery/sim'

export type BodyKind = 'star' | 'planet' | 'minor_planet' | 'moon'

/** Bodies of 0.075 solar masses burn hydrogen [m³/s²]. @source Kumar 1963, ApJ 137, 1121 */
const STAR_GM_MIN = 0.075 * 1.327e20

/** Between Eris and Mercury: what is smaller does not clear its orbit [m]. */
const PLANET_RADIUS_MIN = 2e6

/** What a body is, by its mass, size and parent. */
export function bodyKind({ bodies }: StarSystem, index: number): BodyKind {
  const { gm, radius, parent } = bodies[index]
  if (gm >= STAR_GM_MIN) return 'star'
  if (parent >= 0 && bodies[parent].gm < STAR_GM_MIN) return 'moon'
  return radius >= PLANET_RADIUS_MIN ? 'planet' : 'minor_planet'
}
