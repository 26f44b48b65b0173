// Law: a player who registers flies a ship, reads its instruments and leaves, by what the game
// offers to panels. Method: the game of the page with a real server, and globals of a browser.
import { testPatience } from '@orrery/testkit/tier'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Game, createGame } from '../../src/game/game.ts'
import { askGateWays } from '../../src/orders/gate-ways.ts'
import { createAccountStore } from '../../src/session/account.ts'
import { type PageServer, sharedPageServer } from '@orrery/page-kit/page-server'
import { type BrowserGlobals, stubBrowser } from './browser-globals.ts'

const USERNAME = `Ida_${randomBytes(4).toString('hex')}`
const PASSWORD = randomBytes(12).toString('base64url')

let server: PageServer
let browser: BrowserGlobals
let game: Game
let other: Game

beforeAll(async () => {
  server = await sharedPageServer()
  browser = stubBrowser()
  game = createGame(server.client, server.url)
  other = createGame(server.client, server.url)
})

afterAll(() => {
  game.leave()
  other.leave()
  vi.unstubAllGlobals()
})

async function until(is: () => unknown): Promise<void> {
  await vi.waitUntil(() => Boolean(is()), { timeout: 20_000 * testPatience() })
}

test('a new player is in the game, and looks at the ship', async () => {
  const { entrance } = game
  expect([entrance.isOpen.value, game.connection.value, game.pause.value]).toEqual([
    false,
    undefined,
    undefined,
  ])
  entrance.ask('register', 'Ida')
  const { isOpen, mode, username } = entrance
  expect([isOpen.value, mode.value, username.value]).toEqual([true, 'register', 'Ida'])
  const entered = entrance.register(USERNAME, PASSWORD)
  await entered
  expect([isOpen.value, game.connection.value]).toEqual([false, 'connecting'])
  const kept = createAccountStore(localStorage).read(Date.now())
  expect(kept).toMatchObject({ ...game.session.value?.account, hasExpired: false })
  expect(kept?.username).toBe(USERNAME)
  await until(() => game.connection.value === 'live')
  await until(() => game.focus.value)
  expect(game.focus.value).toEqual({ kind: 'ship', id: kept?.shipId })
  await until(() => game.status.value)
})

test('instruments show the ship, its target and the next burn', async () => {
  await until(() => game.readings.value?.own.fuelCapacity)
  const { own, target, burn } = game.readings.value!
  expect(own).toMatchObject({ body: 'Earth', fuel: own.fuelCapacity })
  expect([target, burn]).toEqual([undefined, undefined])
  game.target.value = { kind: 'body', name: 'Moon' }
  await until(() => game.readings.value?.target)
  expect(game.readings.value?.target?.name).toBe('Moon')
  game.preview.show([{ after: 60, order: { type: 'control', thrust_level: 1, delta_v: 5 } }])
  await until(() => game.readings.value?.burn)
  expect(game.readings.value?.burn?.deltaV).toBeCloseTo(5, 1)
  expect(game.preview.shown.value?.cost?.fuel).toBeGreaterThan(0)
  game.preview.clear()
  await until(() => !game.readings.value?.burn)
  browser.document.hidden = true
  const { time } = game.readings.value!
  const clock = game.session.value!.flight.clock
  await until(() => clock.now() > time + 32)
  expect(game.readings.value?.time).toBe(time)
  browser.document.hidden = false
})

test('the hand sets the throttle, which is logged', async () => {
  game.helm.setThrottle(0.5, 'Half thrust')
  expect(game.helm.throttle()).toBe(0.5)
  await until(() => game.readings.value?.own.thrustLevel === 0.5)
  await until(() => game.log.entries.value.length > 0)
  expect(game.log.entries.value).toMatchObject([{ kind: 'order', text: 'Half thrust' }])
  game.helm.setThrottle(0)
  await until(() => game.readings.value?.own.thrustLevel === 0)
})

test('a pause has its moment for players and for guests', async () => {
  const admin = await server.admin()
  const { paused_at_tick: tick } = await admin.game.pause()
  await until(() => game.pause.value)
  expect(game.pause.value?.tick).toBe(tick)
  other.status.value = await server.client.status()
  expect(other.pause.value?.tick).toBe(tick)
  await admin.game.resume()
  await until(() => !game.pause.value)
})

test('gates lead to the star systems of their pairs', async () => {
  const ways = await askGateWays(server.client)
  const { systems } = await server.client.systems()
  for (const { id } of systems) {
    const { jumpgates } = await server.client.system(id)
    for (const { jumpgate_id: gate, paired_jumpgate_id: pair } of jumpgates) {
      const there = systems.find(({ name }) => name === ways.get(gate))
      const { jumpgates: arrivals } = await server.client.system(there!.id)
      expect(arrivals.map((arrival) => arrival.jumpgate_id)).toContain(pair)
    }
  }
  expect(ways.size).toBeGreaterThan(1)
})

test('another tab takes the ship, and the player can take it back', async () => {
  const { account } = game.session.value!
  game.focus.value = { kind: 'body', name: 'Mars' }
  const keeping = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new Error('full')
  })
  other.enter(account, false)
  keeping.mockRestore()
  expect(other.notices.shown.value).toMatchObject([{ subject: 'storage', kind: 'info' }])
  await until(() => game.session.value === undefined)
  expect(game.connection.value).toEqual({ ended: 'replaced' })
  expect([game.target.value, game.readings.value]).toEqual([undefined, undefined])
  expect([game.log.entries.value, game.focus.value]).toEqual([[], { kind: 'body', name: 'Mars' }])
  const [notice] = game.notices.shown.value
  expect(notice.action?.label).toBe('Fly here')
  await until(() => other.connection.value === 'live')
  await until(() => other.readings.value)
  expect(other.focus.value).toBeUndefined()
  notice.action?.act()
  expect(game.notices.shown.value).toEqual([])
  await until(() => game.connection.value === 'live')
  // The log is that of the account.
  await until(() => game.log.entries.value.length > 0)
  await until(() => other.session.value === undefined)
  await until(() => game.focus.value?.kind === 'ship')
})

test('a player who leaves is a guest, and signs in again', async () => {
  game.leave()
  expect([game.session.value, game.connection.value, game.focus.value]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  await game.entrance.signIn(USERNAME, PASSWORD)
  await until(() => game.connection.value === 'live')
  const before = game.session.value!
  game.target.value = { kind: 'body', name: 'Moon' }
  game.enter(before.account)
  expect([game.target.value, game.connection.value]).toEqual([undefined, 'connecting'])
  await until(() => game.connection.value === 'live')
  expect(game.session.value).not.toBe(before)
})
