/** A sphere of cells, and the part of it about one direction: all that a camera can see of it. */
import { angleBetween, dot, normalize, vector, type Vector } from '@orrery/page-kit'

/** Cells each way of a patch, which is drawn whole or not at all. */
const PATCH = 6

interface Patch {
  /** unit vector to its middle */
  readonly direction: Vector
  /** from its middle to its farthest corner, which is on the side of the equator [rad] */
  readonly radius: number
  /** triangles, as indices of vertices */
  readonly index: readonly number[]
}

type HasCell = (row: number, column: number) => boolean

/** Rows from the south pole up, each from longitude -180° eastwards. */
export interface SphereGrid {
  /** unit vectors: three numbers per vertex */
  readonly directions: Float32Array
  /** share of the way around, and of that from pole to pole: two numbers per vertex */
  readonly places: Float32Array
  readonly patches: readonly Patch[]
}

/**
 * @param rows  cells from pole to pole, a multiple of six; twice as many around
 * @param hasCell  whether a cell is drawn at all, by its row and column
 */
export function sphereGrid(rows: number, hasCell: HasCell = () => true): SphereGrid {
  const columns = 2 * rows
  const directions: number[] = []
  const places: number[] = []
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      directions.push(...directionAt(column / columns, row / rows))
      places.push(column / columns, row / rows)
    }
  }
  const patches: Patch[] = []
  for (let row = 0; row < rows; row += PATCH) {
    for (let column = 0; column < columns; column += PATCH) {
      patches.push(patchAt(row, column, rows, hasCell))
    }
  }
  return {
    directions: Float32Array.from(directions),
    places: Float32Array.from(places),
    patches: patches.filter(({ index }) => index.length > 0),
  }
}

function directionAt(around: number, up: number): Vector {
  const longitude = 2 * Math.PI * (around - 0.5)
  const latitude = Math.PI * (up - 0.5)
  const across = Math.cos(latitude)
  return vector(across * Math.cos(longitude), across * Math.sin(longitude), Math.sin(latitude))
}

function patchAt(firstRow: number, firstColumn: number, rows: number, hasCell: HasCell): Patch {
  const columns = 2 * rows
  const at = (row: number, column: number): Vector => directionAt(column / columns, row / rows)
  const direction = at(firstRow + PATCH / 2, firstColumn + PATCH / 2)
  const corners = [at(firstRow, firstColumn), at(firstRow + PATCH, firstColumn)]
  const radius = Math.max(...corners.map((corner) => angleBetween(direction, corner)))
  const index: number[] = []
  for (let row = firstRow; row < firstRow + PATCH; row++) {
    for (let column = firstColumn; column < firstColumn + PATCH; column++) {
      if (!hasCell(row, column)) continue
      const first = row * (columns + 1) + column
      const above = first + columns + 1
      index.push(first, first + 1, above, above, first + 1, above + 1)
    }
  }
  return { direction, radius, index }
}

export class SphereCap {
  /** triangles of all patches that reach into the cap: the first `count` numbers */
  readonly index: Uint16Array
  count = 0
  readonly #patches: readonly Patch[]
  readonly #isChosen: boolean[]
  readonly #middle = vector()

  constructor({ patches }: SphereGrid) {
    this.#patches = patches
    this.#isChosen = patches.map(() => false)
    this.index = new Uint16Array(patches.reduce((sum, { index }) => sum + index.length, 0))
  }

  /**
   * Chooses what reaches into a cap.
   *
   * @param middle  a direction of any length
   * @param radius  of the cap [rad]
   * @returns whether `index` has changed
   */
  choose(middle: Vector, radius: number): boolean {
    normalize(this.#middle, middle)
    let hasChanged = false
    for (const [i, patch] of this.#patches.entries()) {
      const reach = Math.min(radius + patch.radius, Math.PI)
      const isChosen = dot(this.#middle, patch.direction) >= Math.cos(reach)
      if (isChosen !== this.#isChosen[i]) hasChanged = true
      this.#isChosen[i] = isChosen
    }
    if (hasChanged) this.#write()
    return hasChanged
  }

  #write(): void {
    this.count = 0
    for (const [i, { index }] of this.#patches.entries()) {
      if (!this.#isChosen[i]) continue
      this.index.set(index, this.count)
      this.count += index.length
    }
  }
}
