// What runs inside a browser: a ship at a known place, drawn by the layer of the page.
import { type ShipSample, createShipSample } from '@orrery/client/flight'
import { Ambient } from '../../../src/scene/ambient.ts'
import { Berths } from '../../../src/craft/berths.ts'
import { ShipLayer } from '../../../src/craft/ship-layer.ts'
import type { Surroundings } from '../../../src/scene/surroundings.ts'
import { addScaled, cross, normalize, vector } from '@orrery/page-kit'
import { FORWARD, SIZE, type Scene, draw, pixels, scene } from './drawn-scene.ts'

const SHIP = { number: 1, id: 'ship', name: 'Ida' }
const ATTITUDE = Float64Array.of(0.5, 0.5, -0.1, 0.7)

/** From the ship's middle to the camera: its hull is 1 m away [m]. */
const DISTANCE = 8.5

/** How the picture of a ship has moved since the first frame, in each of the next ones [px]. */
export function shipShifts(frames: number): readonly (readonly number[])[] {
  const made = shipScene()
  const first = drawn(made, 0, 0)
  return Array.from({ length: frames - 1 }, (_, i) => shiftOf(first, drawn(made, i + 1, 0)))
}

/** The same for a camera that is moved to its right by as much as so many pixels. */
export function shiftOfCamera(amount: number): readonly number[] {
  const made = shipScene()
  return shiftOf(drawn(made, 0, 0), drawn(made, 0, amount))
}

let shared: Scene | undefined

/** Made once: its shaders take the processor a second to compile. */
function shipScene(): Scene {
  if (shared) return shared
  const made = scene()
  made.bodies.showsOrbits = false
  made.view.addLayer(new ShipLayer(new Ambient(), new Berths()))
  shared = { ...made, surroundings: withShip(made) }
  return shared
}

/** The third body of the scene has the place of the ship. */
function withShip({ chain, surroundings }: Scene): Surroundings {
  const place = (): Float64Array => chain.relative.subarray(6, 9)
  const world = {
    classes: [],
    ships: () => [SHIP],
    positionsAt: (out: Float64Array) => {
      out.set(place())
      return 1
    },
    shipAt: (out: ShipSample) => {
      Object.assign(out, createShipSample(), { body: 'Neptune', thrustLevel: 0.6 })
      out.r.set(place())
      out.attitude.set(ATTITUDE)
      return true
    },
  }
  return { ...surroundings, craft: { world } as unknown as Surroundings['craft'] }
}

function drawn(made: Scene, frame: number, aside: number): Float64Array {
  made.advance(8e8 + frame / 60)
  const right = normalize(vector(), cross(vector(), FORWARD, vector(0.1, 0.2, 1)))
  const camera = { body: 1, offset: made.chain.relative.slice(6, 9) }
  addScaled(camera.offset, camera.offset, FORWARD, -DISTANCE)
  addScaled(camera.offset, camera.offset, right, (aside * DISTANCE) / made.view.lens.focal)
  draw(made, camera, FORWARD)
  return pixels(made.context)
}

/** By least squares over the slopes of the first picture [px]: right, and up. */
function shiftOf(first: Float64Array, then: Float64Array): number[] {
  let [xx, xy, yy, xt, yt] = [0, 0, 0, 0, 0]
  for (let i = SIZE + 1; i < first.length - SIZE - 1; i++) {
    const x = (first[i + 1] - first[i - 1]) / 2
    const y = (first[i + SIZE] - first[i - SIZE]) / 2
    const change = first[i] - then[i]
    xx += x * x
    xy += x * y
    yy += y * y
    xt += x * change
    yt += y * change
  }
  const size = xx * yy - xy * xy
  return [(yy * xt - xy * yt) / size, (xx * yt - xy * xt) / size]
}
