/** A flight to come as vertices, dense where it turns, each relative to the body of its leg. */
import type { Vector } from './vector.ts'

/** A state relative to a body, to be written into [m, m/s]. */
export interface LegState {
  readonly r: Vector
  readonly v: Vector
  body: string
  reference: number
}

/** What will be flown, by lattice indices. */
export interface FlownLine {
  readonly from: number
  readonly to: number
  /** false outside of `from` to `to` */
  stateAt(out: LegState, time: number): boolean
}

export interface TrajectoryLine {
  count: number
  /** lattice index of each vertex, rising */
  readonly times: Float64Array
  /** x, y, z of each [m], from its body */
  readonly positions: Float64Array
  /** index of the body of each */
  readonly bodies: Int16Array
  /** turned about the bodies since the first vertex [rad] */
  readonly angles: Float64Array
  /** 1 where no piece leads to the next vertex */
  readonly gaps: Uint8Array
  /** how many vertices there are before the first gap */
  unbroken: number
  /** angle of the last change; 0 when there is none */
  lastChange: number
}

/** Vertices of one line at most. */
export const LINE_VERTICES_MAX = 3900

/** Between two vertices [rad]; the larger ones for lines that are long. */
const STEPS: readonly number[] = [0.015, 0.03, 0.06, 0.12]

/** On the way straight to a body: so many times the step, as a share of the distance. */
const STRAIGHT = 4

/** Less than a revolution [rad]: where nothing changes, the next ones lie on the first. */
export const TURN = 6.1

/** So much is sampled where nothing changes, to be drawn while the ship moves along it [rad]. */
const STRETCH = 4 * Math.PI

/** Up to a change, a little more than the last revolution [revolutions]. */
const LAST = 1.2

/** The change from one body to another is found to this share of a step. */
const HALVINGS = 16

/** Lattice indices per second. */
const PER_SECOND = 64

const state: LegState = createLegState()
const other: LegState = createLegState()

export function createLegState(): LegState {
  return { r: new Float64Array(3), v: new Float64Array(3), body: '', reference: -1 }
}

/**
 * Vertices from a time on: of each revolution that does not differ from the one before only those
 * that come before a change.
 *
 * @param changes  rising times at which burns begin and end, and the body becomes another
 */
export function sampledLine(
  flown: FlownLine,
  changes: readonly number[],
  from: number = flown.from,
): TrajectoryLine {
  for (const step of STEPS) {
    const line = sampled(flown, { changes, from, step })
    if (line.count < LINE_VERTICES_MAX || step === STEPS.at(-1)) return line
  }
  throw new Error('There is a last step')
}

/** An empty line with room for so many vertices. */
export function createLine(vertices: number): TrajectoryLine {
  return {
    count: 0,
    times: new Float64Array(vertices),
    positions: new Float64Array(3 * vertices),
    bodies: new Int16Array(vertices),
    angles: new Float64Array(vertices),
    gaps: new Uint8Array(vertices),
    unbroken: 0,
    lastChange: 0,
  }
}

interface Sampling {
  readonly changes: readonly number[]
  readonly from: number
  readonly step: number
}

/** Since when nothing has changed. */
interface Stretch {
  readonly time: number
  readonly angle: number
}

function sampled(flown: FlownLine, { changes, from, step }: Sampling): TrajectoryLine {
  const line = createLine(LINE_VERTICES_MAX)
  let stretch: Stretch = { time: from, angle: 0 }
  let passed = 0
  let time = from
  let angle = 0
  const begin = (at: number): void => {
    stretch = { time: at, angle }
    line.lastChange = angle
  }
  while (line.count < LINE_VERTICES_MAX && flown.stateAt(state, time)) {
    add(line, time, angle)
    if (time >= flown.to) break
    if (changes[passed] <= time) begin(time)
    while (changes[passed] <= time) passed++
    const change = changes[passed] ?? Infinity
    const after = nextOf(line, { time, angle }, stretch, change)
    if (after !== time) {
      stretch = { time: after, angle }
      time = after
      continue
    }
    const due = time + PER_SECOND * step * Math.min(turning(state), STRAIGHT * nearing(state))
    const next = Math.min(due, change, flown.to)
    const end = flown.stateAt(other, next) ? endOfLeg(flown, time, next) : next
    angle += (end - time) / (PER_SECOND * turning(state))
    const beyond = Math.min(end + (next - time) * 2 ** -HALVINGS, next)
    time = next
    // The same moment is a vertex of both legs.
    if (end < next && line.count < LINE_VERTICES_MAX && flown.stateAt(state, end)) {
      add(line, end, angle)
      time = beyond
      begin(time)
    }
  }
  if (line.unbroken === 0) line.unbroken = line.count
  return line
}

/** The time from where on it is sampled: beyond revolutions that are like the one before. */
function nextOf(
  line: TrajectoryLine,
  { time, angle }: Stretch,
  stretch: Stretch,
  change: number,
): number {
  const turned = angle - stretch.angle
  const isBetween = line.lastChange > 0 && change < Infinity
  if (turned < (isBetween ? TURN : STRETCH)) return time
  const revolution = ((time - stretch.time) * 2 * Math.PI) / turned
  const after = change - LAST * revolution
  if (after <= time) return time
  line.gaps[line.count - 1] = 1
  if (line.unbroken === 0) line.unbroken = line.count
  return after
}

function add(line: TrajectoryLine, time: number, angle: number): void {
  const at = line.count++
  line.times[at] = time
  line.positions.set(state.r, 3 * at)
  line.bodies[at] = state.reference
  line.angles[at] = angle
}

/** The last time before `next` with the body of `state`; `other` is the state at `next`. */
function endOfLeg(flown: FlownLine, time: number, next: number): number {
  if (other.reference === state.reference) return next
  let [low, high] = [time, next]
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    flown.stateAt(other, middle)
    if (other.reference === state.reference) low = middle
    else high = middle
  }
  return low
}

/** Seconds in which a ship turns by a radian about its body. */
export function turning({ r, v }: LegState): number {
  const spin = Math.hypot(
    r[1] * v[2] - r[2] * v[1],
    r[2] * v[0] - r[0] * v[2],
    r[0] * v[1] - r[1] * v[0],
  )
  return (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / spin
}

/** Seconds in which it moves as far as its body is away. */
function nearing({ r, v }: LegState): number {
  return Math.hypot(...r) / Math.hypot(...v)
}
