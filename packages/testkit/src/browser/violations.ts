/** What axe refuses on a page. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Brings axe into a page, by the debugger, which the page's policy does not bind. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source)
}

/** Rules that are broken, with the elements, outside the picture of space. */
export function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const exclude = ['#space', '#labels']
    const loaded = globalThis as unknown as { readonly axe: typeof axe }
    const found = await loaded.axe.run({ exclude }, { resultTypes: ['violations'] })
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
    )
  })
}
