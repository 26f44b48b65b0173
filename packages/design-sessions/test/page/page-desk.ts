// What tests do at the page of the service, as a person would: by regions, labels and buttons.
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { COLOUR_RULES, loadAxe, violations } from '@orrery/testkit/violations'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { Place, Session } from '../ask.ts'

/** Names a directory for pictures of the page. */
const { SCREENSHOTS } = process.env

const NARROW = { width: 360, height: 740 }
const WIDE = { width: 1440, height: 900 }

/** A colour scheme, and the rules to ask for in it: all when left out. */
type Look = readonly [scheme: 'light' | 'dark', rules?: readonly string[]]

/** The views that axe sees by day, of which each has controls of its own: it costs most of all. */
const BY_DAY = new Set([
  'sign-in',
  'home',
  'facts',
  'decision-form',
  'diagram-shown',
  'conflict',
  'report',
])

/** Chromium's own line for each refusal, which a test may want. */
const REFUSED = /^Failed to load resource/

export class PageDesk {
  readonly page: Page
  readonly place: Place
  /** of the page, its dialogs and its console */
  readonly faults: string[] = []
  /** seen so far */
  #views = 0

  constructor(page: Page, place: Place) {
    this.page = page
    this.place = place
    page.on('pageerror', (error) => this.faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        this.faults.push(message.text())
      }
    })
    page.on('dialog', (dialog) => {
      this.faults.push(dialog.message())
      void dialog.dismiss()
    })
  }

  /** Loads the page, or loads it again. */
  async open(hash = '#/'): Promise<void> {
    // Elsewhere, but at the same origin: Chromium starts a process for each change of origin.
    await this.page.goto(`${this.place.url}/health/live`)
    await this.page.setViewportSize(NARROW)
    await this.page.goto(`${this.place.url}/${hash}`)
  }

  /** Goes to a session on the open page, as a link does: loading the page again costs more. */
  async show({ client, project }: Session): Promise<void> {
    await this.page.goto(`${this.place.url}/#/${client.id}/${project.id}`)
    await this.page.getByRole('heading', { name: project.name, level: 1 }).waitFor()
  }

  part(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true })
  }

  record(name: string): Locator {
    return this.page.getByRole('article', { name, exact: true })
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  async choose(section: string): Promise<void> {
    const tabs = this.page.getByRole('navigation', { name: 'Sections' })
    await tabs.getByRole('link', { name: section, exact: true }).click()
    await tabs.locator('[aria-current=page]', { hasText: section }).waitFor()
  }

  /**
   * What axe refuses, and a width beyond the window's; keeps pictures. By day views take turns in
   * the colour schemes, which all have their colours from the same few variables.
   */
  async flaws(name: string): Promise<string[]> {
    const found: string[] = []
    const isSeen = IS_NIGHT || SCREENSHOTS !== undefined || BY_DAY.has(name)
    const turn = isSeen && this.#views++ % 2 === 0 ? 'light' : 'dark'
    const schemes = byTier<readonly Look[]>({
      gate: isSeen ? [[turn]] : [],
      night: [['light'], ['dark', COLOUR_RULES]],
    })
    if (schemes.length > 0) await loadAxe(this.page)
    for (const [colorScheme, rules] of schemes) {
      await this.page.emulateMedia({ colorScheme })
      found.push(...(await violations(this.page, rules)))
      await this.#keep(`${name}-${colorScheme}`)
    }
    const width = await this.page.evaluate(() => document.documentElement.scrollWidth)
    if (width > NARROW.width) found.push(`${width} pixels wide`)
    if (SCREENSHOTS === undefined) return found
    await this.page.setViewportSize(WIDE)
    await this.page.emulateMedia({ colorScheme: 'light' })
    await this.#keep(`${name}-wide`)
    await this.page.setViewportSize(NARROW)
    return found
  }

  async #keep(name: string): Promise<void> {
    if (SCREENSHOTS === undefined) return
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
  }

  /** Work in which requests fail on purpose. */
  async refused(work: () => Promise<void>): Promise<void> {
    const before = this.faults.length
    await work()
    const others = this.faults.splice(before).filter((text) => !REFUSED.test(text))
    this.faults.push(...others)
  }
}
