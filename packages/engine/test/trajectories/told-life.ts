import type { Universe, World } from '@orrery/engine/testing'
import { Trajectories } from '../../src/trajectories/trajectories.ts'
import { expectSame } from './comparison.ts'
import { ToldClient } from './told-client.ts'

/** Publications from one comparison to the next. */
const APART = 4

export interface ToldLife {
  /** is called with a universe at first, and when it is published */
  readonly follow: (universe: Universe) => void
  readonly publications: () => number
  /** the first between a client and its world */
  readonly difference: () => unknown
}

/** Clients that follow the records of trajectories, one of each star system. */
export function toldLife(): ToldLife {
  const told = new Map<World, { trajectories: Trajectories; client: ToldClient }>()
  let publications = 0
  let difference: unknown
  const follow = (world: World): void => {
    const known = told.get(world)
    const trajectories = known?.trajectories ?? new Trajectories(world, 0)
    const client = known?.client ?? new ToldClient()
    told.set(world, { trajectories, client })
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
