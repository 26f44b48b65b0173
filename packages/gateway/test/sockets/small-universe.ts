// Two small star systems, and a pool that flies their ships on the test's own thread.
import {
  type Pool,
  type SystemSetup,
  type TickedUniverse,
  type Universe,
  createGameClock,
  createUniverse,
} from '@orrery/engine/testing'
import type { GameModules } from '@orrery/engine/modules'
import {
  type Body,
  advanceChunk,
  createMassiveState,
  spheresOfInfluence,
  utcFromLattice,
} from '@orrery/sim'

const INDEX = 4096 * 250

/** UTC at which game time begins [Unix ms]. */
export const START_MS: number = utcFromLattice(INDEX)

/** A globe with a moon: ships go round it in steps of a minute and less. */
function system(id: string): SystemSetup {
  const bodies: Body[] = [
    { name: `Globe ${id}`, parent: -1, gm: 3.986004418e14, radius: 6.371e6 },
    { name: `Moon ${id}`, parent: 0, gm: 4.9e12, radius: 1.74e6 },
  ]
  const start = createMassiveState(2)
  start.x.set([0, 0, 0, 3.844e8, 0, 0])
  start.v.set([0, 0, 0, 0, 1018, 0])
  const sky = { id, name: id, position: [0, 0, 0] as const, bodies }
  const state = Object.assign(start, { node: 60 })
  return { system: sky, territory: { home: 0, spheres: spheresOfInfluence(sky, state) }, start }
}

export function smallUniverse(shipsMax = 1024, modules?: GameModules): Universe {
  const systems = [system('sol'), system('alpha')]
  return createUniverse({ systems, index: INDEX, seed: 'wire', shipsMax, modules })
}

/** Flies all ships on this thread. */
export function callingThread({ worlds }: Universe): Pool {
  return {
    advance: async (rounds) => {
      for (const [place, round] of rounds.entries()) {
        if (!round) continue
        const { state, flight } = worlds[place]
        for (let chunk = 0; chunk < state.chunks; chunk++) {
          advanceChunk(flight, chunk, round.target)
        }
      }
    },
    status: () => ({ threads: 0, failures: 0, busyMs: 0 }),
    close: async () => undefined,
  }
}

/** A universe as it begins, for an engine to fly. */
export function beginning(universe: Universe = smallUniverse()): TickedUniverse {
  return { universe, pool: callingThread(universe), gameClock: createGameClock(INDEX), tick: 0 }
}
