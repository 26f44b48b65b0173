import type { StateVector } from '../math/state-vector.ts'
import { RAILS_MAX, RAIL_COLUMNS } from '../state/layout.ts'
import { type RailColumns, type WorldState, columnBytes, columnViews } from '../state/state.ts'
import type { EquatorialOrbit } from './equatorial-orbit.ts'
import type { LagrangeNumber } from './lagrange-point.ts'
import { type LagrangePoint, type Rail, railState } from './rail.ts'

const FREE = 0
const ORBIT = 1
const LAGRANGE = 2

/** An empty table, apart from any state. */
export function createRails(): RailColumns {
  const buffer = new ArrayBuffer(columnBytes(RAIL_COLUMNS, RAILS_MAX))
  return columnViews(RAIL_COLUMNS, buffer, 0, RAILS_MAX) as RailColumns
}

/** Writes a rail to a row of the shared table. */
export function writeRail(rails: RailColumns, row: number, rail: Rail): void {
  rails.railKind[row] = rail.kind === 'orbit' ? ORBIT : LAGRANGE
  rails.railParent[row] = rail.parent
  if (rail.kind === 'lagrange') {
    rails.railSecondary[row] = rail.secondary
    rails.railPoint[row] = rail.point
    return
  }
  rails.railRadius[row] = rail.radius
  rails.railPole.set(rail.pole, 3 * row)
  rails.railRate[row] = rail.rate
  rails.railEpoch[row] = rail.epoch
}

/** Frees a row of the table. */
export function clearRail(rails: RailColumns, row: number): void {
  rails.railKind[row] = FREE
}

/** The lowest free row of the table; -1 when all are taken. */
export function freeRailRow({ railKind }: RailColumns): number {
  return railKind.indexOf(FREE)
}

/** Whether there is a rail in a row, which may be any number. */
export function isRail({ railKind }: RailColumns, row: number): boolean {
  return row >= 0 && row < RAILS_MAX && railKind[row] !== FREE
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

// What the row holds that was read last: made once, as workers allocate nothing.
const pole: [number, number, number] = [0, 0, 1]
const orbit: Mutable<EquatorialOrbit> = {
  kind: 'orbit',
  parent: 0,
  radius: 0,
  pole,
  rate: 0,
  epoch: 0,
}
const point: Mutable<LagrangePoint> = { kind: 'lagrange', parent: 0, secondary: 0, point: 1 }

function railIn(rails: RailColumns, row: number): Rail {
  if (rails.railKind[row] === LAGRANGE) {
    point.parent = rails.railParent[row]
    point.secondary = rails.railSecondary[row]
    point.point = rails.railPoint[row] as LagrangeNumber
    return point
  }
  orbit.parent = rails.railParent[row]
  orbit.radius = rails.railRadius[row]
  for (let axis = 0; axis < 3; axis++) pole[axis] = rails.railPole[3 * row + axis]
  orbit.rate = rails.railRate[row]
  orbit.epoch = rails.railEpoch[row]
  return orbit
}

/**
 * The lowest circle about a body, the first row's of equal ones; undefined when there is none.
 * It holds until the table is read again.
 *
 * @param radiusMin  [m]
 */
export function lowestOrbit(
  rails: RailColumns,
  parent: number,
  radiusMin: number,
): EquatorialOrbit | undefined {
  const { railKind, railParent, railRadius } = rails
  let lowest = -1
  for (let row = railKind.indexOf(ORBIT); row >= 0; row = railKind.indexOf(ORBIT, row + 1)) {
    if (railParent[row] !== parent || !(railRadius[row] >= radiusMin)) continue
    if (lowest < 0 || railRadius[row] < railRadius[lowest]) lowest = row
  }
  return lowest < 0 ? undefined : (railIn(rails, lowest) as EquatorialOrbit)
}

/** Whether a row's rail is a circle, whose state is known at any index. */
export function isCircle({ railKind }: RailColumns, row: number): boolean {
  return railKind[row] === ORBIT
}

/**
 * State on the rail of a row relative to the rail's parent body, which is returned.
 *
 * @param n  lattice index
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when a Lagrange point's ephemeris does not reach n
 */
export function railRowState(
  out: StateVector,
  { rails, ephemeris }: Pick<WorldState, 'rails' | 'ephemeris'>,
  row: number,
  n: number,
): number {
  railState(out, ephemeris, railIn(rails, row), n, 0)
  return rails.railParent[row]
}
