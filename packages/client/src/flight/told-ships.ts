import { columnBytes, columnViews } from '@orrery/sim'
import { ARC, ARC_DOUBLES } from './arc.ts'
import { createNumberIndex } from './number-index.ts'

/**
 * One row per ship. Records of steps and of hulls are kept two at a time, the last one that came
 * and the one before it, which holds until the last one begins: orders are told before they act.
 */
const COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship' },
  { name: 'inView', type: 'u8', components: 1, unit: '1: named by the last whole view' },
  { name: 'arc', type: 'f64', components: 40, unit: '`ARC_DOUBLES` each, see arc.ts' },
  { name: 'reference', type: 'i32', components: 2, unit: 'body index' },
  { name: 'arcs', type: 'u8', components: 1, unit: 'kept: 0 to 2' },
  { name: 'lastArc', type: 'u8', components: 1, unit: '0 or 1' },
  { name: 'hullStart', type: 'f64', components: 2, unit: 'quanta' },
  { name: 'fuel', type: 'f64', components: 2, unit: 'kg' },
  { name: 'flow', type: 'f64', components: 2, unit: 'kg/s' },
  { name: 'attitude', type: 'f32', components: 8, unit: 'w x y z' },
  { name: 'rate', type: 'f32', components: 6, unit: 'rad/s, body axes' },
  { name: 'wheels', type: 'f32', components: 6, unit: '0 to 1' },
  { name: 'thrustLevel', type: 'f32', components: 2, unit: '0 to 1' },
  { name: 'aim', type: 'i32', components: 2, unit: 'body index, row of rails, or ship number' },
  { name: 'condition', type: 'u8', components: 2, unit: '1 flying, 2 frozen' },
  { name: 'mode', type: 'u8', components: 2, unit: '0 locked, 1 turning, 2 free' },
  { name: 'pointing', type: 'u8', components: 2, unit: 'place in `POINTINGS`' },
  { name: 'aimKind', type: 'u8', components: 2, unit: '0 none, 1 body, 2 rail, 3 ship' },
  { name: 'hulls', type: 'u8', components: 1, unit: 'kept: 0 to 2' },
  { name: 'lastHull', type: 'u8', components: 1, unit: '0 or 1' },
] as const

type View<Type extends string> = Type extends 'f64'
  ? Float64Array
  : Type extends 'f32'
    ? Float32Array
    : Type extends 'i32'
      ? Int32Array
      : Type extends 'u32'
        ? Uint32Array
        : Uint8Array

type ToldColumns = {
  readonly [C in (typeof COLUMNS)[number] as C['name']]: View<C['type']>
}

const ROWS_FIRST = 64

function createColumns(rows: number): ToldColumns {
  const buffer = new ArrayBuffer(columnBytes(COLUMNS, rows))
  return columnViews(COLUMNS, buffer, 0, rows) as ToldColumns
}

/** Ships whose trajectories the server tells, in rows without gaps. */
export class ToldShips {
  columns: ToldColumns = createColumns(ROWS_FIRST)
  /** rows in use */
  count = 0
  readonly #index = createNumberIndex()
  #rows = ROWS_FIRST

  /** Row of a ship; -1 when it is not known. */
  row(number: number): number {
    return this.#index.row(number)
  }

  /** The row of a ship, an empty one when it is new. */
  take(number: number): number {
    const known = this.#index.row(number)
    if (known >= 0) return known
    if (this.count === this.#rows) this.#grow()
    const row = this.count++
    const { columns } = this
    columns.number[row] = number
    columns.arcs[row] = columns.hulls[row] = 0
    this.#index.put(number, row)
    return row
  }

  /** Forgets the ship of a row, which the last row takes. */
  remove(row: number): void {
    const { columns } = this
    this.#index.remove(columns.number[row])
    const last = --this.count
    if (row === last) return
    for (const { name, components } of COLUMNS) {
      columns[name].copyWithin(components * row, components * last, components * (last + 1))
    }
    this.#index.put(columns.number[row], row)
  }

  clear(): void {
    this.#index.clear()
    this.count = 0
  }

  /** Place of the record that a row's last one is, in `columns.arc`. */
  lastArc(row: number): number {
    return ARC_DOUBLES * (2 * row + this.columns.lastArc[row])
  }

  /** Which of the two records of steps holds at a time: twice the row, and 0 or 1. */
  arcAt(row: number, time: number): number {
    const { arc, arcs, lastArc } = this.columns
    const last = 2 * row + lastArc[row]
    return arcs[row] === 2 && time < arc[ARC_DOUBLES * last + ARC.start] ? last ^ 1 : last
  }

  /** The same of hulls. */
  hullAt(row: number, time: number): number {
    const { hulls, hullStart, lastHull } = this.columns
    const last = 2 * row + lastHull[row]
    return hulls[row] === 2 && time < hullStart[last] ? last ^ 1 : last
  }

  /** Makes room for the record of a step that begins at an index; returns which, see `arcAt`. */
  nextArc(row: number, start: number): number {
    const { arc, arcs, lastArc } = this.columns
    const last = 2 * row + lastArc[row]
    const isLater = arcs[row] > 0 && arc[ARC_DOUBLES * last + ARC.start] < start
    const next = isLater ? last ^ 1 : last
    // What begins later than a new record, or with it, is void.
    const isOnly = !isLater && arc[ARC_DOUBLES * (last ^ 1) + ARC.start] >= start
    if (arcs[row] === 0 || isOnly) arcs[row] = 1
    else if (isLater) arcs[row] = 2
    lastArc[row] = next & 1
    arc[ARC_DOUBLES * next + ARC.start] = start
    return next
  }

  /** The same of hulls. */
  nextHull(row: number, start: number): number {
    const { hulls, hullStart, lastHull } = this.columns
    const last = 2 * row + lastHull[row]
    const isLater = hulls[row] > 0 && hullStart[last] < start
    const next = isLater ? last ^ 1 : last
    const isOnly = !isLater && hullStart[last ^ 1] >= start
    if (hulls[row] === 0 || isOnly) hulls[row] = 1
    else if (isLater) hulls[row] = 2
    lastHull[row] = next & 1
    hullStart[next] = start
    return next
  }

  #grow(): void {
    const { columns } = this
    this.#rows *= 2
    this.columns = createColumns(this.#rows)
    for (const { name } of COLUMNS) this.columns[name].set(columns[name])
  }
}
