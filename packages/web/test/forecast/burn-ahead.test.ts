// Law: the direction of a burn is that of its thrust, whatever else pulls. Method: a flight by
// small steps about a body, with thrust from a moment on.
import type { Forecast } from '@orrery/client/flight'
import { expect, test } from 'vitest'
import { burnAhead } from '../../src/forecast/burn-ahead.ts'
import { angleBetween, length, vector, type Vector } from '@orrery/page-kit'

const GM = 3.986e14
const BEGIN = 6400
const STEPS = 64

type Marks = Forecast['marks']

/** A low orbit with thrust [m/s²] from `BEGIN` on. */
function flight(thrust: Vector, marks: Marks): Pick<Forecast, 'marks' | 'stateAt'> {
  const stateAt: Forecast['stateAt'] = (out, time) => {
    out.r.set([7e6, 0, 0])
    out.v.set([0, 7000, 2800])
    out.reference = 0
    const seconds = (time - BEGIN) / 64
    const h = seconds / STEPS
    for (let i = 0; i < STEPS; i++) {
      for (let k = 0; k < 3; k++) out.r[k] += (h / 2) * out.v[k]
      const pull = GM / length(out.r) ** 3
      for (let k = 0; k < 3; k++) out.v[k] += h * (thrust[k] - pull * out.r[k])
      for (let k = 0; k < 3; k++) out.r[k] += (h / 2) * out.v[k]
    }
    return true
  }
  return { marks, stateAt }
}

test.each([
  [vector(0, 10, 0), 1280],
  [vector(-3, 4, 8), 1280],
  [vector(0.1, 0, -0.2), 16],
])('thrust of %j is known in advance', (thrust, quanta) => {
  const marks: Marks = [
    { kind: 'burn_begin', index: BEGIN - 999 },
    { kind: 'burn_end', index: BEGIN - 900, deltaV: 5 },
    { kind: 'apoapsis', index: BEGIN - 1 },
    { kind: 'burn_begin', index: BEGIN },
    { kind: 'burn_end', index: BEGIN + quanta, deltaV: 123 },
  ]
  const known = flight(thrust, marks)
  // After the burn the ship falls again.
  const stateAt: Forecast['stateAt'] = (out, time) =>
    time <= BEGIN + quanta && known.stateAt(out, time)
  const burn = burnAhead({ marks, stateAt }, BEGIN - 500, [{ gm: GM }])
  expect(burn).toMatchObject({ begin: BEGIN, deltaV: 123 })
  expect(angleBetween(burn!.direction, thrust)).toBeLessThan(1e-4)
  expect(length(burn!.direction) / length(thrust)).toBeCloseTo(1, 4)
})

test('a burn under way is not ahead, and one without an end has no Δv', () => {
  const marks: Marks = [{ kind: 'burn_begin', index: BEGIN }]
  const thrown = flight(vector(1, 0, 0), marks)
  expect(burnAhead(thrown, BEGIN + 1, [{ gm: GM }])).toBeUndefined()
  expect(burnAhead(thrown, BEGIN - 1, [{ gm: GM }])?.deltaV).toBeNaN()
})

test('a forecast that does not reach into the burn has none', () => {
  const marks: Marks = [{ kind: 'burn_begin', index: BEGIN }]
  const known = flight(vector(1, 0, 0), marks)
  for (const end of [BEGIN - 1, BEGIN]) {
    const stateAt: Forecast['stateAt'] = (out, time) => time <= end && known.stateAt(out, time)
    expect(burnAhead({ marks, stateAt }, 0, [{ gm: GM }])).toBeUndefined()
  }
  expect(burnAhead(known, 0, [])?.direction[0]).toBeNaN()
  expect(burnAhead(known, BEGIN, [{ gm: GM }])).toBeUndefined()
})
