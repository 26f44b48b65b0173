import type { Universe, World } from '@orrery/engine/testing'
import { Trajectories } from '../../src/trajectories/trajectories.ts'
import { expectSame } from './comparison.ts'
import { ReceivedClient } from './received-client.ts'

/** Publications from one comparison to the next. */
const APART = 4

export interface ReceivedLife {
  /** is called with a universe at first, and when it is published */
  readonly follow: (universe: Universe) => void
  readonly publications: () => number
  /** the first between a client and its world */
  readonly difference: () => unknown
}

/** Clients that follow the records of trajectories, one of each star system. */
export function receivedLife(): ReceivedLife {
  const received = new Map<World, { trajectories: Trajectories; client: ReceivedClient }>()
  let publications = 0
  let difference: unknown
  const follow = (world: World): void => {
    const known = received.get(world)
    const trajectories = known?.trajectories ?? new Trajectories(world, 0)
    const client = known?.client ?? new ReceivedClient()
    received.set(world, { trajectories, client })
    if (known) client.read(trajectories.publish())
    else client.ask(world, trajectories)
    if (publications % APART === 0) expectSame(world, client, `publication ${publications}`)
  }
  return {
    follow({ worlds }) {
      try {
        for (const world of worlds) follow(world)
      } catch (error) {
        difference ??= error
      }
      publications++
    },
    publications: () => publications,
    difference: () => difference,
  }
}
