/** How much of a star is seen past a body. */

/**
 * Share of a star's light that a body leaves, from 0 to 1: that of discs in the sky whose edges are
 * straight where they meet.
 *
 * @param star   angular radius of the star [rad]
 * @param body   angular radius of the body [rad]
 * @param apart  angle between their middles [rad]
 */
export function shareLit(star: number, body: number, apart: number): number {
  const least = body >= star ? 0 : 1 - (body / star) ** 2
  const smaller = Math.min(star, body)
  const seen = (apart - Math.abs(body - star)) / (2 * smaller)
  return least + (1 - least) * Math.min(Math.max(seen, 0), 1)
}
