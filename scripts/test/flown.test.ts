/**
 * Law: ships that the bundled client flies in a browser have the bits of the server's. Goal: under
 * all kinds of orders, near many bodies, no check differs. Method: the same orders in Node, where
 * the ships fly together by the kernels in WebAssembly; `scripts/orrery flown` flies more for
 * longer.
 */
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser-page'
import { expect, it } from 'vitest'
import { openFlyingPage } from '../flown/chromium.ts'
import { flownWorld } from '../flown/world.ts'

const SHIPS = 50
const SECONDS = 640

it.runIf(CHROMIUM_RUNS_HERE)('no check of 50 ships differs in Chromium', async () => {
  const { place, ships } = await flownWorld(SHIPS, SECONDS)
  const page = await openFlyingPage(place)
  try {
    const matched = SHIPS * (SECONDS / 64)
    expect(await page.fly(ships)).toEqual({ matched, differs: 0, early: 0, late: 0 })
    const [{ seed, orders, starts, words }] = ships
    const other = [
      { seed, orders, starts, words: words.map((word, i) => word + (i === 4 ? 1 : 0)) },
    ]
    expect(await page.fly(other)).toMatchObject({ differs: 1 })
  } finally {
    await page.close()
  }
})
