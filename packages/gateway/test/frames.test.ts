// Goal: a tick's frame is the protocol's message, whatever the ships are called, and holds the
// nearest 256 with one's own always among them. Method: views laid out here, the nearest found by
// a plain sort, frames parsed as a client does.
import type { EngineStatus, ShipView } from '@orrery/engine'
import { type TickMessage, shipState } from '@orrery/protocol'
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { SHIPS_IN_VIEW_MAX, tickFrames } from '../src/frames.ts'

const status: EngineStatus = {
  tick: 42,
  gameTimeMs: Date.UTC(2026, 2, 1, 12, 0, 1),
  tickRate: 10,
  timeScale: 2,
  effectiveTimeScale: 2,
  actualRate: 10,
  paused: false,
  faulted: false,
  ticksBehind: 0,
  ticksDropped: 0,
  eventsLost: 0,
  energyDrift: 0,
  momentumDrift: 0,
  timeDriftSeconds: 0,
  utilisation: 0.1,
  ships: 0,
}

function view(changes: Partial<ShipView> = {}): ShipView {
  return {
    shipId: randomUUID(),
    name: 'Ida',
    systemId: 'sol',
    referenceBody: 'Earth',
    position: [1, 2, 3],
    velocity: [4, 5, 6],
    relativePosition: [7, 8, 9],
    relativeVelocity: [10, 11, 12],
    attitude: [1, 0, 0, 0],
    angularVelocity: [0.1, 0.2, 0.3],
    thrustLevel: 0.5,
    fuel: 9000,
    fuelCapacity: 10_000,
    mass: 29_000,
    wheelSaturation: [0, 0.5, 1],
    frozen: false,
    ...changes,
  }
}

const read = (frame: Buffer): TickMessage => JSON.parse(frame.toString())
const idsOf = ({ ships }: TickMessage): string[] => ships.map(({ ship_id: id }) => id)

test('a frame is a tick message of the protocol, type first', () => {
  const ship = view({ name: '"\\\u2028<b>🚀' })
  const frame = tickFrames(status, 3, [ship]).frame(ship.shipId)
  expect(frame.toString()).toMatch(/^\{"type":"tick",/)
  const { ships, ...head } = read(frame)
  expect(head).toEqual({
    type: 'tick',
    era: 3,
    tick: 42,
    game_time: '2026-03-01T12:00:01.000Z',
    effective_time_scale: 2,
    stations: [],
    jumpgates: [],
  })
  const [state] = v.parse(v.array(v.strictObject({ ...entries })), ships)
  expect(state).toEqual({
    ship_id: ship.shipId,
    name: '"\\\u2028<b>🚀',
    system_id: 'sol',
    position: { x: 1, y: 2, z: 3 },
    velocity: { x: 4, y: 5, z: 6 },
    reference_body: 'Earth',
    relative_position: { x: 7, y: 8, z: 9 },
    relative_velocity: { x: 10, y: 11, z: 12 },
    attitude: { w: 1, x: 0, y: 0, z: 0 },
    angular_velocity: { x: 0.1, y: 0.2, z: 0.3 },
    thrust_level: 0.5,
    fuel: 9000,
    fuel_capacity: 10_000,
    mass: 29_000,
    wheel_saturation: { x: 0, y: 0.5, z: 1 },
  })
  expect(v.parse(shipState, state)).toEqual(state)
})

/** Every name of a ship's state, and no other. */
const entries = Object.fromEntries(
  [
    'ship_id name system_id position velocity reference_body relative_position',
    'relative_velocity attitude angular_velocity thrust_level fuel fuel_capacity mass',
    'wheel_saturation',
  ]
    .join(' ')
    .split(' ')
    .map((name) => [name, v.unknown()]),
)

test('a ship sees its own star system only, and those in one system share one frame', () => {
  const here = [view(), view()]
  const there = [view({ systemId: 'alpha' })]
  const frames = tickFrames(status, 1, [here[0], there[0], here[1]])
  expect(idsOf(read(frames.frame(here[0].shipId)))).toEqual(here.map(({ shipId }) => shipId))
  expect(frames.frame(here[1].shipId)).toBe(frames.frame(here[0].shipId))
  expect(idsOf(read(frames.frame(there[0].shipId)))).toEqual([there[0].shipId])
})

test('without a ship, or with one that is gone, the frame has no ships', () => {
  const frames = tickFrames(status, 1, [view()])
  expect(read(frames.frame('')).ships).toEqual([])
  expect(read(frames.frame(randomUUID())).ships).toEqual([])
  expect(read(frames.frame('')).tick).toBe(42)
})

test('256 ships are all seen; of more, the nearest 256 with the own first', () => {
  // On a spiral no two distances from any ship are equal; coordinates as large as real ones.
  const spiral = (count: number): ShipView[] =>
    Array.from({ length: count }, (_, i) =>
      view({ position: [1.5e11 + i ** 1.5 * Math.cos(i), i ** 1.5 * Math.sin(i), i * 7.3] }),
    )
  const few = spiral(SHIPS_IN_VIEW_MAX)
  expect(read(tickFrames(status, 1, few).frame(few[99].shipId)).ships).toHaveLength(256)

  const many = spiral(700)
  const frames = tickFrames(status, 1, many)
  for (const own of [many[0], many[350], many[699]]) {
    const [x, y, z] = own.position
    const away = ({ position: [a, b, c] }: ShipView): number => Math.hypot(a - x, b - y, c - z)
    const nearest = many
      .toSorted((a, b) => away(a) - away(b))
      .slice(0, 256)
      .map(({ shipId }) => shipId)
    expect(nearest[0]).toBe(own.shipId)
    expect(idsOf(read(frames.frame(own.shipId)))).toEqual(nearest)
  }
})

test('one is among the 256 even where thousands are at the very same place', () => {
  const crowd = Array.from({ length: 3000 }, () => view())
  const frames = tickFrames(status, 1, crowd)
  for (const { shipId } of [crowd[0], crowd[1500], crowd[2999]]) {
    const ids = idsOf(read(frames.frame(shipId)))
    expect(ids).toHaveLength(256)
    expect(ids).toContain(shipId)
  }
})
