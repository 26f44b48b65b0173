/** The console's map with thousands of moving ships: what its pictures cost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Row, rowsOf } from '@orrery/testkit/report'
import type { OpenPage } from './open-page.ts'

const SECONDS = 20

/** Until the first pictures are compiled. */
const SETTLE_MS = 5000

/** @param opened  a console whose operator has signed in */
export async function mapFrames({ page, ...opened }: OpenPage, ships: number): Promise<Row[]> {
  await page.evaluate(() => (location.hash = 'map'))
  await page.waitForFunction(hasShips, ships, { timeout: 0 })
  const rows: Row[] = []
  const measure = async (name: string): Promise<void> => {
    await sleep(SETTLE_MS)
    const rate = await opened.frameRate(SECONDS)
    const script = await opened.scriptMsPerFrame(SECONDS)
    rows.push(
      ...rowsOf(name, [
        ['frames', rate, '1/s', { min: 30 }],
        ['script_per_frame', script, 'ms'],
      ]),
    )
  }
  await page.evaluate(turnMap)
  await measure(`map of a system, turned, ${ships} ships`)
  await page.getByRole('button', { name: 'Home' }).click()
  await measure(`map of a planet, turned, ${ships} ships`)
  return rows
}

// The browser's types would declare the browser for all of Node's code, too.
declare const document: {
  querySelector(selector: string): { textContent: string; dispatchEvent(event: object): void }
}
declare const location: { hash: string }
declare const KeyboardEvent: new (type: string, options: object) => object
declare const requestAnimationFrame: (callback: () => void) => void

function hasShips(count: number): boolean {
  const text = document.querySelector('.map-status span')?.textContent ?? ''
  return Number(/^([\d\u{202f}]+) ships$/u.exec(text)?.[1].replaceAll('\u{202f}', '')) >= count
}

/** Each picture differs from the one before in all that it shows. */
function turnMap(): void {
  const key = new KeyboardEvent('keydown', { key: 'ArrowLeft', shiftKey: true })
  const turn = (): void => {
    document.querySelector('.map-stage').dispatchEvent(key)
    requestAnimationFrame(turn)
  }
  turn()
}
