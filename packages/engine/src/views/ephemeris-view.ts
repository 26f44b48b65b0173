import { NODE_QUANTA, QUANTA_PER_SECOND, nodeState } from '@orrery/sim'
import type { World } from '../world/world.ts'
import { outsideEphemeris } from './bodies-view.ts'

/**
 * The massive bodies at neighbouring nodes; in between they are on the quintic through position,
 * velocity and acceleration at both ends.
 */
export interface EphemerisView {
  /** lattice index of the first node, and quanta from one to the next */
  readonly index: number
  readonly interval: number
  readonly bodies: readonly {
    readonly name: string
    /** undefined for the root */
    readonly parentBody: string | undefined
    /** relative to the parent, of the root to the barycentre: x, v, a per node [m, s], ICRF axes */
    readonly states: readonly (readonly number[])[]
  }[]
}

/**
 * The nodes around a span of time.
 *
 * @param from     lattice index
 * @param seconds  from there on
 * @throws {EngineError} 'ERR_MOMENT' naming what the ephemeris holds, when that is not all
 */
export function ephemerisView(world: World, from: number, seconds: number): EphemerisView {
  const { system, ephemeris } = world.state
  const first = Math.floor(from / NODE_QUANTA)
  const last = Math.floor((from + seconds * QUANTA_PER_SECOND) / NODE_QUANTA) + 1
  if (first < ephemeris.span[0] || last > ephemeris.span[1]) throw outsideEphemeris(world)
  const nodes = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  return {
    index: first * NODE_QUANTA,
    interval: NODE_QUANTA,
    bodies: system.bodies.map(({ name, parent }, body) => ({
      name,
      parentBody: system.bodies[parent]?.name,
      states: nodes.map((node) => [...nodeState(ephemeris, body, node)]),
    })),
  }
}
