// What runs inside a browser: the way of a ship on a known circle about Neptune, drawn by parts of
// the page and measured in pixels.
import {
  type Flight,
  type Forecast,
  type ShipSample,
  createShipSample,
} from '@orrery/client/flight'
import { FORECAST_STYLE, TrajectoryLayer } from '../../../src/lines/trajectory-layer.ts'
import { addScaled, cross, fill, normalize, vector, type Vector } from '@orrery/page-kit'
import { BODIES, FORWARD, type Scene, draw, missOfLine, pixels, scene } from './drawn-scene.ts'

const NEPTUNE = 1
const RADIUS = 3.1e7
const RATE = Math.sqrt(BODIES[NEPTUNE].gm / RADIUS ** 3)

/** Its plane is the picture's, so that the planet stays out of it. */
const RIGHT = normalize(vector(), cross(vector(), FORWARD, vector(0.1, 0.2, 1)))
const UP = cross(vector(), RIGHT, FORWARD)

/** Lattice indices: two revolutions from 0. */
const END = (64 * 4 * Math.PI) / RATE

type Placed = Pick<ShipSample, 'r' | 'v' | 'body' | 'reference'>

function stateAt(out: Placed, time: number): boolean {
  const angle = (RATE * time) / 64
  across(out.r, Math.cos(angle), Math.sin(angle), RADIUS)
  across(out.v, -Math.sin(angle), Math.cos(angle), RADIUS * RATE)
  out.body = BODIES[NEPTUNE].name
  out.reference = NEPTUNE
  return time >= 0 && time <= END
}

function across(out: Vector, right: number, up: number, size: number): void {
  fill(out, 0, 0, 0)
  addScaled(out, out, RIGHT, right * size)
  addScaled(out, out, UP, up * size)
}

const FORECAST: Forecast = {
  shipId: '',
  systemId: 'far',
  from: 0,
  to: END,
  end: 'asked',
  legs: [],
  marks: [],
  marksLeftOut: 0,
  flightLegs: [],
  deltaV: 0,
  fuel: 0,
  isExact: true,
  stateAt,
}

let shared: Scene | undefined

/** Made once: its shaders take the processor a second to compile. */
function trajectoryScene(): Scene {
  if (shared) return shared
  shared = scene()
  shared.bodies.showsOrbits = false
  shared.advance(8e8)
  const layer = new TrajectoryLayer(FORECAST_STYLE)
  layer.show(FORECAST)
  shared.view.addLayer(layer)
  return shared
}

/**
 * How far the line is from the ship [px], from distances of 1 m to 10,000 km.
 *
 * @param beside  so far the ship is from its forecast, towards the camera and up [m]
 */
export function trajectoryMisses(beside: number): number[] {
  const made = trajectoryScene()
  const shipAt = (out: ShipSample, _: string, at: number): boolean => {
    stateAt(out, at)
    addScaled(out.r, out.r, UP, beside)
    addScaled(out.r, out.r, FORWARD, -beside)
    return true
  }
  const flight = { world: { system: { bodies: BODIES }, shipAt } } as unknown as Flight
  const time = 64 * 12_345.6
  const ship = createShipSample()
  shipAt(ship, '', time)
  const around = { ...made, surroundings: { ...made.surroundings, flight, time } }
  return [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7].map((distance) => {
    const offset = addScaled(vector(), ship.r, FORWARD, -distance)
    draw(around, { body: NEPTUNE, offset }, FORWARD)
    return missOfLine(pixels(made.context))
  })
}
