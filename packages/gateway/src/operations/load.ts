import type { Engine, SystemDigest } from '@orrery/engine'
import type { JournalWriter } from '@orrery/game'
import type { Logger } from '@orrery/http'
import type { HistoryQuery, HistoryResponse, LoadResponse } from '@orrery/protocol'
import type { SocketMetrics } from '../connection/socket-metrics.ts'
import { createFillingLog } from './filling-world.ts'
import { type HistorySample, createHistory } from './history.ts'
import type { Metrics } from './metrics.ts'

/** Between two looks; the shortest step of the history is ten times as long [ms]. */
const LOOK_MS = 1000

/** What the server does now, and did in the last day. */
export interface Load {
  /** keeps the last digest of a star system */
  digest(digest: SystemDigest): void
  now(): LoadResponse
  history(query: HistoryQuery): HistoryResponse
  /** remembers from now on */
  start(): void
  stop(): void
}

export interface LoadOptions {
  readonly engine: Pick<Engine, 'status' | 'metrics'>
  readonly sockets: { metrics(): SocketMetrics }
  readonly journalWriter: Pick<JournalWriter, 'metrics'>
  readonly metrics: Pick<Metrics, 'snapshotAgeSeconds'>
  readonly logger: Pick<Logger, 'warn'>
  /** what the replay at the start came to */
  readonly replay: { readonly digests: number; readonly mismatches: number } | undefined
}

export function createLoad(options: LoadOptions): Load {
  const { engine, sockets, journalWriter, metrics } = options
  const replay = options.replay ? { at: new Date().toISOString(), ...options.replay } : null
  const digests = new Map<string, SystemDigest>()
  const past = createHistory()
  const logFilling = createFillingLog(options.logger)
  let timer: NodeJS.Timeout | undefined
  const sample = (): HistorySample => {
    const status = engine.status()
    return {
      utilisation: status.utilisation,
      tick_rate: status.actualRate,
      ticks_behind: status.ticksBehind,
      time_drift_seconds: status.timeDriftSeconds,
      energy_drift: status.energyDrift,
      momentum_drift: status.momentumDrift,
      players_online: sockets.metrics().players,
      ships: status.ships,
      journal_lag_seconds: journalWriter.metrics().lagSeconds,
      resident_bytes: process.memoryUsage.rss(),
    }
  }
  return {
    digest: (digest) => void digests.set(digest.systemId, digest),
    now: () => {
      const { utilisation, overloaded, faulted, ships, shipsMax, goalMs } = engine.status()
      const { phases, canary } = engine.metrics()
      const { players, observers, bytesQueued } = sockets.metrics()
      const { lagRows, lagSeconds } = journalWriter.metrics()
      return {
        utilisation,
        phases: Object.fromEntries(Object.entries(phases).map(([name, ms]) => [name, ms / 1000])),
        overloaded,
        clock_goal: goalMs === undefined ? null : new Date(goalMs).toISOString(),
        faulted,
        ships,
        ships_max: shipsMax,
        players_online: players,
        observers_online: observers,
        socket_queued_bytes: bytesQueued,
        journal_lag_rows: lagRows,
        journal_lag_seconds: lagSeconds,
        snapshot_age_seconds: metrics.snapshotAgeSeconds(),
        digests: Array.from(digests.values(), ({ systemId, index, digest }) => ({
          system_id: systemId,
          index,
          digest,
        })),
        replay,
        canary_checks: canary.checks,
        canary_mismatches: canary.mismatches,
        resident_bytes: process.memoryUsage.rss(),
        uptime_seconds: process.uptime(),
      }
    },
    history: (query) => past.read(query),
    start: () => {
      timer ??= setInterval(() => {
        logFilling(engine.status())
        past.add(Math.floor(Date.now() / 1000), sample())
      }, LOOK_MS)
    },
    stop: () => clearInterval(timer),
  }
}
