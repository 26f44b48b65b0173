/** What the world's bits must not depend on, every way to combine it, and what "the same" means. */
import { BLOCK_QUANTA } from '@orrery/sim'
import { callingThread } from './calling-thread.ts'
import type { Chromium } from './chromium.ts'
import { type Course, type Flown, flown } from './flight.ts'
import { solarSystem, threads, wasmKernels } from './threads.ts'

export const TICK_RATES = [0.1, 1, 10, 100] as const
export const TIME_SCALES = [0.1, 1, 7.3, 100] as const
export const WORKERS = [1, 2, 3, 4] as const
export const KERNELS = ['typescript', 'wasm'] as const

export interface Case {
  readonly engine: 'node' | 'chromium'
  readonly tickRate: number
  readonly timeScale: number
  /** threads of the pool; a page flies on its own */
  readonly workers: number
  readonly kernel: (typeof KERNELS)[number]
  /** stored and restored on the way */
  readonly restored: boolean
}

/** Spans of game time [s]: one for ticks of a second or more, one for shorter ticks. */
export interface Spans {
  readonly longTicks: number
  readonly shortTicks: number
}

export const FULL: Spans = { longTicks: 4096, shortTicks: 128 }
/** Both classes of ticks within a minute; the shorter one has its closing digest alone. */
export const BRIEF: Spans = { longTicks: 256, shortTicks: 64 }

/** Half of each span is a multiple of 64 s: some are restored right there, some inside a block. */
const RESTORE_AT = 0.5

export function fullMatrix(): Case[] {
  return TICK_RATES.flatMap((tickRate) =>
    TIME_SCALES.flatMap((timeScale) =>
      KERNELS.flatMap((kernel) =>
        [false, true].flatMap((restored): Case[] => {
          const rest = { tickRate, timeScale, kernel, restored }
          return [
            ...WORKERS.map((workers): Case => ({ engine: 'node', workers, ...rest })),
            { engine: 'chromium', workers: 1, ...rest },
          ]
        }),
      ),
    ),
  )
}

/**
 * 16 cases in which any two values of rate, scale, workers, and of kernel with restoring, meet:
 * rows of an orthogonal array over the field of four elements. The four in which a fifth column
 * is 0 are flown in Chromium too.
 */
export function pairwiseCover(): Case[] {
  return TICK_RATES.flatMap((tickRate, i) =>
    TIME_SCALES.flatMap((timeScale, j): Case[] => {
      const mode = i ^ doubled(j)
      const here: Case = {
        engine: 'node',
        tickRate,
        timeScale,
        workers: WORKERS[i ^ j],
        kernel: KERNELS[mode % 2],
        restored: mode >= 2,
      }
      const inChromium = (i ^ doubled(j) ^ j) === 0
      return inChromium ? [here, { ...here, engine: 'chromium', workers: 1 }] : [here]
    }),
  )
}

/** Times the element 2 of the field of four: 2 · 2 = 3, 2 · 3 = 1. */
function doubled(x: number): number {
  return [0, 2, 3, 1][x]
}

export function spanOf({ tickRate, timeScale }: Case, spans: Spans): number {
  return timeScale >= tickRate ? spans.longTicks : spans.shortTicks
}

export function caseName(one: Case): string {
  const { engine, tickRate, timeScale, workers, kernel, restored } = one
  const setting = engine === 'node' ? `${workers} workers` : 'its page'
  const story = restored ? 'restored on the way' : 'in one go'
  return `${engine}, ${tickRate} Hz, scale ${timeScale}, ${setting}, ${kernel}, ${story}`
}

export function courseOf(one: Case, seconds: number): Course {
  const { tickRate, timeScale, kernel, restored } = one
  return {
    seconds,
    tickRate,
    timeScale,
    restoreAt: restored ? RESTORE_AT : 1,
    kernels: kernel === 'wasm' ? wasmKernels : undefined,
  }
}

/** @param chromium  for the cases that need it */
export function flownCase(one: Case, seconds: number, chromium?: Chromium): Promise<Flown> {
  const course = courseOf(one, seconds)
  if (one.engine === 'node') return flown(course, solarSystem, threads(one.workers))
  if (!chromium) throw new Error(`No Chromium for ${caseName(one)}.`)
  return chromium.flown(course)
}

/** The course of the plainest flight of a span, that all others are compared with. */
export function plainCourse(seconds: number): Course {
  return { seconds, tickRate: 1, timeScale: 1, restoreAt: 1, kernels: undefined }
}

export function plainFlight(seconds: number): Promise<Flown> {
  return flown(plainCourse(seconds), solarSystem, callingThread)
}

/**
 * In what a flight differs from the plain one; undefined if in nothing. A world restored at S
 * gives no digest of the block that ends after S and began no later: part of it was flown before.
 */
export function difference(found: Flown, plain: Flown): string | undefined {
  const { restoredAt = -Infinity } = found
  const expected = plain.digests.filter(
    ({ index }) => index > restoredAt || index + BLOCK_QUANTA <= restoredAt,
  )
  if (found.digests.length !== expected.length) {
    return `${found.digests.length} digests when ${expected.length} were expected`
  }
  const wrong = expected.findIndex(
    ({ index, digest }, i) =>
      found.digests[i].index !== index || found.digests[i].digest !== digest,
  )
  if (wrong >= 0) return `digest ${wrong} of ${expected.length}`
  return found.closing === plain.closing ? undefined : 'the closing digest'
}
