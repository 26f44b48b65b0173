/** What of a sampled flight is still to come: it begins at the ship, with vertices ever closer. */
import {
  type FlownLine,
  type LegState,
  TURN,
  type TrajectoryLine,
  createLegState,
  turning,
} from './trajectory-line.ts'
import { type Vector, fill, length, vector } from './vector.ts'

/** Angles beside the ship [rad]: each is so much larger than the one before. */
const ANGLE_MIN = 1e-10
const GROWTH = 1.6
const STEP_MAX = 0.03
const ANGLE_MAX = 0.3

const ANGLES = nearAngles()

function nearAngles(): readonly number[] {
  const angles: number[] = []
  for (let angle = ANGLE_MIN; angle < ANGLE_MAX;) {
    angles.push(angle)
    angle = Math.min(angle * GROWTH, angle + STEP_MAX)
  }
  return angles
}

/** So many vertices are added at the ship and beside it. */
export const NEAR_VERTICES: number = 1 + ANGLES.length

/** Where a ship is not quite where it was forecast, the line bends to it over this angle [rad]. */
const BEND = 0.4

/** A ship farther from its forecast than this share of the distance is on another line. */
const SHIFT_MAX = 0.05

/** Lattice indices per second. */
const PER_SECOND = 64

const state: LegState = createLegState()
const shift: Vector = vector()

/**
 * Writes the vertices from the ship on; angles are counted from it.
 *
 * @param out   with room for those of `line` and `NEAR_VERTICES`
 * @param ship  its state at `now`
 * @param now   lattice index, need not be whole
 */
export function cutLine(
  out: TrajectoryLine,
  line: TrajectoryLine,
  {
    flown,
    ship,
    now,
  }: { readonly flown: FlownLine; readonly ship: LegState; readonly now: number },
): void {
  const rate = 1 / (PER_SECOND * turning(ship))
  shiftTo(ship, flown, now)
  out.count = 0
  fill(state.r, ship.r[0] - shift[0], ship.r[1] - shift[1], ship.r[2] - shift[2])
  add(out, ship.reference, now, 0)
  for (const angle of ANGLES) {
    const time = now + angle / rate
    if (!flown.stateAt(state, time) || state.reference !== ship.reference) break
    add(out, state.reference, time, angle)
  }
  const passed = turnedBy(line, now)
  const end = Math.max(line.lastChange - passed, 0) + TURN
  for (let i = firstAfter(line, out.times[out.count - 1]); i < line.count; i++) {
    const angle = line.angles[i] - passed
    if (angle > end) break
    // Of revolutions that are followed by a gap, less than one is shown.
    if (angle > TURN && i < line.unbroken && line.unbroken < line.count) {
      out.gaps[out.count - 1] = 1
      continue
    }
    const [x, y, z] = [3 * i, 3 * i + 1, 3 * i + 2]
    fill(state.r, line.positions[x], line.positions[y], line.positions[z])
    add(out, line.bodies[i], line.times[i], angle)
    out.gaps[out.count - 1] = line.gaps[i]
  }
}

/** What had been turned by a time [rad]. */
export function turnedBy(line: TrajectoryLine, time: number): number {
  const { times, angles, count } = line
  const next = firstAfter(line, time)
  if (next === 0 || next === count) return angles[Math.max(next - 1, 0)]
  const share = (time - times[next - 1]) / (times[next] - times[next - 1])
  return angles[next - 1] + share * (angles[next] - angles[next - 1])
}

/** Index of the first vertex later than a time. */
function firstAfter({ times, count }: TrajectoryLine, time: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle] > time) high = middle
    else low = middle + 1
  }
  return low
}

/** From where the ship was to be to where it is. */
function shiftTo(ship: LegState, flown: FlownLine, now: number): void {
  fill(shift, 0, 0, 0)
  if (!flown.stateAt(state, now) || state.reference !== ship.reference) return
  fill(shift, ship.r[0] - state.r[0], ship.r[1] - state.r[1], ship.r[2] - state.r[2])
  if (length(shift) > SHIFT_MAX * length(ship.r)) fill(shift, 0, 0, 0)
}

function add(out: TrajectoryLine, body: number, time: number, angle: number): void {
  const at = out.count++
  const share = Math.max(1 - angle / BEND, 0)
  for (let k = 0; k < 3; k++) {
    out.positions[3 * at + k] = state.r[k] + shift[k] * share * share
  }
  out.bodies[at] = body
  out.gaps[at] = 0
  out.times[at] = time
  out.angles[at] = angle
}
