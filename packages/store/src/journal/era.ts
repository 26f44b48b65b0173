import type postgres from 'postgres'
import { StoreError } from '../error.ts'

/** Why a line of history began: `mismatch` is a recovery that did not give the digests kept. */
export type EraReason = 'new' | 'restored' | 'reset' | 'backup' | 'mismatch'

/** An unforked line of history. */
export interface Era {
  /** From 1. */
  readonly era: number
  readonly openedAt: Date
  readonly reason: EraReason
  /** The snapshot its journal goes on from; never pruned. */
  readonly snapshotId: number
  /** Version of the physics that the journal is to be replayed with. */
  readonly physics: number
}

export type NewEra = Omit<Era, 'openedAt'>

export interface Eras {
  /**
   * Opens an era; the same once more is harmless.
   *
   * @throws StoreError `ERR_ERA_EXISTS` when it has begun with another snapshot
   */
  open(era: NewEra): Promise<void>
  byNumber(era: number): Promise<Era | undefined>
  /** All eras, oldest first. */
  list(): Promise<Era[]>
}

/**
 * The eras behind a handle.
 *
 * @param sql a database, or a transaction to take part in
 */
export function eras(sql: postgres.ISql): Eras {
  const columns = sql`
    era, opened_at as "openedAt", reason, snapshot_id::float8 as "snapshotId", physics`

  async function byNumber(era: number): Promise<Era | undefined> {
    const [row] = await sql<Era[]>`select ${columns} from era where era = ${era}`
    return row
  }

  return {
    async open({ era, reason, snapshotId, physics }) {
      const row = { era, reason, snapshot_id: snapshotId, physics }
      await sql`insert into era ${sql(row)} on conflict (era) do nothing`
      const begun = await byNumber(era)
      if (begun?.snapshotId === snapshotId) return
      const message = `Era ${era} has begun already, with snapshot ${begun?.snapshotId}.`
      throw new StoreError('ERR_ERA_EXISTS', message)
    },
    byNumber,
    async list() {
      return [...(await sql<Era[]>`select ${columns} from era order by era`)]
    },
  }
}
