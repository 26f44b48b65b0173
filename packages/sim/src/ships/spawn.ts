import { vec3 } from 'gl-matrix'
import type { Body } from '../ephemeris/star-system.ts'
import { alignedQuaternion } from '../math/quaternion.ts'
import { digest } from '../state/digest.ts'
import type { ShipColumns } from '../state/state.ts'

/** Heights of spawn orbits above the home body's mean radius, as fractions of that radius. */
const HEIGHT_MIN = 0.0628 // 400 km over Earth
const HEIGHT_MAX = 0.0942 // 600 km over Earth

const DRAWS_MAX = 64

/** Two words that decide a ship's spawn place: a pure function of world seed and ship id. */
export function spawnKey(worldSeed: string, shipId: string): [number, number] {
  const lanes = digest(['spawn', worldSeed, shipId])
  return [lanes[0], lanes[1]]
}

/**
 * Puts a ship on its spawn orbit: circular, prograde nose, belly to the ground, wheels at rest.
 * Writes the start columns of state vector and attitude; the ship's reference is the caller's to
 * change.
 *
 * @param home  body to circle
 */
export function placeOnSpawnOrbit(ships: ShipColumns, slot: number, home: Body): void {
  const draws = randomUnits(ships.spawnKey[2 * slot], ships.spawnKey[2 * slot + 1])
  const up = drawnDirection(draws)
  const sideways = drawnDirection(draws)
  const ahead = vec3.cross(new Float64Array(3), sideways, up)
  // Two draws that happen to be parallel span no plane; any axis off `up` does as well.
  if (vec3.length(ahead) < 1e-3) vec3.cross(ahead, [up[1], up[2], -up[0]], up)
  vec3.normalize(ahead, ahead)
  const height = HEIGHT_MIN + (HEIGHT_MAX - HEIGHT_MIN) * draws()
  const radius = home.radius * (1 + height)
  const speed = Math.sqrt(home.gm / radius)
  for (let axis = 0; axis < 3; axis++) {
    ships.position[3 * slot + axis] = radius * up[axis]
    ships.velocity[3 * slot + axis] = speed * ahead[axis]
  }
  ships.positionLow.fill(0, 3 * slot, 3 * slot + 3)
  ships.velocityLow.fill(0, 3 * slot, 3 * slot + 3)
  ships.angularMomentum.fill(0, 3 * slot, 3 * slot + 3)
  ships.wheelMomentum.fill(0, 3 * slot, 3 * slot + 3)
  alignedQuaternion(ships.attitude, 4 * slot, ahead as Float64Array, up)
}

/** A unit vector, evenly distributed: points of the cube until one is in the ball. */
function drawnDirection(draws: () => number): Float64Array {
  const out = Float64Array.of(1, 0, 0)
  for (let i = 0; i < DRAWS_MAX; i++) {
    const point = [2 * draws() - 1, 2 * draws() - 1, 2 * draws() - 1] as const
    const length = vec3.length(point)
    if (length > 0.1 && length <= 1) {
      vec3.normalize(out, point)
      break
    }
  }
  return out
}

/**
 * Numbers in [0, 1) from a two-word key.
 *
 * @source splitmix-style counter hash with the finaliser of MurmurHash3 (public domain)
 */
function randomUnits(key0: number, key1: number): () => number {
  let counter = key0
  return () => {
    counter = (counter + 0x9e3779b9) | 0
    let word = counter ^ key1
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35)
    return ((word ^ (word >>> 16)) >>> 0) / 4294967296
  }
}
