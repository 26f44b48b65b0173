// Goal: every method has the order its table claims. Method: part of a Kepler orbit (e = 0.3, own
// units, so that light is infinitely fast) against the same with very short steps; the error is
// measured for halved steps, and its slope is the order. Gauss-Legendre is too exact to be
// measured so, doubles leave it no slope: it is measured on the harmonic oscillator with steps of
// a radian and more, where its stages are solved for directly; and its table must meet the
// simplifying assumptions B(16) and C(8), which imply order 16 for every equation.
import {
  GL16,
  LEAPFROG,
  type Method,
  SRKN11B,
  SRKN14A,
  SRKN6B,
  type StarSystem,
  createForceModel,
  createMassiveState,
  stepMassive,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'

const pair: StarSystem = {
  id: 'pair',
  name: 'Pair',
  position: [0, 0, 0],
  bodies: [
    { name: 'One', parent: -1, gm: 0.75, radius: 0.1 },
    { name: 'Two', parent: 0, gm: 0.25, radius: 0.1 },
  ],
}

/** Where both bodies are after 2.5 units of time from the pericentre. */
function end(method: Method, steps: number): Float64Array {
  const eccentricity = 0.3
  const model = createForceModel(pair)
  const state = createMassiveState(2)
  const distance = 1 - eccentricity
  const speed = Math.sqrt((1 + eccentricity) / (1 - eccentricity))
  state.x.set([-0.25 * distance, 0, 0, 0.75 * distance, 0, 0])
  state.v.set([0, -0.25 * speed, 0, 0, 0.75 * speed, 0])
  for (let k = 0; k < steps; k++) stepMassive(model, method, state, 2.5 / steps)
  return state.x
}

/** Solves matrix · x = (1, ..., 1) by elimination; in place. */
function solutionOfOnes(matrix: number[][]): number[] {
  const x = matrix.map(() => 1)
  for (const [i, row] of matrix.entries()) {
    for (let k = i + 1; k < x.length; k++) {
      const factor = matrix[k][i] / row[i]
      for (let j = i; j < x.length; j++) matrix[k][j] -= factor * row[j]
      x[k] -= factor * x[i]
    }
  }
  for (let i = x.length - 1; i >= 0; i--) {
    for (let j = i + 1; j < x.length; j++) x[i] -= matrix[i][j] * x[j]
    x[i] /= matrix[i][i]
  }
  return x
}

/**
 * Error of one Gauss-Legendre step of y radians of the oscillator z' = iz. Its stages are p + iq
 * with (1 + y²A²)·p = 1 and q = y·A·p.
 */
function oscillatorError(y: number): number {
  const { b, matrix } = GL16
  const dot = (u: readonly number[], v: readonly number[]): number =>
    u.reduce((sum, value, j) => sum + value * v[j], 0)
  const square = matrix.map((row, i) =>
    row.map(
      (_, j) =>
        (i === j ? 1 : 0) +
        y *
          y *
          dot(
            row,
            matrix.map((other) => other[j]),
          ),
    ),
  )
  const p = solutionOfOnes(square)
  const q = matrix.map((row) => y * dot(row, p))
  return Math.hypot(1 - y * dot(b, q) - Math.cos(y), y * dot(b, p) - Math.sin(y))
}

describe('measured convergence order', () => {
  const truth = end(SRKN14A, 1500)
  const error = (method: Method, steps: number): number =>
    Math.hypot(...end(method, steps).map((value, i) => value - truth[i]))

  test.each([
    { method: LEAPFROG, steps: 80 },
    { method: SRKN6B, steps: 160 },
    { method: SRKN11B, steps: 20 },
    { method: SRKN14A, steps: 20 },
  ])('$method.name', ({ method, steps }) => {
    const slope = Math.log2(error(method, steps) / error(method, 2 * steps))
    expect(Math.abs(slope - method.order)).toBeLessThan(0.1)
  })

  test('Gauss-Legendre 16', () => {
    // A step's own error is of one order more than the method; the slope misses it by k·y².
    const slope = (y: number): number => Math.log2(oscillatorError(y) / oscillatorError(y / 2)) - 1
    const [near, far] = [4, 6]
    const bend = (slope(near) - slope(far)) / (far * far - near * near)
    expect(Math.abs(slope(near) + bend * near * near - GL16.order)).toBeLessThan(0.1)
  })

  test('coefficients of each composition sum to one and count the evaluations', () => {
    for (const { a, b, evaluations } of [LEAPFROG, SRKN6B, SRKN11B, SRKN14A]) {
      expect(Math.abs(a.reduce((x, y) => x + y) - 1)).toBeLessThan(1e-14)
      expect(Math.abs(b.reduce((x, y) => x + y) - 1)).toBeLessThan(1e-14)
      const shared = b[0] === 0 ? 0 : 1
      expect(b.filter((value) => value !== 0).length - shared).toBe(evaluations)
    }
  })

  test('Gauss-Legendre meets B(16) and C(8)', () => {
    const c = GL16.matrix.map((row) => row.reduce((x, y) => x + y))
    const power = (x: number, k: number): number => (k === 0 ? 1 : x * power(x, k - 1))
    for (let k = 1; k <= GL16.order; k++) {
      const moment = GL16.b.reduce((sum, b, i) => sum + b * power(c[i], k - 1), 0)
      expect(Math.abs(moment - 1 / k)).toBeLessThan(5e-16)
    }
    for (let k = 1; k <= c.length; k++) {
      for (const [i, row] of GL16.matrix.entries()) {
        const moment = row.reduce((sum, a, j) => sum + a * power(c[j], k - 1), 0)
        expect(Math.abs(moment - power(c[i], k) / k)).toBeLessThan(5e-16)
      }
    }
  })
})
