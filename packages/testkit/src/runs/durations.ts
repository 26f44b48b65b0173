/** How long each test file takes; the committed figures are the budgets of the next runs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Seconds that a test file takes. */
export interface FileTime {
  readonly seconds: number
  /** of it and of all processes below it; 0 where it did not run to its end */
  readonly processor: number
}

/** By path from the root. */
export type FileTimes = Readonly<Record<string, FileTime>>

export const DURATIONS: string = fileURLToPath(new URL('../../durations.json', import.meta.url))

export function readDurations(path: string = DURATIONS): FileTimes {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/**
 * Puts times into a file, the longest first, one line each. Rows of files that did not run stay
 * while those files exist.
 */
export function writeDurations(path: string, times: FileTimes): void {
  const former = Object.entries(readDurations(path)).filter(([file]) => existsSync(file))
  const rows = Object.entries({ ...Object.fromEntries(former), ...times })
    .toSorted(([, a], [, b]) => b.seconds - a.seconds)
    .map(([file, time]) => `  ${JSON.stringify(file)}: ${JSON.stringify(time)}`)
  writeFileSync(path, `{\n${rows.join(',\n')}\n}\n`)
}
