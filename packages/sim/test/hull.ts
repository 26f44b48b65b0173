import {
  type Hulls,
  type ShipClass,
  createHulls,
  LOCKED,
  beginTurn,
  endTurn,
  settleAttitude,
  turnFreely,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'

/** A hull that no world holds: at rest at the origin, nose along +x, locked. */
export function hullAtRest(): Hulls {
  const hull = createHulls(1)
  hull.attitude[0] = 1
  return hull
}

const NO_AIM = new Float64Array(6)

/** Makes a hull's step as the ships' stepping does, in one row. */
export function makeAttitudeStep(
  hull: Hulls,
  ship: ShipClass,
  quanta: number,
  aim: Float64Array,
): void {
  beginTurn(hull, ship, 0, quanta, aim)
  if (hull.attitudeMode[0] === LOCKED) return
  const { endAttitude: attitude, angularMomentum: momentum, endWheelMomentum: wheels } = hull
  turnFreely({ attitude, momentum, wheels, stride: 1 }, 0, ship.inertia, quanta)
  endTurn(hull, ship, 0, quanta)
}

/** One step of a hull as the ships' stepping makes it; its place is the caller's. */
export function stepHull(ships: Hulls, ship: ShipClass, quanta: number): void {
  makeAttitudeStep(ships, ship, quanta, NO_AIM)
  commitHull(ships, ship, quanta, NO_AIM)
}

/** The end of a step that is made becomes the start, and is settled. */
export function commitHull(ships: Hulls, ship: ShipClass, quanta: number, aim: Float64Array): void {
  ships.attitude.set(ships.endAttitude)
  ships.wheelMomentum.set(ships.endWheelMomentum)
  ships.attitudeMode[0] = settleAttitude(ships, ship, 0, quanta, aim)
}

/** Rates of a hull and momenta of its wheels, body axes; its total momentum follows. */
export function spinHull(
  ships: Hulls,
  ship: ShipClass,
  rate: readonly number[],
  wheels: readonly number[] = [0, 0, 0],
): void {
  ships.wheelMomentum.set(wheels)
  const body = rate.map((omega, axis) => ship.inertia[axis] * omega + wheels[axis])
  ships.angularMomentum.set(toInertial(ships.attitude, body))
}

/** R(q) v, by the matrix. */
export function toInertial(q: ArrayLike<number>, v: readonly number[]): number[] {
  const [x, y, z] = bodyAxes(q)
  return [0, 1, 2].map((row) => x[row] * v[0] + y[row] * v[1] + z[row] * v[2])
}

/** The body's axes x, y, z, along inertial ones. */
export function bodyAxes(q: ArrayLike<number>): number[][] {
  const [w, x, y, z] = Array.from(q)
  return [
    [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z],
  ]
}

/** Angle of the turn between two attitudes [rad]. */
export function angleBetween(p: ArrayLike<number>, q: ArrayLike<number>): number {
  const [a, b] = [Array.from(p), Array.from(q)]
  const sign = a.reduce((sum, x, i) => sum + x * b[i], 0) < 0 ? -1 : 1
  return 4 * Math.asin(Math.min(1, Math.hypot(...a.map((x, i) => x - sign * b[i])) / 2))
}

/** Evenly distributed directions and attitudes from one seed. */
export interface Dice {
  /** in [0, 1) */
  readonly unit: () => number
  /** a unit vector of so many components */
  readonly direction: (components: number) => number[]
}

export function dice(seed: number): Dice {
  const { share: unit } = createChance(seed)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit())
  const direction = (components: number): number[] => {
    const v = Array.from({ length: components }, normal)
    return v.map((x) => x / Math.hypot(...v))
  }
  return { unit, direction }
}
