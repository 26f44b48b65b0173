/**
 * Law: where a ship spawns is a pure function of world seed and ship number, relative to the home
 * body's station: in its plane, along its orbit, at its height or a few kilometres above. Goal: at
 * least 100 km between the first 256 and the station, places of their own for a million.
 */
import {
  clearRail,
  createStateVector,
  equatorialMotion,
  placeOnSpawnOrbit,
  railRowState,
  spawnKey,
  spawnSeed,
  turnRate,
  writeRail,
} from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, it } from 'vitest'
import { OBLATENESS, RADIUS, twoBodyFlight } from '../field/two-body-field.ts'

const { state } = twoBodyFlight(4096, OBLATENESS)
const { ships, rails, system } = state

const STATION_RADIUS = RADIUS + 420e3
const ROW = 3

/** Length of the part of the orbit that ships begin on [m]. */
const ROUND = 0.995 * 2 * Math.PI * STATION_RADIUS

function layOrbit(row: number, radius: number, parent = 0): void {
  const rate = turnRate(equatorialMotion(system.bodies[0], radius))
  writeRail(rails, row, { kind: 'orbit', parent, radius, pole: OBLATENESS.pole, rate, epoch: -777 })
}

interface Spawned {
  readonly r: readonly number[]
  readonly v: readonly number[]
  readonly q: readonly number[]
}

function spawned(seed: string, number: number, n = 0, slot = 0): Spawned {
  ships.spawnKey.set(spawnKey(spawnSeed(seed), number), 2 * slot)
  placeOnSpawnOrbit(state, slot, 0, n)
  return {
    r: [...ships.position.subarray(3 * slot, 3 * slot + 3)],
    v: [...ships.velocity.subarray(3 * slot, 3 * slot + 3)],
    q: [...ships.attitude.subarray(4 * slot, 4 * slot + 4)],
  }
}

function station(n: number): readonly number[] {
  const place = createStateVector()
  railRowState(place, state, ROW, n)
  return [...place.r]
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

describe('a ship spawns', () => {
  layOrbit(ROW, STATION_RADIUS)

  it('at a place that depends on seed and number alone', () => {
    expect(spawned('a', 1, 0, 0)).toEqual(spawned('a', 1, 0, 77))
    expect(spawned('a', 1)).not.toEqual(spawned('a', 2))
    expect(spawned('a', 1)).not.toEqual(spawned('b', 1))
    // From a second implementation.
    expect(spawnKey(0xdead_beef, 1)).toEqual([0xdead_beef, 0])
    expect(spawnKey(0xdead_beef, 4)).toEqual([0x1ead_beef, 0])
    expect(spawnKey(0xdead_beef, 1_000_000)).toEqual([0x22ef_4eef, 0xa6f_38b2])
  })

  it('in the plane of the station, on a circle at its height, nose ahead and belly down', () => {
    for (const number of numbers(300)) {
      const { r, v, q } = spawned('seed', number)
      const [distance, speed] = [Math.hypot(...r), Math.hypot(...v)]
      const height = distance - STATION_RADIUS
      // The second 256 are at 0.618 of 5,097 m.
      expect(height).toBeCloseTo(number <= 256 ? 0 : 3150, 0)
      expect(speed / distance / equatorialMotion(system.bodies[0], distance)).toBeCloseTo(1, 8)
      expect(dot(r, v) / distance / speed).toBeCloseTo(0, 12)
      // 1e-9 rad: 7 mm.
      const normal = cross(r, v).map((part) => part / (distance * speed))
      expect(Math.hypot(...cross(normal, OBLATENESS.pole))).toBeLessThan(1e-9)
      expect(dot(normal, OBLATENESS.pole)).toBeGreaterThan(0)
      const [w, x, y, z] = q
      const nose = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
      const back = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
      expect(dot(nose, v) / speed).toBeCloseTo(1, 12)
      expect(dot(back, r) / distance).toBeCloseTo(1, 12)
    }
  })

  it('100 km and more from the station and the 255 others, whenever each begins', () => {
    for (const seed of ['a', 'b', 'c']) {
      const places = numbers(256).map((number) => spawned(seed, number, 1e9).r)
      const gaps = [station(1e9), ...places].map((r, i, all) =>
        Math.min(...all.toSpliced(i, 1).map((other) => distance(r, other))),
      )
      expect(Math.min(...gaps)).toBeGreaterThan(100e3)
      expect(Math.max(...gaps)).toBeLessThan(300e3)
    }
    const ahead = [0, 64 * 3600, 1e12].map((n) => distance(station(n), spawned('a', 7, n).r))
    expect(ahead[1]).toBeCloseTo(ahead[0], 6)
    expect(ahead[2]).toBeCloseTo(ahead[0], 6)
  })

  const count = byTier({ gate: 250_000, night: 1_000_000 })

  it(`at a place of its own among ${count}`, () => {
    const seed = spawnSeed('seed')
    const keys = numbers(count).map((number) => spawnKey(seed, number))
    const order = Float64Array.from(keys, ([along], i) => along * 2 ** 20 + i).toSorted()
    const inOrder = Array.from(order, (value) => keys[value % 2 ** 20])
    let least = Infinity
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) {
        const along = (inOrder[j][0] - inOrder[i][0]) * (ROUND / 2 ** 32)
        if (along > least) break
        const above = (inOrder[j][1] - inOrder[i][1]) * (5097 / 2 ** 32)
        least = Math.min(least, Math.hypot(along, above))
      }
    }
    // 150 m.
    expect(least).toBeGreaterThan(100)
  })

  it('at the lowest station of the body, unless that is nearly on the ground', () => {
    const heightOf = (): number => Math.hypot(...spawned('seed', 1).r) - RADIUS
    layOrbit(0, RADIUS + 20e3)
    layOrbit(1, RADIUS + 900e3)
    expect(heightOf()).toBeCloseTo(420e3, 3)
    layOrbit(2, RADIUS + 300e3, 1)
    expect(heightOf(), 'about another body').toBeCloseTo(420e3, 3)
    layOrbit(2, RADIUS + 300e3)
    expect(heightOf()).toBeCloseTo(300e3, 3)
    for (const row of [0, 1, 2]) clearRail(rails, row)
  })

  it('in an equatorial orbit at 420 km where there is no station', () => {
    clearRail(rails, ROW)
    const { r, v } = spawned('seed', 1)
    expect(Math.hypot(...r) - RADIUS).toBeCloseTo(0.066 * RADIUS, 3)
    const normal = cross(r, v)
    expect(dot(normal, OBLATENESS.pole) / Math.hypot(...normal)).toBeCloseTo(1, 12)
    layOrbit(ROW, STATION_RADIUS)
  })
})

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((part, axis) => part - b[axis]))
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
