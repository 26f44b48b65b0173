// What a player does who has a keyboard alone.
import type { Locator, Page } from 'playwright-core'

/** Stops of the page that Tab passes at most. */
const STOPS_MAX = 150

/** Goes to a control as Tab does, from where the focus is. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let i = 0; i < STOPS_MAX; i++) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not come to ${String(control)}`)
}

/** Goes to a button and presses it. */
export async function tabAndPress(page: Page, button: Locator): Promise<void> {
  await tabTo(page, button)
  await page.keyboard.press('Enter')
}
