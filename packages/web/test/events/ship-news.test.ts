// Law: each thing that happens to a player's ship is in its log at its game time, and what matters
// is a notice until it is over. Method: a real client, whose server is the test.
import { signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followShip } from '../../src/events/ship-events.ts'
import { type EventLog, createEventLog } from '../../src/session/event-log.ts'
import { type Notices, createNotices } from '../../src/session/notices.ts'
import type { Session } from '../../src/session/session.ts'
import type { Thing } from '../../src/readings/thing.ts'
import { ACCOUNT, HeldServer } from '../game/held-server.ts'

const TIME = '2026-03-01T12:34:56.000Z'
const MS = Date.parse(TIME)

const SYSTEM = {
  type: 'system',
  era: 1,
  system: {
    id: 'pair',
    name: 'Pair',
    position: [0, 0, 0],
    bodies: [{ name: 'Globe', parent: -1, gm: 4e14, radius: 6.4e6 }],
  },
  home: 0,
  spheres: [null],
  ship_classes: [],
  physics: 0,
}

let server: HeldServer
let session: Session
let notices: Notices
let log: EventLog
const focus = signal<Thing | undefined>(undefined)
const practice = signal<Session | undefined>(undefined)

beforeEach(async () => {
  vi.useFakeTimers()
  server = new HeldServer()
  session = await server.open()
  notices = createNotices()
  const kept = new Map<string, string>()
  log = createEventLog({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
  })
  focus.value = { kind: 'body', name: 'Globe' }
  followShip({ client: server.client, focus, notices, log, practice }, session, false)
})

afterEach(() => {
  session.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function happen(event: string, more: object = {}): void {
  server.send({ type: 'event', event, ship_id: ACCOUNT.shipId, game_time: TIME, ...more })
}

test.each([
  ['sighted', 'event', undefined],
  ['impact', 'error', 'warning'],
  ['frozen', 'error', 'error'],
  ['maneuver_failed', 'error', 'warning'],
  ['returned', 'error', 'warning'],
  ['rules_dropped', 'event', 'info'],
  ['docked', 'event', undefined],
])('%s is a line of kind %s and a notice of kind %s', (event, line, notice) => {
  happen(event, { body: 'Globe' })
  const [{ text, ...entry }] = log.entries.value
  expect(entry).toEqual({ ms: MS, kind: line })
  const isLasting = notice !== 'info'
  const shown = notice === undefined ? [] : [{ subject: event, kind: notice, text, isLasting }]
  expect(notices.shown.value).toEqual(shown)
})

test('a passage names the star system as the server does, or by its id', async () => {
  const far = { id: 'far', name: 'Far Away', star_body: 'Far', position: { x: 0, y: 0, z: 0 } }
  const body = { systems: [{ ...far, body_count: 1, player_count: 0 }] }
  server.replies = () => ({ status: 200, body })
  happen('transferred', { to_system: 'far' })
  await vi.advanceTimersByTimeAsync(0)
  server.replies = () => undefined
  happen('jumped', { from_system: 'far', to_system: 'farther' })
  await vi.advanceTimersByTimeAsync(0)
  const moved = 'An administrator has moved the ship to Far Away.'
  const texts = log.entries.value.map(({ text }) => text)
  expect(texts).toEqual(['Jumped from Far Away to farther.', moved])
  expect(notices.shown.value).toMatchObject([{ subject: 'transferred', text: moved }])
})

test('a station is named as the world has it', () => {
  const circle = { radius: 7e6, pole: [0, 0, 1], rate: 1e-3, epoch: 0 }
  const rail = { kind: 'orbit', parent: 0, ...circle }
  const objects = ['Gateway', 'Outpost'].map((name, row) => {
    return { id: `s-${row}`, kind: 'station', name, radius: 1, row, rail }
  })
  server.welcome()
  server.send(SYSTEM)
  server.send({ type: 'objects', objects })
  happen('docked', { station_id: 's-1' })
  happen('undocked', { station_id: 's-2' })
  const texts = log.entries.value.map(({ text }) => text)
  expect(texts).toEqual(['Undocked from a station.', 'Docked at Outpost.'])
})

test('a world that goes back is a line and a notice, in the log of its era', () => {
  server.welcome()
  happen('sighted')
  server.send({ type: 'restored', era: 2, tick: 7, game_time: TIME })
  const text = 'The world has gone back to 2026-03-01 12:34 UTC.'
  expect(notices.shown.value).toEqual([{ subject: 'world', kind: 'warning', text }])
  log.close()
  log.open(`${ACCOUNT.username} ${ACCOUNT.shipId}`, 2)
  expect(log.entries.value).toEqual([{ ms: MS, kind: 'event', text }])
})

test('the log is that of the ship, whoever has its name later', () => {
  server.welcome()
  happen('sighted')
  log.close()
  log.open(ACCOUNT.username, 1)
  expect(log.entries.value).toEqual([])
  log.open(`${ACCOUNT.username} ${ACCOUNT.shipId}`, 1)
  expect(log.entries.value).toHaveLength(1)
})

test('an account without a ship says so until it has one', () => {
  const none = {
    subject: 'ship',
    kind: 'warning',
    text: 'Ida has no ship now. An administrator can assign one.',
    isLasting: true,
  }
  server.welcome({ ship_id: '' })
  expect(notices.shown.value).toEqual([none])
  server.send({ type: 'ship_assigned', ship_id: 'ship-2' })
  expect(notices.shown.value).toEqual([])
  server.send({ type: 'ship_assigned', ship_id: '' })
  expect(notices.shown.value).toEqual([none])
})

test('who looks at the ship looks at the one that is assigned', () => {
  server.send({ type: 'ship_assigned', ship_id: 'ship-2' })
  expect(focus.value).toEqual({ kind: 'body', name: 'Globe' })
  focus.value = { kind: 'ship', id: ACCOUNT.shipId }
  server.send({ type: 'ship_assigned', ship_id: 'ship-2' })
  expect(focus.value).toEqual({ kind: 'ship', id: 'ship-2' })
})

test('in another star system the ship is looked at', () => {
  server.welcome()
  server.send(SYSTEM)
  server.send({ ...SYSTEM, era: 2 })
  expect(focus.value).toEqual({ kind: 'body', name: 'Globe' })
  server.send({ ...SYSTEM, system: { ...SYSTEM.system, id: 'other' } })
  expect(focus.value).toEqual({ kind: 'ship', id: ACCOUNT.shipId })
  focus.value = undefined
  server.send({ ...SYSTEM, system: { ...SYSTEM.system, id: 'other' }, era: 2 })
  expect(focus.value).toBeUndefined()
  server.send(SYSTEM)
  expect(focus.value).toEqual({ kind: 'ship', id: ACCOUNT.shipId })
})

test.each(['physics', 'layout'])('a page of another %s says so until it is not', (reason) => {
  const reload = vi.fn<() => void>()
  vi.stubGlobal('location', { reload })
  let change = (_mode: object): void => undefined
  const ship = {
    id: ACCOUNT.shipId,
    on: (_: string, listener: typeof change) => (change = listener),
  }
  const flown = { ...session, flight: { ...session.flight, ship } } as unknown as Session
  followShip({ client: server.client, focus, notices, log, practice }, flown, false)
  const subjects = (): string[] => notices.shown.value.map(({ subject }) => subject)
  change({ mode: 'received', reason: 'no_seed' })
  expect(subjects()).toEqual([])
  change({ mode: 'received', reason })
  expect(notices.shown.value).toMatchObject([{ kind: 'info', isLasting: true }])
  const { action } = notices.shown.value[0]
  expect(action?.label).toBe('Reload')
  action?.act()
  expect(reload).toHaveBeenCalledOnce()
  change({ mode: 'flown' })
  expect(subjects()).toEqual([])
})

test.each([true, false])('the ship is looked at when it is there, if that is wished: %s', (is) => {
  let join = (_ships: readonly object[]): void => undefined
  const world = {
    on: (kind: string, listener: typeof join) => {
      if (kind === 'joined') join = listener
      return () => (join = () => undefined)
    },
  }
  const flight = { world, ship: { id: ACCOUNT.shipId, on: () => undefined } }
  followShip(
    { client: server.client, focus, notices, log, practice },
    { ...session, flight } as unknown as Session,
    is,
  )
  const before = focus.value
  join([{ id: 'ship-2' }])
  expect(focus.value).toEqual(before)
  join([{ id: 'ship-2' }, { id: ACCOUNT.shipId }])
  expect(focus.value).toEqual(is ? { kind: 'ship', id: ACCOUNT.shipId } : before)
  focus.value = before
  join([{ id: ACCOUNT.shipId }])
  expect(focus.value).toEqual(before)
})
