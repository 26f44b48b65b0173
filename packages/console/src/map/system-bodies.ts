/** The massive bodies of the star system on the map, as they are now. */
import type { SocketEvents } from '@orrery/client'
import { type World, createShipSample } from '@orrery/client/flight'
import { BodyChain, vector, type Vector } from '@orrery/page-kit'

type SystemMessage = SocketEvents['system']

export type BodyKind = 'star' | 'planet' | 'moon'

export interface MapBody {
  readonly name: string
  readonly kind: BodyKind
  readonly parent: number
  readonly radius: number
  readonly gm: number
  /** radius of its sphere of influence [m] */
  readonly sphere: number
  /** of its equator, if that is known */
  readonly pole: Vector | undefined
}

/** More than this shines: 13 masses of Jupiter [m³/s²]. */
const STAR_GM = 1.65e18

const state = createShipSample()

export class SystemBodies {
  readonly id: string
  readonly name: string
  readonly bodies: readonly MapBody[]
  readonly chain: BodyChain
  /** of each body from its parent [m/s] */
  readonly velocities: Float64Array
  /** body whose orbits ships start in */
  readonly home: number
  #isPlaced = false

  constructor({ system: { id, name, bodies }, spheres, home }: SystemMessage) {
    this.id = id
    this.name = name
    this.home = home
    this.bodies = bodies.map(({ oblateness, ...body }, i) => ({
      ...body,
      kind: kindOf(bodies, i),
      pole: oblateness && Float64Array.from(oblateness.pole),
      sphere: spheres[i] ?? Infinity,
    }))
    this.chain = new BodyChain(bodies.map(({ parent }) => parent))
    this.velocities = new Float64Array(3 * bodies.length)
  }

  /** Moves all bodies to a time; false while it is not known where they are. */
  advance(world: World, time: number): boolean {
    const { relative } = this.chain
    for (const [i, { name, parent }] of this.bodies.entries()) {
      const center = parent < 0 ? undefined : this.bodies[parent].name
      if (!world.bodyAt(state, name, time, center)) return this.#isPlaced
      relative.set(state.r, 3 * i)
      this.velocities.set(state.v, 3 * i)
    }
    this.#isPlaced = true
    return true
  }

  index(name: string): number {
    return this.bodies.findIndex((body) => body.name === name)
  }

  /** Distance of a body from its parent now [m]. */
  distance(body: number): number {
    const { relative } = this.chain
    return Math.hypot(relative[3 * body], relative[3 * body + 1], relative[3 * body + 2])
  }
}

function kindOf(bodies: SystemMessage['system']['bodies'], body: number): BodyKind {
  const { parent, gm } = bodies[body]
  if (parent < 0 || gm > STAR_GM) return 'star'
  return kindOf(bodies, parent) === 'star' ? 'planet' : 'moon'
}

export const ORIGIN: Vector = vector()
