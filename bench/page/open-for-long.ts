/** A page that stays open while game time runs fast. */
import { progress } from '@orrery/testkit/progress'
import { type Row, rowsOf } from '@orrery/testkit/report'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadServer } from '../load/server.ts'
import type { Visit } from './open-page.ts'

/** Between two looks at its memory. */
const LOOK_MS = 30_000
/** What the page keeps does not depend on how much of it is drawn. */
const SCREEN = { width: 480, height: 300 }
/** Until caches are full. */
const WARM_LOOKS = 4
/** A steeper slope is a trend [MB/h]; garbage alone leaves smaller ones. */
const SLOPE_MAX = 1

export async function openForLong(
  { url, pilots }: LoadServer,
  visit: Visit,
  minutes: number,
): Promise<Row[]> {
  const [pilot] = pilots
  const opened = await visit({ url, pilot, viewport: SCREEN })
  await opened.page.waitForSelector('.ship-state.right', { timeout: 0 })
  await opened.page.evaluate(countLooks)
  const looks: (readonly [hours: number, megabytes: number])[] = []
  const startMs = performance.now()
  while (performance.now() - startMs < minutes * 60_000) {
    await sleep(LOOK_MS)
    looks.push([(performance.now() - startMs) / 3_600_000, (await opened.heapBytes()) / 1e6])
    const { all, wrong } = await opened.page.evaluate(readLooks)
    const heap = looks.at(-1)?.[1].toFixed(1)
    progress.at(`open, heap ${heap} MB, ${wrong} of ${all} looks wrong`)
  }
  const seen = await opened.page.evaluate(readLooks)
  return rowsOf(`open for ${minutes} min at scale 100`, [
    ['heap', looks.at(-1)?.[1] ?? NaN, 'MB'],
    ['heap_slope', slope(looks.slice(WARM_LOOKS)), 'MB/h', { max: SLOPE_MAX }],
    ['looks, once a second', seen.all, ''],
    ['looks_at_a_ship_out_of_step', seen.wrong, '', { max: 0 }],
  ])
}

/** Of a straight line through the points, by least squares. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (k: 0 | 1): number => points.reduce((sum, one) => sum + one[k], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const across = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  return across / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
}

declare const document: { querySelector(selector: string): object | null }

/** Looks once a second at whether the own ship is flown as the server has it. */
function countLooks(): void {
  const looks = { all: 0, wrong: 0 }
  Object.assign(globalThis, { looks })
  setInterval(() => {
    looks.all++
    if (!document.querySelector('.ship-state.right')) looks.wrong++
  }, 1000)
}

function readLooks(): { all: number; wrong: number } {
  return (globalThis as unknown as { looks: { all: number; wrong: number } }).looks
}
