/** From where things are looked at first. */
import type { SceneBody } from '../scene/scene-body.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import { length, vector, type Vector } from '@orrery/page-kit'
import { aimAlong } from './view-axes.ts'
import type { Outlook } from './view-camera.ts'
import { directionWithMoon, litDirection } from './viewpoints.ts'

/** Distance at which a body is looked at first, in its radii. */
const DISTANCE_RADII = 5.2

/** The same for one with rings. */
const DISTANCE_RINGS = 8

/** Distance at which a ship, a station or a gate is looked at first, and the least [m]. */
const OBJECT_DISTANCES = {
  ship: { first: 120, least: 8 },
  station: { first: 420, least: 20 },
  jumpgate: { first: 1500, least: 20 },
} as const

/** How far from the middle of a body the camera is at least, in its radii. */
const LEAST_RADII = 1.000_01

const OVERVIEW_DISTANCE_MAX = 1e13

/** @param stretch  above 1 on a picture higher than wide: things are looked at from farther */
export function bodyOutlook(around: Surroundings, body: number, stretch: number): Outlook {
  const { kind, radius, look } = around.bodies[body]
  const distance = radius * (look.rings === 'saturn' ? DISTANCE_RINGS : DISTANCE_RADII) * stretch
  const direction = kind === 'star' ? vector(0.6, -0.7, 0.1) : litDirection(toStar(around, body))
  return { aim: aimAlong(direction, distance), least: radius * LEAST_RADII }
}

/** The home with its moon beside it. */
export function homeOutlook(
  around: Surroundings,
  stretch: number,
): Outlook & { readonly body: number } {
  const { bodies } = around
  const home = Math.max(around.home, 0)
  const moon = bodies.findIndex(({ parent, kind }) => parent === home && kind === 'moon')
  const outlook = { ...bodyOutlook(around, home, stretch), body: home }
  if (moon < 0) return outlook
  const toMoon = fromTo(around, home, moon)
  const direction = directionWithMoon(toStar(around, home), toMoon, 0.34 / stretch)
  return { ...outlook, aim: aimAlong(direction, outlook.aim.distance) }
}

/** The root of the system from where all planets are seen. */
export function overview(around: Surroundings): Outlook & { readonly body: number } {
  const { bodies } = around
  const body = bodies.findIndex(({ parent }) => parent < 0)
  const planets = [...bodies.keys()].filter((i) => bodies[i].kind === 'planet')
  const farthest = Math.max(...planets.map((i) => length(fromTo(around, body, i))))
  const distance = Math.min(3 * farthest, OVERVIEW_DISTANCE_MAX)
  const aim = aimAlong(vector(0.2, -0.8, 0.5), distance)
  return { body, aim, least: bodies[body].radius * LEAST_RADII }
}

/** Where the camera is about a ship, a station or a gate at first: behind, beside, above [rad]. */
const OBJECT_YAW = 2.7
const OBJECT_PITCH = 0.3

/** A ship, a station or a gate on its way, with the ground before the camera. */
export function objectOutlook(kind: keyof typeof OBJECT_DISTANCES, along: Vector): Outlook {
  const { first: distance, least } = OBJECT_DISTANCES[kind]
  return { aim: { yaw: OBJECT_YAW, pitch: OBJECT_PITCH, distance }, least, along }
}

/** The nearest star above a body. */
export function starOf(bodies: readonly SceneBody[], body: number): number {
  for (let at = body; at >= 0; at = bodies[at].parent) if (bodies[at].kind === 'star') return at
  return 0
}

function toStar(around: Surroundings, body: number): Vector {
  return fromTo(around, body, starOf(around.bodies, body))
}

function fromTo({ chain }: Surroundings, body: number, other: number): Vector {
  const offset = vector()
  return chain.difference(vector(), { body, offset }, { body: other, offset })
}
