// What runs inside a browser: scenes of known places, drawn by the page's own parts and measured in
// the pixels of their canvas.
import { BodyLayer } from '../../../src/bodies/body-layer.ts'
import { Glows } from '../../../src/sky/glows.ts'
import { lookOf } from '../../../src/scene/looks.ts'
import type { SceneBody } from '../../../src/scene/scene-body.ts'
import type { SceneLayer } from '../../../src/scene/scene-layer.ts'
import type { Orientation } from '../../../src/scene/frame.ts'
import { SpaceView } from '../../../src/page/space-view.ts'
import type { Surroundings } from '../../../src/scene/surroundings.ts'
import {
  addScaled,
  BodyChain,
  cross,
  dot,
  fill,
  normalize,
  type Place,
  vector,
  type Vector,
} from '@orrery/page-kit'

export const SIZE = 200
const CENTRE = SIZE / 2

const SUN_GM = 1.327_124_4e20
const NEPTUNE_GM = 6.836_5e15
const NEPTUNE_DISTANCE = 4.47e12
const STATION_RADIUS = 3.1e7

export const BODIES: readonly SceneBody[] = [
  body('Sun', 'star', -1, { radius: 6.96e8, gm: SUN_GM }),
  body('Neptune', 'planet', 0, { radius: 2.4622e7, gm: NEPTUNE_GM }),
  // A ship: its orbit is drawn like that of a moon.
  body('Ship', 'moon', 1, { radius: 1e-3, gm: 0 }),
]

function body(
  name: string,
  kind: SceneBody['kind'],
  parent: number,
  { radius, gm }: { radius: number; gm: number },
): SceneBody {
  return {
    name,
    kind,
    parent,
    radius,
    sphere: Infinity,
    gm,
    pole: vector(0, 0, 1),
    look: lookOf({ name, kind, radius }),
  }
}

export interface Scene {
  readonly chain: BodyChain
  readonly surroundings: Surroundings
  readonly view: SpaceView
  readonly bodies: BodyLayer
  readonly context: WebGL2RenderingContext
  /** moves all bodies to a time [s] */
  advance(seconds: number): void
}

export function scene(): Scene {
  const canvas = document.createElement('canvas')
  document.body.append(canvas)
  const chain = new BodyChain([-1, 0, 1])
  const velocities = new Float64Array(9)
  const graphics = {
    isSoftware: true,
    antialias: false,
    mapHeight: 64,
    imageHeight: 64,
    anisotropy: 1,
  }
  const view = new SpaceView(canvas, graphics)
  const bodies = new BodyLayer(BODIES, view.maps, true)
  view.addLayer(bodies)
  view.resize({ width: SIZE, height: SIZE }, 1, 0.8)
  const context = canvas.getContext('webgl2')
  if (!context) throw new Error('No WebGL 2')
  const onCircle = (row: number, radius: number, gm: number, seconds: number): void => {
    const rate = Math.sqrt(gm / radius ** 3)
    const angle = 0.7 + rate * seconds
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    // Tilted by a slope of 3 to 4.
    chain.relative.set([radius * c, radius * s * 0.8, radius * s * 0.6], 3 * row)
    const speed = radius * rate
    velocities.set([-speed * s, speed * c * 0.8, speed * c * 0.6], 3 * row)
  }
  const advance = (seconds: number): void => {
    onCircle(1, NEPTUNE_DISTANCE, SUN_GM, seconds)
    onCircle(2, STATION_RADIUS, NEPTUNE_GM, seconds)
  }
  const known = { id: 'far', name: 'Far', home: 1, bodies: BODIES, scale: 1 }
  const moment = {
    flight: undefined,
    craft: undefined,
    time: NaN,
    advance: () => 8e11,
    close: () => undefined,
  }
  const surroundings = { ...known, ...moment, chain, velocities }
  return { chain, surroundings, view, bodies, context, advance }
}

/** Looks along a direction from a place. */
export function draw({ view, surroundings }: Scene, camera: Place, forward: Vector): Orientation {
  const right = normalize(vector(), cross(vector(), forward, vector(0.1, 0.2, 1)))
  const up = cross(vector(), right, forward)
  view.draw({
    nowMs: 0,
    gameTimeMs: 8e11,
    time: surroundings.time,
    camera,
    surroundings,
    forward,
    right,
    up,
  })
  return { forward, right, up }
}

/** Red, green and blue together of each pixel. */
export function pixels(context: WebGL2RenderingContext): Float64Array {
  const bytes = new Uint8Array(4 * SIZE * SIZE)
  context.readPixels(0, 0, SIZE, SIZE, context.RGBA, context.UNSIGNED_BYTE, bytes)
  return Float64Array.from({ length: SIZE * SIZE }, (_, i) => {
    return bytes[4 * i] + bytes[4 * i + 1] + bytes[4 * i + 2]
  })
}

/** A light of 20 pixels at a place. */
function markerAt(place: Place): SceneLayer {
  const glows = new Glows(1)
  const position = vector()
  return {
    version: 0,
    drawables: [glows],
    place: ({ surroundings: { chain }, camera }, { width, height }) => {
      chain.difference(position, camera, place)
      glows.clear()
      glows.add({ position, radius: 20, width, height, colour: [1, 1, 1], bright: 1, core: 0 })
      glows.upload()
    },
    dispose: () => glows.dispose(),
  }
}

/** Where a marker is drawn, less where it must be [px]; station and camera move as the planet. */
export function drawnMarker(frames: number): readonly (readonly number[])[] {
  const made = scene()
  made.bodies.showsOrbits = false
  const offset = vector()
  const place = { body: 1, offset }
  made.view.addLayer(markerAt(place))
  const forward = FORWARD
  const camera = { body: 1, offset: vector() }
  return Array.from({ length: frames }, (_, frame) => {
    made.advance(8e8 + frame / 60)
    fill(offset, ...([6, 7, 8].map((k) => made.chain.relative[k]) as [number, number, number]))
    addScaled(camera.offset, offset, forward, -1)
    // A little beside the middle, where neither axis is favoured.
    camera.offset[0] += 0.083
    const { right, up } = draw(made, camera, forward)
    const seen = vector(...[0, 1, 2].map((k) => offset[k] - camera.offset[k]))
    const scale = made.view.lens.focal / dot(seen, forward)
    const due = [CENTRE + dot(seen, right) * scale, CENTRE + dot(seen, up) * scale]
    const drawn = centroid(pixels(made.context), due)
    return drawn.map((value, k) => value - due[k])
  })
}

/** The middle of the light within 30 pixels of a place, counted from the corner of the picture. */
function centroid(brightness: Float64Array, [aboutX, aboutY]: readonly number[]): number[] {
  let [sum, x, y] = [0, 0, 0]
  for (const [i, light] of brightness.entries()) {
    const [atX, atY] = [(i % SIZE) + 0.5, Math.floor(i / SIZE) + 0.5]
    if (Math.hypot(atX - aboutX, atY - aboutY) > 30) continue
    sum += light
    x += light * atX
    y += light * atY
  }
  return [x / sum, y / sum]
}

/** The Sun is behind the camera. */
export const FORWARD: Vector = normalize(vector(), vector(-0.48, 0.6, -0.64))

/** How far the line of an orbit is from its object [px], from distances of 1 m to 10¹² m. */
export function orbitMisses(): number[] {
  const made = scene()
  made.advance(8e8)
  return DISTANCES.map(([focus, distance]) => {
    const camera = { body: focus, offset: addScaled(vector(), vector(), FORWARD, -distance) }
    draw(made, camera, FORWARD)
    return missOfLine(pixels(made.context))
  })
}

/** The ship from near, its planet from far. */
export const DISTANCES: readonly (readonly [number, number])[] = [
  ...[1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7].map((distance) => [2, distance] as const),
  ...[1e10, 1e11, 1e12].map((distance) => [1, distance] as const),
]

/**
 * Distance of the middle from the straight line through the light around it [px]; the light of the
 * object itself, in the middle, is left out.
 */
export function missOfLine(brightness: Float64Array): number {
  const points: [number, number][] = []
  for (const [i, light] of brightness.entries()) {
    const x = (i % SIZE) + 0.5 - CENTRE
    const y = Math.floor(i / SIZE) + 0.5 - CENTRE
    const away = Math.hypot(x, y)
    if (light >= 6 && away > 8 && away < 24) points.push([x, y])
  }
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean(([a]) => a), mean(([, b]) => b)]
  const xx = mean(([a]) => (a - x) ** 2)
  const yy = mean(([, b]) => (b - y) ** 2)
  const xy = mean(([a, b]) => (a - x) * (b - y))
  const angle = Math.atan2(2 * xy, xx - yy) / 2
  return points.length < 20 ? NaN : Math.abs(y * Math.cos(angle) - x * Math.sin(angle))
}
