/** Flies courses in headless Chromium. */
import { openPage } from '@orrery/testkit/browser-page'
import type { Course, Flown } from './flight.ts'
import type { Kernels } from './script.ts'

const MODULE = '/packages/engine/test/determinism/page.ts'

const KERNEL_URLS: Readonly<Record<keyof Kernels, string>> = {
  kernel: '/packages/sim/kernel/ship.wasm',
  massiveKernel: '/packages/sim/kernel/massive.wasm',
}

export interface Chromium {
  readonly version: string
  /** flies on the page's own thread; of kernels only that there are any is passed on */
  flown(course: Course): Promise<Flown>
  close(): Promise<void>
}

/** @param open  a page of a browser that ends with it, or of one that others use too */
export async function startChromium(open: typeof openPage = openPage): Promise<Chromium> {
  const { page, ...opened } = await open({ modules: [MODULE] })
  return {
    ...opened,
    flown({ kernels, ...course }) {
      const args = [course, kernels && KERNEL_URLS].map((arg) => JSON.stringify(arg)).join()
      return page.evaluate(`import('${MODULE}').then((page) => page.flownInPage(${args}))`)
    },
  }
}
