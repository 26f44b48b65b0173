/** What a first visit waits for, and what it loads. */
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { gzipSync } from 'node:zlib'
import type { Visit } from './open-page.ts'

const VISITS = 7

/** Compressed, before a flight. */
const SCRIPT_BYTES_MAX = 300_000

/** When they must have come [ms]. */
const BOUNDS = { planet: 1000, interactive: 2000 } as const

type Moment = keyof typeof BOUNDS

export async function firstVisits(url: string, visit: Visit): Promise<Row[]> {
  const seen: Readonly<Record<Moment, number>>[] = []
  let script = NaN
  for (let i = 0; i < VISITS; i++) {
    const { page } = await visit({ url, script: watchPage })
    await page.waitForFunction(hasAll, undefined, { timeout: 0 })
    seen.push(await page.evaluate(readMoments))
    script = await page.evaluate(loadedScript)
    await page.context().close()
  }
  return rowsOf('a first visit', [
    ...(['planet', 'interactive'] as const).flatMap((moment) => {
      const times = seen.map((moments) => moments[moment])
      return [
        [moment, percentile(times, 0.5), 'ms', { max: BOUNDS[moment] }] as const,
        [`${moment}, slowest`, Math.max(...times), 'ms'] as const,
      ]
    }),
    ['script', script / 1000, 'kB', { max: SCRIPT_BYTES_MAX / 1000 }],
  ])
}

declare const document: { querySelector(selector: string): object | null }
declare const requestAnimationFrame: (callback: (nowMs: number) => void) => void

/** Notes in each frame what is there, by the time since the page was asked for. */
function watchPage(): void {
  const moments: Record<string, number> = {}
  Object.assign(globalThis, { moments })
  const look = (): void => {
    const hasPlanet = document.querySelector('canvas.ready') !== null
    if (hasPlanet) moments['planet'] ??= performance.now()
    if (hasPlanet && document.querySelector('button')) moments['interactive'] ??= performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

function hasAll(): boolean {
  return 'interactive' in (globalThis as unknown as { moments: object }).moments
}

/** Bytes of scripts as they came. */
function loadedScript(): number {
  const loaded = performance.getEntriesByType('resource') as unknown as readonly {
    readonly name: string
    readonly encodedBodySize: number
  }[]
  const scripts = loaded.filter(({ name }) => name.endsWith('.js'))
  return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
}

function readMoments(): Record<Moment, number> {
  return (globalThis as unknown as { moments: Record<Moment, number> }).moments
}

/** Files that name others. */
const PAGES = /\.(?:js|css|html)$|^\/(?:admin)?$/

const ASSET_BYTES_MAX = 4_000_000

/** All that a page can load, by following the names in its files. */
export async function sizes(url: string, page: '/' | '/admin' = '/'): Promise<Row[]> {
  const files = new Map<string, Buffer>()
  const waiting: string[] = [page]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const answer = await fetch(new URL(path, url))
    const bytes = Buffer.from(await answer.arrayBuffer())
    files.set(path, bytes)
    if (!PAGES.test(path)) continue
    for (const [, name] of bytes.toString('latin1').matchAll(/([\w.-]+-[\w-]{8}\.\w{2,4})\b/g)) {
      const next = `/assets/${name}`
      if (!files.has(next) && !waiting.includes(next)) waiting.push(next)
    }
  }
  const sizeOf = (isCounted: (path: string) => boolean): number => {
    const counted = [...files].filter(([path]) => isCounted(path))
    return counted.reduce((sum, [path, bytes]) => {
      return (
        sum + (PAGES.test(path) || path.endsWith('.svg') ? gzipSync(bytes).length : bytes.length)
      )
    }, 0)
  }
  return rowsOf('the files', [
    ['script', sizeOf((path) => path.endsWith('.js')) / 1000, 'kB'],
    ['all', sizeOf(() => true) / 1000, 'kB', { max: ASSET_BYTES_MAX / 1000 }],
  ])
}
