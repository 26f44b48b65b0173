// Law: the instruments show what the server states of the ship. Method: a real server whose game is
// paused, so that both speak of one moment.
import { type GameClient, connectSocket } from '@orrery/client'
import { type Flight, createShipSample, openFlight } from '@orrery/client/flight'
import { testPatience } from '@orrery/testkit/tier'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ownReadings } from '../../src/readings/own-readings.ts'
import { targetReadings } from '../../src/readings/target-readings.ts'
import { FlownSystem } from '../../src/page/flown-system.ts'
import { BODY_NOTES } from '../../src/places/body-notes.ts'
import { factRows } from '../../src/places/fact-rows.ts'
import type { Frame } from '../../src/scene/frame.ts'
import { relativeInclination } from '../../src/space/approach.ts'
import { osculating, vector, type Vector } from '@orrery/page-kit'
import { sharedPageServer } from '@orrery/page-kit/page-server'

const PASSWORD = randomBytes(12).toString('base64url')

const opened = new AsyncDisposableStack()
let game: GameClient
let player: ReturnType<typeof game.player>
let flight: Flight
const state = createShipSample()

beforeAll(async () => {
  const server = await sharedPageServer()
  const { url } = server
  game = server.client
  const admin = await server.admin()
  const { token } = await game.register('Ripley', PASSWORD)
  player = game.player(token)
  const socket = connectSocket({ url, token, wire: 'binary' })
  opened.defer(() => socket.close())
  flight = openFlight({ socket })
  opened.defer(() => flight.close())
  await happened((then) => flight.ship.on('mode', ({ mode }) => mode === 'flown' && then()))
  const burnt = happened((then) =>
    socket.on('event', ({ event }) => event === 'burn_ended' && then()),
  )
  await flight.ship.order({ type: 'control', thrust_level: 1, delta_v: 5, wheel_unloading: true })
  await burnt
  await admin.game.pause()
  // The exact index follows in a frame, which may come after the message.
  await vi.waitUntil(() => flight.clock.scale === 0, { timeout: 20_000 * testPatience() })
})

afterAll(() => opened.disposeAsync())

/** Resolves when a listener has been called back. */
async function happened(listen: (then: () => void) => () => void): Promise<void> {
  let stop = (): void => undefined
  await new Promise<void>((resolve) => (stop = listen(resolve)))
  stop()
}

function near(value: number, share = 1e-9): unknown {
  return expect.toSatisfy((shown: number) => Math.abs(shown - value) <= share * Math.abs(value))
}

test('of the own ship', async () => {
  const [shipClass] = (await game.shipClasses()).ship_classes
  const stated = await player.ship()
  const time = flight.clock.serverNow()
  expect(flight.world.shipAt(state, flight.ship.id, time)).toBe(true)
  const shown = ownReadings(flight, state, time, shipClass)
  const { orbit } = stated
  const [low, high] = [orbit.periapsis_altitude, orbit.apoapsis_altitude ?? NaN]
  expect(shown).toMatchObject({
    body: 'Earth',
    plane: orbit.plane,
    altitude: near(orbit.altitude),
    thrustLevel: stated.thrust_level,
    fuel: near(stated.fuel),
    mass: near(stated.mass),
    deltaV: near(stated.delta_v),
    acceleration: near(shipClass.thrust_max / stated.mass),
    mode: 'flown',
    drift: 'matched',
    orbit: {
      semiMajorAxis: near(orbit.semi_major_axis ?? NaN),
      eccentricity: near(orbit.eccentricity, 1e-6),
      // New ships are in the plane of the equator: a share of almost nothing says nothing.
      inclination: expect.closeTo(orbit.inclination ?? NaN, 9),
      trueAnomaly: near(orbit.true_anomaly ?? NaN, 1e-6),
      period: near(orbit.period ?? NaN),
      timeToPeriapsis: near(orbit.time_to_periapsis ?? NaN, 1e-6),
      timeToApoapsis: near(orbit.time_to_apoapsis ?? NaN, 1e-6),
      periapsis: near(low + shown!.bodyRadius),
      apoapsis: near(high + shown!.bodyRadius),
    },
  })
  const { x, y, z } = stated.relative_velocity
  expect(shown?.speed).toEqual(near(Math.hypot(x, y, z)))
  const limited = ownReadings(flight, { ...state, thrustLimit: 0.25 }, time, shipClass)
  expect(limited?.acceleration).toBe(0.25 * (shown?.acceleration ?? NaN))
})

test('over the ground of Earth, which turns 465 m/s fast at the equator', () => {
  const time = flight.clock.serverNow()
  const shown = ownReadings(flight, state, time, undefined)!
  const most = (465.2 * (shown.altitude + shown.bodyRadius)) / 6_378_000
  expect(Math.abs(shown.speed - shown.groundSpeed)).toBeLessThan(most)
  const eastward = Math.cos(shown.orbit.inclination) * most
  expect(Math.abs(shown.speed - shown.groundSpeed - eastward)).toBeLessThan(0.1 * most)
})

test('of a station, a body and one that is unknown', async () => {
  const time = flight.clock.serverNow()
  const { world } = flight
  const [station] = world.objects()
  const shown = targetReadings(world, state, { kind: 'station', id: station.id }, time)
  const { position, velocity } = await player.ship()
  const { stations } = await game.system('sol')
  const {
    name,
    radius,
    orbit_radius: size,
  } = stations.find((one) => one.station_id === station.id)!
  expect(shown).toMatchObject({ name, clearance: near(shown!.distance - radius) })
  const elements = { semiMajorAxis: near(size ?? NaN, 0.003) }
  expect(shown?.orbit).toMatchObject({ body: 'Earth', elements })
  const { bodies } = await game.bodies('sol')
  const moon = bodies.find(({ name }) => name === 'Moon')!
  const seen = targetReadings(world, state, { kind: 'body', name: 'Moon' }, time)
  const [r, v] = [between(moon.position, position), between(moon.velocity, velocity)]
  expect(seen?.distance).toEqual(near(Math.hypot(...r), 1e-9))
  expect(seen?.relativeSpeed).toEqual(near(Math.hypot(...v), 1e-9))
  const relative = { r: xyz(moon.relative_position), v: xyz(moon.relative_velocity) }
  expect(seen?.relativeInclination).toEqual(near(relativeInclination(state, relative), 1e-9))
  expect(seen?.orbit?.elements.period).toEqual(near(27.3 * 86_400, 0.05))
  expect(targetReadings(world, state, { kind: 'ship', id: 'none' }, time)).toBeUndefined()
  expect(targetReadings(world, state, { kind: 'body', name: 'Sun' }, time)?.orbit).toBeUndefined()
})

test('bodies have the periods that people know, near those of their orbits now', async () => {
  const surroundings = new FlownSystem(await game.system('sol'), flight)
  surroundings.advance()
  const camera = { body: 0, offset: vector(1e12, 0, 0) }
  const { bodies, chain, velocities } = surroundings
  const periodOf = (name: string): string | undefined => {
    const body = bodies.findIndex((one) => one.name === name)
    const rows = factRows(body, { surroundings, camera } as unknown as Frame)
    return rows.find(([word]) => word === 'Orbital period')?.[1]
  }
  expect(['Earth', 'Moon', 'Jupiter', 'Pluto'].map(periodOf)).toEqual([
    '365.3 days',
    '27.32 days',
    '11.86 years',
    '247.9 years',
  ])
  expect(periodOf('Io')).toMatch(/^42\.\d+ h$/)
  for (const [i, { name, parent, gm }] of bodies.entries()) {
    const { year } = BODY_NOTES[name] ?? {}
    if (year === undefined) continue
    const [position, velocity] = [chain.relative, velocities].map((all) =>
      all.slice(3 * i, 3 * i + 3),
    )
    const now = osculating({ position, velocity, gm: gm + bodies[parent].gm }, vector(0, 0, 1))
    expect([name, Math.abs(now.period / 86_400 / year - 1) < 0.05]).toEqual([name, true])
  }
})

interface Triple {
  readonly x: number
  readonly y: number
  readonly z: number
}

function xyz({ x, y, z }: Triple): Vector {
  return vector(x, y, z)
}

function between(to: Triple, from: Triple): Vector {
  return vector(to.x - from.x, to.y - from.y, to.z - from.z)
}
