/** What axe refuses on a page. */
import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Half as long as the program that the package exports. */
const SOURCE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

let source: string | undefined

/** Brings axe into a page that is without, by the debugger, which its policy does not bind. */
export async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in globalThis)) return
  await page.evaluate((source ??= readFileSync(SOURCE, 'utf8')))
}

/** Rules of axe that ask for colours; no other can differ in another colour scheme. */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block']

/**
 * Rules that are broken, with the elements, outside the picture of space; only those in an open
 * dialog, beside which a page is out of reach.
 *
 * @param rules  all when left out
 */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const hasDialog = (await page.locator('dialog:modal').count()) > 0
  const included = hasDialog ? { include: ['dialog:modal'] } : {}
  return page.evaluate(
    async ({ context, only }) => {
      const loaded = globalThis as unknown as { readonly axe: typeof axe }
      const found = await loaded.axe.run(context, { resultTypes: ['violations'], ...only })
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
      )
    },
    {
      context: { ...included, exclude: ['#space', '#labels'] },
      only: rules && { runOnly: [...rules] },
    },
  )
}
