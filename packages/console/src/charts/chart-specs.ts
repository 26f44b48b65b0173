import type { PastColumn } from '../operator/history.ts'

/** What one chart shows. */
export interface ChartSpec {
  readonly title: string
  readonly unit: string
  /** from the server's unit to the shown one */
  readonly factor: number
  readonly columns: readonly PastColumn[]
}

/** The charts in their order. */
export const CHARTS: readonly ChartSpec[] = [
  { title: 'Utilisation', unit: '%', factor: 100, columns: ['utilisation'] },
  { title: 'Tick rate', unit: 'Hz', factor: 1, columns: ['tick_rate'] },
  { title: 'Drift from UTC', unit: 's', factor: 1, columns: ['time_drift_seconds'] },
  { title: 'Players online and ships', unit: '', factor: 1, columns: ['players_online', 'ships'] },
  { title: 'Journal lag', unit: 's', factor: 1, columns: ['journal_lag_seconds'] },
  {
    title: 'Energy and momentum drift',
    unit: '',
    factor: 1,
    columns: ['energy_drift', 'momentum_drift'],
  },
  { title: 'Memory', unit: 'MiB', factor: 2 ** -20, columns: ['resident_bytes'] },
  { title: 'Ticks behind', unit: '', factor: 1, columns: ['ticks_behind'] },
]
