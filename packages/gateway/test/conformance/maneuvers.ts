import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Loose } from '../player-client.ts'
import { type Case, type Section, casesOf, fieldRows } from './case.ts'
import { MANEUVER_EVENT } from './shapes.ts'
import { type Player, type World, eventually } from './world.ts'

const LOGGING = '/api/admin/maneuver-logging'
const DEBUG = '/api/admin/maneuver-debug'
const EVENTS = '/api/admin/maneuver-events'

const eventsOf = async ({ order }: World, query: string): Promise<Loose[]> => {
  const answer = await order('GET', `${EVENTS}${query}`)
  expect(Object.keys(answer)).toEqual(['events'])
  for (const event of answer.events) expect(event).toEqual(MANEUVER_EVENT)
  return answer.events
}

/** Starts maneuvers one after the other, each of which ends the one before. */
async function maneuvers({ connect }: World, { token }: Player, count: number): Promise<void> {
  const socket = await connect(token)
  for (let i = 0; i < count; i++) {
    const attitude = i % 2 === 0 ? { w: 1, x: 0, y: 0, z: 0 } : { w: 0, x: 1, y: 0, z: 0 }
    const answer = await socket.answer({ type: 'maneuver_start', maneuver: 'attitude', attitude })
    expect(answer.type).not.toBe('error')
    // Maneuvers of one moment would be one.
    await sleep(70)
  }
  await socket.close()
}

const logging: readonly Case[] = [
  {
    rows: ['logging/200', 'logging-set/200', 'setting/logging-level', 'state/logging'],
    title: 'each level follows each',
    script: async ({ order }) => {
      for (const level of ['verbose', 'off', 'normal', 'verbose', 'normal', 'off', 'normal']) {
        expect(await order('POST', LOGGING, { level })).toEqual({ success: true, level })
        expect(await order('GET', LOGGING)).toEqual({ level })
      }
    },
  },
  ...casesOf(['loud', 'Verbose', '', 1, null, undefined, ['off']], (level) => ({
    rows: ['logging-set/400'],
    ask: ['POST', LOGGING, { level }],
    answer: '400 E001',
  })),
]

const NO_ID = '00000000-0000-4000-8000-000000000000'

const events: readonly Case[] = [
  {
    rows: ['maneuver-events/200', 'limit/events', ...fieldRows('maneuver-event', MANEUVER_EVENT)],
    title: 'an event has fourteen fields; they are listed by ship, by kind, at most fifty',
    isOfNight: true,
    script: async (world) => {
      const player = await world.newPlayer()
      await world.order('POST', LOGGING, { level: 'verbose' })
      await maneuvers(world, player, 52)
      const ship = `ship_id=${player.ship_id}`
      const found = await eventually(
        () => eventsOf(world, `?${ship}&limit=500`),
        ({ length }) => length > 50,
      )
      expect(found.length).toBeGreaterThan(50)
      expect(new Set(found.map(({ ship_id: id }) => id))).toEqual(new Set([player.ship_id]))
      expect(await eventsOf(world, `?${ship}`)).toHaveLength(50)
      expect(await eventsOf(world, `?${ship}&limit=1`)).toHaveLength(1)
      const [{ event_type: kind }] = found
      const ofKind = await eventsOf(world, `?event_type=${kind}&limit=500`)
      expect(ofKind.length).toBeGreaterThan(0)
      expect(new Set(ofKind.map(({ event_type: other }) => other))).toEqual(new Set([kind]))
      expect(await eventsOf(world, '?event_type=no_such_kind')).toEqual([])
      await world.order('POST', LOGGING, { level: 'normal' })
    },
  },
  {
    rows: ['setting/logging-level', 'state/logging'],
    title: 'while logging is off nothing is written',
    isOfNight: true,
    script: async (world) => {
      const player = await world.newPlayer()
      await world.order('POST', LOGGING, { level: 'off' })
      await maneuvers(world, player, 2)
      // An order acts up to two ticks after its answer, a level at once.
      const ticks = async (): Promise<number> =>
        (await world.order('GET', '/api/admin/status')).current_tick
      const ordered = await ticks()
      await eventually(ticks, (tick) => tick > ordered + 2)
      await world.order('POST', LOGGING, { level: 'normal' })
      await maneuvers(world, player, 1)
      // They are written in their order: what is missing before it does not come later.
      const started = await eventually(
        () => eventsOf(world, `?ship_id=${player.ship_id}&event_type=started`),
        ({ length }) => length > 0,
      )
      expect(started).toHaveLength(1)
    },
  },
  ...casesOf(['ship_id={unknown}', 'event_type=%00'], (query) => ({
    rows: ['maneuver-events/200'],
    ask: ['GET', `${EVENTS}?${query}`],
    answer: '200',
    body: { events: [] },
  })),
  ...casesOf(
    [
      ...['0', '501', '-1', '1.5', 'x', '', '1e2', '%201', '5&limit=5'].map((n) => `limit=${n}`),
      ...['x', '', `${NO_ID}x`, `${NO_ID}&ship_id=${NO_ID}`].map((id) => `ship_id=${id}`),
      ...['', 'a&event_type=a', 'x'.repeat(65)].map((type) => `event_type=${type}`),
    ],
    (query) => ({
      rows: ['design:codes/events', 'limit/events'],
      ask: ['GET', `${EVENTS}?${query}`],
      answer: '400 E001',
    }),
  ),
]

const debug: readonly Case[] = [
  {
    rows: ['debug/200', 'debug-set/200', 'setting/debug-flag'],
    title: 'the flag is set for one ship, and read',
    script: async ({ order, ida, newPlayer }) => {
      const other = await newPlayer()
      const see = ({ ship_id: id }: Player): Promise<Loose> =>
        order('GET', `${DEBUG}?ship_id=${id}`)
      const { ship_id } = ida
      expect(await see(ida)).toEqual({ ship_id, debug: false })
      for (const enabled of [true, true, false]) {
        const answer = await order('POST', DEBUG, { ship_id: ship_id.toUpperCase(), enabled })
        expect(answer).toEqual({ success: true, ship_id, debug: enabled })
        expect(await see(ida)).toEqual({ ship_id, debug: enabled })
        expect(await see(other)).toMatchObject({ debug: false })
      }
    },
  },
  {
    rows: ['design:codes/debug'],
    ask: ['GET', `${DEBUG}?ship_id={unknown}`],
    answer: '404 E006',
  },
  {
    rows: ['design:codes/debug'],
    ask: ['POST', DEBUG, { ship_id: '{unknown}', enabled: true }],
    answer: '404 E006',
  },
  ...casesOf(['', '?ship_id=', '?ship_id=x', `?ship_id=${NO_ID}&ship_id=${NO_ID}`], (query) => ({
    rows: ['debug/200'],
    ask: ['GET', `${DEBUG}${query}`],
    answer: '400 E001',
  })),
  ...casesOf(
    [
      {},
      { ship_id: '{ship}' },
      { ship_id: '{ship}', enabled: 1 },
      { ship_id: '{ship}', enabled: 'yes' },
      { ship_id: 'x', enabled: true },
      { enabled: true },
    ],
    (body) => ({ rows: ['debug-set/200'], ask: ['POST', DEBUG, body], answer: '400 E001' }),
  ),
]

export const maneuverSection: Section = {
  name: 'maneuvers',
  cases: [...logging, ...events, ...debug],
}
