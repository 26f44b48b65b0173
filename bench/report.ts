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
    const value = Number(row.value.toPrecision(4)).toLocaleString('en')
    console.log(`  ${row.case.padEnd(28)} ${row.metric.padEnd(28)} ${value} ${row.unit}`)
  }
}

/** The value below which a share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
