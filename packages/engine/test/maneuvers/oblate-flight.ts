import type { Body } from '@orrery/sim'

/** What a ship shows on one revolution. */
export interface Revolution {
  /** mean distance [m] */
  readonly radius: number
  readonly lowest: number
  readonly highest: number
  /** of the ellipse that fits the distances best */
  readonly eccentricity: number
  /** half of what the distance changes by, as a share */
  readonly spread: number
  /** by which the plane turns about the pole [rad/s] */
  readonly precession: number
}

type Triple = readonly number[]

const STEPS = 4000

/**
 * Flies a revolution from the equatorial plane to where it is crossed again, in the field of an
 * oblate body with its pole along z, by Runge and Kutta's method.
 */
export function flownRevolution(r: Triple, v: Triple, body: Body): Revolution {
  const distance = Math.hypot(...r)
  const a = 1 / (2 / distance - dot(v, v) / body.gm)
  const h = (2 * Math.PI * Math.sqrt(a ** 3 / body.gm)) / STEPS
  const axes = planeOf(r, v)
  const radii: number[] = []
  let turned = 0
  let before = 0
  const angles: number[] = []
  let [place, speed] = [r, v]
  while (turned < 2 * Math.PI) {
    radii.push(Math.hypot(...place))
    angles.push(turned)
    ;[place, speed] = step(place, speed, h, body)
    const angle = Math.atan2(dot(place, axes[1]), dot(place, axes[0]))
    turned += (angle - before + 4 * Math.PI) % (2 * Math.PI)
    before = angle
  }
  const mean = (of: (value: number, i: number) => number): number =>
    radii.reduce((sum, value, i) => sum + of(value, i), 0) / radii.length
  const radius = mean((value) => value)
  const x = mean((value, i) => (value - radius) * Math.cos(angles[i]))
  const y = mean((value, i) => (value - radius) * Math.sin(angles[i]))
  const [lowest, highest] = [Math.min(...radii), Math.max(...radii)]
  return {
    radius,
    lowest,
    highest,
    eccentricity: (2 * Math.hypot(x, y)) / radius,
    spread: (highest - lowest) / 2 / radius,
    precession: turnAboutPole(cross(r, v), cross(place, speed)) / (radii.length * h),
  }
}

function turnAboutPole(a: Triple, b: Triple): number {
  return Math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])
}

function planeOf(r: Triple, v: Triple): [Triple, Triple] {
  const normal = cross(r, v)
  const up = r.map((x) => x / Math.hypot(...r))
  const side = cross(normal, up)
  return [up, side.map((x) => x / Math.hypot(...side))]
}

function step(r: Triple, v: Triple, h: number, body: Body): [Triple, Triple] {
  const rates = (place: Triple, speed: Triple): [Triple, Triple] => [speed, pull(place, body)]
  const [a1, b1] = rates(r, v)
  const [a2, b2] = rates(sum(r, h / 2, a1), sum(v, h / 2, b1))
  const [a3, b3] = rates(sum(r, h / 2, a2), sum(v, h / 2, b2))
  const [a4, b4] = rates(sum(r, h, a3), sum(v, h, b3))
  const mean = (x: Triple, y: Triple, z: Triple, w: Triple): Triple =>
    x.map((value, i) => (value + 2 * y[i] + 2 * z[i] + w[i]) / 6)
  return [sum(r, h, mean(a1, a2, a3, a4)), sum(v, h, mean(b1, b2, b3, b4))]
}

function pull(r: Triple, { gm, oblateness }: Body): Triple {
  const { j2, referenceRadius } = oblateness!
  const square = dot(r, r)
  const scale = -gm / square ** 1.5
  const share = (1.5 * j2 * referenceRadius ** 2) / square
  const tilt = (5 * r[2] ** 2) / square
  return r.map((x, i) => scale * x * (1 + share * ((i === 2 ? 3 : 1) - tilt)))
}

function sum(a: Triple, k: number, b: Triple): Triple {
  return a.map((x, i) => x + k * b[i])
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
