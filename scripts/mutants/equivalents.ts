/** Mutants that change nothing a test could notice. */
import { readFileSync } from 'node:fs'
import type { Mutant } from './program.ts'

interface Equivalent {
  readonly file: string
  /** the lines without and with the mistake, as they are printed */
  readonly before: string
  readonly after: string
  readonly reason: string
}

const LISTED: readonly Equivalent[] = JSON.parse(
  readFileSync(new URL('equivalents.json', import.meta.url), 'utf8'),
)

export function isEquivalent({ file, before, after }: Mutant): boolean {
  return LISTED.some(
    (listed) => listed.file === file && listed.before === before && listed.after === after,
  )
}
