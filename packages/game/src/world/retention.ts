import type { Database } from '@orrery/database'
import type { WallClock } from '@orrery/engine'
import {
  type AuditTrail,
  type Ownership,
  type ServiceAnswers,
  type Snapshots,
  type SnapshotSummary,
  eras,
  pruneJournal,
} from '@orrery/store'
import type { GameConfig } from '../game-config.ts'
import { refusal } from '../refusal.ts'

/** Snapshots of the schedule and of clean stops that stay, whatever their age. */
const SNAPSHOTS_KEPT = 2

/** The journal can begin at so many instants of the time that it is kept for. */
const STARTS = 4

/** Audit entries that stay of what accounts did to themselves, and of the others: 40 MB in all. */
const AUDIT_KEPT = 100_000

/** They are counted so seldom, since each count reads them all. */
const AUDIT_MS = 3_600_000

/** A stored world. */
export interface StoredWorld extends SnapshotSummary {
  /** whether the journal since then is kept */
  readonly isReplayable: boolean
}

/** What stays of the past. */
export interface Retention {
  /** Deletes what need not stay; one that fails or is ended is completed by the next. */
  prune(): Promise<void>
  /** Deletes a stored world; false when it is unknown. @throws {Refusal} 409 E003 when needed */
  remove(id: number): Promise<boolean>
  /** stored worlds with all systems but those of backups, newest first */
  list(): Promise<StoredWorld[]>
}

export interface RetentionOptions {
  readonly sql: Database['sql']
  readonly snapshots: Snapshots
  readonly owner: Ownership
  readonly auditTrail: Pick<AuditTrail, 'prune'>
  readonly serviceAnswers: Pick<ServiceAnswers, 'prune'>
  readonly config: Pick<GameConfig, 'journalMs'>
  readonly clock: Pick<WallClock, 'monotonicMs' | 'utcMs'>
}

/** @param signal  ends a pruning */
export function createRetention(
  { sql, snapshots, owner, auditTrail, serviceAnswers, config, clock }: RetentionOptions,
  signal: AbortSignal,
): Retention {
  const { journalMs } = config
  const keep = SNAPSHOTS_KEPT
  let auditMs = -Infinity

  const list = async (): Promise<StoredWorld[]> => {
    const all = await snapshots.list()
    const firstOf = new Map((await eras(sql).list()).map((one) => [one.era, one.snapshotId]))
    const isWhole = ({ era, sequences }: SnapshotSummary): boolean => {
      const first = all.find(({ id }) => id === firstOf.get(era))
      return Object.keys(first?.sequences ?? {}).every((systemId) => systemId in sequences)
    }
    return all
      .filter((one) => one.kind !== 'backup' && isWhole(one))
      .map((one) => ({ ...one, isReplayable: one.id >= (firstOf.get(one.era) ?? Infinity) }))
  }

  return {
    list,
    prune: async () => {
      const sinceMs = clock.utcMs() - journalMs
      // Of some systems no journal is pruned: an era begins with all of them.
      if (journalMs < Infinity) {
        await pruneJournal(sql, snapshots, { keep, sinceMs, signal, owner }).catch(unlessFenced)
      }
      await snapshots.prune({ keep, apartMs: journalMs / STARTS })
      if (clock.monotonicMs() - auditMs < AUDIT_MS) return
      auditMs = clock.monotonicMs()
      await auditTrail.prune(AUDIT_KEPT)
      await serviceAnswers.prune()
    },
    remove: async (id) => {
      const stored = await list()
      if (!stored.some((one) => one.id === id)) return false
      const begun = (await eras(sql).list()).find(({ snapshotId }) => snapshotId === id)
      if (begun) {
        const message = `Snapshot ${id} is needed: the journal of era ${begun.era} begins with it`
        throw refusal('E003', message, 409)
      }
      const scheduled = stored.filter(({ kind }) => kind !== 'admin').slice(0, keep)
      if (scheduled.some((one) => one.id === id)) {
        const message = `Snapshot ${id} is needed: the next start may begin with it`
        throw refusal('E003', message, 409)
      }
      return snapshots.delete(id)
    },
  }
}

function unlessFenced(error: unknown): void {
  if (Object(error).code !== 'ERR_FENCED') throw error
}
