import type { createUniverse } from '@orrery/engine/testing'
import { createMassiveState } from '@orrery/sim'

/** One round body alone: a star system that is made in milliseconds. */
export const GLOBE: Parameters<typeof createUniverse>[0]['systems'][number] = {
  system: {
    id: 'alone',
    name: 'Alone',
    position: [0, 0, 0],
    bodies: [{ name: 'Globe', parent: -1, gm: 3.986004418e14, radius: 6.371e6 }],
  },
  territory: { home: 0, spheres: Float64Array.of(Infinity) },
  start: Object.assign(createMassiveState(1), { node: 0 }),
}
