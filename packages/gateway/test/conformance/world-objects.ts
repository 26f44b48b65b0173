import { expect } from 'vitest'
import { type Loose, idsOf } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { type Case, type Section, casesOf, fieldRows } from './case.ts'
import { GATE, SOME_CODE, STATION, SYSTEM, UUID, envelope } from './shapes.ts'
import type { World } from './world.ts'

const STATIONS = '/api/admin/station'
const GATES = '/api/admin/jumpgate'
const ORBIT = { name: 'Halfway', parent_body: 'Earth', altitude: 900_000 }
const POINT = { name: 'Trojan', parent_body: 'Sun', secondary_body: 'Earth', lagrange_point: 5 }
const GATE_BODY = { name: 'Door', primary_body: 'Sun', secondary_body: 'Earth' }

const minus = (a: Loose, b: Loose): Loose => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z })
const length = ({ x, y, z }: Loose): number => Math.hypot(x, y, z)

/** The Earth's mean radius, IUGG [m]. */
const EARTH_RADIUS = 6_371_008.8

const systems: readonly Case[] = [
  {
    rows: ['systems/200', ...fieldRows('system', SYSTEM)],
    title: 'each with its star, its position, its bodies and the ships in it',
    script: async ({ order, newPlayer }) => {
      const answer = await order('GET', '/api/admin/systems')
      expect(Object.keys(answer)).toEqual(['systems'])
      for (const row of answer.systems) expect(row).toEqual(SYSTEM)
      expect(answer.systems.length).toBeGreaterThanOrEqual(2)
      const ships = ({ systems }: Loose): number =>
        systems.reduce((sum: number, row: Loose) => sum + row.player_count, 0)
      await newPlayer()
      expect(ships(await order('GET', '/api/admin/systems'))).toBe(ships(answer) + 1)
    },
  },
  {
    rows: ['transfer/200', 'state/transfer', 'ship/system_id', 'design:transfer/arrival'],
    title: 'a ship goes to another system and is seen there only',
    script: async ({ ask, order, connect, chief, ida, newPlayer }) => {
      const { ship_id: id, token } = await newPlayer()
      const own = async (): Promise<Loose> => (await ask('GET', '/api/player/ship', { token })).body
      const before = await own()
      const { systems } = await order('GET', '/api/admin/systems')
      const { id: target } = systems.find((row: Loose) => row.id !== before.system_id)
      const stays = await connect(ida.token)
      const moves = await connect(token)
      const watches = await connect(chief.token)
      const answer = await order('POST', `/api/admin/ship/${id.toUpperCase()}/system`, {
        system_id: target,
      })
      const moved = { success: true, previous_system: before.system_id, new_system: target }
      expect(answer).toEqual(moved)
      const after = await own()
      expect(after).toMatchObject({ ship_id: id, system_id: target, fuel: before.fuel })
      expect(idsOf(await stays.freshTick())).not.toContain(id)
      expect(idsOf(await moves.freshTick())).toEqual([id])
      expect(idsOf(await watches.freshTick())).not.toContain(id)
      await watches.answer({ type: 'subscribe', system_id: target })
      expect(idsOf(await watches.freshTick())).toEqual([id])
      const { systems: now } = await order('GET', '/api/admin/systems')
      const count = (rows: Loose, id: string): number =>
        rows.find((row: Loose) => row.id === id).player_count
      expect(count(now, target)).toBe(count(systems, target) + 1)
      expect(count(now, before.system_id)).toBe(count(systems, before.system_id) - 1)
    },
  },
  ...casesOf(
    [
      ['transfer/missing', {}],
      ['transfer/missing', { system_id: 7 }],
      ['transfer/unknown', { system_id: 'nowhere' }],
      ['transfer/unknown', { system_id: '' }],
      ['transfer/there', { system_id: 'sol' }],
    ],
    ([row, body]) => ({
      rows: [row],
      ask: ['POST', '/api/admin/ship/{ship}/system', body],
      answer: '400',
      body: envelope(SOME_CODE),
    }),
  ),
  ...['{unknown}', 'no-uuid'].flatMap((id) =>
    casesOf([{ system_id: 'sol' }, { system_id: 'nowhere' }, {}], (body) => ({
      rows: ['transfer/404', 'design:transfer/order', 'design:route/path-id'],
      ask: ['POST', `/api/admin/ship/${id}/system`, body],
      answer: '404 E006',
    })),
  ),
]

async function isAtPoint({ order }: World, point: number): Promise<void> {
  const body = { ...POINT, parent_body: 'sUN', secondary_body: 'EARTH', lagrange_point: point }
  const { station, station_id: id } = await order('POST', STATIONS, body)
  expect(station).toEqual({ ...STATION, name: 'Trojan', parent_body: 'Sun' })
  const au = length(station.position) / 149_597_870_700
  expect(au).toBeGreaterThan(0.95)
  expect(au).toBeLessThan(1.05)
  await order('DELETE', `${STATIONS}/${id}`)
}

const stations: readonly Case[] = [
  {
    rows: [
      'station-make/200',
      'stations/200',
      'station-delete/204',
      ...fieldRows('station', STATION),
      'station-field/altitude',
      'design:altitude/metres',
      'design:lists/stable',
    ],
    title: 'on an orbit: made, listed, at the given altitude, deleted',
    script: async ({ order, ask, ida, removeOnce }) => {
      await order('POST', '/api/admin/game/pause')
      const made = await order('POST', STATIONS, ORBIT)
      expect(made).toEqual({ success: true, station_id: UUID, station: STATION })
      const { station, station_id: id } = made
      expect(station).toMatchObject({ station_id: id, name: 'Halfway', parent_body: 'Earth' })
      const ship = (await ask('GET', '/api/player/ship', { token: ida.token })).body as Loose
      expect(ship.reference_body).toBe('Earth')
      const earth = minus(ship.position, ship.relative_position)
      const radius = length(minus(station.position, earth))
      expect(Math.abs(radius - EARTH_RADIUS - ORBIT.altitude)).toBeLessThan(1000)
      const list = await order('GET', '/api/admin/stations')
      expect(Object.keys(list)).toEqual(['stations'])
      for (const row of list.stations) expect(row).toEqual(STATION)
      expect(list.stations).toContainEqual(station)
      expect(await order('GET', '/api/admin/stations')).toEqual(list)
      expect(refusalOf(await removeOnce(`${STATIONS}/${id}`))).toBe('404 E002')
      const { stations } = await order('GET', '/api/admin/stations')
      expect(stations.map(({ station_id: other }: Loose) => other)).not.toContain(id)
      await order('POST', '/api/admin/game/resume')
    },
  },
  {
    rows: ['station/orbits', 'message/tick', 'design:socket/tick'],
    title: 'moves, seen by the players of its system',
    script: async ({ order, connect, ida }) => {
      const { station_id: id } = await order('POST', STATIONS, ORBIT)
      const socket = await connect(ida.token)
      const look = async (): Promise<Loose> =>
        (await socket.freshTick()).stations.find((row) => row.station_id === id)
      const first = await look()
      const { attitude: _, mass: __, ...shown } = STATION
      expect(first).toEqual(shown)
      const second = await look()
      expect(second.position).not.toEqual(first.position)
      await order('DELETE', `${STATIONS}/${id}`)
      expect(await look()).toBeUndefined()
    },
  },
  ...casesOf([1, 2, 3, 4, 5], (point) => ({
    rows: [
      'station-make/200',
      'limit/lagrange',
      'station-field/secondary_body',
      'station-field/lagrange_point',
      'station-field/parent_body',
      'station-field/name',
      'design:bodies/case',
    ],
    title: `at Lagrange point ${point}, bodies in any case`,
    script: (world) => isAtPoint(world, point),
  })),
  ...casesOf(
    [
      ['station-make/missing', {}],
      ['station-make/missing', { ...ORBIT, name: undefined }],
      ['station-make/missing', { ...ORBIT, name: 7 }],
      ['station-make/missing', { ...ORBIT, name: '' }],
      ['station-make/missing', { ...ORBIT, parent_body: undefined }],
      ['station-make/missing', { ...ORBIT, altitude: undefined }],
      ['station-make/missing', { ...POINT, lagrange_point: undefined }],
      ['station-make/missing', { ...POINT, secondary_body: undefined }],
      ['station-make/body', { ...ORBIT, parent_body: 'Nibiru' }],
      ['station-make/body', { ...POINT, secondary_body: 'Nibiru' }],
      ['design:station/pair', { ...POINT, secondary_body: 'Moon' }],
      ['design:station/pair', { ...POINT, secondary_body: 'Sun' }],
      ['station-make/point', { ...POINT, lagrange_point: 0 }],
      ['station-make/point', { ...POINT, lagrange_point: 6 }],
      ['station-make/point', { ...POINT, lagrange_point: 1.5 }],
      ['station-make/point', { ...POINT, lagrange_point: '4' }],
      ['design:altitude/range', { ...ORBIT, altitude: 0 }],
      ['design:altitude/range', { ...ORBIT, altitude: -5 }],
      ['design:altitude/range', { ...ORBIT, altitude: 1e12 }],
      ['design:altitude/range', { ...ORBIT, altitude: '900000' }],
      ['design:station/either', { ...ORBIT, ...POINT }],
      ['design:names/plain', { ...ORBIT, name: 'bell\u0007' }],
      ['design:names/plain', { ...ORBIT, name: 'left\u202eright' }],
    ],
    ([row, body]) => ({
      rows: [row, 'design:codes/station'],
      ask: ['POST', STATIONS, body],
      answer: '400 E001',
    }),
  ),
  ...casesOf(['{unknown}', 'no-uuid', '{ship}'], (id) => ({
    rows: ['station-delete/404', 'design:route/path-id'],
    ask: ['DELETE', `${STATIONS}/${id}`],
    answer: '404 E002',
  })),
]

const UNPAIRED = { ...GATE, paired_jumpgate_id: null }

const gates: readonly Case[] = [
  {
    rows: [
      'gate-make/200',
      'gates/200',
      'gate-delete/204',
      ...fieldRows('gate', GATE),
      'gate-field/name',
      'gate-field/primary_body',
      'gate-field/secondary_body',
      'gate-field/lagrange_point',
      'limit/lagrange',
    ],
    title: 'at each point, at the fourth when none is named; listed and deleted',
    script: async ({ order, removeOnce, ida, connect }) => {
      await order('POST', '/api/admin/game/pause')
      const made = []
      for (const point of [undefined, 4, 1, 2, 3, 5]) {
        const answer = await order('POST', GATES, { ...GATE_BODY, lagrange_point: point })
        expect(answer).toEqual({ success: true, jumpgate_id: UUID, jumpgate: UNPAIRED })
        expect(answer.jumpgate).toMatchObject({ jumpgate_id: answer.jumpgate_id, name: 'Door' })
        made.push(answer.jumpgate)
      }
      expect(length(minus(made[0].position, made[1].position))).toBeLessThan(1)
      expect(length(minus(made[1].position, made[5].position))).toBeGreaterThan(1e11)
      const list = await order('GET', '/api/admin/jumpgates')
      expect(Object.keys(list)).toEqual(['jumpgates'])
      for (const gate of made) expect(list.jumpgates).toContainEqual(gate)
      const { jumpgates } = await (await connect(ida.token)).next('tick')
      const { mass: _, ...shown } = GATE
      for (const gate of jumpgates) expect(gate).toEqual(shown)
      expect(jumpgates.length).toBeGreaterThanOrEqual(6)
      for (const { jumpgate_id: id } of made) {
        expect(refusalOf(await removeOnce(`${GATES}/${id}`))).toBe('404 E002')
      }
      await order('POST', '/api/admin/game/resume')
    },
  },
  ...casesOf(
    [
      ['gate-make/422-missing', {}],
      ['gate-make/422-missing', { ...GATE_BODY, name: undefined }],
      ['gate-make/422-missing', { ...GATE_BODY, primary_body: undefined }],
      ['gate-make/422-missing', { ...GATE_BODY, secondary_body: undefined }],
      ['gate-make/422-missing', { ...GATE_BODY, name: '' }],
      ['gate-make/422-missing', { ...GATE_BODY, primary_body: '' }],
      ['gate-make/422-missing', { ...GATE_BODY, secondary_body: '' }],
      ['gate-make/422-missing', { ...GATE_BODY, name: 7 }],
      ['gate-make/422-point', { ...GATE_BODY, lagrange_point: 0 }],
      ['gate-make/422-point', { ...GATE_BODY, lagrange_point: 6 }],
      ['gate-make/422-point', { ...GATE_BODY, lagrange_point: 2.5 }],
      ['gate-make/422-point', { ...GATE_BODY, lagrange_point: '4' }],
      ['gate-make/422-point', { ...GATE_BODY, lagrange_point: null }],
      ['gate-make/422-missing', { ...GATE_BODY, paired_jumpgate_id: 'far' }],
    ],
    ([row, body]) => ({
      rows: [row, 'error/422', 'design:codes/gate'],
      ask: ['POST', GATES, body],
      answer: '422 E001',
    }),
  ),
  ...casesOf(
    [
      { ...GATE_BODY, primary_body: 'Nibiru' },
      { ...GATE_BODY, secondary_body: 'Nibiru' },
      { ...GATE_BODY, primary_body: 'Earth', secondary_body: 'Sun' },
      { ...GATE_BODY, secondary_body: 'Moon' },
      { ...GATE_BODY, paired_jumpgate_id: '6d0d2b0e-64d0-4a5e-8a6f-2f5c1b6f5f10' },
    ],
    (body) => ({
      rows: ['gate-make/400', 'design:codes/gate'],
      ask: ['POST', GATES, body],
      answer: '400 E001',
    }),
  ),
  ...casesOf(['{unknown}', 'no-uuid'], (id) => ({
    rows: ['gate-delete/404', 'design:route/path-id'],
    ask: ['DELETE', `${GATES}/${id}`],
    answer: '404 E002',
  })),
]

export const objectSection: Section = {
  name: 'world objects',
  cases: [...systems, ...stations, ...gates],
}
