import {
  type Pool,
  type SystemSetup,
  type Universe,
  type World,
  createWorld,
  startNode,
} from '@orrery/engine/testing'
import { advanceChunk, createMassiveState } from '@orrery/sim'

/** One round body alone: a world that is made in milliseconds, from a node on. */
export function globe(node = 0): SystemSetup {
  return {
    system: {
      id: 'alone',
      name: 'Alone',
      position: [0, 0, 0],
      bodies: [{ name: 'Globe', parent: -1, gm: 3.986004418e14, radius: 6.371e6 }],
    },
    territory: { home: 0, spheres: Float64Array.of(Infinity) },
    start: Object.assign(createMassiveState(1), { node }),
  }
}

/** Lattice index the test worlds start at. */
export const START_INDEX = 1_000_000

export function globeWorld(index: number = START_INDEX): World {
  const system = globe(startNode(index))
  return createWorld({ system, index, seed: 'test', shipsMax: 512 })
}

/** Worlds under one clock, with as many ships as the first has room for. */
export function universeOf(...worlds: readonly World[]): Universe {
  return { worlds, shipsMax: worlds[0].setup.shipsMax }
}

/** Flies all ships on the calling thread, for tests of what is around the pool. */
export function callingThread(...worlds: readonly World[]): Pool {
  return {
    advance: (rounds) => {
      for (const [place, round] of rounds.entries()) {
        if (!round) continue
        const { state, flight } = worlds[place]
        for (let chunk = 0; chunk < state.chunks; chunk++) {
          advanceChunk(flight, chunk, round.target)
        }
      }
      return Promise.resolve()
    },
    status: () => ({ threads: 0, failures: 0, busyMs: 0 }),
    close: () => Promise.resolve(),
  }
}
