import type { Database } from '@orrery/database'
import { universeImage } from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import { type EraReason, type Snapshots, eras, settings as settingsRows } from '@orrery/store'
import type { KeptSettings } from './kept-settings.ts'
import { type Retrying, untilKnown } from '../until-known.ts'
import { type OpenedUniverse, storeUniverse } from './stored-universe.ts'

/**
 * Stores a universe as the first of an era, and makes that era the present one.
 *
 * @param retrying  while it is not known whether it is; without it that is an error
 */
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
  { universe, gameClock, tick }: OpenedUniverse,
  {
    era,
    reason,
    ...at
  }: { readonly era: number; readonly reason: EraReason; readonly createdAt?: Date },
  retrying?: Retrying,
): Promise<void> {
  const image = universeImage(universe, gameClock, tick)
  const snapshotId = await storeUniverse(snapshots, image, { era, kind: 'automatic', ...at })
  const open = (): Promise<void> =>
    sql.begin(async (transaction) => {
      await eras(transaction).open({ era, reason, snapshotId, physics: PHYSICS })
      await settingsRows(transaction).save({ era })
    })
  await (retrying ? untilKnown(open, retrying) : open())
  kept.adopt({ ...kept.settings, era })
}
