import type { Pool, Universe } from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import { eras, snapshots } from '@orrery/store'
import type { Follower, FollowerOptions } from './follower.ts'

/** The core of the release before: it flies what a world of its physics has in its journal. */
export interface CarriedCore {
  readonly physics: number
  /** As `createFollower`; what it promotes is opened by this program's own physics. */
  follower(options: CarriedFollowing): Follower
}

export interface CarriedFollowing extends Pick<FollowerOptions, 'onAway' | 'onBack' | 'onOpened'> {
  /** of threads that fly what is promoted */
  readonly createPool: (universe: Universe) => Pool
}

/** Version of the physics that flies the newest world; undefined where none is stored. */
export async function storedPhysics(sql: FollowerOptions['sql']): Promise<number | undefined> {
  const opening = (await eras(sql).list()).at(-1)
  const newest = (await snapshots(sql).list())
    .filter(({ era, kind }) => era === opening?.era && kind !== 'backup')
    .toSorted((a, b) => b.id - a.id)
  return newest.at(0)?.physics
}

/** The carried core where it is the one of a physics, and not this program's own. */
export function carriedFor(
  carried: CarriedCore | undefined,
  physics: number | undefined,
): CarriedCore | undefined {
  return physics !== PHYSICS && carried?.physics === physics ? carried : undefined
}
