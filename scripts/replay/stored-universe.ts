/** Universes of stored snapshots, to be compared with. */
import type { Database } from '@orrery/database'
import type { GameModules } from '@orrery/engine/modules'
import { type Universe, inside } from '@orrery/engine/testing'
import { openStored } from '@orrery/game'
import { type SnapshotSummary, snapshots } from '@orrery/store'

/** The universe of a stored snapshot, or why it does not open; undefined when it was deleted. */
export async function storedUniverse(
  sql: Database['sql'],
  { id }: SnapshotSummary,
  modules: GameModules | undefined,
): Promise<Universe | string | undefined> {
  let reason: string | undefined
  const records = snapshots(sql, (unusable) => ({ reason } = unusable))
  const stored = await records.byId(id)
  if (!stored) {
    // A running server may delete it.
    return (await records.list()).some((one) => one.id === id) ? reason : undefined
  }
  try {
    return inside((await openStored(stored, { shipsMax: 1, modules })).universe)
  } catch (error) {
    if (Object(error).code !== 'ERR_IMAGE') throw error
    return String(Object(error).message)
  }
}
