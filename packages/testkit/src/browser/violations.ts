/** What axe refuses on a page. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Brings axe into a page, by the debugger, which the page's policy does not bind. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source)
}

/**
 * Rules that are broken, with the elements, outside the picture of space; only those in an open
 * dialog, beside which a page is out of reach.
 */
export async function violations(page: Page): Promise<string[]> {
  const hasDialog = (await page.locator('dialog:modal').count()) > 0
  const included = hasDialog ? { include: ['dialog:modal'] } : {}
  return page.evaluate(
    async (context) => {
      const loaded = globalThis as unknown as { readonly axe: typeof axe }
      const found = await loaded.axe.run(context, { resultTypes: ['violations'] })
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
      )
    },
    { ...included, exclude: ['#space', '#labels'] },
  )
}
