// Goal: between nodes the ephemeris is within a millimetre of the integration, and reading it
// is one consistent function of time, reference and thread. Method: a small system; the state
// between two nodes is made by integrating from the node before with half the step.
import {
  NODE_QUANTA,
  NODE_SECONDS,
  SRKN14A,
  type Ephemeris,
  attachEphemeris,
  bodyState,
  type StateVector,
  bodyStates,
  copyMassiveState,
  createForceModel,
  createIntegration,
  createMassiveState,
  createStateVector,
  ephemerisLength,
  extendEphemeris,
  massiveStateAt,
  stepMassive,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'
import { groupMomentum } from '../../src/ephemeris/moon-group.ts'
import { smallStart, smallSystem } from './small-system.ts'

const COUNT = smallSystem.bodies.length

function shared(doubles: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8 * doubles))
}

function filled(capacity: number, lastNode: number): Ephemeris {
  const nodes = shared(ephemerisLength(smallSystem, capacity))
  const ephemeris = attachEphemeris(smallSystem, nodes, shared(2))
  extendEphemeris(createIntegration(smallSystem, smallStart()), ephemeris, lastNode)
  return ephemeris
}

const ephemeris = filled(100, 99)
const seen = createStateVector()
const { r, v } = seen

describe('dense output', () => {
  test('is within 1 mm and 10 µm/s of the integration between nodes', () => {
    const model = createForceModel(smallSystem)
    for (const node of [0, 41, 97]) {
      const state = createMassiveState(COUNT)
      copyMassiveState(state, massiveStateAt(smallSystem, smallStart(), node))
      stepMassive(model, SRKN14A, state, NODE_SECONDS / 2)
      for (const [body, { parent }] of smallSystem.bodies.entries()) {
        bodyState(seen, ephemeris, body, parent, node * NODE_QUANTA, NODE_QUANTA / 2)
        for (let axis = 0; axis < 3; axis++) {
          const own = 3 * body + axis
          const above = 3 * parent + axis
          const x = parent < 0 ? state.x[own] : state.x[own] - state.x[above]
          const xLow = parent < 0 ? state.xLow[own] : state.xLow[own] - state.xLow[above]
          const speed = parent < 0 ? state.v[own] : state.v[own] - state.v[above]
          expect(Math.abs(r[axis] - (x + xLow))).toBeLessThan(1e-3)
          expect(Math.abs(v[axis] - speed)).toBeLessThan(1e-5)
        }
      }
    }
  })

  test('is exactly the node at a node', () => {
    const state = massiveStateAt(smallSystem, smallStart(), 7)
    bodyState(seen, ephemeris, 0, -1, 7 * NODE_QUANTA, 0)
    expect([...r]).toEqual([...state.x.subarray(0, 3)])
    expect([...v]).toEqual([...state.v.subarray(0, 3)])
  })

  test('depends on the sum of index and offset alone', () => {
    const other = createStateVector()
    for (const offset of [-40000, -1, 0.375, 5, 16383, 16384, 54321]) {
      const n = 50 * NODE_QUANTA
      bodyState(seen, ephemeris, 2, 4, n, offset)
      bodyState(other, ephemeris, 2, 4, n + Math.floor(offset), offset % 1)
      expect([...other.r, ...other.v]).toEqual([...r, ...v])
    }
  })

  test('the momentum of an orbit is r × v, and its rate is what changes it', () => {
    const INNER = 2
    const out = new Float64Array(6)
    const momentumAt = (n: number): Float64Array => {
      groupMomentum(out, ephemeris, INNER, n, 0)
      return out.slice(0, 3)
    }
    for (const n of [50 * NODE_QUANTA, 333_333]) {
      bodyState(seen, ephemeris, INNER, 1, n, 0)
      const [x, y, z] = momentumAt(n)
      const size = Math.hypot(x, y, z)
      expect(Math.abs(x - (r[1] * v[2] - r[2] * v[1])) / size).toBeLessThan(1e-12)
      expect(Math.abs(y - (r[2] * v[0] - r[0] * v[2])) / size).toBeLessThan(1e-12)
      expect(Math.abs(z - (r[0] * v[1] - r[1] * v[0])) / size).toBeLessThan(1e-12)
      const [rate, before, after] = [out.slice(3), momentumAt(n - 64), momentumAt(n + 64)]
      const miss = rate.map((value, axis) => value - (after[axis] - before[axis]) / 2)
      expect(Math.hypot(...miss) / Math.hypot(...rate)).toBeLessThan(1e-4)
    }
  })

  test('tables agree with single states for every reference', () => {
    const table = states(3 * COUNT)
    for (let reference = -1; reference < COUNT; reference++) {
      bodyStates(table, ephemeris, reference, 333333, 0.5)
      for (let body = 0; body < COUNT; body++) {
        bodyState(seen, ephemeris, body, reference, 333333, 0.5)
        for (let axis = 0; axis < 3; axis++) {
          expect(Math.abs(table.r[3 * body + axis] - r[axis])).toBeLessThan(3e-4)
        }
      }
    }
  })

  test('a body has zero distance and speed from itself', () => {
    bodyState(seen, ephemeris, 3, 3, 333333, 0.5)
    expect([...r, ...v]).toEqual([0, 0, 0, 0, 0, 0])
  })

  test('a second view of the same memory reads the same bits', () => {
    const again = attachEphemeris(smallSystem, ephemeris.nodes, ephemeris.span)
    const tables = [ephemeris, again].map((source) => {
      const table = states(3 * COUNT)
      bodyStates(table, source, 2, 1234567, 0.25)
      return [...table.r]
    })
    expect(tables[1]).toEqual(tables[0])
  })

  test('refuses what the ring does not hold', () => {
    const small = filled(8, 20)
    expect([...small.span]).toEqual([13, 20])
    const table = states(3 * COUNT)
    const read = (node: number) => () => bodyStates(table, small, 0, node * NODE_QUANTA, 0)
    const outside = expect.objectContaining({ code: 'ERR_EPHEMERIS_SPAN' })
    expect(read(12)).toThrow(outside)
    expect(read(20)).toThrow(outside)
    expect(() => bodyState(seen, small, 0, -1, NaN, 0)).toThrow(outside)
    expect(read(20)).toThrow('Node 20 of Small lies outside 13 to 19.')
    expect(read(13)).not.toThrow()
    expect(read(19)).not.toThrow()
    const empty = attachEphemeris(smallSystem, shared(ephemerisLength(smallSystem, 4)), shared(2))
    expect(() => bodyStates(table, empty, 0, 0, 0)).toThrow(outside)
    const short = shared(7)
    expect(() => attachEphemeris(smallSystem, short, shared(2))).toThrow(
      expect.objectContaining({ code: 'ERR_EPHEMERIS_BUFFER' }),
    )
  })
})

function states(length: number): StateVector {
  return { r: new Float64Array(length), v: new Float64Array(length) }
}
