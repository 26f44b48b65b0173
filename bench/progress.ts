import type { Row } from '@orrery/testkit/report'

/** Progress on stderr, for those who wait for an hour or break it off. */
export function note(rows: readonly Row[]): void {
  for (const { case: name, metric, value, unit } of rows) {
    process.stderr.write(`${name}: ${metric} ${value.toPrecision(4)} ${unit}\n`)
  }
}
