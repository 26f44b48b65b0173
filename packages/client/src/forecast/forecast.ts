import { type Leg, type Prediction, RECORD_DOUBLES, type StarSystem } from '@orrery/sim'
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
  /** whether nothing but modules and orders to come can make the flight another, to the bit */
  readonly isExact: boolean
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

/** A forecast that is another one until it begins. */
export function joined(before: Forecast, after: Forecast): Forecast {
  const { from } = after
  const passed = before.marks.filter(({ index }) => index <= from)
  const burns = passed.filter(({ kind }) => kind === 'burn_end')
  let legs: readonly Leg[] | undefined
  return {
    ...after,
    from: before.from,
    // Of most drafts they are never read.
    get legs() {
      return (legs ??= [...before.legs.map((leg) => legUntil(leg, from)), ...after.legs])
    },
    marks: [...passed, ...after.marks],
    marksLeftOut: before.marksLeftOut + after.marksLeftOut,
    deltaV: burns.reduce((sum, { deltaV = 0 }) => sum + deltaV, 0) + after.deltaV,
    stateAt: (out, time) => (time < from ? before : after).stateAt(out, time),
  }
}

function legUntil({ body, records }: Leg, index: number): Leg {
  let end = 0
  while (records[end] < index) end += RECORD_DOUBLES
  return { body, records: records.subarray(0, end) }
}
