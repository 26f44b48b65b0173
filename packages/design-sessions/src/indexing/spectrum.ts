import type { SparseMatrix } from './cooccurrence.ts'
import { randomNumbers } from '../random.ts'

/** Oversampling: the last directions found are inaccurate. */
const SPARE = 16

/** Power iterations, which separate large eigenvalues from small ones. */
const POWER_STEPS = 1

const SEED = 0x5eed

/** A rectangular matrix, row by row. */
export interface DenseMatrix {
  readonly rows: number
  readonly columns: number
  readonly values: Float64Array
}

/** Eigenvalues of largest magnitude, descending, with their vectors as columns. */
export interface Spectrum {
  readonly values: Float64Array
  readonly vectors: DenseMatrix
}

/**
 * The eigenvalues of largest magnitude of a symmetric matrix, by a randomised range finder.
 *
 * @param count  fewer are returned for a smaller matrix
 * @source Halko, Martinsson, Tropp: Finding Structure with Randomness, SIAM Review 53 (2011),
 *   algorithms 4.4 and 5.3
 */
export function spectrum(matrix: SparseMatrix, count: number, checkpoint: () => void): Spectrum {
  const { size } = matrix
  const columns = Math.min(size, count + SPARE)
  const random = randomNumbers(SEED)
  const start = { rows: size, columns, values: new Float64Array(size * columns) }
  for (let i = 0; i < start.values.length; i++) start.values[i] = random()
  let basis = product(matrix, start, checkpoint)
  for (let step = 0; step < POWER_STEPS; step++) {
    basis = product(matrix, orthonormal(basis, checkpoint), checkpoint)
  }
  // Twice: one pass loses digits when columns are similar.
  orthonormal(orthonormal(basis, checkpoint), checkpoint)
  const small = gram(basis, product(matrix, basis, checkpoint), checkpoint)
  const { values, vectors } = symmetricEigen(small, columns, checkpoint)
  const order = Array.from(values, (_, i) => i)
    .toSorted((a, b) => Math.abs(values[b]) - Math.abs(values[a]) || a - b)
    .slice(0, count)
  return {
    values: Float64Array.from(order, (i) => values[i]),
    vectors: combined(basis, vectors, order, checkpoint),
  }
}

/** Rows between two checkpoints. */
const ROWS_PER_CHECK = 128

function product(a: SparseMatrix, b: DenseMatrix, checkpoint: () => void): DenseMatrix {
  const { columns } = b
  const out = new Float64Array(b.values.length)
  for (let r = 0; r < a.size; r++) {
    if (r % ROWS_PER_CHECK === 0) checkpoint()
    const to = r * columns
    for (let i = a.start[r]; i < a.start[r + 1]; i++) {
      const from = a.column[i] * columns
      const factor = a.value[i]
      for (let c = 0; c < columns; c++) out[to + c] += factor * b.values[from + c]
    }
  }
  return { rows: b.rows, columns, values: out }
}

/** The symmetric part of aᵀ b: square, row by row. */
function gram(a: DenseMatrix, b: DenseMatrix, checkpoint: () => void): Float64Array {
  const n = a.columns
  const out = new Float64Array(n * n)
  for (let r = 0; r < a.rows; r++) {
    if (r % ROWS_PER_CHECK === 0) checkpoint()
    const row = r * n
    for (let i = 0; i < n; i++) {
      const factor = a.values[row + i]
      for (let j = i; j < n; j++) out[i * n + j] += factor * b.values[row + j]
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) out[i * n + j] = out[j * n + i]
  return out
}

/** A smaller pivot relative to the largest is a rounding error. */
const PIVOT_SHARE_MIN = 1e-12

/** Makes the columns orthonormal, in place; dependent ones become zero. */
function orthonormal(matrix: DenseMatrix, checkpoint: () => void): DenseMatrix {
  const factor = cholesky(gram(matrix, matrix, checkpoint), matrix.columns)
  solveRows(matrix, factor, checkpoint)
  return matrix
}

/** The upper factor R of a symmetric matrix RᵀR; vanishing pivots are zero. */
function cholesky(a: Float64Array, n: number): Float64Array {
  let largest = 0
  for (let i = 0; i < n; i++) largest = Math.max(largest, a[i * n + i])
  for (let k = 0; k < n; k++) {
    const pivot = a[k * n + k] > largest * PIVOT_SHARE_MIN ? Math.sqrt(a[k * n + k]) : 0
    for (let j = k; j < n; j++) a[k * n + j] = pivot === 0 ? 0 : a[k * n + j] / pivot
    for (let i = k + 1; i < n; i++) {
      const factor = a[k * n + i]
      for (let j = i; j < n; j++) a[i * n + j] -= factor * a[k * n + j]
    }
  }
  return a
}

/** Solves y R = x for each row x, in place. */
function solveRows(matrix: DenseMatrix, factor: Float64Array, checkpoint: () => void): void {
  const { rows, columns: n, values } = matrix
  for (let r = 0; r < rows; r++) {
    if (r % ROWS_PER_CHECK === 0) checkpoint()
    const row = r * n
    for (let k = 0; k < n; k++) {
      const pivot = factor[k * n + k]
      const solved = pivot === 0 ? 0 : values[row + k] / pivot
      values[row + k] = solved
      for (let j = k + 1; j < n; j++) values[row + j] -= solved * factor[k * n + j]
    }
  }
}

const SWEEPS_MAX = 30

/** A smaller off-diagonal part does not change a single-precision result. */
const RESIDUE_SHARE_MAX = 1e-20

/** All eigenvalues of a symmetric matrix, vectors as rows, by cyclic Jacobi rotations. */
function symmetricEigen(
  a: Float64Array,
  n: number,
  checkpoint: () => void,
): { values: Float64Array; vectors: Float64Array } {
  const vectors = new Float64Array(n * n)
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1
  let scale = 0
  for (const value of a) scale += value * value
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    let residue = 0
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) residue += a[p * n + q] ** 2
    if (residue <= scale * RESIDUE_SHARE_MAX) break
    for (let p = 0; p < n - 1; p++) {
      checkpoint()
      for (let q = p + 1; q < n; q++) rotate(a, vectors, n, p, q)
    }
  }
  return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i]), vectors }
}

/**
 * Rotates a[p][q] to zero.
 *
 * @source Golub, Van Loan: Matrix Computations, 4th ed., algorithm 8.5.1
 */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q]
  if (apq === 0) return
  const tau = (a[q * n + q] - a[p * n + p]) / (2 * apq)
  const t = Math.sign(tau || 1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau))
  const c = 1 / Math.sqrt(1 + t * t)
  const s = t * c
  for (let k = 0; k < n; k++) {
    const kp = a[k * n + p]
    const kq = a[k * n + q]
    a[k * n + p] = c * kp - s * kq
    a[k * n + q] = s * kp + c * kq
  }
  turnRows(a, n, p, q, c, s)
  turnRows(vectors, n, p, q, c, s)
}

function turnRows(a: Float64Array, n: number, p: number, q: number, c: number, s: number): void {
  for (let k = 0; k < n; k++) {
    const pk = a[p * n + k]
    const qk = a[q * n + k]
    a[p * n + k] = c * pk - s * qk
    a[q * n + k] = s * pk + c * qk
  }
}

/** basis × the chosen small vectors: eigenvectors of the large matrix, as columns. */
function combined(
  basis: DenseMatrix,
  small: Float64Array,
  order: readonly number[],
  checkpoint: () => void,
): DenseMatrix {
  const { rows, columns: n } = basis
  const columns = order.length
  const values = new Float64Array(rows * columns)
  for (let r = 0; r < rows; r++) {
    if (r % ROWS_PER_CHECK === 0) checkpoint()
    for (let k = 0; k < columns; k++) {
      let sum = 0
      const from = order[k] * n
      for (let i = 0; i < n; i++) sum += basis.values[r * n + i] * small[from + i]
      values[r * columns + k] = sum
    }
  }
  return { rows, columns, values }
}
