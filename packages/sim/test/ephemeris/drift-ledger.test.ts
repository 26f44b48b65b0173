// Goal: energy and angular momentum hold to 1e-14 when, and only when, the ledgers of zonal
// and post-Newtonian terms are counted. Method: three days of the small system; then the same
// state with empty ledgers, and with one coordinate touched.
import {
  attachEphemeris,
  createIntegration,
  createMassiveState,
  drift,
  driftAt,
  ephemerisLength,
  extendEphemeris,
  massiveInvariants,
  massiveStateAt,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'
import { book, product, quotient, squareRoot, sum } from '../../src/math/double-double.ts'
import { smallStart, smallSystem } from './small-system.ts'

describe('drift with ledgers', () => {
  const start = smallStart()
  const reference = massiveInvariants(smallSystem, start)
  const end = massiveStateAt(smallSystem, start, 1024)

  test('stays below 1e-14', () => {
    const { energy, momentum } = drift(massiveInvariants(smallSystem, end), reference)
    expect(Math.abs(energy)).toBeLessThan(1e-14)
    expect(Math.abs(momentum)).toBeLessThan(1e-14)
  })

  test('is larger without them, so that the check can fail', () => {
    const { energyWork, angularWork } = createMassiveState(smallSystem.bodies.length)
    const bare = { ...end, energyWork, angularWork }
    const { energy, momentum } = drift(massiveInvariants(smallSystem, bare), reference)
    expect(Math.abs(energy)).toBeGreaterThan(1e-13)
    expect(Math.abs(momentum)).toBeGreaterThan(1e-13)
  })

  test('has the sign of what was added or taken', () => {
    const speedUp = { ...end, v: end.v.map((value) => value * (1 + 1e-9)) }
    const faster = drift(massiveInvariants(smallSystem, speedUp), reference)
    expect(faster.energy).toBeGreaterThan(1e-10)
    expect(faster.momentum).toBeGreaterThan(1e-10)
    const slowDown = { ...end, v: end.v.map((value) => value * (1 - 1e-9)) }
    const slower = drift(massiveInvariants(smallSystem, slowDown), reference)
    expect(slower.energy).toBeLessThan(-1e-10)
    expect(slower.momentum).toBeLessThan(-1e-10)
  })

  test('is read at the anchor at or before a node', () => {
    const integration = createIntegration(smallSystem, start)
    const nodes = new Float64Array(ephemerisLength(smallSystem, 2000))
    const ephemeris = attachEphemeris(smallSystem, nodes, new Float64Array(2))
    extendEphemeris(integration, ephemeris, 1030)
    expect(driftAt(integration, 1030)).toEqual(
      drift(massiveInvariants(smallSystem, end), reference),
    )
    expect(driftAt(integration, 0)).toEqual({ energy: 0, momentum: 0 })
  })
})

describe('double-double', () => {
  test('keeps what doubles lose', () => {
    const third = quotient([1, 0], [3, 0])
    const [high, low] = sum(product(third, [3, 0]), [-1, 0])
    expect(Math.abs(high + low)).toBeLessThan(1e-31)
    const root = squareRoot([2, 0])
    const rest = sum(product(root, root), [-2, 0])
    expect(Math.abs(rest[0])).toBeLessThan(1e-30)
    const ledger = new Float64Array(2)
    for (let k = 0; k < 1000; k++) {
      book(ledger, 0, 1e16)
      book(ledger, 0, 0.1)
      book(ledger, 0, -1e16)
    }
    expect(ledger[0] + ledger[1]).toBeCloseTo(100, 12)
  })
})
