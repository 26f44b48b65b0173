import { solSystem } from '@orrery/catalog'
import { LOW_ORBIT, type ManeuverOrder, ORBIT_ROOM, leastAltitude } from '@orrery/sim'
import type { Chance } from '@orrery/testkit'
import type { PlacedState } from './sol-flight.ts'

const DAY = 86_400

/** Farthest that ships about the Sun are [m]. */
const SUN_REACH = 4e11

export const ORDER_KINDS = [
  'circularize',
  'circularize to a radius',
  'set_orbit',
  'escape',
  'transfer',
  'rendezvous',
  'dock',
] as const

export type OrderKind = (typeof ORDER_KINDS)[number]

type Spheres = Float64Array

/** Bodies that a ship can be in orbit of. */
export function orbitedBodies(spheres: Spheres): number[] {
  return solSystem.bodies.flatMap(({ radius }, body) =>
    radius * (1 + LOW_ORBIT) < ORBIT_ROOM * spheres[body] ? [body] : [],
  )
}

function reachOf(body: number, spheres: Spheres): number {
  return Math.min(spheres[body], SUN_REACH)
}

/** A length between two, all sizes alike. */
export function between(random: Chance, low: number, high: number): number {
  return low * (high / low) ** random.share()
}

export function randomDirection(random: Chance): number[] {
  const z = 2 * random.share() - 1
  const angle = 2 * Math.PI * random.share()
  const across = Math.sqrt(1 - z * z)
  return [across * Math.cos(angle), across * Math.sin(angle), z]
}

/** A place on a random conic about a body: mostly circles and ellipses, some that do not last. */
export function randomPlace(random: Chance, body: number, spheres: Spheres): PlacedState {
  const { gm, name, radius } = solSystem.bodies[body]
  const reach = reachOf(body, spheres)
  const lowest = radius * (1 + LOW_ORBIT)
  for (;;) {
    const kind = random.below(10)
    const r1 = between(random, lowest, 0.6 * reach)
    const r2 = kind < 4 ? r1 * (1 + 0.02 * random.share()) : between(random, lowest, 0.6 * reach)
    let periapsis = Math.min(r1, r2)
    let e = Math.abs(r2 - r1) / (r1 + r2)
    // One that leaves, an open one, and one that ends in the ground.
    if (kind === 7) e = Math.max(e, (1.3 * reach - periapsis) / (1.3 * reach + periapsis))
    if (kind === 8) e = 1 + random.share()
    if (kind === 9) periapsis = radius * (0.3 + 0.6 * random.share())
    const anomaly = 2 * Math.PI * random.share()
    const p = periapsis * (1 + e)
    const distance = p / (1 + e * Math.cos(anomaly))
    if (!(distance > 1.05 * radius && distance < 0.8 * reach)) continue
    const normal = randomDirection(random)
    const axis = randomDirection(random)
    const ahead = unit(cross(normal, axis))
    const side = cross(normal, ahead)
    const speed = Math.sqrt(gm / p)
    const [cosine, sine] = [Math.cos(anomaly), Math.sin(anomaly)]
    return {
      body: name,
      position: ahead.map((x, i) => distance * (cosine * x + sine * side[i])),
      velocity: ahead.map((x, i) => speed * ((e + cosine) * side[i] - sine * x)),
      fuel: random.oneIn(5) ? 10_000 * random.share() : 10_000,
    }
  }
}

/** An order of a kind for a ship about a body; stations have the names of their bodies. */
export function randomOrder(
  random: Chance,
  kind: OrderKind,
  body: number,
  spheres: Spheres,
  target: number,
): ManeuverOrder {
  const { radius } = solSystem.bodies[body]
  const lowest = radius * (1 + LOW_ORBIT)
  const highest = ORBIT_ROOM * reachOf(body, spheres)
  const order = { timeout: 300 * DAY, params: [] }
  if (kind === 'circularize to a radius') {
    return { ...order, maneuver: 'circularize', params: [between(random, lowest, highest)] }
  }
  if (kind === 'set_orbit') {
    const r1 = between(random, lowest, highest)
    const r2 = random.oneIn(2) ? r1 : between(random, lowest, highest)
    const tilt = Math.PI * random.share()
    const node = 2 * Math.PI * random.share()
    const shape = [(r1 + r2) / 2, Math.abs(r2 - r1) / (r1 + r2)]
    const [a, e] = random.pick([shape, shape, [shape[0], -1], [0, shape[1]], [0, -1]])
    const plane = random.oneIn(2) ? [-2, 0] : [Math.cos(tilt), Math.sin(tilt)]
    const way = random.oneIn(4) ? [Math.cos(node), Math.sin(node)] : [0, 0]
    return { ...order, maneuver: 'set_orbit', params: [a, e, ...plane, ...way] }
  }
  if (kind === 'transfer') {
    const to = random.below(solSystem.bodies.length)
    const least = leastAltitude(solSystem.bodies[to].radius)
    const altitude = random.oneIn(2) ? 0 : least * (0.5 + 20 * random.share())
    return { ...order, maneuver: 'transfer', timeout: 3e8, body: to, params: [altitude] }
  }
  if (kind === 'rendezvous') return { ...order, maneuver: 'rendezvous', ship: target }
  if (kind === 'dock') {
    return { ...order, maneuver: 'dock', stationId: solSystem.bodies[body].name }
  }
  return { ...order, maneuver: kind }
}

export function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function unit(a: readonly number[]): number[] {
  return a.map((x) => x / Math.hypot(...a))
}
