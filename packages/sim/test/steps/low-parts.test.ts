/**
 * Law: a step carries the low parts of position and velocity. Method: the same ship with and
 * without a low part, one step each; their ends are as far apart as the low part takes them.
 * What a low velocity adds in one step is less than the rounding of the step's own motion, so
 * it shows in the mean over many ships. It enters by the first kick; what a drift adds of it
 * is a rounding error without a mean, which no law can show.
 */
import { type Flight, SRKN11B } from '@orrery/sim'
import { expect, it } from 'vitest'
import { dice } from '../hull.ts'
import { launchAt, twoBodyFlight } from '../field/two-body-field.ts'
import { stepAlone } from '../ships/orbits.ts'

const SEED = 77
const SECONDS = 32
const SHIPS = 2000

/** A last bit of a coordinate near 7e6 m, and of a speed near 7 km/s. */
const PLACE_BIT = 2 ** -30
const SPEED_BIT = 2 ** -40

it('ends as far along as the low part of its position', () => {
  expect(meanGain('positionLow', PLACE_BIT / 2)).toBeCloseTo(1, 1)
})

it('ends as far along as the low part of its velocity takes it', () => {
  expect(meanGain('velocityLow', SPEED_BIT / 2) / SECONDS).toBeCloseTo(1, 1)
})

/** What a low part adds to the end of a step along its own axis, per unit of it; the mean. */
function meanGain(name: 'positionLow' | 'velocityLow', size: number): number {
  const random = dice(SEED)
  const flight = twoBodyFlight(SECONDS)
  let sum = 0
  for (let i = 0; i < SHIPS; i++) {
    const up = random.direction(3)
    const course = random.direction(3)
    launchAt(
      flight,
      0,
      up.map((x) => 7e6 * x),
      course.map((x) => 7e3 * x),
    )
    const [without, with_] = [0, 1].map((share) => {
      for (let axis = 0; axis < 3; axis++) flight.state.ships[name][axis] = share * size
      return endOf(flight)
    })
    for (let axis = 0; axis < 3; axis++) {
      const high = with_.high[axis] - without.high[axis]
      sum += (high + with_.low[axis] - without.low[axis]) / size
    }
  }
  return sum / (3 * SHIPS)
}

function endOf(flight: Flight): { high: Float64Array; low: Float32Array } {
  const { ships } = flight.state
  stepAlone(flight, 0, SRKN11B, 0, 64 * SECONDS)
  return { high: ships.endPosition.slice(0, 3), low: ships.endPositionLow.slice(0, 3) }
}
