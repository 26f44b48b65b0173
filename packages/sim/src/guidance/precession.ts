import type { Body } from '../ephemeris/star-system.ts'
import { TURN_PARTS, circlePoint } from '../math/circle.ts'
import { cross, dot } from '../math/triple.ts'
import type { Conic } from '../orbits/conic.ts'

const pole = new Float64Array(3)
const across = new Float64Array(3)
const point = new Float64Array(2)

/**
 * out = an orbit whose plane has turned about the body's pole for so many seconds, as its
 * oblateness turns it on average; the argument of periapsis is kept.
 *
 * @source Vallado, Fundamentals of Astrodynamics, 9.6: dΩ/dt = -3/2 n J2 (R/p)² cos i
 */
export function precess(out: Conic, conic: Conic, body: Body, seconds: number): void {
  const { p, period } = conic
  out.gm = conic.gm
  out.a = conic.a
  out.e = conic.e
  out.p = p
  out.periapsis = conic.periapsis
  out.apoapsis = conic.apoapsis
  out.period = period
  out.ahead.set(conic.ahead)
  out.side.set(conic.side)
  out.normal.set(conic.normal)
  if (!body.oblateness || !(period < Infinity)) return
  const { referenceRadius, j2 } = body.oblateness
  pole.set(body.oblateness.pole)
  const ratio = referenceRadius / p
  const turns = (-1.5 * j2 * ratio * ratio * dot(conic.normal, 0, pole, 0) * seconds) / period
  circlePoint(point, (turns - Math.floor(turns)) * TURN_PARTS)
  turnAbout(out.ahead)
  turnAbout(out.side)
  turnAbout(out.normal)
}

/** Turns a vector about `pole` by the angle of `point`. */
function turnAbout(u: Float64Array): void {
  const along = dot(u, 0, pole, 0)
  cross(across, 0, pole, 0, u, 0)
  for (let i = 0; i < 3; i++) {
    u[i] = along * pole[i] + point[0] * (u[i] - along * pole[i]) + point[1] * across[i]
  }
}
