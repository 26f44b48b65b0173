// Goal: a tick's frame is the protocol's message, whatever the ships' names; it has the nearest 256
// ships, the own one always among them with its pilot's fields, or the narrowed set; each ship is
// encoded once. Method: fleets laid out here, the nearest found by a plain sort, parsed frames.
import type { EngineStatus, ShipView } from '@orrery/engine/testing'
import { type TickMessage, shipState } from '@orrery/protocol'
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  type Frame,
  SHIPS_IN_VIEW_MAX,
  type TickFrames,
  tickFrames,
} from '../../src/frames/frames.ts'
import type { Subscription } from '../../src/frames/subscription.ts'
import { PILOT_VIEW, shipView as view, skyWith as sky } from './fleets.ts'
import { pilotState } from '../../src/views/wire-views.ts'

const status = {
  tick: 42,
  gameTimeMs: Date.UTC(2026, 2, 1, 12, 0, 1),
  tickRate: 10,
  timeScale: 2,
  effectiveTimeScale: 2,
} as EngineStatus

const objects = () => ({ stations: [], jumpgates: [] })

const framesOf = (views: readonly ShipView[], viewed?: (shipId: string) => void): TickFrames =>
  tickFrames({ status, era: 3, sky: sky(views, viewed), objects })

/** The bytes of a frame, which must be as many as it states. */
function written({ byteLength, pieces }: Frame): Buffer {
  const bytes = Buffer.concat(pieces)
  expect(bytes).toHaveLength(byteLength)
  return bytes
}

const bytesFor = (frames: TickFrames, shipId: string, subscription: Subscription = {}): Buffer =>
  written(frames.frame({ shipId, watched: undefined, subscription }))

const observed = (frames: TickFrames, watched: string, subscription: Subscription = {}): Buffer =>
  written(frames.frame({ shipId: '', watched, subscription }))

const read = (frame: Buffer): TickMessage => JSON.parse(frame.toString())
const idsOf = (frame: Buffer): string[] =>
  read(frame)
    .ships.map(({ ship_id: id }) => id)
    .toSorted()
const idsIn = (views: readonly ShipView[]): string[] => views.map((it) => it.shipId).toSorted()

// On a spiral no two distances from any ship are equal; coordinates as large as real ones.
const spiral = (count: number): ShipView[] =>
  Array.from({ length: count }, (_, i) =>
    view({ position: [1.5e11 + i ** 1.5 * Math.cos(i), i ** 1.5 * Math.sin(i), i * 7.3] }),
  )

const away = ({ position: [x, y, z] }: ShipView, { position: [a, b, c] }: ShipView): number =>
  Math.hypot(a - x, b - y, c - z)

const nearestTo = (own: ShipView, ships: readonly ShipView[]): ShipView[] =>
  ships.toSorted((a, b) => away(own, a) - away(own, b)).slice(0, SHIPS_IN_VIEW_MAX)

test('a frame is a tick message of the protocol, type first', () => {
  const ship = view({ name: '"\\\u2028<b>🚀' })
  const frame = bytesFor(framesOf([ship]), ship.shipId)
  expect(frame.toString()).toMatch(/^\{"type":"tick",/)
  const { ships, ...head } = read(frame)
  expect(head).toEqual({
    type: 'tick',
    era: 3,
    tick: 42,
    game_time: '2026-03-01T12:00:01.000Z',
    index: 7,
    offset: 0.25,
    effective_time_scale: 2,
    stations: [],
    jumpgates: [],
  })
  expect(ships).toEqual([
    {
      ship_id: ship.shipId,
      name: '"\\\u2028<b>🚀',
      system_id: 'sol',
      ship_class: 'courier',
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
      delta_v: 4500,
      wheel_saturation: { x: 0, y: 0.5, z: 1 },
      ...pilotState(PILOT_VIEW),
    },
  ])
  expect(v.parse(shipState, ships[0])).toEqual(ships[0])
})

test('stations of a star system are in the frames of that system, and in no other', () => {
  const ships = [view(), view({ systemId: 'alpha' })]
  const station = {
    station_id: randomUUID(),
    name: 'Gateway',
    parent_body: 'Earth',
    position: { x: 1, y: 2, z: 3 },
    velocity: { x: 4, y: 5, z: 6 },
    radius: 50,
  }
  const stations = (systemId: string) => (systemId === 'sol' ? [station] : [])
  const frames = tickFrames({
    status,
    era: 3,
    sky: sky(ships),
    objects: (systemId) => ({ stations: stations(systemId), jumpgates: [] }),
  })
  expect(read(bytesFor(frames, ships[0].shipId)).stations).toEqual([station])
  const alone = { ids: [], radius: 1 }
  expect(read(bytesFor(frames, ships[0].shipId, alone)).stations).toEqual([station])
  expect(read(bytesFor(frames, ships[1].shipId)).stations).toEqual([])
  expect(read(bytesFor(frames, '')).stations).toEqual([])
  expect(read(observed(frames, 'sol')).stations).toEqual([station])
})

test('a ship sees its own star system only', () => {
  const here = [view(), view()]
  const there = [view({ systemId: 'alpha' })]
  const frames = framesOf([here[0], there[0], here[1]])
  expect(idsOf(bytesFor(frames, here[0].shipId))).toEqual(idsIn(here))
  expect(idsOf(bytesFor(frames, there[0].shipId))).toEqual(idsIn(there))
})

test('the own ship alone has the fields of its pilot, the rest is that of observers', () => {
  const ships = spiral(600)
  const all = framesOf(ships.slice(0, 5))
  const some = framesOf(ships)
  const ids = [3, 4, 500, 599].map((i) => ships[i].shipId)
  for (const own of [0, 2, 4]) {
    const { shipId } = ships[own]
    for (const [frames, subscription] of [
      [all, {}],
      [some, { ids: [...new Set([...ids, shipId])] }],
    ] as const) {
      const bytes = bytesFor(frames, shipId, subscription)
      const more = `,${JSON.stringify(pilotState(PILOT_VIEW)).slice(1, -1)}`
      expect(bytes.toString().replace(more, '')).toBe(
        observed(frames, 'sol', subscription).toString(),
      )
      const pilots = read(bytes).ships.filter(({ orbit }) => orbit)
      expect(pilots.map(({ ship_id: id }) => id)).toEqual([shipId])
    }
  }
})

test('without a ship, or with a deleted one, the frame has no ships', () => {
  const frames = framesOf([view()])
  for (const shipId of ['', randomUUID()]) {
    const frame = read(bytesFor(frames, shipId))
    expect(frame).toMatchObject({ tick: 42, ships: [] })
  }
})

test('256 ships are all seen; of more, the nearest 256 with the own among them', () => {
  const few = spiral(SHIPS_IN_VIEW_MAX)
  expect(idsOf(bytesFor(framesOf(few), few[99].shipId))).toEqual(idsIn(few))

  const many = spiral(3000)
  const frames = framesOf(many)
  for (const own of [many[0], many[350], many[1234], many[2999]]) {
    expect(idsOf(bytesFor(frames, own.shipId))).toEqual(idsIn(nearestTo(own, many)))
  }
})

test('the own ship is among the 256 even with thousands at the same place', () => {
  const crowd = Array.from({ length: 3000 }, () => view())
  const frames = framesOf(crowd)
  for (const { shipId } of [crowd[0], crowd[1500], crowd[2999]]) {
    const ids = idsOf(bytesFor(frames, shipId))
    expect(ids).toHaveLength(256)
    expect(new Set(ids).size).toBe(256)
    expect(ids).toContain(shipId)
  }
})

test('a radius selects the ships within it, in small systems and in crowded ones', () => {
  for (const count of [40, 2000]) {
    const ships = spiral(count)
    const frames = framesOf(ships)
    for (const own of [ships[0], ships[17], ships[count - 1]]) {
      for (const radius of [1e-3, 100, 2000, 1e12]) {
        const within = nearestTo(
          own,
          ships.filter((ship) => away(own, ship) <= radius),
        )
        expect(idsOf(bytesFor(frames, own.shipId, { radius }))).toEqual(idsIn(within))
      }
    }
  }
})

test('ids select ships of the system and the own one; with a radius those within it', () => {
  const ships = spiral(2000)
  const foreign = view({ systemId: 'alpha' })
  const frames = framesOf([...ships, foreign])
  const own = ships[5]
  const wanted = [ships[1999], ships[6], own]
  const ids = [...wanted.map(({ shipId }) => shipId), foreign.shipId, randomUUID()]
  expect(idsOf(bytesFor(frames, own.shipId, { ids }))).toEqual(idsIn(wanted))
  expect(idsOf(bytesFor(frames, own.shipId, { ids: [] }))).toEqual([own.shipId])
  const radius = 2 * away(own, ships[6])
  expect(idsOf(bytesFor(frames, own.shipId, { ids, radius }))).toEqual(idsIn([own, ships[6]]))
  const all = ships.slice(100, 356).map(({ shipId }) => shipId)
  const most = idsOf(bytesFor(frames, own.shipId, { ids: all }))
  expect(most).toHaveLength(SHIPS_IN_VIEW_MAX)
  expect(most).toContain(own.shipId)
})

test('an observer sees its system: all of 256 ships, 256 of more, or by ids', () => {
  const few = [view({ systemId: 'alpha' }), view({ systemId: 'alpha' })]
  const many = spiral(700)
  const frames = framesOf([...many, ...few])
  expect(idsOf(observed(frames, 'alpha'))).toEqual(idsIn(few))
  expect(idsOf(observed(frames, 'sol'))).toEqual(idsIn(many.slice(0, 256)))
  const ids = [many[699].shipId, few[0].shipId]
  expect(idsOf(observed(frames, 'sol', { ids }))).toEqual([many[699].shipId])
})

test('a ship in view is read once per tick, others never', () => {
  const ships = spiral(2000)
  const viewed: string[] = []
  const frames = framesOf(ships, (shipId) => viewed.push(shipId))
  const ids = [10, 11, 12].map((i) => ships[i].shipId)
  for (const shipId of ids) expect(idsOf(bytesFor(frames, shipId, { ids }))).toHaveLength(3)
  expect(viewed.toSorted()).toEqual(ids.toSorted())
  const alone = bytesFor(frames, ships[10].shipId, { radius: 1e-9 })
  expect(idsOf(alone)).toEqual([ships[10].shipId])
  expect(viewed).toHaveLength(3)
  bytesFor(frames, ships[1000].shipId)
  bytesFor(frames, ships[1001].shipId)
  expect(new Set(viewed).size).toBe(viewed.length)
  expect(viewed.length).toBeLessThan(600)
})
