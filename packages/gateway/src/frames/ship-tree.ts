/** Ships in a leaf at most; a leaf is searched one by one. */
const LEAF_SHIPS = 32

/** A k-d tree over positions that splits only where a search passes. */
export interface ShipTree {
  /**
   * Writes the indices of the ships nearest to one of them into `out`, unordered and without
   * itself; returns their number.
   *
   * @param out     room for `most` indices
   * @param radius  ships farther away do not count [m]
   */
  nearest(out: Uint32Array, index: number, most: number, radius: number): number
}

// The best so far as a heap, the farthest on top; as large as the largest search so far.
let heapShip = new Uint32Array(256)
let heapFar = new Float64Array(256)

/**
 * @param positions  three numbers per ship; must not change while the tree is used
 * @param order      the ships that are in the tree, which it puts in another order
 */
export function createShipTree(
  positions: Float64Array,
  order: Uint32Array = Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
): ShipTree {
  const ships = order.length
  // A node is identified by its middle, which is unique.
  const isSplit = new Uint8Array(ships)
  let self = 0
  let most = 0
  let count = 0
  let bound = 0

  const visit = (left: number, right: number, axis: number): void => {
    if (right - left <= LEAF_SHIPS) {
      for (let i = left; i <= right; i++) consider(order[i])
      return
    }
    const middle = (left + right) >> 1
    if (isSplit[middle] === 0) {
      split(order, positions, axis, { middle, left, right })
      isSplit[middle] = 1
    }
    const away = positions[3 * self + axis] - positions[3 * order[middle] + axis]
    const next = axis === 2 ? 0 : axis + 1
    if (away < 0) visit(left, middle - 1, next)
    else visit(middle + 1, right, next)
    if (away * away > bound) return
    consider(order[middle])
    if (away < 0) visit(middle + 1, right, next)
    else visit(left, middle - 1, next)
  }

  const consider = (ship: number): void => {
    const dx = positions[3 * ship] - positions[3 * self]
    const dy = positions[3 * ship + 1] - positions[3 * self + 1]
    const dz = positions[3 * ship + 2] - positions[3 * self + 2]
    const far = dx * dx + dy * dy + dz * dz
    if (far > bound || ship === self) return
    if (count < most) {
      rise(count++, ship, far)
      if (count === most) bound = Math.min(bound, heapFar[0])
    } else if (far < heapFar[0]) {
      sink(count, ship, far)
      bound = heapFar[0]
    }
  }

  return {
    nearest: (out, index, wanted, radius) => {
      self = index
      most = wanted
      if (heapShip.length < most) {
        heapShip = new Uint32Array(most)
        heapFar = new Float64Array(most)
      }
      count = 0
      bound = radius * radius
      if (most > 0) visit(0, ships - 1, 0)
      for (let i = 0; i < count; i++) out[i] = heapShip[i]
      return count
    },
  }
}

/** Puts a ship into the heap's next place and lets it rise. */
function rise(place: number, ship: number, far: number): void {
  let at = place
  while (at > 0) {
    const above = (at - 1) >> 1
    if (heapFar[above] >= far) break
    heapFar[at] = heapFar[above]
    heapShip[at] = heapShip[above]
    at = above
  }
  heapFar[at] = far
  heapShip[at] = ship
}

/** Puts a ship in the place of the farthest and lets it sink. */
function sink(count: number, ship: number, far: number): void {
  let at = 0
  for (;;) {
    let below = 2 * at + 1
    if (below >= count) break
    if (below + 1 < count && heapFar[below + 1] > heapFar[below]) below++
    if (heapFar[below] <= far) break
    heapFar[at] = heapFar[below]
    heapShip[at] = heapShip[below]
    at = below
  }
  heapFar[at] = far
  heapShip[at] = ship
}

/**
 * Orders a range so that what is left of the middle is not above it along an axis, and what is
 * right of it not below. Hoare's selection with the median of three; equal places do no harm.
 */
function split(
  order: Uint32Array,
  positions: Float64Array,
  axis: number,
  range: { readonly middle: number; readonly left: number; readonly right: number },
): void {
  const { middle } = range
  let { left, right } = range
  while (left < right) {
    const pivot = medianOfThree(
      positions[3 * order[left] + axis],
      positions[3 * order[(left + right) >> 1] + axis],
      positions[3 * order[right] + axis],
    )
    let i = left
    let j = right
    while (i <= j) {
      while (positions[3 * order[i] + axis] < pivot) i++
      while (positions[3 * order[j] + axis] > pivot) j--
      if (i > j) break
      const ship = order[i]
      order[i++] = order[j]
      order[j--] = ship
    }
    if (j < middle) left = i
    if (middle < i) right = j
  }
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
