// Laws: a page out of sight takes and asks for nothing, and one that is seen again waits for
// nothing; a player who comes back is in the game, or knows why not. Method: timers, and globals of
// a browser.
import type { GameClient } from '@orrery/client'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Game, Status } from '../../src/game/game.ts'
import { comeBack } from '../../src/game/returning.ts'
import { attachSlowness } from '../../src/game/slowness.ts'
import { attachWaking } from '../../src/game/waking.ts'
import type { Connection } from '../../src/session/connection.ts'
import type { KeptAccount } from '../../src/session/account.ts'
import { createNotices } from '../../src/session/notices.ts'
import { followStatus } from '../../src/session/server-status.ts'
import type { LiveSession } from '../../src/session/session.ts'
import { createSettings, motionPreference } from '../../src/session/settings.ts'
import { browserStorage } from '../../src/storage/kept-settings.ts'
import { type BrowserGlobals, stubBrowser } from '../game/browser-globals.ts'

let browser: BrowserGlobals
let session: Signal<LiveSession | undefined>
let connection: Signal<Connection | undefined>

beforeEach(() => {
  vi.useFakeTimers()
  browser = stubBrowser()
  session = signal<LiveSession | undefined>(undefined)
  connection = signal<Connection | undefined>('live')
})

afterEach(() => {
  session.value = undefined
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function seen(isSeen: boolean): void {
  browser.document.hidden = !isSeen
  browser.document.dispatchEvent(new Event('visibilitychange'))
}

describe('a player who comes back', () => {
  const ida = { username: 'Ida', token: 'a.b.c', shipId: 'own' }
  const notices = createNotices()
  let kept: KeptAccount | undefined
  let entered: unknown[]
  let asked: unknown[]
  let game: Game

  beforeEach(() => {
    kept = { ...ida, hasExpired: false }
    entered = []
    asked = []
    notices.withdraw('session')
    const read = (): KeptAccount | undefined => kept
    const enter = (account: object, looksAtShip: boolean): unknown =>
      entered.push([account, looksAtShip])
    const ask = (...what: unknown[]): unknown => asked.push(what)
    const parts = { accounts: { read }, entrance: { ask }, notices, session, enter }
    game = parts as unknown as Game
  })

  test('is in the game', () => {
    comeBack(game, false)
    expect(entered).toEqual([[kept, false]])
    kept = undefined
    comeBack(game, true)
    expect(entered).toHaveLength(1)
    expect(notices.shown.value).toEqual([])
  })

  test('with an old sign-in is asked to sign in', () => {
    kept = { ...ida, hasExpired: true }
    comeBack(game, true)
    expect(entered).toEqual([])
    const [notice] = notices.shown.value
    expect(notice).toMatchObject({ subject: 'session', kind: 'info', isLasting: true })
    expect(notice.text).toMatch(/^Your sign-in has expired/)
    expect(notice.action?.label).toBe('Sign in')
    notice.action?.act()
    expect(asked).toEqual([['sign-in', 'Ida']])
  })

  test('in a tab behind takes the ship when the tab is seen, once', () => {
    browser.document.hidden = true
    comeBack(game, true)
    expect(entered).toEqual([])
    seen(true)
    seen(true)
    expect(entered).toEqual([[kept, true]])
  })

  test('by hand before the tab is seen is not brought back again', () => {
    browser.document.hidden = true
    comeBack(game, true)
    session.value = {} as LiveSession
    seen(true)
    expect(entered).toEqual([])
  })
})

test('the wait for a connection ends with the network and with the player', () => {
  let attempts = 0
  const socket = { reconnect: () => attempts++ }
  session.value = { socket } as unknown as LiveSession
  attachWaking({ live: session, connection } as Partial<Game> as Game)
  seen(true)
  connection.value = { ended: 'replaced' }
  seen(true)
  expect(attempts).toBe(0)
  connection.value = { retryAtMs: 9e9, why: 'lost' }
  seen(false)
  expect(attempts).toBe(0)
  seen(true)
  browser.window.dispatchEvent(new Event('online'))
  expect(attempts).toBe(2)
})

test('a slow connection is said for as long as it is', () => {
  const notices = createNotices()
  const texts = (): unknown => notices.shown.value.map(({ text }) => text.slice(0, 22))
  const socket = { roundTripMs: 1500 }
  let looks = 0
  const completeness = (): object => {
    looks++
    return { known: 1, inView: 1 }
  }
  session.value = { socket, flight: { world: { completeness } } } as unknown as LiveSession
  attachSlowness({ live: session, connection, notices } as Partial<Game> as Game)
  vi.advanceTimersByTime(4999)
  expect(texts()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(texts()).toEqual(['The connection is slow'])
  vi.advanceTimersByTime(20_000)
  expect(texts()).toEqual(['The connection is slow'])
  socket.roundTripMs = 1000
  vi.advanceTimersByTime(5000)
  expect(texts()).toEqual([])
  socket.roundTripMs = 1500
  vi.advanceTimersByTime(5000)
  connection.value = { retryAtMs: 0, why: 'lost' }
  vi.advanceTimersByTime(5000)
  expect(texts()).toEqual([])
  const before = looks
  expect(before).toBeGreaterThan(0)
  vi.advanceTimersByTime(5000)
  expect(looks).toBe(before)
})

test('the server is asked for its status every ten seconds of a session', async () => {
  const status = signal<Status | undefined>(undefined)
  let asked = 0
  let answer: () => Promise<unknown> = () => Promise.resolve({ tick: asked })
  const client = { status: () => (asked++, answer()) } as unknown as GameClient
  followStatus(client, session, status)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(asked).toBe(0)
  session.value = {} as LiveSession
  await vi.advanceTimersByTimeAsync(9999)
  expect([asked, status.value?.tick]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(1)
  expect([asked, status.value?.tick]).toEqual([2, 2])
  answer = () => Promise.reject(new Error('away'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect([asked, status.value?.tick]).toEqual([3, 2])
  browser.document.hidden = true
  await vi.advanceTimersByTimeAsync(30_000)
  expect(asked).toBe(3)
  browser.document.hidden = false
  let reply = (): void => undefined
  answer = () => new Promise((resolve) => (reply = () => resolve({ tick: 99 })))
  await vi.advanceTimersByTimeAsync(10_000)
  session.value = undefined
  reply()
  await vi.advanceTimersByTimeAsync(30_000)
  expect([asked, status.value?.tick]).toEqual([4, 2])
})

test('the camera is as calm as the system asks, now and later', () => {
  browser.motion.matches = true
  const { isCalm } = createSettings(browserStorage(), motionPreference())
  expect(isCalm.value).toBe(true)
  browser.motion.matches = false
  browser.motion.dispatchEvent(new Event('change'))
  expect(isCalm.value).toBe(false)
})
