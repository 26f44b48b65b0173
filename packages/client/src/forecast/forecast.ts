import type { Prediction, StarSystem } from '@orrery/sim'
import { ARC, ARC_DOUBLES, arcState } from '../scene/arc.ts'
import type { FlownAhead } from './forecaster.ts'
import type { ShipSample } from '../scene/world.ts'

/** Where a ship is, relative to a body that it names. */
export type ForecastState = Pick<ShipSample, 'r' | 'v' | 'body' | 'reference'>

/**
 * What a ship will fly: until `to`, with what is marked on the way, by lattice indices. `legs` are
 * 2,000 states at most, to draw a line by cubics; `stateAt` is as exact as the flight.
 */
export interface Forecast extends Prediction {
  /** whether nothing but orders to come can make the flight another, to the bit */
  readonly isExact: boolean
  /** how many steps there are */
  readonly steps: number
  /**
   * Writes the state at a time; false outside of `from` to `to`. Nothing is allocated.
   *
   * @param time  lattice index, need not be whole
   */
  stateAt(out: ForecastState, time: number): boolean
}

/** A forecast as programs read it. */
export function readForecast(
  { arcs, ...flown }: FlownAhead,
  { bodies }: StarSystem,
  isExact: boolean,
): Forecast {
  const steps = arcs.length / ARC_DOUBLES
  // Neighbouring times mostly share a step.
  let last = 0
  const startOf = (step: number): number =>
    step < steps ? arcs[ARC_DOUBLES * step + ARC.start] : Infinity
  return {
    ...flown,
    isExact,
    steps,
    stateAt: (out, time) => {
      if (!(time >= flown.from && time <= flown.to)) return false
      if (!(startOf(last) <= time && time < startOf(last + 1))) {
        let low = 0
        let high = steps
        while (high - low > 1) {
          const middle = (low + high) >>> 1
          if (startOf(middle) <= time) low = middle
          else high = middle
        }
        last = low
      }
      const at = ARC_DOUBLES * last
      out.reference = arcs[at + ARC.reference]
      const { gm, name } = bodies[out.reference]
      out.body = name
      arcState(out, arcs, at, gm, time)
      return true
    },
  }
}
