import { expect } from 'vitest'
import type { Case, Section } from './case.ts'
import { GATE, SOME_CODE, STATION, SYSTEM, UUID, envelope } from './shapes.ts'
import type { Loose, World } from './world.ts'

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
    rows: [
      'systems/200',
      'system/id',
      'system/name',
      'system/star_body',
      'system/position',
      'system/body_count',
      'system/player_count',
    ],
    title: 'each with its star, its place, its bodies and the ships in it',
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
    script: async ({ ask, order, connect, ida, newPlayer }) => {
      const { ship_id: id, token } = await newPlayer()
      const own = async (): Promise<Loose> => (await ask('GET', '/api/player/ship', { token })).body
      const before = await own()
      const { systems } = await order('GET', '/api/admin/systems')
      const { id: target } = systems.find((row: Loose) => row.id !== before.system_id)
      const line = await connect(ida.token)
      const path = `/api/admin/ship/${id}/system`
      const answer = await order('POST', path, { system_id: target })
      const moved = { success: true, previous_system: before.system_id, new_system: target }
      expect(answer).toEqual(moved)
      const after = await own()
      expect(after).toMatchObject({ ship_id: id, system_id: target, fuel: before.fuel })
      const { ships } = await line.frame()
      expect(ships.map(({ ship_id: ship }: Loose) => ship)).not.toContain(id)
      const again = await connect(token)
      const frame = await again.frame()
      expect(frame.ships.map(({ ship_id: ship }: Loose) => ship)).toEqual([id])
      const { systems: now } = await order('GET', '/api/admin/systems')
      const count = (rows: Loose, id: string): number =>
        rows.find((row: Loose) => row.id === id).player_count
      expect(count(now, target)).toBe(count(systems, target) + 1)
      expect(count(now, before.system_id)).toBe(count(systems, before.system_id) - 1)
    },
  },
  ...(
    [
      ['transfer/missing', {}],
      ['transfer/missing', { system_id: 7 }],
      ['transfer/unknown', { system_id: 'nowhere' }],
      ['transfer/unknown', { system_id: '' }],
      ['transfer/there', { system_id: 'sol' }],
    ] as const
  ).map(([row, body]) => ({
    rows: [row] as const,
    title: `${JSON.stringify(body)} is refused`,
    ask: ['POST', '/api/admin/ship/{ship}/system', body] as const,
    as: 'chief' as const,
    status: 400,
    code: SOME_CODE,
  })),
  ...['{nobody}', 'no-uuid'].flatMap((id) =>
    [{ system_id: 'sol' }, { system_id: 'nowhere' }, {}].map((body) => ({
      rows: ['transfer/404', 'design:transfer/order', 'design:route/path-id'] as const,
      title: `${id} is no ship, whatever the target`,
      ask: ['POST', `/api/admin/ship/${id}/system`, body] as const,
      as: 'chief' as const,
      status: 404,
      code: 'E006',
    })),
  ),
]

async function standsAtPoint({ order }: World, point: number): Promise<void> {
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
      'station/station_id',
      'station/name',
      'station/position',
      'station/velocity',
      'station/attitude',
      'station/mass',
      'station/radius',
      'station/parent_body',
      'station-field/altitude',
      'design:altitude/metres',
      'design:lists/stable',
    ],
    title: 'on an orbit: made, listed, where it was asked for, deleted',
    script: async ({ order, ask, ida, chief }) => {
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
      const removed = await ask('DELETE', `${STATIONS}/${id}`, { token: chief.token })
      expect([removed.status, removed.text]).toEqual([204, ''])
      const { stations } = await order('GET', '/api/admin/stations')
      expect(stations).not.toContainEqual(station)
      const again = await ask('DELETE', `${STATIONS}/${id}`, { token: chief.token })
      expect([again.status, again.body]).toEqual([404, envelope('E002')])
      await order('POST', '/api/admin/game/resume')
    },
  },
  {
    rows: ['station/orbits', 'message/tick', 'design:socket/tick'],
    title: 'goes its way, seen by the players of its system',
    script: async ({ order, connect, ida }) => {
      const { station_id: id } = await order('POST', STATIONS, ORBIT)
      const line = await connect(ida.token)
      const look = async (): Promise<Loose> =>
        (await line.frame()).stations.find((row: Loose) => row.station_id === id)
      const first = await look()
      const { attitude: _, mass: __, ...shown } = STATION
      expect(first).toEqual(shown)
      const second = await look()
      expect(second.position).not.toEqual(first.position)
      await order('DELETE', `${STATIONS}/${id}`)
      expect(await look()).toBeUndefined()
    },
  },
  ...[1, 2, 3, 4, 5].map((point) => ({
    rows: [
      'station-make/200',
      'limit/lagrange',
      'station-field/secondary_body',
      'station-field/lagrange_point',
      'station-field/parent_body',
      'station-field/name',
      'design:bodies/case',
    ] as const,
    title: `at Lagrange point ${point}, bodies in any case`,
    script: (world: World) => standsAtPoint(world, point),
  })),
  ...(
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
    ] as const
  ).map(([row, body]) => ({
    rows: [row, 'design:codes/station'] as const,
    title: `${JSON.stringify(body)} makes no station`,
    ask: ['POST', STATIONS, body] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E001',
  })),
  ...['{nobody}', 'no-uuid', '{ship}'].map((id) => ({
    rows: ['station-delete/404', 'design:route/path-id'] as const,
    title: `${id} is no station`,
    ask: ['DELETE', `${STATIONS}/${id}`] as const,
    as: 'chief' as const,
    status: 404,
    code: 'E002',
  })),
]

const gates: readonly Case[] = [
  {
    rows: [
      'gate-make/200',
      'gates/200',
      'gate-delete/204',
      'gate/jumpgate_id',
      'gate/name',
      'gate/position',
      'gate/velocity',
      'gate/mass',
      'gate/radius',
      'gate/parent_body',
      'gate-field/name',
      'gate-field/primary_body',
      'gate-field/secondary_body',
      'gate-field/lagrange_point',
      'limit/lagrange',
    ],
    title: 'at each point, at the fourth when none is named; listed and deleted',
    script: async ({ order, ask, chief, ida, connect }) => {
      await order('POST', '/api/admin/game/pause')
      const made = []
      for (const point of [undefined, 4, 1, 2, 3, 5]) {
        const answer = await order('POST', GATES, { ...GATE_BODY, lagrange_point: point })
        expect(answer).toEqual({ success: true, jumpgate_id: UUID, jumpgate: GATE })
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
        const path = `${GATES}/${id}`
        const removed = await ask('DELETE', path, { token: chief.token })
        expect([removed.status, removed.text]).toEqual([204, ''])
        expect((await ask('DELETE', path, { token: chief.token })).status).toBe(404)
      }
      await order('POST', '/api/admin/game/resume')
    },
  },
  ...(
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
    ] as const
  ).map(([row, body]) => ({
    rows: [row, 'error/422', 'design:codes/gate'] as const,
    title: `${JSON.stringify(body)} does not parse as a gate`,
    ask: ['POST', GATES, body] as const,
    as: 'chief' as const,
    status: 422,
    code: 'E001',
  })),
  ...[
    { ...GATE_BODY, primary_body: 'Nibiru' },
    { ...GATE_BODY, secondary_body: 'Nibiru' },
    { ...GATE_BODY, primary_body: 'Earth', secondary_body: 'Sun' },
    { ...GATE_BODY, secondary_body: 'Moon' },
  ].map((body) => ({
    rows: ['gate-make/400', 'design:codes/gate'] as const,
    title: `${JSON.stringify(body)} names no pair of bodies`,
    ask: ['POST', GATES, body] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E001',
  })),
  ...['{nobody}', 'no-uuid'].map((id) => ({
    rows: ['gate-delete/404', 'design:route/path-id'] as const,
    title: `${id} is no gate`,
    ask: ['DELETE', `${GATES}/${id}`] as const,
    as: 'chief' as const,
    status: 404,
    code: 'E002',
  })),
]

const strangers: readonly Case[] = (
  [
    ['systems', 'GET', '/api/admin/systems', undefined],
    ['transfer', 'POST', '/api/admin/ship/{ship}/system', { system_id: 'sol' }],
    ['station-make', 'POST', STATIONS, ORBIT],
    ['stations', 'GET', '/api/admin/stations', undefined],
    ['station-delete', 'DELETE', `${STATIONS}/{nobody}`, undefined],
    ['gate-make', 'POST', GATES, GATE_BODY],
    ['gates', 'GET', '/api/admin/jumpgates', undefined],
    ['gate-delete', 'DELETE', `${GATES}/{nobody}`, undefined],
  ] as const
).flatMap(([row, method, path, body]) =>
  (['player', undefined] as const).map((as) => ({
    rows: [`${row}/E005`] as const,
    title: `${method} ${path} is not for ${as ?? 'strangers'}`,
    ask: [method, path, body] as const,
    as,
    status: 401,
    code: 'E005',
  })),
)

export const objectSection: Section = {
  name: 'world objects',
  cases: [...systems, ...stations, ...gates, ...strangers],
}
