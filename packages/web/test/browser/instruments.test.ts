// Goal: panels show what the server states of the ship, its target and its clock. Method: a real
// server whose game is paused after a burn, so that both speak of one moment.
import { type OwnShipState, connectSocket } from '@orrery/client'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  distanceText,
  durationText,
  kilogramsText,
  speedText,
} from '../../src/quantities/quantities.ts'
import { createNavballModel, writeNavballModel } from '../../src/space/navball-model.ts'
import { vector } from '@orrery/page-kit'
import { monitorsOf } from './tools/monitor.ts'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'

/** Of the system `sol` [m]. */
const EARTH_POLE = vector(0, 0, 1)

describe.runIf(CHROMIUM_RUNS_HERE)('instruments', () => {
  let game: GamePage
  let stated: OwnShipState

  beforeAll(async () => {
    game = await openGamePage()
    const { page, url, client } = game
    const { token, ship_id: shipId } = await client.register('Parker', 'correct horse 7b')
    const socket = connectSocket({ url, token })
    await socket.opened
    const burnt = new Promise<void>((resolve) => {
      socket.on('event', ({ event }) => event === 'burn_ended' && resolve())
    })
    await socket.control({ thrust_level: 1, delta_v: 30 })
    await burnt
    socket.close()
    await (await game.admin()).game.pause()
    stated = await client.player(token).ship()
    await page.addInitScript(
      (account) => {
        localStorage.setItem('orrery.account', JSON.stringify(account))
      },
      { username: 'Parker', token, shipId },
    )
    await page.goto(`${url}/#Moon/1e7/0/0`)
    await page.waitForFunction(() => {
      const isLookedAt = document.querySelector('#facts-name')?.textContent === 'Moon'
      return isLookedAt && document.querySelector('.orbit-data dd')
    })
    await page.focus('#space')
    await page.keyboard.press('t')
  })

  afterAll(() => game.close())

  /** Waits until a panel has rows with values. */
  async function shows(
    panel: string,
    wanted: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> {
    const shown = await game.page.waitForFunction(
      ([panel, wanted]) => {
        const rows = [...document.querySelectorAll(`${panel} .row`)]
        const found = Object.entries(wanted).filter(([name, value]) => {
          const row = rows.find((one) => one.querySelector('dt')?.textContent === name)
          return [...(row?.querySelectorAll('dd') ?? [])].some((dd) => dd.textContent === value)
        })
        return found.length === Object.keys(wanted).length && found.map(([name]) => name)
      },
      [panel, wanted] as const,
    )
    return (await shown.jsonValue()) || []
  }

  test('show the orbit and the tank of the ship', async () => {
    const { orbit, relative_velocity: v, delta_v: deltaV, fuel } = stated
    const rows = {
      Altitude: distanceText(orbit.altitude),
      Speed: speedText(Math.hypot(v.x, v.y, v.z)),
      Apoapsis: distanceText(orbit.apoapsis_altitude ?? NaN),
      Periapsis: distanceText(orbit.periapsis_altitude),
      Period: durationText(orbit.period ?? NaN),
    }
    expect(await shows('.orbit-data', rows)).toEqual(Object.keys(rows))
    const tank = { 'Δv left': speedText(deltaV), Fuel: kilogramsText(fuel) }
    expect(await shows('.ship-data', tank)).toEqual(Object.keys(tank))
  })

  test('show the attitude on a ball, and in words', async () => {
    const { page } = game
    const { attitude, relative_position: r, relative_velocity: v } = stated
    const model = createNavballModel()
    writeNavballModel(model, {
      attitude: Float64Array.of(attitude.w, attitude.x, attitude.y, attitude.z),
      position: vector(r.x, r.y, r.z),
      velocity: vector(v.x, v.y, v.z),
      pole: EARTH_POLE,
      target: undefined,
      sun: undefined,
      maneuver: undefined,
    })
    const degrees = (angle: number): string =>
      String(Math.round((angle * 180) / Math.PI) % 360).replace('-', '−')
    const words = `pitch ${degrees(model.pitch)}°, heading ${degrees(model.heading)}°`
    await page.waitForFunction(
      (words) => document.querySelector('.navball canvas')?.ariaLabel?.includes(words),
      words,
    )
    // Along the way up, far from the horizon: sky on one side of it, ground on the other.
    const size = Math.hypot(model.up[0], model.up[1]) / 0.55
    const [x, y] = [model.up[0] / size, model.up[1] / size]
    const colours = await page.evaluate(
      (places) => {
        const canvas = document.querySelector<HTMLCanvasElement>('.navball canvas')!
        const { width, height } = canvas
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
        return places.map(([x, y]) => {
          const row = Math.round((height / 2) * (1 - y))
          const at = 4 * (row * width + Math.round((width / 2) * (1 + x)))
          return { red: data[at], blue: data[at + 2] }
        })
      },
      [
        [x, y],
        [-x, -y],
      ],
    )
    const [sky, ground] = colours
    expect(sky.blue).toBeGreaterThan(sky.red)
    expect(ground.red).toBeGreaterThan(ground.blue)
  })

  test('keep the pixels of a navball on a monitor that has more of them', async () => {
    const { page } = game
    const ball = page.locator('.navball canvas')
    const pixels = (): Promise<number> =>
      ball.evaluate((canvas: HTMLCanvasElement) => canvas.width / canvas.clientWidth)
    const moveTo = await monitorsOf(page)
    for (const ratio of [2, 1]) {
      await moveTo(ratio)
      await expect.poll(pixels).toBe(ratio)
    }
  })

  test('show how far the target is', async () => {
    const { bodies } = await game.client.bodies('sol')
    const { position: to } = bodies.find(({ name }) => name === 'Moon')!
    const { position: from } = stated
    const { radius } = (await game.client.system('sol')).bodies.find(({ name }) => name === 'Moon')!
    const distance = Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z) - radius
    await shows('.target', { Distance: distanceText(distance) })
    expect(await game.page.textContent('#target-name')).toBe('Moon')
  })

  test('show the date of the game, that it stands, and how far it is from UTC', async () => {
    const { page, client } = game
    const { game_time: time } = await client.status()
    const date = `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`
    await page.waitForFunction(
      (date) => document.querySelector('#date')?.textContent === date,
      date,
    )
    expect(await page.textContent('#speed')).toBe('paused')
    expect(await page.locator('.drift').count()).toBe(1)
  })

  test('the browser has nothing to complain of', () => {
    expect(game.complaints).toEqual([])
  })
})
