// Goal: what operators put into the world stands where they said, is seen by the pilots of its
// system, moves, outlives the server, and goes when it is deleted; a ship that is moved to another
// system is seen there. Method: one real server, started twice; positions against the bodies as
// pilots see them, while the world stands still.
import {
  type JumpgateEntry,
  type ShipState,
  type StationEntry,
  type SystemEntry,
  type Vec3,
  jumpgatesResponse,
  stationsResponse,
} from '@orrery/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  type Answer,
  type PlayerSocket,
  adminToken,
  ask,
  openSocket,
  register,
  shipOf,
} from '../player-client.ts'
import { STARTING_TEST_MS_MAX, type ServerProcess } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

let server: ServerProcess
let chief: string
let ida: PlayerSocket
let idaShip: string
let idaToken: string
let maxShip: string

const { restart } = usedServer({}, async (started) => {
  server = started
  chief = await adminToken(server)
  const pilots = [await register(server, 'Ida'), await register(server, 'Max')] as const
  ;({ ship_id: idaShip, token: idaToken } = pilots[0])
  maxShip = pilots[1].ship_id
  ida = await openSocket(server, idaToken)
})

const order = (method: string, path: string, body?: object): Promise<Answer> =>
  ask(server, method, `/api/admin/${path}`, { token: chief, ...(body && { body }) })

async function makeStation(body: object): Promise<StationEntry> {
  const answer = await order('POST', 'station', body)
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
  return (answer.body as { station: StationEntry }).station
}

async function makeGate(body: object): Promise<JumpgateEntry> {
  const answer = await order('POST', 'jumpgate', body)
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
  return (answer.body as { jumpgate: JumpgateEntry }).jumpgate
}

const plus = (a: Vec3, b: Vec3, sign = 1): Vec3 => ({
  x: a.x + sign * b.x,
  y: a.y + sign * b.y,
  z: a.z + sign * b.z,
})
const minus = (a: Vec3, b: Vec3): Vec3 => plus(a, b, -1)
const length = ({ x, y, z }: Vec3): number => Math.hypot(x, y, z)

const bodyBelow = (ship: ShipState): Vec3 => minus(ship.position, ship.relative_position)
const bodyMotion = (ship: ShipState): Vec3 => minus(ship.velocity, ship.relative_velocity)

const made: string[] = []

test('a station on an orbit is at its height, at the speed of a circle, level', async () => {
  await order('POST', 'game/pause')
  const station = await makeStation({ name: ' High  Home ', parent_body: 'eARTH', altitude: 1e6 })
  made.push(station.station_id)
  expect(station).toMatchObject({ name: 'High  Home', parent_body: 'Earth' })
  const frame = await ida.next('tick', ({ stations }) =>
    stations.some(({ station_id: id }) => id === station.station_id),
  )
  const ship = shipOf(frame, idaShip)
  expect(ship.reference_body).toBe('Earth')
  const r = minus(station.position, bodyBelow(ship))
  const velocity = minus(station.velocity, bodyMotion(ship))
  // Earth stands at 1.5e11 m, whose last bit is 3e-5 m.
  expect(length(r)).toBeCloseTo(7_371_008.4, 3)
  expect(length(velocity)).toBeCloseTo(Math.sqrt(3.986004e14 / 7_371_008.4), -1)
  expect(r.x * velocity.x + r.y * velocity.y + r.z * velocity.z).toBeCloseTo(0, -3)
  const { w, x, y, z } = station.attitude
  const up = { x: 2 * (x * z + w * y), y: 2 * (y * z - w * x), z: 1 - 2 * (x * x + y * y) }
  expect(
    length(minus(up, { x: r.x / length(r), y: r.y / length(r), z: r.z / length(r) })),
  ).toBeLessThan(1e-9)
  const { attitude: _, mass: __, ...shown } = station
  expect(frame.stations).toContainEqual(shown)
})

test('gates at the fourth and fifth point make triangles with Sun and Earth', async () => {
  const four = await makeGate({ name: 'Four', primary_body: 'sun', secondary_body: 'EARTH' })
  const five = await makeGate({
    name: 'Five',
    primary_body: 'Sun',
    secondary_body: 'Earth',
    lagrange_point: 5,
  })
  made.push(four.jumpgate_id, five.jumpgate_id)
  expect([four.parent_body, five.parent_body]).toEqual(['Sun', 'Sun'])
  const frame = await ida.next('tick', ({ jumpgates }) =>
    jumpgates.some(({ jumpgate_id: id }) => id === five.jumpgate_id),
  )
  const earth = bodyBelow(shipOf(frame, idaShip))
  // The two points are as far to either side of the middle between the bodies.
  const sun = minus(plus(four.position, five.position), earth)
  expect(length(sun)).toBeLessThan(2.5e9)
  const apart = length(minus(earth, sun))
  for (const { position } of [four, five]) {
    expect(length(minus(position, sun)) / apart).toBeCloseTo(1, 12)
    expect(length(minus(position, earth)) / apart).toBeCloseTo(1, 12)
  }
  // Four is where the Earth goes.
  const motion = bodyMotion(shipOf(frame, idaShip))
  const ahead = minus(four.position, five.position)
  expect(ahead.x * motion.x + ahead.y * motion.y + ahead.z * motion.z).toBeGreaterThan(0)
})

test('a station at a point of the Moon is seen to move with it', async () => {
  const station = await makeStation({
    name: 'Behind',
    parent_body: 'Earth',
    secondary_body: 'moon',
    lagrange_point: 2,
  })
  made.push(station.station_id)
  await order('POST', 'game/resume')
  const find = async (): Promise<Vec3> => {
    const tick = await ida.freshTick()
    return tick.stations.find(({ station_id: id }) => id === station.station_id)!.position
  }
  const first = await find()
  const second = await find()
  // About 30 km each second with the Earth.
  expect(length(minus(second, first))).toBeGreaterThan(20_000)
})

test('a ship that is moved is seen in its new system only, with what stands there', async () => {
  const gate = await makeGate({
    name: 'There',
    primary_body: 'Proxima Centauri',
    secondary_body: 'Proxima b',
  })
  made.push(gate.jumpgate_id)
  const path = `ship/${maxShip.toUpperCase()}/system`
  const moved = await order('POST', path, { system_id: 'alpha-centauri' })
  expect(moved.body).toEqual({
    success: true,
    previous_system: 'sol',
    new_system: 'alpha-centauri',
  })
  expect((await ida.freshTick()).ships.map(({ ship_id: id }) => id)).toEqual([idaShip])
  await order('POST', `ship/${idaShip}/system`, { system_id: 'alpha-centauri' })
  const tick = await ida.freshTick()
  expect(shipOf(tick, idaShip)).toMatchObject({
    system_id: 'alpha-centauri',
    reference_body: 'Proxima b',
    thrust_level: 0,
  })
  expect(tick.ships.map(({ ship_id: id }) => id).toSorted()).toEqual([idaShip, maxShip].toSorted())
  expect(tick.jumpgates.map(({ jumpgate_id: id }) => id)).toContain(gate.jumpgate_id)
  expect(tick.stations).toEqual([])
  const { systems } = (await order('GET', 'systems')).body as { systems: SystemEntry[] }
  expect(systems.map(({ id, player_count: count }) => [id, count])).toEqual([
    ['sol', 0],
    ['alpha-centauri', 2],
    ['trappist-1', 0],
  ])
  const again = await order('POST', path, { system_id: 'alpha-centauri' })
  expect(again.status).toBe(400)
})

/** What was made here, in the order it is listed; positions left out. */
async function listed(): Promise<unknown[]> {
  const { stations } = v.parse(stationsResponse, (await order('GET', 'stations')).body)
  const { jumpgates } = v.parse(jumpgatesResponse, (await order('GET', 'jumpgates')).body)
  const gates = jumpgates.map((gate) => ({ ...gate, station_id: gate.jumpgate_id }))
  return [...stations, ...gates]
    .filter(({ station_id: id }) => made.includes(id))
    .map(({ station_id: id, name, parent_body: body, mass, radius }) => [
      id,
      name,
      body,
      mass,
      radius,
    ])
}

test(
  'all of it is there after a restart',
  async () => {
    const before = await listed()
    expect(before.map((row) => (row as string[])[1])).toEqual([
      'High  Home',
      'Behind',
      'Four',
      'Five',
      'There',
    ])
    await ida.close()
    await server.stop()
    server = await restart()
    expect(await listed()).toEqual(before)
    ida = await openSocket(server, idaToken)
    const tick = await ida.next('tick')
    expect(shipOf(tick, idaShip).system_id).toBe('alpha-centauri')
    const moved = await order('POST', `ship/${idaShip}/system`, { system_id: 'sol' })
    expect(moved.status).toBe(200)
    const home = await ida.freshTick()
    const station = home.stations.find(({ name }) => name === 'High  Home')!
    // The rail is the same; the tick is another, so only its circle can be looked at.
    const r = minus(station.position, bodyBelow(shipOf(home, idaShip)))
    expect(length(r)).toBeCloseTo(7_371_008.4, 3)
  },
  STARTING_TEST_MS_MAX,
)

test('what is deleted is gone, for everybody', async () => {
  const kinds = (await listed()).map((row, i) => [
    i < 2 ? 'station' : 'jumpgate',
    (row as string[])[0],
  ])
  for (const [kind, id] of kinds) {
    const path = `${kind}/${id}`
    const gone = await order('DELETE', path)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await order('DELETE', path)).body).toMatchObject({ error: { code: 'E002' } })
  }
  expect(await listed()).toEqual([])
  const { stations, jumpgates } = await ida.freshTick()
  const ids = [...stations.map((one) => one.station_id), ...jumpgates.map((one) => one.jumpgate_id)]
  expect(ids.filter((id) => made.includes(id))).toEqual([])
})
