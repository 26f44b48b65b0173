/** What the instruments of the own ship show. */
import type { GameClient } from '@orrery/client'
import { type Flight, type ShipSample, createShipSample } from '@orrery/client/flight'
import { rocketSpeed } from '../space/approach.ts'
import { spinRate } from '../space/body-axes.ts'
import { type NavballModel, createNavballModel, writeNavballModel } from '../space/navball-model.ts'
import {
  addScaled,
  cross,
  dot,
  length,
  osculating,
  type Osculating,
  vector,
  type Vector,
} from '@orrery/page-kit'

export type ShipClass = Awaited<ReturnType<GameClient['shipClasses']>>['ship_classes'][number]

type Body = NonNullable<Flight['world']['system']>['bodies'][number]

/** Lengths [m], speeds [m/s], angles [rad], masses [kg]; NaN for what is not known. */
export interface OwnReadings extends Readonly<Pick<NavballModel, 'pitch' | 'heading' | 'roll'>> {
  /** of the reference body, from whose centre or mean radius all is counted */
  readonly body: string
  readonly bodyRadius: number
  readonly altitude: number
  readonly speed: number
  readonly verticalSpeed: number
  /** over the ground, which turns with the body */
  readonly groundSpeed: number
  readonly orbit: Osculating
  /** what the inclination counts from */
  readonly plane: 'equator' | 'ecliptic'
  /** [rad/s] */
  readonly turnRate: number
  /** of the wheel that has most momentum, 0 to 1 */
  readonly wheels: number
  /** 0 to 1 */
  readonly thrustLevel: number
  readonly fuel: number
  readonly fuelCapacity: number
  readonly mass: number
  readonly deltaV: number
  /** at full thrust [m/s²] */
  readonly acceleration: number
  readonly isFrozen: boolean
  readonly mode: Flight['ship']['mode']['mode']
  readonly drift: Flight['ship']['drift']
  /** until the server's clock reaches the one that is shown, which stands [s]; 0 while it runs */
  readonly waitSeconds: number
}

/** Normal of the ecliptic of J2000.0 in ICRF axes. */
const ECLIPTIC_POLE = vector(0, -0.397_777_155_931_913_7, 0.917_482_062_069_181_8)

const body = createShipSample()
const spin = vector()
const carried = vector()
const ball = createNavballModel()
const direction = vector()

/** The pole of a body's equator, or of the ecliptic for a body without one. */
export function poleOf({ oblateness }: Body): Vector {
  return oblateness ? Float64Array.from(oblateness.pole) : ECLIPTIC_POLE
}

/**
 * Reads the instruments.
 *
 * @param state  of the own ship at a lattice index
 */
export function ownReadings(
  { clock, world, ship }: Flight,
  state: ShipSample,
  time: number,
  shipClass: ShipClass | undefined,
): OwnReadings | undefined {
  const reference = world.system?.bodies[state.reference]
  if (!reference) return undefined
  const { r: position, v: velocity, attitude } = state
  const pole = poleOf(reference)
  const unknown = { target: undefined, sun: undefined, maneuver: undefined }
  writeNavballModel(ball, { attitude, position, velocity, pole, ...unknown })
  const distance = length(position)
  return {
    body: state.body,
    bodyRadius: reference.radius,
    altitude: distance - reference.radius,
    speed: length(velocity),
    verticalSpeed: dot(position, velocity) / distance,
    groundSpeed: groundSpeed(world, state, time),
    orbit: osculating({ position, velocity, gm: reference.gm }, pole),
    plane: reference.oblateness ? 'equator' : 'ecliptic',
    pitch: ball.pitch,
    heading: ball.heading,
    roll: ball.roll,
    turnRate: length(state.rate),
    wheels: Math.max(...state.wheels.map(Math.abs)),
    ...tankReadings(state, shipClass),
    isFrozen: state.isFrozen,
    mode: ship.mode.mode,
    drift: ship.drift,
    waitSeconds: clock.waitSeconds,
  }
}

/** NaN where nothing is known of how the body turns. */
function groundSpeed(world: Flight['world'], state: ShipSample, time: number): number {
  const { bodies } = world.system!
  const reference = bodies[state.reference]
  let axis = poleOf(reference)
  let rate = spinRate(reference.name)
  if (rate === undefined) {
    // As nearly all moons, it keeps one side to its parent.
    const parent = bodies[reference.parent]
    if (!parent || !world.bodyAt(body, reference.name, time, parent.name)) return NaN
    axis = cross(spin, body.r, body.v)
    rate = 1 / dot(body.r, body.r)
  }
  cross(carried, axis, state.r)
  return length(addScaled(direction, state.v, carried, -rate))
}

function tankReadings(
  { thrustLevel, fuel, payload, thrustLimit }: ShipSample,
  shipClass: ShipClass | undefined,
): Pick<OwnReadings, 'thrustLevel' | 'fuel' | 'fuelCapacity' | 'mass' | 'deltaV' | 'acceleration'> {
  const dry = (shipClass?.dry_mass ?? NaN) + payload
  const mass = dry + fuel
  return {
    thrustLevel,
    fuel,
    fuelCapacity: shipClass?.fuel_capacity ?? NaN,
    mass,
    deltaV: rocketSpeed(shipClass?.exhaust_velocity ?? NaN, { full: mass, dry }),
    acceleration: (thrustLimit * (shipClass?.thrust_max ?? NaN)) / mass,
  }
}
