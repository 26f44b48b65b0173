// Law: whatever the camera does, a ship in the picture is drawn within a quarter of a pixel of its
// place, the 64 nearest are exact, and the images of others move by no more than is stated. Goal: a
// third of a fleet at most is read in a quiet frame. Method: ships on circles about the Earth, a
// camera that turns, leaps and follows.
import type { Ship } from '@orrery/client/flight'
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import type { Frame } from '../../src/scene/frame.ts'
import { ShipPlaces } from '../../src/craft/ship-places.ts'
import { angleBetween, cross, dot, normalize, vector, type Vector } from '@orrery/page-kit'

const LENS = { width: 1280, height: 720, pixelRatio: 1, focal: 850 }
const SHIPS = 4000
const GM = 3.986e14
const QUANTA_PER_SECOND = 64

const chance = createChance(testSeed('ship places'))

function direction(): Vector {
  const part = (): number => 2 * chance.share() - 1
  return normalize(vector(), vector(part(), part(), part()))
}

interface Circle {
  readonly from: Vector
  readonly along: Vector
  readonly radius: number
}

function circle(): Circle {
  const from = direction()
  const along = normalize(vector(), cross(vector(), from, direction()))
  return { from, along, radius: 6.6e6 + 2e6 * chance.share() }
}

/** Position, and velocity where there is room for it. */
function place(out: Float64Array, at: number, { from, along, radius }: Circle, time: number): void {
  const rate = Math.sqrt(GM / radius ** 3)
  const angle = (rate * time) / QUANTA_PER_SECOND
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  for (let axis = 0; axis < 3; axis++) {
    out[at + axis] = radius * (from[axis] * c + along[axis] * s)
  }
}

function velocity(out: Float64Array, at: number, circle: Circle, time: number): void {
  const rate = Math.sqrt(GM / circle.radius ** 3)
  place(out, at, circle, time + ((Math.PI / 2) * QUANTA_PER_SECOND) / rate)
  for (let axis = 0; axis < 3; axis++) out[at + axis] *= rate
}

class Fleet {
  readonly circles: Circle[] = Array.from({ length: SHIPS }, circle)

  // Who a ship is counts here, not its name.
  ships = (): readonly Ship[] => this.circles as unknown as readonly Ship[]

  /** states that were read */
  read = 0

  positionsAt = (out: Float64Array, time: number): number => {
    for (const i of this.circles.keys()) place(out, 3 * i, this.circles[i], time)
    return this.circles.length
  }

  statesAt = (out: Float64Array, indices: Uint32Array, time: number): void => {
    this.read += indices.length
    for (const [k, i] of indices.entries()) {
      place(out, 6 * k, this.circles[i], time)
      velocity(out, 6 * k + 3, this.circles[i], time)
    }
  }
}

/** A camera beside the first ship. */
function frameAt(time: number, fleet: Fleet, forward: Vector, isAway: boolean): Frame {
  const offset = vector(3e7, 1e7, -2e7)
  if (!isAway) place(offset, 0, fleet.circles[0], time)
  offset[0] += 300
  const right = normalize(vector(), cross(vector(), forward, vector(0.1, 0.2, 1)))
  const up = cross(vector(), right, forward)
  const surroundings = { bodies: [{ name: 'Earth' }] }
  const view = { camera: { body: 0, offset }, forward, right, up, surroundings }
  return { ...view, nowMs: 0, gameTimeMs: 0, time } as unknown as Frame
}

function isInPicture(place: readonly number[], { forward, right, up }: Frame): boolean {
  const point = vector(...place)
  const depth = dot(point, forward)
  const reach = (axis: Vector): number => Math.abs((LENS.focal * dot(point, axis)) / depth)
  return depth > 0 && reach(right) < LENS.width / 2 && reach(up) < LENS.height / 2
}

/** What was placed wrongly, of all that is in the picture and of the nearest. */
function faults(places: ShipPlaces, truth: Float64Array, frame: Frame): unknown[] {
  const wrong: unknown[] = []
  const distances: number[] = []
  for (let i = 0; i < places.count; i++) {
    const due = [0, 1, 2].map((axis) => truth[3 * i + axis] - frame.camera.offset[axis])
    distances.push(Math.hypot(...due))
    const [x, y, z] = due.map((value, axis) => places.values[3 * i + axis] - value)
    const pixels = (LENS.focal * Math.hypot(x, y, z)) / distances[i]
    if (!(pixels < 0.25) && isInPicture(due, frame)) wrong.push({ ship: i, pixels })
  }
  const nearest = distances.toSorted((a, b) => a - b).slice(0, 64)
  for (const [rank, distance] of nearest.entries()) {
    const found = Math.sqrt(places.nearest.squares[rank])
    if (!(Math.abs(found - distance) < 0.001)) wrong.push({ rank, distance, found })
  }
  return wrong
}

/** Images that have moved by more than was stated, but for those of ships nearby. */
function rushes(places: ShipPlaces, before: Vector[]): unknown[] {
  const rushed: unknown[] = []
  for (let i = 0; i < places.count; i++) {
    const now = places.values.slice(3 * i, 3 * i + 3)
    const pixels = i < before.length ? LENS.focal * angleBetween(before[i], now) : 0
    if (places.isNear[i] === 0 && pixels > places.pace) rushed.push({ ship: i, pixels })
    before[i] = now
  }
  return rushed
}

const FRAMES = byTier({ gate: 100, night: 400 })
const QUIET = 40

it('places what is in the picture and near', () => {
  const fleet = new Fleet()
  const places = new ShipPlaces()
  const truth = new Float64Array(3 * (SHIPS + FRAMES))
  const before: Vector[] = []
  const wrong: unknown[] = []
  let [time, forward, isAway, scale] = [1e9, direction(), false, 1]
  for (let k = 0; k < FRAMES + QUIET; k++) {
    const isQuiet = k >= FRAMES
    const event = k % 10 === 0 && !isQuiet ? chance.below(7) : -1
    if (event === 0) forward = direction()
    if (event === 1) isAway = !isAway
    if (event === 2) scale = chance.pick([0.1, 1, 10, 100, 1000])
    if (event === 3) time += 1e6 * chance.share()
    if (event === 4) fleet.circles.splice(1 + chance.below(SHIPS / 2), 1)
    if (event === 5) fleet.circles.push(circle())
    // One leaves, the last takes its index, and another comes.
    if (event === 6) fleet.circles[1 + chance.below(SHIPS / 2)] = fleet.circles.pop()!
    if (event === 6) fleet.circles.push(circle())
    if (isQuiet) [isAway, scale] = [false, 1]
    else if (k % 40 > 20) {
      const turn = direction()
      const turned = forward.map((part, axis) => part + 0.06 * turn[axis])
      forward = normalize(vector(), turned)
    }
    time += (QUANTA_PER_SECOND * scale) / 30
    const frame = frameAt(time, fleet, forward, isAway)
    places.update(frame, LENS, fleet)
    fleet.positionsAt(truth, time)
    wrong.push(...faults(places, truth, frame), ...rushes(places, before))
    if (k === FRAMES + QUIET / 2) fleet.read = 0
  }
  expect(wrong).toEqual([])
  expect(places.pace).toBeLessThan(10)
  expect(fleet.read / places.count / (QUIET / 2 - 1)).toBeLessThan(1 / 3)
})
