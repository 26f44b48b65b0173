import type { Logger } from '@orrery/http'
import type { Snapshots } from '@orrery/store'
import type { Metrics } from './metrics.ts'

/** The same snapshots; each that is stored is measured, and told in one line. */
export function watchedSnapshots(
  snapshots: Snapshots,
  { metrics, logger }: { readonly metrics: Pick<Metrics, 'snapshot'>; readonly logger: Logger },
): Snapshots {
  return {
    ...snapshots,
    store: async (snapshot) => {
      const startMs = performance.now()
      const id = await snapshots.store(snapshot)
      const ms = performance.now() - startMs
      const { kind, tick, bytes } = snapshot
      metrics.snapshot({ ms, bytes: bytes.length })
      const told = { snapshot: id, kind, tick, bytes: bytes.length, duration_ms: Math.round(ms) }
      logger.info(told, 'world stored')
      return id
    },
  }
}
