// Goal: force and method are right where energy is blind: moons stand where an implicit method
// of order 16 puts them, and each force is the one written down. Method: half a day of the
// small system by both methods; the zonal and post-Newtonian accelerations of one pair against
// numeric gradients and the textbook formula.
import {
  GL16,
  NODE_SECONDS,
  SRKN14A,
  type StarSystem,
  createCollocationScratch,
  createForceModel,
  createMassiveState,
  stepCollocation,
  stepMassive,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'
import { accelerate, addPostNewtonian } from '../../src/ephemeris/force-model.ts'
import { smallStart, smallSystem } from './small-system.ts'

describe('cross-check', () => {
  test('moons agree with Gauss-Legendre 16 to 0.1 mm after half a day', () => {
    const model = createForceModel(smallSystem)
    const scratch = createCollocationScratch(GL16, smallSystem.bodies.length)
    const explicit = smallStart()
    const implicit = smallStart()
    for (let k = 0; k < 168; k++) stepMassive(model, SRKN14A, explicit, NODE_SECONDS)
    for (let k = 0; k < 84; k++) stepCollocation(scratch, model, GL16, implicit, 2 * NODE_SECONDS)
    for (let i = 0; i < explicit.x.length; i++) {
      const difference = explicit.x[i] - implicit.x[i] + (explicit.xLow[i] - implicit.xLow[i])
      expect(Math.abs(difference)).toBeLessThan(1e-4)
    }
  })

  test('zonal force is minus the gradient of the zonal potential, both ways', () => {
    const pole = [0.48, 0.6, 0.64] as const
    const system: StarSystem = {
      id: 'zonal',
      name: 'Zonal',
      position: [0, 0, 0],
      bodies: [
        {
          name: 'Oblate',
          parent: -1,
          gm: 2,
          radius: 1,
          oblateness: { referenceRadius: 1, j2: 0.1, j4: -0.05, pole },
        },
        { name: 'Sphere', parent: 0, gm: 3, radius: 1 },
      ],
    }
    const potential = (d: readonly number[]): number => {
      const r = Math.hypot(...d)
      const s = (d[0] * pole[0] + d[1] * pole[1] + d[2] * pole[2]) / r
      const p2 = 1.5 * s * s - 0.5
      const p4 = (35 * s * s * s * s - 30 * s * s + 3) / 8
      return (-2 / r) * (1 - (0.1 / (r * r)) * p2 + (0.05 / (r * r * r * r)) * p4)
    }
    const model = createForceModel(system)
    const place = [1.5, -0.7, 1.1]
    accelerate(model, Float64Array.from([0, 0, 0, ...place]), new Float64Array(6))
    for (let axis = 0; axis < 3; axis++) {
      const at = (step: number): number =>
        potential(place.map((value, i) => (i === axis ? value + step : value)))
      const gradient = (8 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3
      expect(model.a[3 + axis]).toBeCloseTo(-gradient, 9)
      expect(model.a[axis]).toBeCloseTo((3 / 2) * gradient, 9)
    }
  })

  test('post-Newtonian term advances the pericentre by 6πGM/(c²a(1-e²)) per orbit', () => {
    const gm = 1.3e20
    const system: StarSystem = {
      id: 'mercury',
      name: 'Mercury',
      position: [0, 0, 0],
      bodies: [
        { name: 'Star', parent: -1, gm, radius: 7e8 },
        { name: 'Planet', parent: 0, gm: 1, radius: 1e6 },
      ],
    }
    const [a, e] = [5e10, 0.2]
    const state = createMassiveState(2)
    state.x[3] = a * (1 - e)
    state.v[4] = Math.sqrt((gm / a) * ((1 + e) / (1 - e)))
    const model = createForceModel(system)
    const period = 2 * Math.PI * Math.sqrt((a * a * a) / gm)
    const laplace = (): number => {
      const [x, y] = [state.x[3] - state.x[0], state.x[4] - state.x[1]]
      const [vx, vy] = [state.v[3] - state.v[0], state.v[4] - state.v[1]]
      const r = Math.hypot(x, y)
      const h = x * vy - y * vx
      return Math.atan2((-vx * h) / gm - y / r, (vy * h) / gm - x / r)
    }
    const before = laplace()
    for (let k = 0; k < 2000; k++) stepMassive(model, SRKN14A, state, (10 * period) / 2000)
    const expected = (10 * 6 * Math.PI * gm) / (299792458 * 299792458 * a * (1 - e * e))
    expect((laplace() - before) / expected).toBeCloseTo(1, 3)
  })

  test('a force is the same however a place is split into its high and low parts', () => {
    const { v, x } = smallStart()
    const high = x.map((value) => Math.round(value))
    // Whole numbers, so that sums and differences are exact.
    const low = high.map((_, i) => 1000 + 97 * i * i)
    const forces = [
      { x: high, xLow: low },
      { x: high.map((value, i) => value + low[i]), xLow: new Float64Array(high.length) },
    ].map(({ x, xLow }) => {
      const model = createForceModel(smallSystem)
      accelerate(model, x, xLow)
      addPostNewtonian(model, v, 8)
      return [...model.a, ...model.torque, ...model.power]
    })
    expect(forces[0]).toEqual(forces[1])
  })

  test('without speed of its own the root takes the reaction of the post-Newtonian term', () => {
    const model = createForceModel(smallSystem)
    const start = smallStart()
    accelerate(model, start.x, start.xLow)
    const newton = Float64Array.from(model.a)
    addPostNewtonian(model, start.v, 0)
    for (let axis = 0; axis < 3; axis++) {
      let force = 0
      for (const [body, { gm }] of smallSystem.bodies.entries()) {
        force += gm * (model.a[3 * body + axis] - newton[3 * body + axis])
      }
      const scale = smallSystem.bodies[1].gm * Math.abs(newton[3])
      expect(Math.abs(force) / scale).toBeLessThan(1e-12)
    }
  })
})
