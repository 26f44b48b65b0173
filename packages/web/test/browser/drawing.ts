// Goal: what is drawn stands where double precision puts it, from the whole system to 1 m. Method:
// the drawing part alone in headless Chromium, with markers and orbits of known places.
import { CHROMIUM_RUNS_HERE, type OpenPage, openSharedPage } from '@orrery/testkit/browser-page'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const SCENES = '/packages/web/test/browser/tools/drawn-scene.ts'
const TRAJECTORIES = '/packages/web/test/browser/tools/drawn-trajectory.ts'
const SHIPS = '/packages/web/test/browser/tools/drawn-ship.ts'

/** A sixtieth of a second apart. */
const FRAMES = byTier({ gate: 6, night: 600 })

/** Pixels that a thing at rest may move. */
const JITTER_MAX = 0.1

/** Pixels between an object and the line of its orbit. */
const LINE_MISS_MAX = 0.5

describe.runIf(CHROMIUM_RUNS_HERE)('drawing', () => {
  let opened: OpenPage

  beforeAll(async () => {
    opened = await openSharedPage({ hasGraphics: true, modules: [SCENES, SHIPS, TRAJECTORIES] })
  })

  afterAll(() => opened.close())

  /** What a function of the scenes returns in the browser. */
  const inPage = <Result>(call: string): Promise<Result> =>
    opened.page.evaluate<Result>(`import('${SCENES}').then((scenes) => scenes.${call})`)

  const inShip = <Result>(call: string): Promise<Result> =>
    opened.page.evaluate<Result>(`import('${SHIPS}').then((ships) => ships.${call})`)

  test(`a marker 1 m before the camera at Neptune stands still for ${FRAMES} frames`, async () => {
    const places = await inPage<readonly (readonly [number, number])[]>(`drawnMarker(${FRAMES})`)
    expect(places).toHaveLength(FRAMES)
    for (const k of [0, 1]) {
      const values = places.map((place) => place[k])
      expect(Math.max(...values) - Math.min(...values)).toBeLessThanOrEqual(JITTER_MAX)
      expect(Math.max(...values.map(Math.abs))).toBeLessThan(0.5)
    }
  })

  test(`the hull of a ship 1 m away at Neptune stands still for ${FRAMES} frames`, async () => {
    const shifts = await inShip<readonly (readonly number[])[]>(`shipShifts(${FRAMES})`)
    expect(shifts).toHaveLength(FRAMES - 1)
    for (const k of [0, 1]) {
      const values = shifts.map((shift) => Math.abs(shift[k]))
      expect(Math.max(...values)).toBeLessThanOrEqual(JITTER_MAX)
    }
    // What measures it sees half a pixel.
    const [right, up] = await inShip<readonly number[]>('shiftOfCamera(0.5)')
    expect(right).toBeLessThan(-0.25)
    expect(right).toBeGreaterThan(-0.75)
    expect(Math.abs(up)).toBeLessThan(0.25)
  })

  test('the orbit of an object passes through it at every zoom', async () => {
    const misses = await inPage<readonly number[]>('orbitMisses()')
    expect(misses).toHaveLength(11)
    for (const miss of misses) expect(miss).toBeLessThanOrEqual(LINE_MISS_MAX)
  })

  test.runIf(IS_NIGHT).each([0, 300])(
    'what a ship %d m beside its forecast will fly begins at it at every zoom',
    async (beside) => {
      const call = `import('${TRAJECTORIES}').then((drawn) => drawn.trajectoryMisses(${beside}))`
      const misses = await opened.page.evaluate<readonly number[]>(call)
      expect(misses).toHaveLength(8)
      for (const miss of misses) expect(miss).toBeLessThanOrEqual(LINE_MISS_MAX)
    },
  )
})
