// Goal: a pilot learns from the server, without a token, what is where and what a ship can do; it
// agrees with what pilots see; unknown ids and times are refused by name. Method: the client and a
// real server.
import { type ClientError, createGameClient } from '@orrery/client'
import { type SpanMaker, madeSpan, openAlmanac } from '@orrery/client/almanac'
import type { BodiesResponse, BodyEntry, EphemerisResponse, Vec3 } from '@orrery/protocol'
import { latticeFromUtc } from '@orrery/sim'
import { expect, test } from 'vitest'
import { ask, openSocket, register, shipOf } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'
import {
  DRY_MASS,
  EARTH_GM,
  EARTH_RADIUS,
  EXHAUST_VELOCITY,
  FUEL_CAPACITY,
  THRUST_MAX,
  length,
  plus,
} from './orbit.ts'

const server = sharedServer()
const game = () => createGameClient({ url: server.url })

const minus = (a: Vec3, b: Vec3): Vec3 => plus(a, b, -1)

function earth({ bodies }: BodiesResponse): BodiesResponse['bodies'][number] {
  return bodies.find(({ name }) => name === 'Earth')!
}

test('the list of systems is that of operators', async () => {
  const { systems } = await game().systems()
  expect(systems.map(({ id }) => id)).toEqual(['sol', 'alpha-centauri', 'trappist-1'])
  expect({ systems }).toEqual(await server.order('GET', '/api/admin/systems'))
})

test('a system has its bodies with what pulls ships, and the places of its objects', async () => {
  const sol = await game().system('sol')
  expect(sol).toMatchObject({ id: 'sol', name: 'Sol', star_body: 'Sun', home_body: 'Earth' })
  const body = (wanted: string): BodyEntry => sol.bodies.find(({ name }) => name === wanted)!
  const { gm, radius, ...home } = body('Earth')
  expect(gm / EARTH_GM).toBeCloseTo(1, 6)
  expect(radius).toBeCloseTo(EARTH_RADIUS, 1)
  expect(home).toMatchObject({ kind: 'planet', parent_body: 'Sun', pole: { x: 0, y: 0, z: 1 } })
  expect(home.j2).toBeCloseTo(1.0826e-3, 6)
  expect(home.sphere_of_influence! / 9.24e8).toBeCloseTo(1, 1)
  expect(body('Sun')).toMatchObject({ kind: 'star', parent_body: null, sphere_of_influence: null })
  const years = { from: '2000-01-01', until: '2010-01-04' }
  expect(body('Mars').accuracy).toEqual({ position_error: 3300, ...years })
  const longer = { from: '2000-01-01', until: '2050-12-17' }
  expect(body('Phobos').accuracy).toEqual({ position_error: 156_000, ...longer })
  expect(sol.bodies.filter(({ accuracy }) => accuracy === null)).toEqual([])
  expect(body('Charon')).toMatchObject({ kind: 'moon', parent_body: 'Pluto', pole: null, j2: null })
  expect(sol.stations).toMatchObject([
    { name: 'Earth Station', parent_body: 'Earth', secondary_body: null, lagrange_point: null },
    { name: 'Moon Station', parent_body: 'Moon', lagrange_point: null },
    { name: 'Mars Station', parent_body: 'Mars', lagrange_point: null },
  ])
  expect(sol.stations[0].orbit_radius).toBeCloseTo(EARTH_RADIUS + 420_000, 0)
  expect(sol.jumpgates).toMatchObject([
    { name: 'Sol Gate', parent_body: 'Sun', secondary_body: 'Earth', lagrange_point: 4 },
    { name: 'Sol Gate L5', parent_body: 'Sun', secondary_body: 'Earth', lagrange_point: 5 },
    { name: 'Moon Gate', parent_body: 'Earth', secondary_body: 'Moon', lagrange_point: 4 },
    { name: 'Moon Gate L5', parent_body: 'Earth', secondary_body: 'Moon', lagrange_point: 5 },
  ])
  for (const [i, systemId] of ['alpha-centauri', 'trappist-1'].entries()) {
    const exits = (await game().system(systemId)).jumpgates
    for (const [k, entry] of [sol.jumpgates[i], sol.jumpgates[i + 2]].entries()) {
      expect(exits[k].paired_jumpgate_id).toBe(entry.jumpgate_id)
      expect(entry.paired_jumpgate_id).toBe(exits[k].jumpgate_id)
    }
  }
})

test('a ship class has what the rocket equation needs, and the nose', async () => {
  const { ship_classes: classes } = await game().shipClasses()
  expect(classes).toMatchObject([
    {
      dry_mass: DRY_MASS,
      fuel_capacity: FUEL_CAPACITY,
      thrust_max: THRUST_MAX,
      exhaust_velocity: EXHAUST_VELOCITY,
      nose: { x: 1, y: 0, z: 0 },
    },
  ])
})

test('bodies are where ships and frames have them, at rest and later', async () => {
  const { token, ship_id: shipId } = await register(server, 'Ida')
  const socket = await openSocket(server, token)
  await server.order('POST', '/api/admin/game/pause')
  await socket.next('paused')
  const ship = await game().player(token).ship()
  const now = await game().bodies('sol')
  const from = earth(now)
  expect(length(minus(minus(ship.position, ship.relative_position), from.position))).toBeLessThan(
    1e-3,
  )
  expect(length(minus(minus(ship.velocity, ship.relative_velocity), from.velocity))).toBeLessThan(
    1e-9,
  )
  const sun = now.bodies[0]
  expect(length(minus(minus(from.position, sun.position), from.relative_position))).toBeLessThan(
    1e-3,
  )

  const at = new Date(Date.parse(now.game_time) + 10_000).toISOString()
  const later = await game().bodies('sol', at)
  expect(later.game_time).toBe(at)
  const moved = minus(earth(later).position, from.position)
  // Ten seconds of the sun's pull of 6 mm/s², and the time that a timestamp cuts off.
  expect(length(minus(moved, plus({ x: 0, y: 0, z: 0 }, from.velocity, 10)))).toBeLessThan(31)

  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 10 })
  await server.order('POST', '/api/admin/game/resume')
  const tick = await socket.next('tick', ({ game_time: time }) => time >= at)
  const there = shipOf(tick, shipId)
  const then = await game().bodies('sol', tick.game_time)
  const centre = minus(there.position, there.relative_position)
  expect(length(minus(centre, earth(then).position))).toBeLessThan(31)
  await socket.close()
})

test('times outside the ephemeris are 400 E001 and name its span', async () => {
  // Both ends move on while the ephemeris is made, but a day ahead is always held.
  const { game_time: now, from, until } = await game().bodies('trappist-1')
  expect(from < now).toBe(true)
  expect(Date.parse(until) - Date.parse(now)).toBeGreaterThan(86_000_000)
  for (const at of ['1999-01-01T00:00:00Z', '2099-01-01T00:00:00.000Z']) {
    const refused = await game()
      .bodies('trappist-1', at)
      .then(
        () => expect.fail('It was answered.'),
        (error: ClientError) => error,
      )
    expect(refused).toMatchObject({ status: 400, code: 'E001' })
    expect(refused.message).toMatch(/TRAPPIST-1 reaches from 20[\d:.TZ-]+ to 20[\d:.TZ-]+\.$/)
  }
  for (const at of ['', 'now', '2026', '2026-13-01T00:00:00Z', 'a&at=b']) {
    const answer = await ask(server, 'GET', `/api/systems/sol/bodies?at=${at}`)
    expect([at, refusalOf(answer)]).toEqual([at, '400 E001'])
  }
})

/** A coordinate on the quintic through x, v and a of two states, h [s] apart, at a share of h. */
function quintic(from: readonly number[], to: readonly number[], h: number, s: number): number[] {
  const [s2, s3, s4, s5] = [s ** 2, s ** 3, s ** 4, s ** 5]
  return [0, 1, 2].map(
    (i) =>
      from[i] +
      ((to[i] - from[i]) * (10 * s3 - 15 * s4 + 6 * s5) +
        h * from[3 + i] * (s - 6 * s3 + 8 * s4 - 3 * s5) +
        h * to[3 + i] * (-4 * s3 + 7 * s4 - 3 * s5) +
        (h * h * from[6 + i] * (s2 - 3 * s3 + 3 * s4 - s5)) / 2 +
        (h * h * to[6 + i] * (s3 - 2 * s4 + s5)) / 2),
  )
}

test.each(['sol', 'alpha-centauri', 'trappist-1'])(
  'the ephemeris of %s has its bodies where they are to rounding, by a polynomial',
  async (id) => {
    // Once in 125 ms a quantum begins with a whole millisecond of UTC.
    const ms = 125 * Math.ceil(Date.parse((await game().bodies(id)).game_time) / 125) + 66
    const index = latticeFromUtc(ms)
    const path = `/api/systems/${id}/ephemeris?index=${index}&seconds=3600`
    const way = (await ask(server, 'GET', path)).body as EphemerisResponse
    const [{ states }] = way.bodies
    expect(way.index).toBeLessThanOrEqual(index)
    expect(way.index + (states.length - 1) * way.interval).toBeGreaterThan(index + 3600 * 64)
    for (const seconds of [0, 100, 1801, 3600]) {
      const at = new Date(ms + 1000 * seconds).toISOString()
      const { bodies } = await game().bodies(id, at)
      expect(bodies.map(({ name }) => name)).toEqual(way.bodies.map(({ name }) => name))
      const passed = (index + 64 * seconds - way.index) / way.interval
      const node = Math.floor(passed)
      for (const [i, { name, relative_position: p }] of bodies.entries()) {
        const [from, to] = way.bodies[i].states.slice(node)
        const [x, y, z] = quintic(from, to, way.interval / 64, passed - node)
        const rounding = 1e-6 + 2 ** -51 * Math.hypot(x, y, z)
        expect([name, length(minus(p, { x, y, z })) < rounding]).toEqual([name, true])
      }
    }
  },
)

test('an ephemeris of a time that is not held, or too long, is 400 E001', async () => {
  for (const query of ['index=0', 'index=99999999999', 'index=-1', 'seconds=3601', 'seconds=x']) {
    const answer = await ask(server, 'GET', `/api/systems/sol/ephemeris?${query}`)
    expect([query, refusalOf(answer)]).toEqual([query, '400 E001'])
  }
})

test('the checkpoint of J2000 has the Earth where JPL has it', async () => {
  const at = '2000-01-01T11:58:55.816Z'
  const { index, interval, bodies, from, until } = await game().checkpoints('sol', { at })
  expect([index, interval, bodies.length]).toEqual([0, 2 ** 21 * 64, 34])
  // JPL Horizons, less the Sun, as in the catalog.
  const jpl = [-26_499_033_756.823, 132_757_417_354.788, 57_556_718_399.189]
  const [state] = bodies.find(({ name }) => name === 'Earth')!.state_vectors
  for (const axis of [0, 1, 2]) expect(Math.abs(state[axis] - jpl[axis])).toBeLessThan(1)
  expect(await game().checkpoints('sol', { at: '2000-01-25T00:00:00Z' })).toMatchObject({ index })
  expect([from.slice(0, 10), until.slice(0, 10)]).toEqual(['1990-01-12', '2050-12-21'])
  for (const end of [from, until]) {
    const answer = await game().checkpoints('sol', { at: end, count: 18 })
    expect(answer.bodies[0].state_vectors).toHaveLength(end === from ? 18 : 1)
  }
})

test('an almanac has the bodies where the server has them, and keeps to its span', async () => {
  const { game_time: time } = await game().bodies('sol')
  // A time that is asked for is the exact one.
  const { bodies } = await game().bodies('sol', time)
  const made: number[] = []
  const maker: SpanMaker = {
    make: (task) => {
      made.push(task.index)
      return Promise.resolve(madeSpan(task))
    },
    close: () => undefined,
  }
  const almanac = await openAlmanac({
    system: await game().system('sol'),
    checkpoints: (asked) => game().checkpoints('sol', asked),
    maker,
  })
  const [r, v] = [new Float64Array(3 * bodies.length), new Float64Array(3 * bodies.length)]
  const now = Date.parse(time)
  expect(almanac.statesAt(r, v, now)).toBe(false)
  await almanac.reach(now)
  await almanac.reach(now)
  expect([almanac.statesAt(r, v, now), made.length]).toEqual([true, 1])
  for (const [i, { name, relative_position: p }] of bodies.entries()) {
    const [x, y, z] = r.subarray(3 * i)
    const off = length(minus(p, { x, y, z }))
    expect([name, off < (name === 'Phobos' ? 300 : 3)]).toEqual([name, true])
  }
  const { fromMs, untilMs } = almanac
  await Promise.all([almanac.reach(fromMs), almanac.reach(untilMs)])
  const known = [fromMs - 1, fromMs, untilMs, untilMs + 1].map((ms) => almanac.statesAt(r, v, ms))
  expect(known).toEqual([false, true, true, false])
  almanac.close()
})

test('checkpoints of a time that there are none of, or too many, are 400 E001', async () => {
  const refused = await ask(server, 'GET', '/api/systems/sol/checkpoints?at=1989-12-31T00:00:00Z')
  expect(refused.body).toMatchObject({
    error: {
      code: 'E001',
      message: expect.stringMatching(
        /^The checkpoints of Sol reach from 1990-01-12T[\d:.]+Z to 2050/,
      ),
    },
  })
  for (const query of [
    'at=now',
    'at=',
    'at=2060-01-01T00:00:00Z',
    'count=0',
    'count=19',
    'count=x',
  ]) {
    const answer = await ask(server, 'GET', `/api/systems/sol/checkpoints?${query}`)
    expect([query, refusalOf(answer)]).toEqual([query, '400 E001'])
  }
})

test('unknown systems are 404 E002', async () => {
  for (const id of ['vega', 'SOL', '%00', '__proto__']) {
    for (const path of ['', '/bodies', '/ephemeris', '/checkpoints'].map(
      (it) => `/api/systems/${id}${it}`,
    )) {
      expect([path, refusalOf(await ask(server, 'GET', path))]).toEqual([path, '404 E002'])
    }
  }
})

test('what is constant can be kept, and is asked for again by its tag', async () => {
  for (const [path, control] of [
    ['/api/ship-classes', 'public, no-cache'],
    ['/api/systems/sol', 'public, no-cache'],
    ['/api/systems/sol/checkpoints', 'public, no-cache'],
    ['/api/systems/sol/checkpoints?at=2001-01-01T00:00:00Z', 'public, max-age=3600'],
  ]) {
    const get = (tag?: string) =>
      ask(server, 'GET', path, { ...(tag && { headers: { 'if-none-match': tag } }) })
    const first = await get()
    const tag = first.headers.get('etag')!
    expect(first.headers.get('cache-control')).toBe(control)
    const same = await get(tag)
    expect([same.status, same.text]).toEqual([304, ''])
    expect(same.headers.get('cache-control')).toBe(control)
  }
  const before = (await ask(server, 'GET', '/api/systems/sol')).headers.get('etag')
  const body = { name: 'High', parent_body: 'Moon', secondary_body: undefined, altitude: 1e5 }
  await server.order('POST', '/api/admin/station', body)
  expect((await ask(server, 'GET', '/api/systems/sol')).headers.get('etag')).not.toBe(before)
  const refused = await ask(server, 'GET', '/api/systems/vega')
  expect(refused.headers.get('cache-control')).toBe('no-store')
  const live = await ask(server, 'GET', '/api/systems/sol/bodies')
  expect(live.headers.get('cache-control')).toBe('no-store')
})
