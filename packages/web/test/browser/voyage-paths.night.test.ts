// Goal: whatever hands a new player has, the first voyage leads to the station in a quarter of an
// hour of play. Method: five paths side by side, each on a real server at scale 1 that hurries
// through waits of the autopilot; what each step has come to is what the server states of the ship.
import { type PlayerClient, createGameClient } from '@orrery/client'
import { type GamePage, openGamePage } from '@orrery/page-kit/game-page'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser'
import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { type Hands, fingerHands, keysOf, mouseHands } from './tools/hands.ts'

type Ship = Awaited<ReturnType<PlayerClient['ship']>>

/** A step takes so long at most [ms], and a path. */
const STEP_MS_MAX = 1_800_000
const PATH_MS_MAX = 7_200_000

/** Game time that is not hurried through, from the first step to the station [s]. */
const PLAY_MAX = 900

/** Waits of the autopilot that are not hurried through, and what is left of the others [ms]. */
const WAIT_MIN = 20_000
const LEFT = 8000

/** From the target in its approach, which is hurried through by so much at once [m], [ms]. */
const FAR = 1500
const APPROACH = 15_000

/** Of the apoapsis [m]. */
const RAISE = 300_000

/** Of a ship beside the station, from its middle [m]. */
const BESIDE = 500

const STATION = 'Earth Station'

const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

/** One player's voyage as far as the station. */
class Voyage {
  readonly #game: GamePage
  readonly #player: PlayerClient
  #hurriedMs = 0

  private constructor(game: GamePage, player: PlayerClient) {
    this.#game = game
    this.#player = player
  }

  static async begin(game: GamePage): Promise<Voyage> {
    const { page, url } = game
    await page.goto(url)
    await page.waitForSelector('#facts-name', { state: 'attached' })
    await page.locator('.account-entry .primary').click()
    await page.waitForSelector('dialog[open] input[name=password]:focus')
    await page.keyboard.type('correct horse 7b')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.title.endsWith(' km - Orrery'))
    await page.getByRole('button', { name: 'Begin', exact: true }).click()
    const account = await page.evaluate(() => localStorage.getItem('orrery.account'))
    return new Voyage(game, createGameClient({ url }).player(JSON.parse(account ?? '').token))
  }

  get page(): Page {
    return this.#game.page
  }

  ship(): Promise<Ship> {
    return this.#player.ship()
  }

  /** Game time without what was hurried through [Unix ms]. */
  async played(): Promise<number> {
    const { game_time: now } = await this.#game.client.status()
    return Date.parse(now) - this.#hurriedMs
  }

  /** Waits until the server states something of the ship, and the page is at a step. */
  async comesTo(step: number, isDone: (ship: Ship) => boolean): Promise<void> {
    const panel = this.page.locator('.voyage [role=status]')
    const isThere = async (): Promise<boolean> => {
      const ship = await this.ship()
      const said = await panel.textContent()
      if (said?.includes(`${step} of 10`) && isDone(ship)) return true
      await this.#hurry(ship)
      return false
    }
    await vi.waitUntil(isThere, { timeout: STEP_MS_MAX, interval: 500 })
  }

  async #hurry({ maneuver }: Ship): Promise<void> {
    const now = Date.parse((await this.#game.client.status()).game_time)
    const goal = goalOf(maneuver, now)
    if (!(goal > now)) return
    await (await this.#game.admin()).game.moveClock(new Date(goal).toISOString())
    const isThere = async (): Promise<boolean> =>
      Date.parse((await this.#game.client.status()).game_time) >= goal
    await vi.waitUntil(isThere, { timeout: STEP_MS_MAX, interval: 200 })
    this.#hurriedMs += goal - now
  }
}

/** The time up to which nothing happens [Unix ms]; NaN for none that is worth a hurry. */
function goalOf(maneuver: Ship['maneuver'], now: number): number {
  if (maneuver?.phase === 'approaching') {
    return (maneuver.distance ?? 0) > FAR ? now + APPROACH : NaN
  }
  const next = Date.parse(maneuver?.next_burn_at ?? maneuver?.expected_end ?? '')
  return next > now + WAIT_MIN ? next - LEFT : NaN
}

interface Path {
  readonly name: string
  readonly viewport?: typeof WIDE
  readonly hands: (page: Page) => Hands | Promise<Hands>
  /** in place of the throttle: a burn of a form */
  readonly isTyped?: boolean
  /** the page is loaded again half way, and other hands go on */
  readonly after?: (page: Page) => Hands | Promise<Hands>
}

const PATHS: readonly Path[] = [
  { name: 'keys alone', hands: keysOf },
  { name: 'a mouse alone', hands: mouseHands },
  { name: 'a finger alone', viewport: PHONE, hands: fingerHands },
  { name: 'a mouse, and orders that are typed', hands: mouseHands, isTyped: true },
  { name: 'keys, and after a reload half way a mouse', hands: keysOf, after: mouseHands },
]

// Each path mostly waits; one after the other they take longer than a file may.
describe.runIf(CHROMIUM_RUNS_HERE).concurrent('the first voyage', () => {
  const options = { timeout: PATH_MS_MAX }
  test.for(PATHS)('leads to the station by $name', options, async (path, { onTestFinished }) => {
    const game = await openGamePage({ viewport: path.viewport ?? WIDE, hasOwnServer: true })
    onTestFinished(() => game.close())
    const { page } = game
    const voyage = await Voyage.begin(game)
    const begun = await voyage.played()
    let hands = await path.hands(page)
    await toHigherOrbit(voyage, hands, path.isTyped ?? false)
    if (path.after) {
      await page.reload()
      await page.locator('.voyage').getByText('5 of 10').waitFor()
      hands = await path.after(page)
    }
    await toStation(voyage, hands)
    const seconds = ((await voyage.played()) - begun) / 1000
    console.log(`${path.name}: ${Math.round(seconds)} s of play`)
    expect(seconds).toBeLessThan(PLAY_MAX)
    expect(game.complaints).toEqual([])
  })
})

async function toHigherOrbit(voyage: Voyage, hands: Hands, isTyped: boolean): Promise<void> {
  await hands.look()
  await voyage.comesTo(2, ({ maneuver }) => maneuver === null)
  await hands.point('radial_out')
  await voyage.comesTo(3, ({ steering }) => steering.pointing === 'radial_out')
  const { apoapsis_altitude: before } = (await voyage.ship()).orbit
  const high = (before ?? NaN) + RAISE
  const isHigh = ({ orbit }: Ship): boolean => (orbit.apoapsis_altitude ?? Infinity) > high
  await hands.point('prograde')
  const isAhead = ({ steering: { pointing, mode } }: Ship): boolean =>
    pointing === 'prograde' && mode === 'locked'
  await voyage.comesTo(3, isAhead)
  if (isTyped) await typeBurn(voyage.page, hands)
  else await hands.burn()
  await voyage.comesTo(4, ({ thrust_level: level }) => level > 0)
  if (!isTyped) {
    await voyage.comesTo(4, isHigh)
    await hands.cut()
  }
  await voyage.comesTo(5, (ship) => isHigh(ship) && ship.thrust_level === 0)
}

/** A burn prograde that raises the opposite side by somewhat more than asked for. */
async function typeBurn(page: Page, hands: Hands): Promise<void> {
  const orders = page.locator('.orders')
  await hands.press(orders.getByRole('button', { name: 'Burn', exact: true }).first(), 'Orders')
  await hands.press(orders.locator('input[name=delta_v]:visible'), 'Orders')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('95')
  await page.keyboard.press('Enter')
}

async function toStation(voyage: Voyage, hands: Hands): Promise<void> {
  const { page } = voyage
  const orders = page.locator('.orders')
  await hands.press(orders.getByRole('button', { name: 'Maneuver', exact: true }), 'Orders')
  await hands.press(orders.getByRole('button', { name: 'Start' }), 'Orders')
  await voyage.comesTo(
    6,
    ({ mean_orbit: { apoapsis_altitude: high, periapsis_altitude: low } }) => {
      return (high ?? Infinity) - low < 10_000
    },
  )
  await hands.aimAt(STATION)
  await voyage.comesTo(7, ({ docked_at: station }) => station === null)
  const target = page.locator('.target')
  await hands.press(target.getByRole('button', { name: 'Rendezvous' }), 'Target')
  await hands.press(target.getByRole('button', { name: 'Start' }), 'Target')
  await voyage.comesTo(8, () => true)
  // What the page shows in a hurry is ahead of the ship.
  const { maneuver: approach } = await voyage.ship()
  expect(approach?.distance ?? 0).toBeLessThan(BESIDE)
  await hands.press(target.getByRole('button', { name: 'Dock' }), 'Target')
  await voyage.comesTo(10, ({ docked_at: station, fuel, fuel_capacity: capacity }) => {
    return station !== null && fuel === capacity
  })
}
