/**
 * Law: massive bodies are made once for all forecasts of a star system, and for 16 days while
 * nothing is asked; the steps of a flight are kept, however many. Method: both parts alone.
 */
import { COURIER, NODE_QUANTA } from '@orrery/sim'
import { launchAt, twoBodyFlight } from '@orrery/sim/testing/two-body-field'
import { expect, test } from 'vitest'
import { ForecastArcs } from '../../src/forecast/forecast-arcs.ts'
import type { ForecastPlace } from '../../src/forecast/forecast-place.ts'
import { Forecaster } from '../../src/forecast/forecaster.ts'
import { ARC, ARC_DOUBLES } from '../../src/scene/arc.ts'
import { PAIR, pairAt } from '../flight/sent-frames.ts'

const HORIZON = 5400
const SLICE = 64
const place = (entered: number, node: number): ForecastPlace => {
  return {
    entered,
    system: PAIR,
    classes: [COURIER],
    home: 0,
    spheres: [],
    start: pairAt(node),
    objects: [],
  }
}
const indexOf = (node: number): number => NODE_QUANTA * node + 5

test('bodies are kept until others are needed', () => {
  const forecaster = new Forecaster()
  const first = forecaster.enter(place(1, 8), indexOf(10))
  expect(forecaster.prepare()).toBe(true)
  expect([...first.span]).toEqual([8, 8 + SLICE])
  // The same start, the last that is known, and an older one of around the first.
  for (const node of [8, 8 + SLICE, 2]) {
    expect(forecaster.enter(place(1, node), indexOf(Math.max(10, node + 2)))).toBe(first)
  }
  const gap = forecaster.enter(place(1, 9 + SLICE), indexOf(11 + SLICE))
  expect(gap).not.toBe(first)
  expect(forecaster.prepare()).toBe(true)
  const earlier = forecaster.enter(place(1, 8 + SLICE), indexOf(10 + SLICE))
  expect(earlier).not.toBe(gap)
  expect(forecaster.prepare()).toBe(true)
  expect(forecaster.enter(place(2, 8 + SLICE), indexOf(10 + SLICE))).not.toBe(earlier)
})

test('bodies are made for 16 days, in small parts', () => {
  const forecaster = new Forecaster()
  expect(forecaster.prepare()).toBe(false)
  const { span } = forecaster.enter(place(1, 8), indexOf(10))
  let parts = 0
  for (let before = 8; forecaster.prepare(); parts++) {
    expect(span[1] - before).toBeLessThanOrEqual(SLICE)
    before = span[1]
  }
  expect([span[1], parts]).toEqual([10 + HORIZON, Math.ceil((HORIZON + 2) / SLICE)])
  expect(span[0]).toBe(8)
  forecaster.enter(place(1, 9), indexOf(11))
  expect([forecaster.prepare(), span[1], forecaster.prepare()]).toEqual([true, 11 + HORIZON, false])
})

test('as many steps are kept as there are', () => {
  const SLOT = 7
  const STEPS = 2500
  const flight = twoBodyFlight(100)
  launchAt(flight, SLOT, [7e6, 0, 0], [0, 7500, 0])
  const stage = { ...flight, flight }
  const { ships } = flight.state
  const arcs = new ForecastArcs()
  for (let step = 0; step < STEPS; step++) {
    ships.stepStart[SLOT] = step
    ships.endVelocity[3 * SLOT + 2] = -step
    arcs.add(stage, SLOT)
  }
  const values = arcs.values()
  expect(values.length).toBe(STEPS * ARC_DOUBLES)
  for (let step = 0; step < STEPS; step++) {
    const at = step * ARC_DOUBLES
    expect([values[at + ARC.start], values[at + ARC.v1 + 2]]).toEqual([step, -step])
  }
})
