import { cpus } from 'node:os'

/** One measured value. */
export interface Row {
  readonly case: string
  readonly metric: string
  readonly value: number
  readonly unit: string
}

/** Prints rows for people, or as one JSON object and nothing else. */
export function report(bench: string, rows: readonly Row[], json: boolean): void {
  const machine = `${cpus().length} × ${cpus()[0].model}`
  const node = process.version
  if (json) {
    console.log(JSON.stringify({ bench, machine, node, rows }))
    return
  }
  console.log(`${bench}   (${machine}, Node ${node})`)
  for (const row of rows) {
    console.log(
      `  ${row.case.padEnd(28)} ${row.metric.padEnd(28)} ${digits(row.value)} ${row.unit}`,
    )
  }
}

/** Four digits; small values with their power of ten. */
function digits(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-3) return value.toExponential(3)
  return value.toLocaleString('en', { maximumSignificantDigits: 4 })
}

/** The value below which a share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
