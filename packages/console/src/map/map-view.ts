/** How the map sees a star system: a parallel projection about a centre that moves with a body. */
import { addScaled, type BodyChain, cross, dot, fill, vector, type Vector } from '@orrery/page-kit'

/** A point of the picture, from its upper left corner [CSS px]. */
export interface Point {
  x: number
  y: number
}

/** Metres of one pixel: from a part of a hull to more than a star system. */
export const SCALE_MIN = 0.02
export const SCALE_MAX = 1e11

/** Of J2000 [rad]. */
const OBLIQUITY = 0.409_092_804

const EQUINOX = vector(1, 0, 0)
const POLE = vector(0, -Math.sin(OBLIQUITY), Math.cos(OBLIQUITY))
const NORTH = cross(vector(), POLE, EQUINOX)

/** Seen from the side the ecliptic is a line, and nothing of it can be chosen. */
const TILT_MAX = 1.5

const shift = vector()

export class MapView {
  width = 1
  height = 1
  /** metres of one pixel */
  scale: number = SCALE_MAX
  /** what the middle of the picture shows: an offset from a body [m] */
  readonly center: { body: number; readonly offset: Vector } = { body: 0, offset: vector() }
  /** directions of the picture in ICRF axes: to the right, upwards, and to the viewer */
  readonly right: Vector = vector()
  readonly up: Vector = vector()
  readonly near: Vector = vector()
  /** counts changes */
  revision = 0
  #turn = 0
  #tilt = 0

  constructor() {
    this.turnTo(0, 0)
  }

  resize(width: number, height: number): void {
    this.width = Math.max(width, 1)
    this.height = Math.max(height, 1)
    this.revision++
  }

  /** Half of the diagonal [px]. */
  get reach(): number {
    return Math.hypot(this.width, this.height) / 2
  }

  /** @param from  from the centre [m] */
  project(out: Point, from: Vector): void {
    const { right, up, scale } = this
    out.x = this.width / 2 + dot(from, right) / scale
    out.y = this.height / 2 - dot(from, up) / scale
  }

  /** Writes where a point of the picture is, from the centre and as near as it [m]. */
  offsetAt(out: Vector, { x, y }: Readonly<Point>): Vector {
    fill(out, 0, 0, 0)
    addScaled(out, out, this.right, (x - this.width / 2) * this.scale)
    return addScaled(out, out, this.up, (this.height / 2 - y) * this.scale)
  }

  /** Moves the picture by so many pixels. */
  pan(x: number, y: number): void {
    const { offset } = this.center
    addScaled(offset, offset, this.right, -x * this.scale)
    addScaled(offset, offset, this.up, y * this.scale)
    this.revision++
  }

  /** Makes a pixel so many times as long; the point of the picture stays where it is. */
  zoom(factor: number, at: Readonly<Point> = { x: this.width / 2, y: this.height / 2 }): void {
    const scale = Math.min(Math.max(this.scale * factor, SCALE_MIN), SCALE_MAX)
    this.offsetAt(shift, at)
    const { offset } = this.center
    addScaled(offset, offset, shift, 1 - scale / this.scale)
    this.scale = scale
    this.revision++
  }

  /** Turns about the pole of the ecliptic, and tilts away from the view from above [rad]. */
  turnBy(turn: number, tilt: number): void {
    this.turnTo(this.#turn + turn, this.#tilt + tilt)
  }

  turnTo(turn: number, tilt: number): void {
    this.#turn = turn % (2 * Math.PI)
    this.#tilt = Math.min(Math.max(tilt, 0), TILT_MAX)
    const { right, up, near } = this
    fill(right, 0, 0, 0)
    addScaled(right, right, EQUINOX, Math.cos(this.#turn))
    addScaled(right, right, NORTH, Math.sin(this.#turn))
    cross(up, POLE, right)
    for (let k = 0; k < 3; k++) {
      up[k] = up[k] * Math.cos(this.#tilt) + POLE[k] * Math.sin(this.#tilt)
    }
    cross(near, right, up)
    this.revision++
  }

  /** @param offset  of the middle of the picture from the body [m] */
  lookAt(body: number, offset: Vector, scale: number = this.scale): void {
    this.center.body = body
    fill(this.center.offset, offset[0], offset[1], offset[2])
    this.scale = Math.min(Math.max(scale, SCALE_MIN), SCALE_MAX)
    this.revision++
  }

  /** Makes the centre move with a body, in its depth; the picture stays as it is. */
  moveWith(body: number, chain: BodyChain): void {
    if (body === this.center.body) return
    const { offset } = this.center
    chain.difference(shift, { body, offset: ORIGIN }, this.center)
    addScaled(offset, shift, this.near, -dot(shift, this.near))
    this.center.body = body
  }
}

const ORIGIN = vector()
