/** Results of benches, one committed file each. */
import type { Row } from '@orrery/testkit/report'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

/** What a bench has measured, where and by which command. */
export interface Result {
  readonly command: string
  readonly date: string
  readonly machine: string
  readonly node: string
  readonly rows: readonly Row[]
}

const DIRECTORY = new URL('results/', import.meta.url)

function fileOf(bench: string): URL {
  return new URL(`${bench}.json`, DIRECTORY)
}

export function saveResult(bench: string, result: Result): void {
  mkdirSync(DIRECTORY, { recursive: true })
  const rows = result.rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')
  const { rows: _, ...head } = result
  const text = JSON.stringify(head, undefined, 1).slice(0, -2)
  writeFileSync(fileOf(bench), `${text},\n "rows": [\n${rows}\n ]\n}\n`)
}

/** Undefined for a bench that was never saved. */
export function savedResult(bench: string): Result | undefined {
  return existsSync(fileOf(bench)) ? JSON.parse(readFileSync(fileOf(bench), 'utf8')) : undefined
}
