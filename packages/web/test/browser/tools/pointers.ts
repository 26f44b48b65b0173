// Mouse and finger as the browser gets them, at places of the screen: what lies above takes them.
import type { Locator, Page } from 'playwright-core'

export interface Pointer {
  /** Presses the middle of an element, whatever is seen there. */
  press(target: Locator): Promise<void>
}

export function mouseOf(page: Page): Pointer {
  return {
    press: async (target) => {
      const { x, y } = await middleOf(target)
      await page.mouse.click(x, y)
    },
  }
}

/** Of a page that was opened without touch. */
export async function fingerOf(page: Page): Promise<Pointer> {
  const session = await page.context().newCDPSession(page)
  return {
    press: async (target) => {
      const point = await middleOf(target)
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    },
  }
}

async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error(`${String(target)} is not shown`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Controls within an element, scrolled to, whose middle belongs to something else. */
export function unreachable(page: Page, root: string): Promise<string[]> {
  return page.evaluate((root) => {
    const controls = `${root} :is(button, a, input, select, summary)`
    const found = [...document.querySelectorAll<HTMLElement>(controls)]
    const isHidden = (control: HTMLElement): boolean => {
      if (!control.checkVisibility() || control.matches(':disabled')) return false
      // A radio button of a row is drawn by its label.
      const shown = control.matches('[type=radio]') ? control.closest('label') : control
      if (!shown) return false
      shown.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      const { left, top, width, height } = shown.getBoundingClientRect()
      const at = document.elementFromPoint(left + width / 2, top + height / 2)
      return !(at && shown.contains(at))
    }
    return found.filter(isHidden).map((one) => one.ariaLabel || one.textContent || one.outerHTML)
  }, root)
}
