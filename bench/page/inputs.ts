/** How many pictures a key takes until its effect is in one. */
import { type Row, rowsOf } from '@orrery/testkit/report'
import type { LoadServer } from '../load/server.ts'
import type { Visit } from './open-page.ts'

const TIMES = 10
const FRAMES_MAX = 2

/** Opens and cuts the throttle by keys; its lever shows the state that the picture draws. */
export async function inputs({ url, pilots }: LoadServer, visit: Visit): Promise<Row[]> {
  const { page } = await visit({ url, pilot: pilots[0] })
  await page.waitForSelector('.ship-state.right', { timeout: 0 })
  await page.focus('#space')
  await page.evaluate(countToEffect)
  const frames: number[] = []
  for (let i = 0; i < TIMES; i++) {
    for (const key of ['z', 'x']) {
      await page.keyboard.press(key)
      await page.waitForFunction(effectFrames)
      frames.push((await page.evaluate(effectFrames)) ?? NaN)
    }
  }
  return rowsOf('a key', [['frames_to_effect', Math.max(...frames), '', { max: FRAMES_MAX }]])
}

// The browser's types would declare the browser for all of Node's code, too.
declare const document: { querySelector(selector: string): { textContent: string } | null }
declare const addEventListener: (type: string, listen: () => void, isFirst: boolean) => void
declare const requestAnimationFrame: (callback: () => void) => void

/** Notes with each key how many pictures are drawn until the throttle shows another level. */
function countToEffect(): void {
  const noted: { frames: number | undefined } = { frames: undefined }
  Object.assign(globalThis, { noted })
  const shown = (): string | undefined => document.querySelector('.throttle-level')?.textContent
  const begin = (): void => {
    const before = shown()
    let frames = 0
    noted.frames = undefined
    const look = (): void => {
      frames++
      if (shown() === before) requestAnimationFrame(look)
      else noted.frames = frames
    }
    requestAnimationFrame(look)
  }
  addEventListener('keydown', begin, true)
}

function effectFrames(): number | undefined {
  return (globalThis as unknown as { noted: { frames: number | undefined } }).noted.frames
}
