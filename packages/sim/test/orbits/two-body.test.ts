/**
 * Law: propagation keeps energy and angular momentum of every orbit, a way there and back is none,
 * whole periods too; and Lambert's arc, flown for its time, reaches its end. Goal: 1e-12 of the
 * size of the orbit, on ellipses, parabolas and hyperbolas. Method: seeded batches.
 */
import { createArc, createStateVector, keplerState, lambert, lambertAround } from '@orrery/sim'
import { describe, expect, it } from 'vitest'

const GM = 398_600_441_800_000
const COUNT = 2000
const SEED = 1

let seed = SEED
function random(): number {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}

function place(r: readonly number[], v: readonly number[]): ReturnType<typeof createStateVector> {
  return { r: Float64Array.from(r), v: Float64Array.from(v) }
}

const size = (a: Iterable<number>): number => Math.hypot(...a)
const miss = (a: Float64Array, b: Float64Array): number =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

function momentum({ r, v }: ReturnType<typeof createStateVector>): number[] {
  return [r[1] * v[2] - r[2] * v[1], r[2] * v[0] - r[0] * v[2], r[0] * v[1] - r[1] * v[0]]
}

/** A state at a periapsis of 7,000 km, or somewhere along the way from it. */
function orbitOf(eccentricity: number): ReturnType<typeof createStateVector> {
  const start = place([7e6, 0, 0], [0, 0.6, 0.8])
  const speed = Math.sqrt((GM * (1 + eccentricity)) / 7e6)
  for (let i = 0; i < 3; i++) start.v[i] *= speed
  keplerState(start, start, GM, 4000 * (random() - 0.5))
  return start
}

describe('propagation', () => {
  it('agrees with Vallado’s example 2-4', () => {
    const from = place([1131.34e3, -2282.343e3, 6672.423e3], [-5643.05, 4303.33, 2428.79])
    keplerState(from, from, 398_600.4418e9, 2400)
    expect(miss(from.r, Float64Array.of(-4219.7527e3, 4363.0292e3, -3958.7666e3))).toBeLessThan(1)
    expect(miss(from.v, Float64Array.of(3689.866, -1916.735, -6112.511))).toBeLessThan(1e-3)
  })

  it.each([0, 0.01, 0.7, 0.999, 1, 1.001, 1.5, 20])('comes back at e = %f', (eccentricity) => {
    const there = createStateVector()
    const back = createStateVector()
    let worst = 0
    for (let k = 0; k < COUNT; k++) {
      const from = orbitOf(eccentricity)
      const seconds = 200_000 * (random() - 0.5)
      keplerState(there, from, GM, seconds)
      keplerState(back, there, GM, -seconds)
      const far = Math.max(size(there.r), size(from.r), 7e6)
      worst = Math.max(worst, miss(back.r, from.r) / far)
      const lever = far * Math.max(size(there.v), size(from.v))
      const energy = (s: typeof there): number => size(s.v) ** 2 / 2 - GM / size(s.r)
      const kept = Math.abs(energy(there) - energy(from)) / (GM / 7e6)
      const h = momentum(from)
      const turned = miss(Float64Array.from(momentum(there)), Float64Array.from(h)) / lever
      worst = Math.max(worst, kept, turned)
    }
    expect(worst).toBeLessThan(1e-12)
  })

  it('is periodic on ellipses, a thousand revolutions on', () => {
    const from = place([7e6, 0, 0], [0, 8500, 0])
    const a = 1 / (2 / 7e6 - 8500 ** 2 / GM)
    const later = createStateVector()
    keplerState(later, from, GM, 1000 * 2 * Math.PI * Math.sqrt(a ** 3 / GM))
    expect(miss(later.r, from.r)).toBeLessThan(1e-4)
  })
})

describe('Lambert’s arc', () => {
  it('reaches its end in its time, either way round', () => {
    const arc = createArc()
    let worst = 0
    for (let k = 0; k < COUNT; k++) {
      const point = (): Float64Array => {
        const scale = 10 ** (7 + 2 * random())
        return Float64Array.from([0, 0, 0], () => scale * (random() - 0.5))
      }
      const [r1, r2] = [point(), point()]
      const normal = Float64Array.of(0, 0, k % 2 === 0 ? 1 : -1)
      const parabolic = Math.sqrt((size(r1) + size(r2)) ** 3 / GM)
      const seconds = parabolic * 10 ** (1.6 * random() - 0.6)
      expect(lambert(arc, r1, r2, GM, seconds, normal)).toBe(true)
      const end = createStateVector()
      keplerState(end, { r: r1, v: arc.v1 }, GM, seconds)
      expect(momentum({ r: r1, v: arc.v1 })[2] * normal[2]).toBeGreaterThan(0)
      // An arc past the centre magnifies what its velocity rounds away: measured by another one.
      const beside = createStateVector()
      keplerState(beside, { r: r1, v: arc.v1.map((v) => v * (1 + 1e-8)) }, GM, seconds)
      const magnified = 1e8 * miss(beside.r, end.r)
      worst = Math.max(worst, miss(end.r, r2) / (magnified + size(r2)))
      const turned = 1e8 * miss(beside.v, end.v)
      worst = Math.max(worst, miss(end.v, arc.v2) / (turned + size(arc.v2)))
    }
    expect(worst).toBeLessThan(1e-12)
  })

  it('is the transfer of a Hohmann orbit near its end', () => {
    const arc = createArc()
    const [r1, r2] = [6_678_000, 42_164_000]
    const half = Math.PI * Math.sqrt(((r1 + r2) / 2) ** 3 / GM)
    const end = createStateVector()
    const start = place([r1, 0, 0], [0, Math.sqrt(GM / r1) + 2425.769028306859, 0])
    keplerState(end, start, GM, 0.999 * half)
    expect(lambert(arc, start.r, end.r, GM, 0.999 * half, Float64Array.of(0, 0, 1))).toBe(true)
    expect(miss(arc.v1, start.v)).toBeLessThan(1e-8)
    expect(Math.sqrt(GM / r2) - size(arc.v2)).toBeCloseTo(1466.8387152844527, -1)
  })

  it('is refused for ends in line with the centre, and for no time', () => {
    const arc = createArc()
    const normal = Float64Array.of(0, 0, 1)
    const r1 = Float64Array.of(7e6, 0, 0)
    for (const r2 of [r1, Float64Array.of(-9e6, 0, 0)]) {
      expect(lambert(arc, r1, r2, GM, 1000, normal)).toBe(false)
    }
    expect(lambert(arc, r1, Float64Array.of(0, 7e6, 0), GM, 0, normal)).toBe(false)
  })
})

it.each([1, 2, 5, 12])('finds the two arcs of %d revolutions', (revolutions) => {
  const arc = createArc()
  const end = createStateVector()
  let worst = 0
  for (let k = 0; k < COUNT / 4; k++) {
    const start = orbitOf(0.6 * random())
    const a = 1 / (2 / size(start.r) - size(start.v) ** 2 / GM)
    const seconds = 2 * Math.PI * Math.sqrt(a ** 3 / GM) * (revolutions + 0.1 + 0.8 * random())
    keplerState(end, start, GM, seconds)
    const ends = { r1: start.r, r2: end.r.slice(), normal: Float64Array.from(momentum(start)) }
    const off = [false, true].map((late) => {
      expect(lambertAround(arc, ends, GM, seconds, { revolutions, late })).toBe(true)
      keplerState(end, { r: start.r, v: arc.v1 }, GM, seconds)
      worst = Math.max(worst, miss(end.r, ends.r2) / size(end.r))
      return miss(arc.v1, start.v) / size(start.v)
    })
    // Near the least time the two are one, a double root.
    expect(Math.min(...off)).toBeLessThan(1e-4)
  }
  expect(worst).toBeLessThan(1e-9)
})
