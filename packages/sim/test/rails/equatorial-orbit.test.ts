// Law: an equatorial orbit's angle is exact for ever, its circle closes, and its motion agrees with
// gravity, to the whole number that the rate is rounded to.
import {
  TURN_PARTS,
  type Body,
  type EquatorialOrbit,
  type StateVector,
  createStateVector,
  equatorialMotion,
  equatorialState,
  localVertical,
  orbitAngle,
  turnRate,
  turnVelocity,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'

const EARTH: Body = {
  name: 'Earth',
  parent: -1,
  gm: 3.986004418e14,
  radius: 6.3710084e6,
  oblateness: { referenceRadius: 6.3781366e6, j2: 0.0010826358191967033, pole: [0.36, 0.48, 0.8] },
}
const YEAR_QUANTA = 365.25 * 86_400 * 64

function orbit(radius: number, body = EARTH, epoch = 54_000_000_001): EquatorialOrbit {
  const pole = body.oblateness?.pole ?? ([0, 0, 1] as const)
  return {
    kind: 'orbit',
    parent: 0,
    radius,
    pole,
    epoch,
    rate: turnRate(equatorialMotion(body, radius)),
  }
}

function state(rail: EquatorialOrbit, n: number, offset = 0): StateVector {
  const out = createStateVector()
  equatorialState(out, rail, n, offset)
  return out
}

/** Newton and J2, written out as a gradient on Cartesian axes. */
function gravity(body: Body, r: Float64Array): number[] {
  const { j2, referenceRadius, pole } = body.oblateness!
  const distance = Math.hypot(...r)
  const height = (r[0] * pole[0] + r[1] * pole[1] + r[2] * pole[2]) / distance
  const c = 1.5 * j2 * (referenceRadius / distance) ** 2
  return [...r].map((x, i) => {
    const direction = x / distance
    return (
      (-body.gm / distance ** 2) *
      (direction * (1 + c * (1 - 5 * height * height)) + 2 * c * height * pole[i])
    )
  })
}

describe('the angle', () => {
  const rail = orbit(6.8e6)

  test('is count times rate, modulo a turn, for ten years of quanta and back', () => {
    for (const count of [
      0,
      1,
      63,
      12_345_678_901,
      10 * YEAR_QUANTA,
      2 ** 47 + 12_345,
      -1,
      -YEAR_QUANTA,
    ]) {
      const turn = BigInt(TURN_PARTS)
      const product = (BigInt(count) * BigInt(rail.rate)) % turn
      const expected = Number(product < 0n ? product + turn : product)
      expect(orbitAngle(rail, rail.epoch + count), `${count} quanta`).toBe(expected)
    }
  })

  test('is exact for rates of any size', () => {
    for (const rate of [1, 4097, 2 ** 24 - 1, 2 ** 31 + 5, 2 ** 46 + 1]) {
      const count = 10 * YEAR_QUANTA + 7
      const expected = Number((BigInt(count) * BigInt(rate)) % BigInt(TURN_PARTS))
      expect(orbitAngle({ ...rail, rate }, rail.epoch + count)).toBe(expected)
    }
  })
})

describe('the motion', () => {
  test.each([6.6e6, 6.8e6, 4.2164e7, 4e8])(
    'at %d m agrees with gravity, to the rounding of the rate',
    (radius) => {
      const rail = orbit(radius)
      const omega = turnVelocity(rail.rate)
      for (const count of [0, 1_000_003, 10 * YEAR_QUANTA]) {
        const { r } = state(rail, rail.epoch + count)
        const miss = gravity(EARTH, r).map((a, i) => a + omega * omega * r[i])
        const share = Math.hypot(...miss) / (omega * omega * radius)
        // Half a part of the rate, squared with it, and last bits.
        expect(share).toBeLessThan(1 / rail.rate + 2e-15)
      }
    },
  )

  test('keeps to the circle and the plane, with the speed of its turning, ahead of itself', () => {
    const rail = orbit(6.8e6)
    for (let k = 0; k < 1000; k++) {
      const { r, v } = state(rail, rail.epoch + k * 997)
      expect(Math.hypot(...r) / rail.radius).toBeCloseTo(1, 14)
      expect(Math.hypot(...v) / (rail.radius * turnVelocity(rail.rate))).toBeCloseTo(1, 14)
      const [px, py, pz] = rail.pole
      expect(Math.abs(r[0] * px + r[1] * py + r[2] * pz) / rail.radius).toBeLessThan(3e-16)
      // Counter-clockwise about the pole: (r × v) · pole = r v.
      const spin =
        (r[1] * v[2] - r[2] * v[1]) * px +
        (r[2] * v[0] - r[0] * v[2]) * py +
        (r[0] * v[1] - r[1] * v[0]) * pz
      expect(spin / (rail.radius * Math.hypot(...v))).toBeCloseTo(1, 14)
    }
  })

  test('has the velocity that its positions have', () => {
    const rail = orbit(6.8e6)
    const n = rail.epoch + 123_456_789
    const [before, after] = [state(rail, n - 1), state(rail, n + 1)]
    const { v } = state(rail, n)
    const difference = v.map((_, i) => (after.r[i] - before.r[i]) * 32)
    expect(Math.hypot(...v.map((x, i) => x - difference[i]))).toBeLessThan(1e-5)
  })

  test('is continuous between two quanta', () => {
    const rail = orbit(6.8e6)
    const n = rail.epoch + 77
    const half = state(rail, n, 0.5)
    const [from, to] = [state(rail, n), state(rail, n + 1)]
    const middle = half.r.map((x, i) => x - 0.5 * (from.r[i] + to.r[i]))
    expect(Math.hypot(...middle)).toBeLessThan(1e-3)
    expect(state(rail, n, 1 - 2 ** -40).r[0]).toBeCloseTo(to.r[0], 6)
  })

  test('closes: a rate that divides a turn comes back to the same bits', () => {
    const rail = { ...orbit(6.8e6), rate: 2 ** 29 }
    const period = TURN_PARTS / rail.rate
    const start = state(rail, rail.epoch + 1234)
    expect(state(rail, rail.epoch + 1234 + 1000 * period)).toEqual(start)
  })

  test('starts from the ascending node, or the x axis where there is none', () => {
    const rail = orbit(7e6)
    const { r, v } = state(rail, rail.epoch)
    expect(r[2]).toBe(0)
    expect(v[2]).toBeGreaterThan(0)
    const flat = { ...rail, pole: [0, 0, 1] as const }
    expect([...state(flat, rail.epoch).r]).toEqual([7e6, 0, 0])
  })
})

describe('the attitude', () => {
  test('keeps -z on the body below and +x along the motion', () => {
    const rail = orbit(6.8e6)
    const q = new Float64Array(4)
    for (let k = 0; k < 100; k++) {
      const { r, v } = state(rail, rail.epoch + 4001 * k)
      localVertical(q, r, v)
      const [w, x, y, z] = q
      const up = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
      const ahead = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
      expect(Math.hypot(...up.map((c, i) => c - r[i] / rail.radius))).toBeLessThan(1e-15)
      expect(Math.hypot(...ahead.map((c, i) => c - v[i] / Math.hypot(...v)))).toBeLessThan(1e-15)
    }
  })

  test('keeps -z on the body below in a motion along the vertical or none', () => {
    const q = new Float64Array(4)
    for (const r of [
      Float64Array.of(5, 0, 0),
      Float64Array.of(0, -2, 0),
      Float64Array.of(0, 0, 3),
      Float64Array.of(1, 1, 1),
    ]) {
      for (const v of [r, r.map((x) => -x), new Float64Array(3)]) {
        localVertical(q, r, v)
        const [w, x, y, z] = q
        const up = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
        expect(Math.hypot(...up.map((c, i) => c - r[i] / Math.hypot(...r)))).toBeLessThan(1e-15)
        expect(Math.hypot(...q)).toBeCloseTo(1, 15)
      }
    }
  })
})
