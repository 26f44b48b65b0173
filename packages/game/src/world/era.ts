import type { Database } from '@orrery/database'
import { worldImage } from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import { type EraReason, type Snapshots, eras, settings as settingsRows } from '@orrery/store'
import type { KeptSettings } from './kept-settings.ts'
import { type OpenedWorld, storeWorld } from './stored-world.ts'

/** Stores a world as the first of an era, and makes that era the present one. */
export async function openEra(
  {
    sql,
    snapshots,
    kept,
  }: {
    readonly sql: Database['sql']
    readonly snapshots: Pick<Snapshots, 'store'>
    readonly kept: KeptSettings
  },
  { world, gameClock, tick }: OpenedWorld,
  { era, reason }: { readonly era: number; readonly reason: EraReason },
): Promise<void> {
  const image = worldImage(world, gameClock, tick)
  const snapshotId = await storeWorld(snapshots, image, { era, kind: 'automatic' })
  await sql.begin(async (transaction) => {
    await eras(transaction).open({ era, reason, snapshotId, physics: PHYSICS })
    await settingsRows(transaction).save({ era })
  })
  kept.adopt({ ...kept.settings, era })
}
