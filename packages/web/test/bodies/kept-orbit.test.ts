// Law: whatever the camera does, the orbit that is drawn is within a fifth of a pixel of the orbit
// as it is, wherever that is in the picture. Goal: a quiet camera has one in ten pictures traced.
// Method: a moon on a circle, a camera that falls past it, turns and leaps.
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import type { Orientation } from '../../src/scene/frame.ts'
import { KeptOrbit } from '../../src/bodies/kept-orbit.ts'
import { OrbitPieces, type OrbitView } from '../../src/bodies/orbit-lines.ts'
import { SteadySides, sidesIn } from '../../src/scene/seen-sides.ts'
import { addScaled, cross, dot, normalize, vector, type Vector } from '@orrery/page-kit'

const LENS = { width: 1280, height: 720, pixelRatio: 1, focal: 850 }
const GM = 4e14
const RADIUS = 4e8
const FRAMES = byTier({ gate: 150, night: 300 })
const COLOUR = [1, 1, 1] as const

/** Of the values of a piece's end. */
const FLOATS = 7

const chance = createChance(testSeed('kept orbit'))

interface Camera {
  readonly place: Vector
  readonly axes: Orientation
}

/** Axes that look along a direction. */
function looking(along: Vector): Orientation {
  const forward = normalize(vector(), along)
  const right = normalize(vector(), cross(vector(), forward, vector(0.1, 0.2, 1)))
  return { forward, right, up: cross(vector(), right, forward) }
}

function moonAt(seconds: number): { readonly position: Vector; readonly velocity: Vector } {
  const rate = Math.sqrt(GM / RADIUS ** 3)
  const [c, s] = [Math.cos(rate * seconds), Math.sin(rate * seconds)]
  const position = vector(RADIUS * c, RADIUS * s)
  return { position, velocity: vector(-RADIUS * rate * s, RADIUS * rate * c) }
}

/** On the canvas, from its middle [px]; undefined where that is not in the picture. */
function pixelOf({ right, up, forward }: Orientation, point: Vector): [number, number] | undefined {
  const depth = dot(point, forward)
  const x = (LENS.focal * dot(point, right)) / depth
  const y = (LENS.focal * dot(point, up)) / depth
  const isIn = depth > 0 && Math.abs(x) < LENS.width / 2 && Math.abs(y) < LENS.height / 2
  return isIn ? [x, y] : undefined
}

/** The ends of all pieces, in pairs. */
function endsOf({ values, length }: OrbitPieces): Vector[] {
  return Array.from({ length: length / FLOATS }, (_, i) => {
    return Float64Array.from(values.subarray(FLOATS * i, FLOATS * i + 3))
  })
}

/** From a direction to the nearest piece, as an angle in pixels at the middle of the picture. */
function missOf(point: Vector, ends: readonly Vector[]): number {
  let least = Infinity
  for (let i = 0; i < ends.length; i += 2) {
    const way = addScaled(vector(), ends[i + 1], ends[i], -1)
    // The place on the piece that is nearest to the ray: both as seen from the camera.
    const plane = cross(vector(), point, cross(vector(), point, way))
    const share = -dot(plane, ends[i]) / dot(plane, way)
    const at = addScaled(vector(), ends[i], way, Math.min(Math.max(share, 0), 1))
    const off = cross(vector(), point, at)
    const sine = Math.sqrt(dot(off, off) / (dot(point, point) * dot(at, at)))
    if (dot(point, at) > 0) least = Math.min(least, sine * LENS.focal)
  }
  return least
}

class Watch {
  /** pictures for which the orbit was traced */
  traced = 0
  readonly #kept = new KeptOrbit()
  readonly #sides = new SteadySides()

  /** @returns the largest miss in the picture [px] */
  look({ place, axes }: Camera, seconds: number): number {
    const { position, velocity } = moonAt(seconds)
    const object = addScaled(vector(), position, place, -1)
    const parent = addScaled(vector(), vector(), place, -1)
    const state = { position, velocity, gm: GM }
    const view: Omit<OrbitView, 'sidesOf'> = { colour: COLOUR, opacity: 0.5, focal: LENS.focal }
    if (this.#sides.update(axes, LENS)) this.#kept.forget()
    const stateOf = (): typeof state => {
      this.traced++
      return state
    }
    const sidesOf = this.#sides.of
    const drawn = endsOf(this.#kept.pieces({ object, parent }, stateOf, { ...view, sidesOf }))
    const fresh = new OrbitPieces()
    fresh.trace(object, state, { ...view, sidesOf: sidesIn(axes, LENS) })
    const seen = endsOf(fresh).filter((point) => pixelOf(axes, point))
    return Math.max(0, ...seen.map((point) => missOf(point, drawn)))
  }
}

it('an orbit is drawn where it is, and seldom traced for a quiet camera', () => {
  const watch = new Watch()
  const place = vector(2e7, 3e7, 5e6)
  for (let i = 0; i < FRAMES; i++) {
    addScaled(place, place, vector(3e3, -2e3, 1e3), 1 / 30)
    const axes = looking(vector(1, 0.1 + i * 1e-4, 0.05))
    expect(watch.look({ place, axes }, i / 30)).toBeLessThan(0.2)
  }
  expect(watch.traced).toBeLessThan(FRAMES / 10)
})

it('an orbit is drawn where it is, however the camera moves', () => {
  const watch = new Watch()
  const place = vector(3.9e8, 1e6, 2e6)
  let along = vector(1, 0.2, 0.1)
  let seconds = 0
  for (let i = 0; i < FRAMES; i++) {
    const speed = 10 ** (1 + 6 * chance.share())
    const way = normalize(vector(), vector(...[0, 1, 2].map(() => chance.share() - 0.5)))
    addScaled(place, place, way, speed / 30)
    const turn = 10 ** (-3 + 3 * chance.share())
    along = vector(...[0, 1, 2].map((axis) => along[axis] + turn * (chance.share() - 0.5)))
    seconds += (chance.oneIn(5) ? 1000 : 1) / 30
    const camera = { place, axes: looking(along) }
    expect(watch.look(camera, seconds)).toBeLessThan(0.2)
  }
})

it('an orbit is all there when the camera turns about itself', () => {
  const watch = new Watch()
  const place = vector(3e7, -2e7, 1e7)
  const turns = 2 * Math.PI
  for (let angle = 0; angle < turns; angle += 0.02) {
    const axes = looking(vector(Math.cos(angle), Math.sin(angle), 0.2 * Math.sin(3 * angle)))
    expect(watch.look({ place, axes }, 0)).toBeLessThan(0.2)
  }
  expect(watch.traced).toBeLessThan(turns / 0.02 / 2)
})
