import type { Body } from '../ephemeris/star-system.ts'
import { cross, dot } from '../math/triple.ts'

const pole = new Float64Array(3)

/** Square of the sine between two poles below which their planes are one. */
const SINE2_MIN = 1e-18

/**
 * out = axes (three triples) that inclination and node count in: z the body's pole, x where its
 * equator rises through that of the system's axes; those axes themselves for a body without one.
 */
export function referenceAxes(out: Float64Array, { oblateness }: Body): void {
  out.fill(0)
  out[0] = 1
  out[8] = 1
  if (oblateness) {
    pole.set(oblateness.pole)
    const [x, y] = oblateness.pole
    const sine2 = x * x + y * y
    if (sine2 > SINE2_MIN) {
      const sine = Math.sqrt(sine2)
      out[0] = -y / sine
      out[1] = x / sine
    }
    const length = Math.sqrt(dot(pole, 0, pole, 0))
    for (let i = 0; i < 3; i++) out[6 + i] = pole[i] / length
  }
  cross(out, 3, out, 6, out, 0)
}
