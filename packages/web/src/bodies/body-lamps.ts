/** What light reaches a body, and how much of it goes to the camera. */
import { type BodyChain, dot, fill, vector, type Vector } from '@orrery/page-kit'
import { lambertPhase, phaseAngle } from '../space/phase.ts'
import type { BodyDisc, Lamp, Lamps } from './body-disc.ts'
import { CASTERS_MAX } from './body-shading.ts'
import { rgb } from '../scene/looks.ts'
import type { SceneBody } from '../scene/scene-body.ts'

/** Magnitude of a star like the Sun at 1 au. */
const SUN_MAGNITUDE = -26.74

/** Radius over distance of the Sun at 1 au. */
const SUN_SIZE = 0.004_652

const toCamera = vector()

export class BodyLight {
  readonly #bodies: readonly SceneBody[]
  readonly #stars: readonly number[]
  readonly #tints: readonly (readonly number[])[]
  /** of each body, those whose shadow it can meet */
  readonly #casters: readonly (readonly number[])[]
  readonly #from = { body: 0, offset: vector() }
  readonly #to = { body: 0, offset: vector() }
  readonly #between = vector()

  constructor(bodies: readonly SceneBody[]) {
    this.#bodies = bodies
    const all = [...bodies.keys()]
    this.#stars = all.filter((i) => bodies[i].kind === 'star')
    // Eyes take most of a light's colour for white.
    this.#tints = bodies.map(({ look }) => rgb(look.colours[1]).map((part) => (part + 2) / 3))
    this.#casters = all.map((i) => all.filter((j) => canShade(bodies, j, i)))
  }

  /** Writes the two stars that give a body most light. */
  lampsOf({ main, other }: Lamps, chain: BodyChain, i: number): void {
    main.size = other.size = 0
    for (const j of this.#stars) {
      if (j === i) continue
      const [x, y, z] = this.#fromTo(chain, i, j)
      const distance = Math.hypot(x, y, z)
      const size = this.#bodies[j].radius / distance
      if (size <= other.size) continue
      const lamp = size > main.size ? main : other
      if (lamp === main) copyLamp(other, main)
      fill(lamp.direction, x / distance, y / distance, z / distance)
      lamp.size = size
      for (let k = 0; k < 3; k++) lamp.colour[k] = this.#tints[j][k]
    }
  }

  /** Gives a disc those of its family whose shadow reaches it. */
  castShadows(disc: BodyDisc, chain: BodyChain, i: number, { direction, size }: Lamp): void {
    let slot = 0
    const { radius } = this.#bodies[i]
    for (const j of this.#casters[i]) {
      if (slot === CASTERS_MAX) break
      const other = this.#bodies[j]
      const to = this.#fromTo(chain, i, j)
      const along = dot(to, direction)
      const apart = Math.sqrt(Math.max(dot(to, to) - along * along, 0))
      if (along > 0 && apart < radius + other.radius + along * size) {
        disc.cast(slot++, to, other.radius)
      }
    }
    disc.noCastersFrom(slot)
  }

  /** From the centre of body `i` to that of `j` [m], until the next call. */
  #fromTo(chain: BodyChain, i: number, j: number): Vector {
    this.#from.body = i
    this.#to.body = j
    return chain.difference(this.#between, this.#from, this.#to)
  }
}

function copyLamp(out: Lamp, { direction, size, colour }: Lamp): void {
  out.direction.set(direction)
  out.size = size
  for (let k = 0; k < 3; k++) out.colour[k] = colour[k]
}

export function createLamp(): Lamp {
  return { direction: vector(), size: 0, colour: [1, 1, 1] }
}

/** Whether body `j` is of the family of `i`: its parent, a moon of it or a moon beside it. */
function canShade(bodies: readonly SceneBody[], j: number, i: number): boolean {
  const { parent } = bodies[i]
  const { kind, parent: above } = bodies[j]
  if (j === i || kind === 'star') return false
  return j === parent || (kind !== 'planet' && (above === i || above === parent))
}

/**
 * How bright a body looks [magnitudes].
 *
 * @param position  from the camera [m]
 */
export function magnitudeOf(
  { radius, look }: SceneBody,
  position: Vector,
  { direction, size }: Lamp,
): number {
  fill(toCamera, -position[0], -position[1], -position[2])
  const phase = lambertPhase(phaseAngle(direction, toCamera))
  // A star's light falls as the square of its size in the sky.
  const light = (size / SUN_SIZE) ** 2
  const returned = (look.albedo * light * phase * radius ** 2) / dot(position, position)
  return SUN_MAGNITUDE - 2.5 * Math.log10(Math.max(returned, 1e-30))
}
