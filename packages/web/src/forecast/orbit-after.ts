/** The orbit that a forecast leaves a ship in. */
import { type Forecast, createShipSample } from '@orrery/client/flight'
import { osculating, vector } from '@orrery/page-kit'

export interface Body {
  readonly name: string
  /** [m] */
  readonly radius: number
  /** [m³/s²] */
  readonly gm: number
}

/** Altitudes of the osculating orbit when the last burn ends [m]. */
export interface OrbitAfter {
  readonly body: string
  /** Infinity where the ship leaves the body */
  readonly apoapsis: number
  readonly periapsis: number
}

/** Apsides do not depend on the plane. */
const ANY_POLE = vector(0, 0, 1)

const state = createShipSample()

/** Undefined where no burn ends, or the ship docks or runs into something afterwards. */
export function orbitAfter(
  forecast: Pick<Forecast, 'marks' | 'end' | 'stateAt'>,
  bodies: readonly Body[],
): OrbitAfter | undefined {
  const { marks, end } = forecast
  const burn = marks.findLast(({ kind }) => kind === 'burn_end')
  const isBound = end !== 'impact' && !marks.some(({ kind }) => kind === 'docked')
  if (!burn || !isBound || !forecast.stateAt(state, burn.index)) return undefined
  const { name, radius, gm } = bodies[state.reference]
  const orbit = osculating({ position: state.r, velocity: state.v, gm }, ANY_POLE)
  return { body: name, apoapsis: orbit.apoapsis - radius, periapsis: orbit.periapsis - radius }
}
