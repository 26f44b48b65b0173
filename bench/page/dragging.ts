/** How soon the picture follows a node of a plan that is dragged, two days ahead. */
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { LoadServer } from '../load/server.ts'
import type { Visit } from './open-page.ts'

const SECONDS = 20
/** Between two moves of the hand: as a mouse reports while pictures come sixty times a second. */
const MOVE_MS = 16
/** To and fro along the arm of a knob [px]. */
const WAY = 100
const STEP = 2

/** [s] */
const AHEAD = 2 * 86_400

/** In which no instrument lies on the orbit. */
const VIEWPORT = { width: 1280, height: 1000 }

const DRAWN_MS_MAX = 50
const FRAMES_MAX = 2
const SCRIPT_MS_MAX = 4

/**
 * Twice: with the picture drawn by the processor, and with nothing drawn, as where a graphics card
 * does that. The second has both cores for the page, its forecasts and the server.
 */
export async function dragging(server: LoadServer, visit: Visit): Promise<Row[]> {
  return [
    ...(await dragged(server, visit, { isDrawn: true })),
    ...(await dragged(server, visit, { isDrawn: false })),
  ]
}

async function dragged(
  { url, pilots }: LoadServer,
  visit: Visit,
  { isDrawn }: { readonly isDrawn: boolean },
): Promise<Row[]> {
  const [pilot] = pilots
  const script = isDrawn ? undefined : leaveOutDrawing
  const opened = await visit({ url, pilot, viewport: VIEWPORT, ...(script && { script }) })
  const { page } = opened
  await page.waitForSelector('.throttle-level:not(:empty)', { timeout: 0 })
  await page.locator('.order-kinds').getByRole('button', { name: 'Plan' }).click()
  const panel = page.locator('.planning')
  await panel.getByRole('button', { name: 'Add a node' }).click()
  const time = panel.getByLabel('Time (UTC)', { exact: true })
  const then = Date.parse(`${await time.inputValue()}Z`) + AHEAD * 1000
  await time.fill(new Date(then).toISOString().slice(0, 19))
  await panel.getByLabel('Prograde', { exact: true }).fill('200')
  await page.focus('#space')
  await page.keyboard.press('m')
  const knob = page.locator('.plan-knob.prograde:visible')
  // Once the camera rests, the knob does.
  await knob.hover({ timeout: 0 })
  await panel.locator('.order-cost[aria-busy="false"]').waitFor({ timeout: 0 })
  await page.evaluate(noteDrawn)
  const measured = opened.scriptCpuMsPerFrame(SECONDS)
  await dragFor(page, SECONDS)
  const scriptMs = await measured
  const { frameMs, drawn, flown } = await page.evaluate(noted)
  await page.context().close()
  // The goals are those of a picture that has a processor of its own.
  const goal = (max: number): { max: number } | undefined => (isDrawn ? undefined : { max })
  const how = isDrawn ? 'drawn by the processor' : 'its picture not drawn'
  return rowsOf(`a dragged node, 2 days ahead, ${how}`, [
    ['moves', drawn.length, ''],
    ['drawn_after', percentile(drawn, 0.5), 'ms'],
    ['drawn_after_p95', percentile(drawn, 0.95), 'ms', goal(DRAWN_MS_MAX)],
    ['drawn_after_frames_p95', percentile(drawn, 0.95) / frameMs, 'frames', goal(FRAMES_MAX)],
    ['forecast_after', percentile(flown, 0.5), 'ms'],
    ['forecast_after_p95', percentile(flown, 0.95), 'ms', goal(DRAWN_MS_MAX)],
    ['frame', frameMs, 'ms'],
    ['script_cpu_per_frame', scriptMs, 'ms', { max: SCRIPT_MS_MAX }],
  ])
}

declare const WebGL2RenderingContext: { readonly prototype: Record<string, () => void> }

/** Runs in the page. */
function leaveOutDrawing(): void {
  const drawing = ['Arrays', 'Elements'].flatMap((of) => [`draw${of}`, `draw${of}Instanced`])
  for (const call of ['clear', ...drawing]) WebGL2RenderingContext.prototype[call] = () => undefined
}

async function dragFor(page: Page, seconds: number): Promise<void> {
  const middleOf = async (kind: string): Promise<{ x: number; y: number }> => {
    const box = await page.locator(`.plan-knob.${kind}:visible`).boundingBox()
    return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : { x: NaN, y: NaN }
  }
  const [middle, from] = [await middleOf('middle'), await middleOf('prograde')]
  const size = Math.hypot(from.x - middle.x, from.y - middle.y)
  const [ux, uy] = [(from.x - middle.x) / size, (from.y - middle.y) / size]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  const endMs = performance.now() + 1000 * seconds
  for (let i = 0; performance.now() < endMs; i++) {
    const way = WAY - Math.abs(WAY - ((STEP * i) % (2 * WAY)))
    await Promise.all([page.mouse.move(from.x + way * ux, from.y + way * uy), sleep(MOVE_MS)])
  }
  await page.mouse.up()
}

// The browser's types would declare the browser for all of Node's code, too.
declare const document: {
  querySelector(selector: string): { textContent: string; ariaBusy: string | null } | null
}
declare const addEventListener: (
  type: 'pointermove',
  listen: (event: { readonly timeStamp: number }) => void,
  isFirst: boolean,
) => void
declare const requestAnimationFrame: (callback: () => void) => void

interface Noted {
  /** how long after each move of the hand a picture has its line, or a later one [ms] */
  readonly drawn: number[]
  /** and its forecast */
  readonly flown: number[]
  readonly frames: { count: number; firstMs: number; lastMs: number }
}

/** Notes when the moves of the hand are in a picture. */
function noteDrawn(): void {
  const noted: Noted = { drawn: [], flown: [], frames: { count: 0, firstMs: 0, lastMs: 0 } }
  const { drawn, flown, frames } = noted
  Object.assign(globalThis, { noted })
  const undrawn: number[] = []
  const unflown: { atMs: number; deltaV: string | undefined }[] = []
  const text = (selector: string): string =>
    document.querySelector(`.planning ${selector}`)?.textContent ?? ''
  let last = ''
  // A picture is done when the page's own thread is free again.
  const done = (times: readonly number[], waits: number[]): void => {
    if (times.length === 0) return
    setTimeout(() => {
      const nowMs = performance.now()
      waits.push(...times.map((atMs) => nowMs - atMs))
    })
  }
  const look = (): void => {
    if (frames.count > 0 || unflown.length > 0) {
      frames.lastMs = performance.now()
      frames.firstMs ||= frames.lastMs
      frames.count++
    }
    const deltaV = text('.plan-node span:nth-child(3)')
    for (const move of unflown) move.deltaV ??= deltaV
    if (document.querySelector('.plan-knobs')?.ariaBusy === 'false') done(undrawn.splice(0), drawn)
    const shown = text('.order-cost dd')
    if (shown !== last) {
      last = shown
      const until = unflown.findLastIndex((move) => move.deltaV === shown)
      done(
        unflown.splice(0, until + 1).map(({ atMs }) => atMs),
        flown,
      )
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  const note = ({ timeStamp: atMs }: { readonly timeStamp: number }): void => {
    if (text('.order-cost dd') === '') return
    undrawn.push(atMs)
    unflown.push({ atMs, deltaV: undefined })
  }
  addEventListener('pointermove', note, true)
}

function noted(): Pick<Noted, 'drawn' | 'flown'> & { readonly frameMs: number } {
  const { drawn, flown, frames } = (globalThis as unknown as { noted: Noted }).noted
  return { drawn, flown, frameMs: (frames.lastMs - frames.firstMs) / (frames.count - 1) }
}
