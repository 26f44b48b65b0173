/** How busy the process that makes the load is itself: what it measures is only as good. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metric } from '../runs/report.ts'

/** Measures this process; the returned function ends that and returns the result. */
export function watchGenerator(): () => Metric[] {
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  const before = process.cpuUsage()
  const startMs = performance.now()
  return () => {
    lag.disable()
    const { user, system } = process.cpuUsage(before)
    const share = (user + system) / 10 / (performance.now() - startMs)
    return [
      ['generator_cpu', share, '% of one core'],
      ['generator_lag_p99', lag.percentile(99) / 1e6, 'ms'],
    ]
  }
}
