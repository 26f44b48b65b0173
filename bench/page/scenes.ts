/** Pictures of ten scenes, to be looked at. */
import { createGameClient } from '@orrery/client'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, ViewportSize } from 'playwright-core'
import type { LoadServer } from '../load/server.ts'
import type { Visit } from './open-page.ts'

interface Scene {
  readonly name: string
  /** part of the address after `#`; the page's own choice when left out */
  readonly view?: string
  readonly isPlayer?: boolean
  readonly viewport?: ViewportSize
  /** what is done once the page is there */
  readonly act?: (page: Page) => Promise<void>
}

/** Until surfaces are drawn, ships have come and the camera rests. */
const SETTLE_MS = 25_000

const PHONE: ViewportSize = { width: 360, height: 740 }

/** Of J2000 [rad]. */
const OBLIQUITY = 0.409_092_804

/** Writes a PNG of each scene into a directory that exists. */
export async function takePictures(
  server: LoadServer,
  visit: Visit,
  directory: string,
): Promise<void> {
  const { url, pilots, admin } = server
  for (const { name, view = '', isPlayer = false, viewport, act } of await scenes(url)) {
    const isPaused = name === 'paused'
    const { page } = await visit({
      url: `${url}/${view && `#${view}`}`,
      ...(isPlayer && { pilot: pilots[0] }),
      ...(viewport && { viewport }),
    })
    await sleep(SETTLE_MS)
    await act?.(page)
    if (isPaused) await admin.game.pause()
    if (act || isPaused) await sleep(SETTLE_MS / 2)
    await page.screenshot({ path: join(directory, `${name}.png`), timeout: 0 })
    if (isPaused) await admin.game.resume()
    await page.context().close()
  }
}

async function scenes(url: string): Promise<readonly Scene[]> {
  const night = (await longitudeOfEarth(url)) - 25
  return [
    { name: 'earth-and-moon' },
    { name: 'night-side', view: `Earth/1.7e7/${night.toFixed(1)}/12` },
    { name: 'saturn', view: 'Saturn/4.5e8/25/16' },
    { name: 'jupiter', view: 'Jupiter/1.6e9/80/9' },
    { name: 'alpha-centauri', view: 'alpha-centauri:Alpha%20Centauri%20A/9e9/40/10' },
    {
      name: 'ten-thousand-ships',
      view: `Earth/2.3e7/${(night - 120).toFixed(1)}/20`,
      isPlayer: true,
    },
    { name: 'ship', isPlayer: true },
    { name: 'station', isPlayer: true, act: lookAtStation },
    { name: 'map', isPlayer: true, act: (page) => page.keyboard.press('m') },
    { name: 'phone', isPlayer: true, viewport: PHONE },
    { name: 'paused', isPlayer: true },
  ]
}

async function lookAtStation(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Places' }).first().click()
  await page
    .getByPlaceholder(/search/i)
    .first()
    .fill('station')
  await page
    .getByRole('button', { name: /station/i })
    .last()
    .click()
}

/** Ecliptic longitude of Earth from the Sun: the night side faces there [degrees]. */
async function longitudeOfEarth(url: string): Promise<number> {
  const { bodies } = await createGameClient({ url }).bodies('sol')
  const positionOf = (name: string): { x: number; y: number; z: number } => {
    const found = bodies.find((body) => body.name === name)
    if (!found) throw new Error(`There is no ${name}`)
    return found.position
  }
  const [earth, sun] = [positionOf('Earth'), positionOf('Sun')]
  const east = (earth.y - sun.y) * Math.cos(OBLIQUITY) + (earth.z - sun.z) * Math.sin(OBLIQUITY)
  return (Math.atan2(east, earth.x - sun.x) * 180) / Math.PI
}
