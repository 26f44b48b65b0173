/** A page of headless Chromium that flies ships by the client. */
import { openPage } from '@orrery/testkit/browser-page'
import type { Verdicts } from './page.ts'
import type { FlownPlace, FlownShip } from './world.ts'

const MODULE = '/scripts/flown/page.ts'

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
  const { page, ...opened } = await openPage({ modules: [MODULE] })
  const call = <Result>(work: string, argument: unknown): Promise<Result> =>
    page.evaluate(`import('${MODULE}').then((page) => page.${work}(${JSON.stringify(argument)}))`)
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
