/** What the first voyage goes by: the view, the ship and its target at one moment. */
import { createShipSample } from '@orrery/client/flight'
import { angleBetween, vector } from '@orrery/page-kit'
import type { Game } from '../game/game.ts'
import { turned } from '../space/attitude.ts'
import type { Stage } from '../view/stage.ts'

/** Lengths [m], speeds [m/s], angles [rad]; NaN for what is not known. */
export interface Seen {
  /** of the camera about what it looks at */
  readonly yaw: number
  readonly pitch: number
  /** between the nose and the flight, and the way up */
  readonly offPrograde: number
  readonly offVertical: number
  /** 0 to 1 */
  readonly thrust: number
  /** as the server states it: while game time hurries, the page is far ahead */
  readonly body: string
  /** over the mean radius, of the osculating orbit */
  readonly apoapsis: number
  /** of the mean orbit, as the server states it */
  readonly meanApoapsis: number
  readonly meanPeriapsis: number
  readonly hasStation: boolean
  /** to the target's hull */
  readonly clearance: number
  /** of the target */
  readonly relativeSpeed: number
  /** to the middle of a maneuver's target, as the server states it */
  readonly approach: number
  readonly isDocked: boolean
  /** 0 to 1 */
  readonly fuelShare: number
}

const state = createShipSample()
const nose = vector()
const X = vector(1, 0, 0)

/** Undefined while nothing is known of the ship. */
export function seenNow(game: Game, stage: Stage): Seen | undefined {
  const { own, target } = game.readings.value ?? {}
  const { flight } = game.session.value ?? {}
  const stated = game.doing.ship.value
  const mean = stated?.mean_orbit
  if (!own || !mean || !flight?.world.shipAt(state, flight.ship.id, flight.clock.now())) {
    return undefined
  }
  const { yaw, pitch } = stage.outlook.aim
  turned(nose, state.attitude, X)
  return {
    yaw,
    pitch,
    offPrograde: angleBetween(nose, state.v),
    offVertical: angleBetween(nose, state.r),
    thrust: own.thrustLevel,
    body: stated.reference_body,
    apoapsis: own.orbit.apoapsis - own.bodyRadius,
    meanApoapsis: mean.apoapsis_altitude ?? Infinity,
    meanPeriapsis: mean.periapsis_altitude,
    hasStation: game.target.value?.kind === 'station',
    clearance: target?.clearance ?? NaN,
    relativeSpeed: target?.relativeSpeed ?? NaN,
    approach: stated.maneuver?.distance ?? NaN,
    isDocked: game.doing.dockedAt.value !== undefined,
    fuelShare: own.fuel / own.fuelCapacity,
  }
}
