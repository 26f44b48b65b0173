import { expect } from 'vitest'
import type { Case, Section } from './case.ts'
import { MANEUVER_EVENT } from './shapes.ts'
import { type Loose, type Player, type World, eventually } from './world.ts'

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
  const line = await connect(token)
  for (let i = 0; i < count; i++) {
    const attitude = i % 2 === 0 ? { w: 1, x: 0, y: 0, z: 0 } : { w: 0, x: 1, y: 0, z: 0 }
    const answer = await line.answer({ type: 'maneuver_start', maneuver: 'attitude', attitude })
    expect(answer.type).not.toBe('error')
    // Maneuvers of one moment would be one.
    await new Promise((resolve) => setTimeout(resolve, 70))
  }
  await line.hangUp()
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
  ...['loud', 'Verbose', '', 1, null, undefined, ['off']].map((level) => ({
    rows: ['logging-set/400'] as const,
    title: `${JSON.stringify(level)} is no level`,
    ask: ['POST', LOGGING, { level }] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E001',
  })),
  ...(['player', undefined] as const).flatMap((as) =>
    (
      [
        ['logging/E005', 'GET', LOGGING, undefined],
        ['logging-set/E005', 'POST', LOGGING, { level: 'off' }],
        ['maneuver-events/E005', 'GET', EVENTS, undefined],
        ['admin-routes/token', 'GET', `${DEBUG}?ship_id={ship}`, undefined],
        ['admin-routes/token', 'POST', DEBUG, { ship_id: '{ship}', enabled: true }],
      ] as const
    ).map(([row, method, path, body]) => ({
      rows: [row] as const,
      title: `${method} ${path} is not for ${as ?? 'strangers'}`,
      ask: [method, path, body] as const,
      as,
      status: 401,
      code: 'E005',
    })),
  ),
]

const events: readonly Case[] = [
  {
    rows: [
      'maneuver-events/200',
      'maneuver-event/id',
      'maneuver-event/ship_id',
      'maneuver-event/maneuver_type',
      'maneuver-event/event_type',
      'maneuver-event/phase',
      'maneuver-event/from_phase',
      'maneuver-event/tick',
      'maneuver-event/game_time',
      'maneuver-event/element_errors',
      'maneuver-event/distance',
      'maneuver-event/effectivity',
      'maneuver-event/status_text',
      'maneuver-event/extra',
      'maneuver-event/created_at',
      'limit/events',
    ],
    title: 'a maneuver is told in fourteen fields, by ship, by kind, at most fifty',
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
    script: async (world) => {
      const player = await world.newPlayer()
      await world.order('POST', LOGGING, { level: 'off' })
      await maneuvers(world, player, 2)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      expect(await eventsOf(world, `?ship_id=${player.ship_id}`)).toEqual([])
      await world.order('POST', LOGGING, { level: 'normal' })
    },
  },
  {
    rows: ['maneuver-events/200'],
    title: 'a ship nobody has made no events',
    ask: ['GET', `${EVENTS}?ship_id={nobody}`],
    as: 'chief',
    status: 200,
    body: { events: [] },
  },
  ...['limit=0', 'limit=501', 'limit=-1', 'limit=1.5', 'limit=x', 'limit=', 'ship_id=x'].map(
    (query) => ({
      rows: ['design:codes/events', 'limit/events'] as const,
      title: `${query} is refused`,
      ask: ['GET', `${EVENTS}?${query}`] as const,
      as: 'chief' as const,
      status: 400,
      code: 'E001',
    }),
  ),
]

const debug: readonly Case[] = [
  {
    rows: ['debug/200', 'debug-set/200', 'setting/debug-flag'],
    title: 'is switched for one ship, and seen',
    script: async ({ order, ida, newPlayer }) => {
      const other = await newPlayer()
      const see = ({ ship_id: id }: Player): Promise<Loose> =>
        order('GET', `${DEBUG}?ship_id=${id}`)
      const { ship_id } = ida
      expect(await see(ida)).toEqual({ ship_id, debug: false })
      for (const enabled of [true, true, false]) {
        const answer = await order('POST', DEBUG, { ship_id, enabled })
        expect(answer).toEqual({ success: true, ship_id, debug: enabled })
        expect(await see(ida)).toEqual({ ship_id, debug: enabled })
        expect(await see(other)).toMatchObject({ debug: false })
      }
    },
  },
  {
    rows: ['design:codes/debug'],
    title: 'no ship, no flag to see',
    ask: ['GET', `${DEBUG}?ship_id={nobody}`],
    as: 'chief',
    status: 404,
    code: 'E006',
  },
  {
    rows: ['design:codes/debug'],
    title: 'no ship, no flag to set',
    ask: ['POST', DEBUG, { ship_id: '{nobody}', enabled: true }],
    as: 'chief',
    status: 404,
    code: 'E006',
  },
  ...['', '?ship_id=', '?ship_id=x'].map((query) => ({
    rows: ['debug/200'] as const,
    title: `'${query}' names no ship`,
    ask: ['GET', `${DEBUG}${query}`] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E001',
  })),
  ...[
    {},
    { ship_id: '{ship}' },
    { ship_id: '{ship}', enabled: 1 },
    { ship_id: 'x', enabled: true },
    { enabled: true },
  ].map((body) => ({
    rows: ['debug-set/200'] as const,
    title: `${JSON.stringify(body)} sets no flag`,
    ask: ['POST', DEBUG, body] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E001',
  })),
]

export const maneuverSection: Section = {
  name: 'maneuvers',
  cases: [...logging, ...events, ...debug],
}
