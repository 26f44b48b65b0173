// Goal: things are distinguished and named alike everywhere, and what is near comes first.
import type { Flight } from '@orrery/client/flight'
import { signal } from '@preact/signals'
import { describe, expect, test } from 'vitest'
import { nearbyObjects } from '../../src/readings/nearby.ts'
import { type PilotOrder, nearPilots } from '../../src/readings/near-pilots.ts'
import { nearbyShips } from '../../src/readings/nearby-ships.ts'
import { MANEUVER_POINTINGS } from '../../src/orders/maneuvers.ts'
import type { Game } from '../../src/game/game.ts'
import type { Session } from '../../src/session/session.ts'
import { STEERINGS } from '../../src/orders/steering-modes.ts'
import { canSteer, steeringOrder } from '../../src/game/steering.ts'
import { targetFields, thingOfFields } from '../../src/orders/target-fields.ts'
import { nameOf, withArticle } from '../../src/readings/thing-names.ts'
import { type Thing, isSame, keyOf } from '../../src/readings/thing.ts'

const THINGS: readonly Thing[] = [
  { kind: 'body', name: 'Moon' },
  { kind: 'body', name: 'Mars' },
  ...(['ship', 'station', 'jumpgate'] as const).map((kind) => ({ kind, id: 'Moon' })),
]

interface Place {
  readonly r: readonly number[]
  readonly v: readonly number[]
}

/** Where all is, by id: the own ship first. */
const PLACES: Readonly<Record<string, Place>> = {
  own: { r: [100, 20, 30], v: [1, 7, 2] },
  far: { r: [100, 20, 530], v: [1, 7, 2] },
  near: { r: [100, 50, 70], v: [4, 7, 6] },
  Moon: { r: [400, 420, 30], v: [0, 0, 0] },
  ahead: { r: [300, 20, 30], v: [0, 0, 0] },
}

function flightWith(objects: readonly { readonly id: string }[]): Flight {
  const write = (out: { r: Float64Array; v: Float64Array; body?: string }, id: string): boolean => {
    if (!PLACES[id]) return false
    out.r.set(PLACES[id].r)
    out.v.set(PLACES[id].v)
    return true
  }
  const ships = ['far', 'own', 'near'].map((id, number) => ({ id, number, name: `The ${id} one` }))
  return {
    clock: { now: () => 0 },
    ship: { id: 'own' },
    world: {
      ships: () => ships,
      ship: (id: string) => ships.find((one) => one.id === id),
      shipAt: write,
      positionAt: write,
      bodyAt: write,
      objectAt: write,
      objects: () => objects,
      rows: () => [{ id: 'rock', name: 'Asteroid 7' }],
      positionsAt: (out: Float64Array) => {
        for (const [i, { id }] of ships.entries()) out.set(PLACES[id].r, 3 * i)
        return ships.length
      },
    },
  } as unknown as Flight
}

const objects = ['far', 'near', 'unknown'].map((id) => ({ id, kind: 'station', name: `At ${id}` }))
const flight = flightWith(objects)

test('things are the same by kind and name', () => {
  expect(new Set(THINGS.map(keyOf)).size).toBe(THINGS.length)
  for (const a of THINGS) {
    for (const b of THINGS) expect(isSame({ ...a }, { ...b })).toBe(a === b)
    expect(isSame(a, undefined)).toBe(false)
    expect(isSame(undefined, a)).toBe(false)
    expect(thingOfFields(targetFields(a))).toEqual(a)
  }
  expect(isSame(undefined, undefined)).toBe(true)
  expect(thingOfFields({})).toBeUndefined()
})

test('things have their names, or those of their kinds out of view', () => {
  const session = { flight } as unknown as Session
  const named = (thing: Thing): string => nameOf(thing, session)
  expect(THINGS.map(named)).toEqual(['Moon', 'Mars', 'a ship', 'a station', 'a jump gate'])
  expect(named({ kind: 'ship', id: 'near' })).toBe('The near one')
  expect(named({ kind: 'station', id: 'near' })).toBe('At near')
  // Orders name rows of modules as they name stations.
  expect(named({ kind: 'station', id: 'rock' })).toBe('Asteroid 7')
  expect(nameOf({ kind: 'ship', id: 'near' }, undefined)).toBe('a ship')
  expect(['Sun', 'Moon', 'Mars'].map(withArticle)).toEqual(['the Sun', 'the Moon', 'Mars'])
})

test('ships are found by part of a name, the nearest first, without the own one', () => {
  const found = (wanted: string, limit = 9): unknown[] =>
    nearbyShips(flight, wanted, limit).map(({ ship, distance }) => [ship.id, distance])
  expect(found('')).toEqual([
    ['near', 50],
    ['far', 500],
  ])
  expect(found('', 1)).toEqual([['near', 50]])
  expect(found(' FAR ')).toEqual([['far', 500]])
  expect(found('own')).toEqual([])
  expect(nearbyShips({ ...flight, ship: { id: 'gone' } } as unknown as Flight, '', 9)).toEqual([])
})

test('ships near have a speed from the own one and what they do, and are sorted by each', () => {
  const found = (order: PilotOrder): [string, number, string][] =>
    nearPilots(flight, '', 9, order).map(({ ship, speed, doing }) => [ship.id, speed, doing])
  expect(found('distance')).toEqual([
    ['near', 5, 'docked, At near'],
    ['far', 0, 'docked, At far'],
  ])
  expect(found('speed').map(([id]) => id)).toEqual(['far', 'near'])
  expect(found('doing').map(([id]) => id)).toEqual(['far', 'near'])
})

test('stations have their distance and speed from the ship, and the nearest come first', () => {
  const [first, second, last] = nearbyObjects(flight)
  expect(first).toEqual({ id: 'near', kind: 'station', name: 'At near', distance: 50, speed: 5 })
  expect(second).toMatchObject({ id: 'far', distance: 500, speed: 0 })
  expect(last).toMatchObject({ id: 'unknown', distance: NaN, speed: NaN })
})

describe('steering', () => {
  const session = signal<Session | undefined>({ flight } as unknown as Session)
  const target = signal<Thing | undefined>(undefined)
  const game = { session, target } as unknown as Game

  test('towards and away from a target needs one, all else does not', () => {
    target.value = undefined
    const free = STEERINGS.map(({ mode }) => mode).filter((mode) => canSteer(game, mode))
    expect(free).toHaveLength(STEERINGS.length - 2)
    for (const mode of free) expect(steeringOrder(game, mode)).toMatchObject({ pointing: mode })
    for (const mode of ['target', 'away'] as const) {
      expect(steeringOrder(game, mode)).toBeUndefined()
      target.value = { kind: 'body', name: 'Moon' }
      expect(canSteer(game, mode)).toBe(true)
      target.value = undefined
    }
    const guest = { ...game, session: signal(undefined) } as unknown as Game
    expect(canSteer(guest, 'prograde')).toBe(false)
  })

  test('is at the target, or at where it is not', () => {
    target.value = { kind: 'ship', id: 'near' }
    expect(steeringOrder(game, 'target')).toEqual({
      type: 'control',
      pointing: 'target',
      target_ship_id: 'near',
    })
    for (const [thing, way] of [
      [{ kind: 'ship', id: 'near' }, [0, -0.6, -0.8]],
      [{ kind: 'station', id: 'far' }, [0, 0, -1]],
      [{ kind: 'body', name: 'Moon' }, [-0.6, -0.8, 0]],
      [{ kind: 'station', id: 'ahead' }, [-1, 0, 0]],
    ] as const) {
      target.value = thing
      const order = steeringOrder(game, 'away')
      const turn = order?.type === 'control' ? order.attitude : undefined
      const { w = NaN, x = NaN, y = NaN, z = NaN } = turn ?? {}
      const size = w * w + x * x + y * y + z * z
      // Where the nose, +x, is turned to.
      const nose = [size - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
      for (const [axis, value] of nose.entries()) expect(value / size).toBeCloseTo(way[axis], 9)
    }
    target.value = { kind: 'ship', id: 'unknown' }
    expect(steeringOrder(game, 'away')).toBeUndefined()
  })

  test('has a key for each mode, and maneuvers those that the server can turn to', () => {
    const keys = STEERINGS.map(({ key }) => key)
    expect(keys).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((i) => `Digit${i}`),
      'KeyR',
      'KeyF',
    ])
    expect(MANEUVER_POINTINGS.map(({ mode }) => mode)).toEqual([
      'prograde',
      'retrograde',
      'normal',
      'antinormal',
      'radial_out',
      'radial_in',
      'target',
      'sun',
    ])
  })
})
