import type { Database } from '@orrery/database'
import { universeImage } from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import {
  type EraReason,
  type Ownership,
  Renewal,
  type Snapshots,
  eras,
  raiseFences,
  settings as settingsRows,
} from '@orrery/store'
import type { KeptSettings } from './kept-settings.ts'
import { type Retrying, untilKnown } from '../until-known.ts'
import { type OpenedUniverse, storeUniverse } from './stored-universe.ts'

/**
 * Stores a universe as the first of an era, and makes that era the present one: what was on its way
 * to another is refused.
 *
 * @param retrying  while it is not known whether it is; without it that is an error
 */
export async function openEra(
  {
    sql,
    snapshots,
    kept,
    owner,
  }: {
    readonly sql: Database['sql']
    readonly snapshots: Pick<Snapshots, 'store'>
    readonly kept: KeptSettings
    readonly owner: Ownership
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
  const renewal = new Renewal(owner)
  const open = (): Promise<void> =>
    sql.begin(async (transaction) => {
      await raiseFences(transaction, renewal)
      await eras(transaction).open({ era, reason, snapshotId, physics: PHYSICS })
      await settingsRows(transaction).save({ era })
    })
  await (retrying ? untilKnown(open, retrying) : open())
  renewal.adopt()
  kept.adopt({ ...kept.settings, era })
}
