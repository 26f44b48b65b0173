// Goal: the far ephemeris follows the lumped planets, is one function of the state it begins at,
// and is read like the near one. Method: the small system, its giant with two moons as one lump;
// bits compared over different ways to the same node, places with the near integration.
import {
  FAR_BEGIN_NODES,
  NODE_QUANTA,
  NODE_SECONDS,
  SRKN14A,
  type Ephemeris,
  type MassiveState,
  attachFarEphemeris,
  bodyState,
  type StateVector,
  bodyStates,
  createForceModel,
  createMassiveState,
  createStateVector,
  extendEphemeris,
  farEphemerisLength,
  farIntegration,
  farSystem,
  massiveStateAt,
  stepMassive,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'
import { smallStart, smallSystem } from './small-system.ts'

/** Nodes of the near ephemeris ahead of a running world: 16 days. */
const HORIZON_NODES = 5400

const far = farSystem(smallSystem, smallStart())
const near = massiveStateAt(smallSystem, smallStart(), FAR_BEGIN_NODES)

function ring(): Ephemeris {
  const nodes = new Float64Array(farEphemerisLength(far))
  return attachFarEphemeris(far, nodes, new Float64Array(2))
}

function fill(ephemeris: Ephemeris, from: MassiveState): void {
  const integration = farIntegration(far, from)
  extendEphemeris(integration, ephemeris, integration.head.node + far.capacity - 1)
}

function bytes({ nodes, span }: Ephemeris): Uint8Array[] {
  return [nodes, span].map((array) => new Uint8Array(array.buffer))
}

const ephemeris = ring()
fill(ephemeris, near)

/** Barycentre of the giant and its moons relative to the star [m]. */
function giant({ x, xLow }: MassiveState): number[] {
  return [0, 1, 2].map((axis) => {
    let moment = 0
    for (const body of [1, 2, 3]) {
      const at = 3 * body + axis
      moment += smallSystem.bodies[body].gm * (x[at] - x[axis] + (xLow[at] - xLow[axis]))
    }
    return moment / far.system.bodies[1].gm
  })
}

const state = createStateVector()
const { r } = state

describe('a far ephemeris', () => {
  test('lumps each planet with its moons, as a sphere at their barycentre', () => {
    expect([...far.lumps]).toEqual([0, 1, 1, 1, 2])
    expect(far.system.bodies).toEqual([
      { name: 'Star', parent: -1, gm: 1.3e20, radius: 7e8 },
      { name: 'Giant', parent: 0, gm: 1.2e17 + 6e12 + 3e12, radius: 7e7 },
      { name: 'Rock', parent: 0, gm: 4e16, radius: 6e6 },
    ])
    bodyState(state, ephemeris, 1, 0, FAR_BEGIN_NODES * NODE_QUANTA, 0)
    const place = giant(near)
    for (let axis = 0; axis < 3; axis++) expect(r[axis]).toBeCloseTo(place[axis], 3)
  })

  test('begins with the bits of a body that has no moons', () => {
    const { head } = farIntegration(far, near)
    for (const part of ['x', 'xLow', 'v', 'vLow'] as const) {
      expect(head[part].slice(0, 3), `${part} of the star`).toEqual(near[part].slice(0, 3))
      expect(head[part].slice(6), `${part} of the rock`).toEqual(near[part].slice(12))
    }
  })

  test('has nodes 2^15 s apart, four years of them until the next begins', () => {
    expect(far.nodeQuanta).toBe(2 ** 15 * 64)
    const seconds = 2 ** 15 * (far.capacity - 1) - FAR_BEGIN_NODES * NODE_SECONDS
    expect(seconds).toBeGreaterThanOrEqual(4 * 365.25 * 86400 - 2 ** 15)
  })

  test('has them nearer together where an orbit is fast', () => {
    const system = { ...smallSystem, bodies: smallSystem.bodies.slice(0, 2) }
    const start = createMassiveState(2)
    const [star, planet] = system.bodies
    start.x[3] = 1.7e9
    start.v[4] = Math.sqrt((star.gm + planet.gm) / 1.7e9)
    const period = (2 * Math.PI * 1.7e9) / start.v[4]
    const seconds = farSystem(system, start).nodeQuanta / 64
    expect(period / seconds).toBeGreaterThanOrEqual(64)
    expect(period / seconds).toBeLessThan(128)
    expect(Number.isInteger(Math.log2(seconds))).toBe(true)
  })

  test('has the same bits on any ring and for any way to its start', () => {
    const other = massiveStateAt(
      smallSystem,
      massiveStateAt(smallSystem, smallStart(), 5000),
      FAR_BEGIN_NODES,
    )
    const again = ring()
    fill(again, other)
    expect(bytes(again)).toEqual(bytes(ephemeris))
    fill(again, massiveStateAt(smallSystem, near, 2 * FAR_BEGIN_NODES))
    expect(bytes(again)).not.toEqual(bytes(ephemeris))
    fill(again, near)
    const table = states(9)
    const expected = states(9)
    for (const quanta of [0, 12_345_678, 3_000_000_000]) {
      bodyStates(table, again, 1, FAR_BEGIN_NODES * NODE_QUANTA + quanta, 0.5)
      bodyStates(expected, ephemeris, 1, FAR_BEGIN_NODES * NODE_QUANTA + quanta, 0.5)
      expect([...table.r]).toEqual([...expected.r])
    }
  })

  test('begins at multiples of 2^21 s only', () => {
    const between = massiveStateAt(smallSystem, smallStart(), 64)
    expect(() => farIntegration(far, between)).toThrow(
      expect.objectContaining({ code: 'ERR_MASSIVE_STATE' }),
    )
  })

  test('follows the near integration: its giant within 10 cm after 16 days', () => {
    const later = massiveStateAt(smallSystem, near, FAR_BEGIN_NODES + HORIZON_NODES)
    bodyState(state, ephemeris, 1, 0, later.node * NODE_QUANTA, 0)
    const place = giant(later)
    expect(Math.hypot(...place.map((value, axis) => value - r[axis]))).toBeLessThan(0.1)
  })

  test('is read between nodes within 1 mm of its own integration', () => {
    const { head } = farIntegration(far, near)
    const h = far.nodeQuanta / 64
    const model = createForceModel(far.system)
    stepMassive(model, SRKN14A, head, h / 2)
    for (const [body, { parent }] of far.system.bodies.entries()) {
      bodyState(state, ephemeris, body, parent, head.node * far.nodeQuanta, far.nodeQuanta / 2)
      for (let axis = 0; axis < 3; axis++) {
        const [own, above] = [3 * body + axis, 3 * parent + axis]
        const high = parent < 0 ? head.x[own] : head.x[own] - head.x[above]
        const low = parent < 0 ? head.xLow[own] : head.xLow[own] - head.xLow[above]
        expect(Math.abs(r[axis] - high - low)).toBeLessThan(1e-3)
      }
    }
  })
})

function states(length: number): StateVector {
  return { r: new Float64Array(length), v: new Float64Array(length) }
}
