import { QUANTA_PER_SECOND } from '@orrery/sim'
import { readFile, writeFile } from 'node:fs/promises'
import type { Flown } from './flight.ts'
import { BRIEF, FULL, type Spans, plainFlight } from './matrix.ts'
import { START_INDEX } from './script.ts'

const FILE = new URL('golden.json', import.meta.url)

/** The digests of one span as they have been since the bits of the simulation last changed. */
export interface Golden {
  /** by seconds since the start */
  readonly digests: Readonly<Record<string, string>>
  readonly closing: string
}

/** Spans whose digests are kept; the shortest ends before the first digest. */
export function keptSpans({ longTicks, shortTicks }: Spans): number[] {
  return [longTicks, shortTicks]
}

/** By span [s]. */
export async function goldenDigests(): Promise<Readonly<Record<string, Golden>>> {
  return JSON.parse(await readFile(FILE, 'utf8')) as Readonly<Record<string, Golden>>
}

export function goldenOf({ digests, closing }: Flown): Golden {
  const byStart = digests.map(({ index, digest }): [string, string] => [
    `${(index - START_INDEX) / QUANTA_PER_SECOND}`,
    digest,
  ])
  return { digests: Object.fromEntries(byStart), closing }
}

/**
 * Flies every span and keeps what comes; to be done only with a reason that is written down, and
 * with `PHYSICS` of `sim` raised.
 */
export async function writeGoldenDigests(): Promise<void> {
  const golden: Record<string, Golden> = {}
  for (const seconds of [BRIEF, FULL].flatMap(keptSpans)) {
    golden[seconds] = goldenOf(await plainFlight(seconds))
  }
  await writeFile(FILE, `${JSON.stringify(golden, undefined, 2)}\n`)
}
