/** Laws of equinoctial elements: they give back their state, and Gauss' rates are their rates. */
import {
  ELEMENTS,
  SLOW_ELEMENTS,
  createStateVector,
  equinoctialElements,
  equinoctialState,
  gaussRates,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { GM } from '../field/two-body-field.ts'

/** Circular and equatorial, eccentric, steep, nearly retrograde, hyperbolic. */
const STATES = [
  { r: [7e6, 0, 0], v: [0, Math.sqrt(GM / 7e6), 0] },
  { r: [7e6, -2e6, 3e5], v: [1200, 8600, -700] },
  { r: [-1e6, 2e7, 9e6], v: [-300, 900, 4100] },
  { r: [9e6, 1e6, 1e6], v: [100, -6500, 1500] },
  { r: [8e6, 3e6, -4e6], v: [-5000, 9000, 3000] },
].map(({ r, v }) => ({ r: Float64Array.from(r), v: Float64Array.from(v) }))

it('gives back the state', () => {
  const elements = new Float64Array(ELEMENTS)
  const again = createStateVector()
  for (const state of STATES) {
    equinoctialElements(elements, state, GM)
    equinoctialState(again, elements, GM)
    for (let i = 0; i < 3; i++) {
      expect(Math.abs(again.r[i] - state.r[i])).toBeLessThan(1e-14 * Math.hypot(...state.r))
      expect(Math.abs(again.v[i] - state.v[i])).toBeLessThan(1e-14 * Math.hypot(...state.v))
    }
  }
})

it('has the rates of small changes of velocity', () => {
  const elements = new Float64Array(ELEMENTS)
  const rates = new Float64Array(3 * SLOW_ELEMENTS)
  for (const { r, v } of STATES) {
    equinoctialElements(elements, { r, v }, GM)
    gaussRates(rates, elements, elements[5], elements[6], GM)
    for (const [axis, direction] of radialFrame(r, v).entries()) {
      const kick = 1e-3
      const [above, below] = [kick, -kick].map((dv) => {
        const out = new Float64Array(ELEMENTS)
        equinoctialElements(out, { r, v: v.map((x, i) => x + dv * direction[i]) }, GM)
        return out
      })
      for (let i = 0; i < SLOW_ELEMENTS; i++) {
        const change = (above[i] - below[i]) / (2 * kick)
        const scale = i === 0 ? Math.abs(elements[0]) : 1
        expect(Math.abs(rates[3 * i + axis] - change)).toBeLessThan(1e-11 * scale)
      }
    }
  }
})

/** Unit vectors: radial, transverse, normal. */
function radialFrame(r: Float64Array, v: Float64Array): number[][] {
  const normal = product([...r], [...v])
  return [[...r], product(normal, [...r]), normal].map((axis) =>
    axis.map((x) => x / Math.hypot(...axis)),
  )
}

function product([ax, ay, az]: number[], [bx, by, bz]: number[]): number[] {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}
