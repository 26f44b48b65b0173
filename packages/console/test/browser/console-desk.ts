// What tests do at the operators' console, as a person would: by buttons, labels and the palette.
import type { Locator, Page } from 'playwright-core'

/** A name that would be a picture and a program if it were no text. */
export const HOSTILE = '<img src=x onerror=alert(1)>'

export class ConsoleDesk {
  readonly page: Page
  readonly #username: string

  constructor(page: Page, username: string) {
    this.page = page
    this.#username = username
  }

  table(title: string): Locator {
    return this.page.getByRole('region', { name: title, exact: true })
  }

  dialog(): Locator {
    return this.page.locator('dialog[open]')
  }

  async signIn(password: string): Promise<void> {
    await this.page.getByLabel('Name').fill(this.#username)
    await this.page.getByLabel('Password').fill(password)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Waits for the sentence of what was done. */
  async outcome(text: RegExp): Promise<string> {
    const shown = this.page.locator('.outcome p').filter({ hasText: text })
    await shown.waitFor()
    return (await shown.textContent()) ?? ''
  }

  /** Chooses an action by three keys. */
  async choose(key: string): Promise<void> {
    // While another dialog is open, the palette does not open.
    await this.dialog().waitFor({ state: 'detached' })
    await this.page.keyboard.press('/')
    await this.page.locator('.palette input').waitFor()
    await this.page.keyboard.press(key)
    await this.page.keyboard.press('Enter')
  }

  /** Fills fields of the open dialog by their labels. */
  async fillIn(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(values)) {
      const field = this.dialog().getByLabel(label, { exact: true })
      const isChoice = await field.evaluate((element) => element.tagName === 'SELECT')
      await (isChoice ? field.selectOption(value) : field.fill(value))
    }
  }

  /** Presses what the dialog does. */
  async press(): Promise<void> {
    await this.dialog().locator('footer button').last().click()
  }

  /** Does what the dialog is for, which ends it. */
  async confirm(): Promise<void> {
    await this.press()
    await this.dialog().waitFor({ state: 'detached' })
  }

  /** Reads what a grave action would do, before it can be confirmed. */
  async warned(text: RegExp): Promise<void> {
    await this.dialog().locator('.warning').filter({ hasText: text }).first().waitFor()
  }

  /** Does an action of the palette whose dialog has fields. */
  async perform(key: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.choose(key)
    await this.fillIn(values)
    await this.confirm()
  }

  async section(name: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name }).click()
  }
  /** Name of what has the focus. */
  focused(): Promise<string | null> {
    return this.page.evaluate(() => {
      const { activeElement: active } = document
      return active?.getAttribute('aria-label') ?? active?.textContent ?? null
    })
  }
}

/** In the page: Escape, and an action of the palette before the next picture. */
export async function chooseBeforeClosed(key: string): Promise<void> {
  const rendered = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
  const picture = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
  document.querySelector('dialog')?.requestClose()
  await rendered()
  dispatchEvent(new KeyboardEvent('keydown', { key: '/' }))
  await rendered()
  const input = document.querySelector<HTMLInputElement>('.palette input')
  if (!input) throw new Error('The palette is not open.')
  input.value = key
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  for (let i = 0; i < 3; i++) await picture()
}
