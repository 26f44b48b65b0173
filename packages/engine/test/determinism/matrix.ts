/** What the world's bits must not depend on, every way to combine it, and what "the same" means. */
import { BLOCK_QUANTA, QUANTA_PER_SECOND } from '@orrery/sim'
import { callingThread } from './calling-thread.ts'
import type { Chromium } from './chromium.ts'
import { type Course, type Flown, flown } from './flight.ts'
import { wasmKernels } from '../catalog-systems.ts'
import { otherSystems, solarSystem, threads } from './threads.ts'

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
  /** beside two other systems */
  readonly company: boolean
  /** with ships of two classes */
  readonly mixed: boolean
}

/** Spans of game time [s] for ticks of a second or more, for shorter ones, and below a quantum. */
export interface Spans {
  readonly longTicks: number
  readonly shortTicks: number
  readonly tinyTicks: number
}

export const FULL: Spans = { longTicks: 4096, shortTicks: 128, tinyTicks: 128 }
/** All classes of ticks within minutes; the shorter ones have their closing digest alone. */
export const BRIEF: Spans = { longTicks: 256, shortTicks: 64, tinyTicks: 16 }
/** The same within seconds; half of the longest is a multiple of 64 s here too. */
export const BRIEFEST: Spans = { longTicks: 128, shortTicks: 64, tinyTicks: 16 }

/** Half of the longest spans is a multiple of 64 s: some are restored there, some in a block. */
const RESTORE_AT = 0.5

export function fullMatrix(): Case[] {
  const cover = pairwiseCover()
  const inCompany = cover.filter(({ engine }) => engine === 'node')
  return [
    ...combinations(),
    ...inCompany.map((one) => ({ ...one, company: true })),
    ...cover.map((one) => ({ ...one, company: false, mixed: true })),
  ]
}

function combinations(): Case[] {
  return TICK_RATES.flatMap((tickRate) =>
    TIME_SCALES.flatMap((timeScale) =>
      KERNELS.flatMap((kernel) =>
        [false, true].flatMap((restored): Case[] => {
          const rest = { tickRate, timeScale, kernel, restored, company: false, mixed: false }
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
 * rows of an orthogonal array over the field of four elements. By a fifth column, in which each
 * value meets every other once, four are flown in Chromium too, and four beside other systems.
 */
export function pairwiseCover(): Case[] {
  return TICK_RATES.flatMap((tickRate, i) =>
    TIME_SCALES.flatMap((timeScale, j): Case[] => {
      const mode = i ^ doubled(j)
      const fifth = mode ^ j
      const here: Case = {
        engine: 'node',
        tickRate,
        timeScale,
        workers: WORKERS[i ^ j],
        kernel: KERNELS[mode % 2],
        restored: mode >= 2,
        company: fifth === 1,
        mixed: false,
      }
      return fifth === 0 ? [here, { ...here, engine: 'chromium', workers: 1 }] : [here]
    }),
  )
}

/** A few cases, of those that take the least time, in which each factor has two values. */
export function smallCover(): Case[] {
  const plain = { engine: 'node', kernel: 'wasm', restored: false } as const
  const rest = { ...plain, company: false, mixed: false } as const
  const inPage = { ...rest, engine: 'chromium', workers: 1 } as const
  return [
    { ...rest, tickRate: 0.1, timeScale: 100, workers: 3, company: true },
    { ...rest, tickRate: 10, timeScale: 7.3, workers: 1, kernel: 'typescript', restored: true },
    { ...inPage, tickRate: 10, timeScale: 100, restored: true },
  ]
}

/** Times the element 2 of the field of four: 2 · 2 = 3, 2 · 3 = 1. */
function doubled(x: number): number {
  return [0, 2, 3, 1][x]
}

export function spanOf({ tickRate, timeScale }: Case, spans: Spans): number {
  if (timeScale >= tickRate) return spans.longTicks
  return timeScale * QUANTA_PER_SECOND >= tickRate ? spans.shortTicks : spans.tinyTicks
}

export function caseName(one: Case): string {
  const { engine, tickRate, timeScale, workers, kernel, restored } = one
  const setting = engine === 'node' ? `${workers} workers` : 'its page'
  const story = restored ? 'restored on the way' : 'in one go'
  const beside = (one.company ? ', in company' : '') + (one.mixed ? ', of two classes' : '')
  return `${engine}, ${tickRate} Hz, scale ${timeScale}, ${setting}, ${kernel}, ${story}${beside}`
}

export function courseOf(one: Case, seconds: number): Course {
  const { tickRate, timeScale, kernel, restored, company, mixed } = one
  return {
    seconds,
    tickRate,
    timeScale,
    restoreAt: restored ? RESTORE_AT : 1,
    kernels: kernel === 'wasm' ? wasmKernels : undefined,
    company: company ? otherSystems : [],
    mixed,
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
export function plainCourse(seconds: number, mixed = false): Course {
  const way = { tickRate: 1, timeScale: 1, restoreAt: 1, kernels: undefined, company: [] }
  return { seconds, ...way, mixed }
}

export function plainFlight(seconds: number, mixed = false): Promise<Flown> {
  return flown(plainCourse(seconds, mixed), solarSystem, callingThread)
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
