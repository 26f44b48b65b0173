// Law: a pilot whose ship is moved to another star system sees the ship there, and who moved it.
import { signal } from '@preact/signals'
import { testPatience } from '@orrery/testkit/tier'
import { randomBytes } from 'node:crypto'
import type { EventMessage, GameClient } from '@orrery/client'
import { describe, expect, test, vi } from 'vitest'
import { createEventLog } from '../../src/session/event-log.ts'
import { createNotices } from '../../src/session/notices.ts'
import { openSession } from '../../src/session/session.ts'
import type { Kept } from '../../src/storage/kept-settings.ts'
import { followShip } from '../../src/events/ship-events.ts'
import type { Thing } from '../../src/readings/thing.ts'
import { sharedPageServer } from '@orrery/page-kit/page-server'
import { type HandSession, createHandSession } from '../game/hand-session.ts'

const practice = signal(undefined)

test('a transfer by an operator is a notice, and the ship is looked at', async () => {
  const server = await sharedPageServer()
  const { client, url } = server
  const admin = await server.admin()
  const password = randomBytes(12).toString('base64url')
  const { token, ship_id: shipId } = await client.register('Lambert', password)
  const account = { username: 'Lambert', shipId, token }
  const session = openSession({ client, url, account, onConnection: () => undefined })
  const focus = signal<Thing | undefined>({ kind: 'body', name: 'Earth' })
  const notices = createNotices()
  const log = createEventLog(undefined)
  followShip({ client, focus, notices, log, practice }, session, false)
  const until = (is: () => boolean): Promise<unknown> =>
    vi.waitUntil(is, { timeout: 20_000 * testPatience() })
  await until(() => session.flight.world.system?.id === 'sol')
  expect(focus.value).toEqual({ kind: 'body', name: 'Earth' })
  await admin.ships.transfer(shipId, 'trappist-1')
  await until(() => session.flight.world.system?.id === 'trappist-1')
  expect(focus.value).toEqual({ kind: 'ship', id: shipId })
  await until(() => log.entries.value.length > 0)
  const text = 'An administrator has moved the ship to TRAPPIST-1.'
  expect(log.entries.value).toMatchObject([{ text }])
  expect(notices.shown.value).toMatchObject([{ kind: 'warning', text }])
  session.close()
})

describe('what happens to a ship by hand', () => {
  const AT = '2026-03-01T12:34:56.000Z'
  const names = [{ id: 'sol', name: 'Sol' }]
  let systems = (): Promise<unknown> => Promise.resolve({ systems: names })
  const client = { systems: () => systems() } as unknown as GameClient

  function follow(looksAtShip: boolean, kept?: Kept): HandSession & Followed {
    const hand = createHandSession()
    const focus = signal<Thing | undefined>({ kind: 'body', name: 'Earth' })
    const [notices, log] = [createNotices(), createEventLog(kept)]
    followShip({ client, focus, notices, log, practice }, hand.session, looksAtShip)
    const lines = (): unknown => log.entries.value.map(({ kind, text }) => `${kind}: ${text}`)
    const shown = (): unknown =>
      notices.shown.value.map(({ subject, kind }) => `${subject}: ${kind}`)
    return { ...hand, focus, notices, lines, shown }
  }

  interface Followed {
    readonly focus: { value: Thing | undefined }
    readonly notices: ReturnType<typeof createNotices>
    readonly lines: () => unknown
    readonly shown: () => unknown
  }

  const happened = (event: EventMessage['event'], more: object = {}): object => {
    return { event, game_time: AT, ship_id: 'own', ...more }
  }

  test('is logged, and faults are notices that stay', () => {
    const { socket, lines, notices } = follow(false)
    socket.say('event', happened('locked'))
    socket.say('event', happened('rules_dropped'))
    socket.say('event', happened('docked', { station_id: 'station-1' }))
    socket.say('event', happened('frozen'))
    socket.say('event', happened('maneuver_failed'))
    expect(lines()).toEqual([
      'error: The maneuver has failed.',
      'error: The ship cannot be flown on: the server has frozen it.',
      'event: Docked at Gateway.',
      'event: Rules that name what is elsewhere are gone.',
      'event: The turn is complete.',
    ])
    expect(
      notices.shown.value.map(({ subject, kind, isLasting }) => [subject, kind, isLasting]),
    ).toEqual([
      ['rules_dropped', 'info', false],
      ['frozen', 'error', true],
      ['maneuver_failed', 'warning', true],
    ])
  })

  test('in a log of the account and the era, which another ship of its name has not', () => {
    let kept = ''
    const { socket, lines } = follow(false, {
      getItem: () => null,
      setItem: (_, text) => (kept = text),
    })
    socket.say('welcome', { era: 3, ship_id: 'own' })
    socket.say('event', happened('locked'))
    expect(JSON.parse(kept)).toMatchObject([{ account: 'Ida own', era: 3 }])
    socket.say('restored', { era: 4, game_time: AT })
    expect(lines()).toEqual(['event: The world has gone back to 2026-03-01 12:34 UTC.'])
    expect(JSON.parse(kept)).toMatchObject([{ era: 4, entries: [{ ms: Date.parse(AT) }] }])
  })

  test('names of star systems are asked for, and ids do where they cannot be had', async () => {
    const { socket, lines } = follow(false)
    const jump = happened('jumped', { from_system: 'sol', to_system: 'far' })
    socket.say('event', jump)
    await vi.waitUntil(() => (lines() as unknown[]).length === 1)
    expect(lines()).toEqual(['event: Jumped from Sol to far.'])
    systems = () => Promise.reject(new Error('away'))
    const another = follow(false)
    another.socket.say('event', jump)
    await vi.waitUntil(() => (another.lines() as unknown[]).length === 1)
    expect(another.lines()).toEqual(['event: Jumped from sol to far.'])
  })

  test.each(['welcome', 'ship_assigned'])('%s says whether there is a ship', (kind) => {
    const { socket, shown, focus } = follow(false)
    socket.say(kind, { ship_id: '', era: 0 })
    expect(shown()).toEqual(['ship: warning'])
    socket.say(kind, { ship_id: 'next', era: 0 })
    expect(shown()).toEqual([])
    expect(focus.value).toEqual({ kind: 'body', name: 'Earth' })
    focus.value = { kind: 'ship', id: 'own' }
    socket.say(kind, { ship_id: 'next', era: 0 })
    expect(focus.value).toEqual({ kind: 'ship', id: 'next' })
  })

  test('is looked at once when it comes into view, where that is wanted', () => {
    const { world, focus } = follow(true)
    world.say('joined', [{ id: 'other' }])
    expect(focus.value?.kind).toBe('body')
    world.say('joined', [{ id: 'other' }, { id: 'own' }])
    expect(focus.value).toEqual({ kind: 'ship', id: 'own' })
    focus.value = undefined
    world.say('joined', [{ id: 'own' }])
    expect(focus.value).toBeUndefined()
    const other = follow(false)
    other.world.say('joined', [{ id: 'own' }])
    expect(other.focus.value?.kind).toBe('body')
  })

  test('is looked at in another star system, and the same one again changes nothing', () => {
    const { world, focus } = follow(false)
    world.say('system', { id: 'sol' })
    expect(focus.value?.kind).toBe('body')
    world.say('system', { id: 'far' })
    expect(focus.value).toEqual({ kind: 'ship', id: 'own' })
  })

  test('a page of another version says so until it flies the ship again', () => {
    const { ship, shown, notices } = follow(false)
    for (const reason of ['physics', 'layout']) {
      ship.say('mode', { mode: 'received', reason })
      expect(shown()).toEqual(['physics: info'])
      expect(notices.shown.value[0].action?.label).toBe('Reload')
      ship.say('mode', { mode: 'flown' })
      expect(shown()).toEqual([])
    }
    ship.say('mode', { mode: 'received', reason: 'frozen' })
    expect(shown()).toEqual([])
  })
})
