/** The player's page in headless Chromium, drawn by the processor. */
import { progress } from '@orrery/testkit/progress'
import { type Row, rowsOf } from '@orrery/testkit/report'
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LoadServer, startLoadServer } from '../load/server.ts'
import { dragging } from './dragging.ts'
import { firstVisits, sizes } from './first-visit.ts'
import { inputs } from './inputs.ts'
import { openForLong } from './open-for-long.ts'
import { type Visit, withBrowser } from './open-page.ts'
import { takePictures } from './scenes.ts'
import { note } from '../progress.ts'

export interface PageOptions {
  /** moving in view */
  readonly ships: number
  /** how long a page stays open */
  readonly minutes: number
  /** where pictures of ten scenes are written to, if anywhere */
  readonly pictures?: string
}

const RATE_HZ = 10
/** Enough for all ships: the default of 32 kB/s sends half of ten thousand within a minute. */
const FRAME_BUDGET = 1_048_576
/** Until the frames of a whole view have come, and the picture has found its size. */
const SETTLE_MS = 60_000
const SECONDS = 20
/** Ships beside a page that stays open, and their game seconds per second. */
const FEW = 100
const FAST = 100

export async function page({ ships, minutes, pictures }: PageOptions): Promise<Row[]> {
  const rows: Row[] = []
  await withServer(ships, async (server) => {
    progress.at('first visits')
    rows.push(...(await sizes(server.url)))
    rows.push(...(await withBrowser((visit) => firstVisits(server.url, visit))))
    rows.push(...(await withBrowser((visit) => frames(server, visit))))
    note(rows)
    if (pictures !== undefined) {
      await mkdir(pictures, { recursive: true })
      await withBrowser((visit) => takePictures(server, visit, pictures))
    }
  })
  await withServer(FEW, async (server) => {
    progress.at('a dragged node')
    rows.push(...(await withBrowser((visit) => dragging(server, visit))))
    note(rows)
    await server.admin.game.changeTimeScale(FAST)
    progress.at('inputs')
    rows.push(...(await withBrowser((visit) => inputs(server, visit))))
    rows.push(...(await withBrowser((visit) => openForLong(server, visit, minutes))))
  })
  return rows
}

async function withServer(
  pilots: number,
  measure: (server: LoadServer) => Promise<void>,
): Promise<void> {
  const server = await startLoadServer({
    pilots,
    rateHz: RATE_HZ,
    hasPage: true,
    frameBudget: FRAME_BUDGET,
  })
  try {
    await measure(server)
  } finally {
    await server.stop()
  }
}

/** How smooth it is for a guest, and for a player among all ships. */
async function frames({ url, pilots }: LoadServer, visit: Visit): Promise<Row[]> {
  const rows: Row[] = []
  const cases = [
    ['a guest', undefined],
    [`a player among ${pilots.length} ships`, pilots[0]],
  ] as const
  for (const [name, pilot] of cases) {
    progress.at(`frames of ${name}`)
    const opened = await visit({ url, ...(pilot && { pilot }) })
    await sleep(SETTLE_MS)
    const rate = await opened.frameRate(SECONDS)
    const script = await opened.scriptMsPerFrame(SECONDS)
    const processor = await opened.scriptCpuMsPerFrame(SECONDS)
    const ratio = await opened.page.evaluate(pictureRatio)
    rows.push(
      ...rowsOf(name, [
        ['frames', rate, '1/s', { min: 30 }],
        ['script_per_frame', script, 'ms', { max: 4 }],
        ['script_cpu_per_frame', processor, 'ms', { max: 4 }],
        ['pixels drawn per pixel', ratio, 'px'],
      ]),
    )
    await opened.page.context().close()
  }
  return rows
}

declare const document: {
  querySelector(selector: 'canvas'): { width: number; clientWidth: number } | null
}

/** How fine the picture is drawn: pixels of the canvas per pixel of the page, one way. */
function pictureRatio(): number {
  const canvas = document.querySelector('canvas')
  return canvas ? canvas.width / canvas.clientWidth : NaN
}
