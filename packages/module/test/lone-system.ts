// A star system of one body, and the lattice index at which its worlds begin.
import type { createUniverse } from '@orrery/engine/testing'
import { createMassiveState } from '@orrery/sim'

export const INDEX = 1_000_000

export const SYSTEM: Parameters<typeof createUniverse>[0]['systems'][number] = {
  system: {
    id: 'alone',
    name: 'Alone',
    position: [0, 0, 0],
    bodies: [{ name: 'Globe', parent: -1, gm: 3.986004418e14, radius: 6.371e6 }],
  },
  territory: { home: 0, spheres: Float64Array.of(Infinity) },
  start: Object.assign(createMassiveState(1), { node: Math.floor(INDEX / 16_384) - 2 }),
}
