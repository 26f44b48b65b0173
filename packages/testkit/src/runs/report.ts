import { cpus, loadavg } from 'node:os'

/** One measured value. */
export interface Row {
  readonly case: string
  readonly metric: string
  readonly value: number
  readonly unit: string
  /** what it must not pass, where there is such a promise */
  readonly bound?: { readonly max: number } | { readonly min: number }
}

/** A row without its case. */
export type Metric = readonly [metric: string, value: number, unit: string, bound?: Row['bound']]

export function rowsOf(name: string, metrics: readonly Metric[]): Row[] {
  return metrics.map(([metric, value, unit, bound]) => {
    return { case: name, metric, value, unit, ...(bound && { bound }) }
  })
}

/** The machine and the Node that measure. */
export function machineHere(): { readonly machine: string; readonly node: string } {
  return { machine: `${cpus().length} × ${cpus()[0].model}`, node: process.version }
}

/** Prints rows for people, or as one JSON object and nothing else. */
export function report(bench: string, rows: readonly Row[], json: boolean): void {
  const { machine, node } = machineHere()
  if (json) {
    console.log(JSON.stringify({ bench, machine, node, rows }))
    return
  }
  const load = loadavg()[0].toFixed(1)
  console.log(`${bench}   (${machine}, load ${load}, Node ${node})`)
  for (const row of rows) {
    const value = `${digits(row.value)} ${row.unit}`
    console.log(
      `  ${row.case.padEnd(28)} ${row.metric.padEnd(28)} ${value}${row.bound ? judged(row) : ''}`,
    )
  }
}

/** Whether a value keeps its bound; what is not a number keeps none. */
export function isKept({ value, bound }: Row): boolean {
  if (!bound) return true
  return 'max' in bound ? value <= bound.max : value >= bound.min
}

/** The bound of a value, and whether it is kept. */
function judged(row: Row): string {
  const { bound } = row
  if (!bound) return ''
  const [sign, limit] = 'max' in bound ? ['≤', bound.max] : ['≥', bound.min]
  return `  (${sign} ${digits(limit)}${isKept(row) ? '' : ': MISSED'})`
}

/** Four digits; small values with their power of ten. */
function digits(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-3) return value.toExponential(3)
  return value.toLocaleString('en', { maximumSignificantDigits: 4 })
}

/** The value below which a share of the samples is. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
