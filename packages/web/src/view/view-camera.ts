/** A camera that turns around what it looks at, and flies from one thing to another. */
import type { Orientation } from '../scene/frame.ts'
import {
  addScaled,
  type BodyChain,
  cross,
  dot,
  fill,
  length,
  normalize,
  type Place,
  rotate,
  vector,
  type Vector,
} from '@orrery/page-kit'
import { type Aim, type Axes, ECLIPTIC, GroundAxes, aimAlong, armOf } from './view-axes.ts'

const PITCH_MAX = 1.55
const DISTANCE_MAX = 1e14

const FLIGHT_MS = 1600

/** Rates of turning and zooming fall to a third in so long [ms]. */
const EASE_MS = 90

/**
 * From this distance, over that of what it looks at from its body, the camera is upright over that
 * body; then up to the other one.
 */
const GROUND_ENTERED = 0.2
export const GROUND_LEFT = 0.4

/** From where something is looked at. */
export interface Outlook {
  /** about the axes of the ecliptic; with `along`, about the ground's */
  readonly aim: Aim
  /** least distance from its middle [m] */
  readonly least: number
  /** of something above a body: the direction of its flight */
  readonly along?: Vector
}

interface Flight {
  readonly startMs: number
  /** from what it looks at now to where the camera was */
  readonly from: Vector
  readonly forward: Vector
}

export class ViewCamera implements Orientation {
  readonly right: Vector = vector()
  readonly up: Vector = vector()
  readonly forward: Vector = vector(1, 0, 0)
  readonly place: { body: number; readonly offset: Vector } = { body: 0, offset: vector() }
  /** where it is led; the camera follows softly */
  readonly aim: Aim = { yaw: 0, pitch: 0.2, distance: 1e9 }
  focus: Place = { body: 0, offset: vector() }
  /** no nearer than this to the middle of what it looks at [m] */
  least = 1
  isCalm = false
  readonly #shown: Aim = { ...this.aim }
  #flight: Flight | undefined
  #lastMs = 0
  #chain: BodyChain
  readonly #arm = vector()
  readonly #ground = new GroundAxes()
  #axes: Axes = ECLIPTIC
  /** until it is upright in new axes: the pole of the old ones, and when they changed */
  #roll: { readonly pole: Vector; readonly startMs: number } | undefined
  readonly #pole = vector()

  constructor(chain: BodyChain) {
    this.#chain = chain
  }

  /** Goes on in another star system. */
  enter(chain: BodyChain): void {
    this.#chain = chain
    this.#flight = undefined
  }

  turn(yaw: number, pitch: number): void {
    this.aim.yaw += yaw
    this.aim.pitch = Math.min(Math.max(this.aim.pitch + pitch, -PITCH_MAX), PITCH_MAX)
  }

  /** Multiplies the height above the surface, so that all sizes are equally far to reach. */
  zoom(factor: number): void {
    const height = Math.max(this.aim.distance - this.least, this.least * 1e-4) * factor
    this.aim.distance = Math.min(this.least + height, DISTANCE_MAX)
  }

  /** Looks at something else from now on. */
  lookAt(focus: Place, { least, aim, along }: Outlook, nowMs: number): void {
    const from = this.#chain.difference(vector(), focus, this.place)
    this.focus = focus
    this.least = least
    if (along) this.#ground.begin(focus.offset, along)
    this.#useAxes(along ? this.#ground : ECLIPTIC, nowMs)
    Object.assign(this.aim, aim)
    Object.assign(this.#shown, aim)
    const isFlown = !this.isCalm && length(from) > 0
    this.#flight = isFlown ? { startMs: nowMs, from, forward: this.forward.slice() } : undefined
  }

  /** Shows at once what it is led to. */
  settle(): void {
    Object.assign(this.#shown, this.aim)
    this.#flight = undefined
  }

  get isFlying(): boolean {
    return this.#flight !== undefined
  }

  /** @param nowMs  on the page's clock */
  advance(nowMs: number): void {
    const share = this.isCalm ? 1 : 1 - Math.exp(-Math.min(nowMs - this.#lastMs, 100) / EASE_MS)
    this.#lastMs = nowMs
    const shown = this.#shown
    shown.yaw += (this.aim.yaw - shown.yaw) * share
    shown.pitch += (this.aim.pitch - shown.pitch) * share
    const height = Math.log(Math.max(shown.distance - this.least, 1e-6 * this.least))
    const due = Math.log(Math.max(this.aim.distance - this.least, 1e-6 * this.least))
    shown.distance = this.least + Math.exp(height + (due - height) * share)
    this.#turnAxes(nowMs)
    armOf(this.#arm, this.#axes, shown)
    normalize(this.forward, fill(this.forward, -this.#arm[0], -this.#arm[1], -this.#arm[2]))
    if (this.#flight) this.#fly(this.#flight, nowMs)
    this.place.body = this.focus.body
    addScaled(this.place.offset, this.focus.offset, this.#arm, 1)
    this.#upright(nowMs)
  }

  /** Near something above a body, that body is below. */
  #turnAxes(nowMs: number): void {
    const height = length(this.focus.offset)
    const isGround = this.#axes === this.#ground
    if (height > 0) this.#ground.follow(this.focus.offset)
    const isNear = this.#shown.distance < height * (isGround ? GROUND_LEFT : GROUND_ENTERED)
    if (isNear === isGround) return
    const axes = isNear ? this.#ground : ECLIPTIC
    for (const aim of [this.aim, this.#shown]) {
      Object.assign(aim, aimAlong(armOf(this.#arm, this.#axes, aim), aim.distance, axes))
    }
    this.#useAxes(axes, nowMs)
  }

  #useAxes(axes: Axes, nowMs: number): void {
    if (axes === this.#axes) return
    this.#roll = this.isCalm ? undefined : { pole: this.#pole.slice(), startMs: nowMs }
    this.#axes = axes
  }

  #upright(nowMs: number): void {
    const { pole } = this.#axes
    const share = this.#roll ? (nowMs - this.#roll.startMs) / FLIGHT_MS : 1
    if (this.#roll && share < 1) between(this.#pole, this.#roll.pole, pole, eased(share))
    else fill(this.#pole, pole[0], pole[1], pole[2])
    normalize(this.right, cross(this.right, this.forward, this.#pole))
    cross(this.up, this.right, this.forward)
  }

  #fly({ startMs, from, forward }: Flight, nowMs: number): void {
    const s = Math.min((nowMs - startMs) / FLIGHT_MS, 1)
    if (s >= 1) this.#flight = undefined
    const flown = eased(s)
    const size = Math.exp(
      (1 - flown) * Math.log(length(from)) + flown * Math.log(length(this.#arm)),
    )
    between(this.#arm, from, this.#arm, flown)
    fill(this.#arm, this.#arm[0] * size, this.#arm[1] * size, this.#arm[2] * size)
    // It turns to its goal first.
    between(this.forward, forward, this.forward, Math.min(flown * 2.2, 1))
  }
}

/** A share of time as a share of the way, which begins and ends at rest. */
function eased(s: number): number {
  return s * s * s * (s * (s * 6 - 15) + 10)
}

/** Writes the unit vector at a share of the angle between two others. */
function between(out: Vector, from: Vector, to: Vector, share: number): void {
  const start = normalize(vector(), from)
  const end = normalize(vector(), to)
  const angle = Math.acos(Math.min(Math.max(dot(start, end), -1), 1))
  const axis = cross(vector(), start, end)
  if (length(axis) < 1e-9)
    cross(axis, start, Math.abs(start[2]) < 0.9 ? ECLIPTIC.pole : ECLIPTIC.first)
  rotate(out, start, normalize(axis, axis), angle * share)
}
