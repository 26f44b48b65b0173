/** A page of headless Chromium that flies ships by the client, bundled as for any page. */
import { openPage } from '@orrery/testkit/browser-page'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import type { Verdicts } from './page.ts'
import type { FlownPlace, FlownShip } from './world.ts'

/** Ships that are given to the page at a time. */
const SHIPS_AT_ONCE = 10

export interface FlyingPage {
  readonly version: string
  /** flies ships in the page, a few at a time */
  fly(ships: readonly FlownShip[], onFlown?: (count: number) => void): Promise<Verdicts>
  close(): Promise<void>
}

/** @param place  what all flights share */
export async function openFlyingPage(place: FlownPlace): Promise<FlyingPage> {
  const code = await bundled()
  const { page, ...opened } = await openPage()
  const url = await page.evaluate(
    (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' })),
    code,
  )
  const call = <Result>(work: string, argument: unknown): Promise<Result> =>
    page.evaluate(`import('${url}').then((page) => page.${work}(${JSON.stringify(argument)}))`)
  await call('enter', place)
  return {
    ...opened,
    async fly(ships, onFlown) {
      const all: Verdicts = { matched: 0, differs: 0, early: 0, late: 0 }
      for (let from = 0; from < ships.length; from += SHIPS_AT_ONCE) {
        const some = await call<Verdicts>('fly', ships.slice(from, from + SHIPS_AT_ONCE))
        for (const verdict of ['matched', 'differs', 'early', 'late'] as const) {
          all[verdict] += some[verdict]
        }
        onFlown?.(Math.min(ships.length, from + SHIPS_AT_ONCE))
      }
      return all
    },
  }
}

async function bundled(): Promise<string> {
  await using bundle = await rolldown({
    input: fileURLToPath(new URL('page.ts', import.meta.url)),
    platform: 'browser',
    // One file is what is wanted here.
    checks: { ineffectiveDynamicImport: false },
    tsconfig: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)),
  })
  const { output } = await bundle.generate({ format: 'es', minify: true })
  return output[0].code
}
