import {
  FLYING,
  LOCKED,
  POINTINGS,
  QUANTA_PER_SECOND,
  SPIN,
  TARGETS,
  type WorldState,
  bodyRate,
  createHulls,
  followsTrajectory,
  loadEndedHull,
  loadHull,
  shipClassOf,
  wheelSaturation,
  type HULL_COLUMNS,
  type ColumnViews,
} from '@orrery/sim'
import type { Ships } from './open-step.ts'
import { steadyRate, turned } from './steady-turn.ts'

/** Rows of hulls. */
export type HullRows = ColumnViews<typeof HULL_COLUMNS>

/** What a client may be off by before a new record is due: half an angle's sine, and fuel [kg]. */
const HALF_ANGLE_MAX = 2.5e-7
const FUEL_MAX = 5e-7

const TARGET = POINTINGS.indexOf('target')
const SHIP = TARGETS.indexOf('ship')
const NONE = TARGETS.indexOf('none')

const hull = createHulls(1)
const ended = createHulls(1)
const rate = new Float64Array(3)

/** Writes attitude and engine of a ship in its open step to a row. */
export function readHull(out: HullRows, row: number, { state }: Ships, slot: number): void {
  const { ships } = state
  const isFlying = ships.condition[slot] === FLYING
  const seconds = (ships.stepEnd[slot] - ships.stepStart[slot]) / QUANTA_PER_SECOND
  const ship = shipClassOf(state, slot)
  loadHull(hull, ships, slot)
  loadEndedHull(ended, ships, slot)
  const [mode] = hull.attitudeMode
  const [pointing] = hull.pointing
  out.number[row] = ships.shipNumber[slot]
  out.condition[row] = ships.condition[slot]
  out.mode[row] = mode
  out.pointing[row] = pointing
  out.start[row] = ships.stepStart[slot]
  out.fuel[row] = hull.fuel[0]
  out.flow[row] = isFlying ? (ended.fuel[0] - hull.fuel[0]) / seconds : 0
  out.thrustLevel[row] = hull.fuel[0] > 0 ? hull.thrustLevel[0] : 0
  writeAim(out, row, state, slot)
  rate.fill(0)
  if (isFlying && mode !== LOCKED) steadyRate(rate, hull.attitude, ended.attitude, seconds)
  else if (isFlying && (pointing === SPIN || followsTrajectory(pointing))) {
    const { attitude, angularMomentum, wheelMomentum } = hull
    bodyRate(rate, attitude, angularMomentum, wheelMomentum, 0, ship.inertia)
  }
  for (let i = 0; i < 4; i++) out.attitude[4 * row + i] = hull.attitude[i]
  for (const axis of [0, 1, 2] as const) {
    out.rate[3 * row + axis] = rate[axis]
    out.wheels[3 * row + axis] = wheelSaturation(hull.wheelMomentum, 0, axis, ship)
  }
}

/** Whether a ship is at rest just as a record has it, as most are: see `isCovered`. */
export function restsAsSent(
  sent: HullRows,
  row: number,
  { state: { ships } }: Ships,
  slot: number,
): boolean {
  const pointing = ships.pointing[slot]
  const isAlike =
    ships.hullRow[slot] === 0 &&
    ships.attitudeMode[slot] === LOCKED &&
    ships.thrustLevel[slot] === 0 &&
    pointing !== TARGET &&
    pointing !== SPIN &&
    sent.number[row] === ships.shipNumber[slot] &&
    sent.condition[row] === ships.condition[slot] &&
    sent.mode[row] === LOCKED &&
    sent.pointing[row] === pointing &&
    sent.thrustLevel[row] === 0 &&
    sent.flow[row] === 0 &&
    sent.fuel[row] === ships.fuel[slot]
  if (!isAlike || followsTrajectory(pointing)) return isAlike
  for (let i = 0; i < 4; i++) {
    if (sent.attitude[4 * row + i] !== Math.fround(ships.attitude[4 * slot + i])) return false
  }
  return true
}

/** What a hull points at; a target that is lost, or not sighted, is none. */
function writeAim(out: HullRows, row: number, state: WorldState, slot: number): void {
  const { ships, sightings } = state
  out.aimKind[row] = NONE
  out.aim[row] = -1
  if (ships.pointing[slot] !== TARGET) return
  const sighting = ships.sighting[slot]
  if (sighting < 0) {
    if (ships.aim[slot] < 0) return
    out.aimKind[row] = ships.aimKind[slot]
    out.aim[row] = ships.aim[slot]
  } else if (sightings.watched[sighting] >= 0) {
    out.aimKind[row] = SHIP
    out.aim[row] = sightings.watchedNumber[sighting]
  }
}

const sentAttitude = new Float64Array(4)
const now = new Float64Array(4)

/**
 * Whether a record that was sent gives what another does, from the start of that to an index.
 *
 * @param sent   a row of `sentRows`
 * @param fresh  a row of `rows`
 */
export function isCovered(
  sentRows: HullRows,
  sent: number,
  rows: HullRows,
  fresh: number,
  end: number,
): boolean {
  if (
    sentRows.number[sent] !== rows.number[fresh] ||
    sentRows.condition[sent] !== rows.condition[fresh] ||
    sentRows.mode[sent] !== rows.mode[fresh] ||
    sentRows.pointing[sent] !== rows.pointing[fresh] ||
    sentRows.aimKind[sent] !== rows.aimKind[fresh] ||
    sentRows.aim[sent] !== rows.aim[fresh] ||
    sentRows.thrustLevel[sent] !== rows.thrustLevel[fresh]
  ) {
    return false
  }
  const start = rows.start[fresh]
  // A hull that has lost its target keeps its attitude.
  const isLost = rows.pointing[fresh] === TARGET && rows.aimKind[fresh] === NONE
  const isPointed =
    rows.mode[fresh] === LOCKED && followsTrajectory(rows.pointing[fresh]) && !isLost
  for (let n = start; ; n = end) {
    if (!(Math.abs(fuelAt(sentRows, sent, n) - fuelAt(rows, fresh, n)) <= FUEL_MAX)) return false
    if (!isPointed && !areAligned(sentRows, sent, rows, fresh, n)) return false
    if (n === end) return true
  }
}

function fuelAt({ flow, fuel, start }: HullRows, row: number, n: number): number {
  return fuel[row] + flow[row] * ((n - start[row]) / QUANTA_PER_SECOND)
}

function areAligned(
  sentRows: HullRows,
  sent: number,
  rows: HullRows,
  fresh: number,
  n: number,
): boolean {
  attitudeAt(sentAttitude, sentRows, sent, n)
  attitudeAt(now, rows, fresh, n)
  let along = 0
  for (let i = 0; i < 4; i++) along += sentAttitude[i] * now[i]
  const sign = along < 0 ? -1 : 1
  let off2 = 0
  for (let i = 0; i < 4; i++)
    off2 += (sentAttitude[i] - sign * now[i]) * (sentAttitude[i] - sign * now[i])
  return off2 <= HALF_ANGLE_MAX * HALF_ANGLE_MAX
}

function attitudeAt(out: Float64Array, rows: HullRows, row: number, n: number): void {
  turned(out, rows.attitude, rows.rate, row, (n - rows.start[row]) / QUANTA_PER_SECOND)
}
