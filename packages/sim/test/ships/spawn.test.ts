/**
 * Law: where a ship spawns is a pure function of world seed and ship id. Goal: the same place
 * whatever was spawned before, places of their own for all, on circular orbits at 400-600 km.
 */
import { placeOnSpawnOrbit, spawnKey } from '@orrery/sim'
import { expect, it } from 'vitest'
import { GM, RADIUS, twoBodyFlight } from '../field/two-body-field.ts'

const { ships, system } = twoBodyFlight(64).state

function spawned(seed: string, shipId: string, slot: number) {
  ships.spawnKey.set(spawnKey(seed, shipId), 2 * slot)
  placeOnSpawnOrbit(ships, slot, system.bodies[0])
  return {
    r: [...ships.position.subarray(3 * slot, 3 * slot + 3)],
    v: [...ships.velocity.subarray(3 * slot, 3 * slot + 3)],
    q: [...ships.attitude.subarray(4 * slot, 4 * slot + 4)],
  }
}

it('depends on seed and id alone', () => {
  expect(spawned('a', 'x', 0)).toEqual(spawned('a', 'x', 77))
  expect(spawned('a', 'x', 0)).not.toEqual(spawned('a', 'y', 0))
  expect(spawned('a', 'x', 0)).not.toEqual(spawned('b', 'x', 0))
})

it('keeps its place from release to release', () => {
  const { r, v } = spawned('seed', 'ship', 0)
  // From a second implementation.
  const place = [-306485.8371226664, 5192637.179056974, 4566431.338194588]
  const velocity = [-7260.719272001685, 1199.9562172847502, -1851.8278859414077]
  for (let i = 0; i < 3; i++) {
    expect(r[i]).toBeCloseTo(place[i], 6)
    expect(v[i]).toBeCloseTo(velocity[i], 9)
  }
})

it('is a circular orbit at 400 to 600 km, nose ahead and belly down', () => {
  const places = new Set<string>()
  const heights: number[] = []
  for (let i = 0; i < 300; i++) {
    const { r, v, q } = spawned('seed', `ship-${i}`, 3)
    places.add(r.join())
    const distance = Math.hypot(...r)
    heights.push(distance - RADIUS)
    const speed = Math.hypot(...v)
    expect(distance - RADIUS).toBeGreaterThan(399e3)
    expect(distance - RADIUS).toBeLessThan(601e3)
    expect((speed * speed * distance) / GM).toBeCloseTo(1, 12)
    expect(dot(r, v) / distance / speed).toBeCloseTo(0, 12)
    const [w, x, y, z] = q
    const nose = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
    const back = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
    expect(dot(nose, v) / speed).toBeCloseTo(1, 12)
    expect(dot(back, r) / distance).toBeCloseTo(1, 12)
  }
  expect(places.size).toBe(300)
  // All heights and all directions.
  expect(Math.min(...heights)).toBeLessThan(402e3)
  expect(Math.max(...heights)).toBeGreaterThan(598e3)
})

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
