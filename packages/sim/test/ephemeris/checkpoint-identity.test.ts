// Goal: a node is a function of the node before alone. Method: the same span is integrated in
// one go, over anchors, in two halves and into rings of other size; all bits are compared.
import {
  ANCHOR_NODES,
  type MassiveState,
  anchorAt,
  attachEphemeris,
  createIntegration,
  driftAt,
  ephemerisLength,
  extendEphemeris,
  massiveInvariants,
  massiveStateAt,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'
import { smallStart, smallSystem } from './small-system.ts'

function bits(state: MassiveState): Uint8Array[] {
  const { x, v, xLow, vLow, energyWork, angularWork } = state
  return [x, v, xLow, vLow, energyWork, angularWork].map((array) => new Uint8Array(array.buffer))
}

function ring(capacity: number) {
  const nodes = new Float64Array(ephemerisLength(smallSystem, capacity))
  return attachEphemeris(smallSystem, nodes, new Float64Array(2))
}

describe('checkpoint identity', () => {
  test('stepping over an anchor gives the bits of starting from it', () => {
    const integration = createIntegration(smallSystem, smallStart())
    const whole = ring(400)
    extendEphemeris(integration, whole, 300)
    const anchor = anchorAt(integration, 200)
    expect(anchor.node).toBe(3 * ANCHOR_NODES)
    const restored = createIntegration(smallSystem, anchor, integration.reference)
    const rest = ring(400)
    extendEphemeris(restored, rest, 250)
    extendEphemeris(restored, rest, 300)
    expect(bits(restored.head)).toEqual(bits(integration.head))
    expect([...rest.span]).toEqual([192, 300])
    const perNode = ephemerisLength(smallSystem, 1)
    const tail = (from: typeof whole) => from.nodes.slice(192 * perNode, 301 * perNode)
    expect(tail(rest)).toEqual(tail(whole))
    expect(driftAt(restored, 300)).toEqual(driftAt(integration, 300))
    expect(bits(massiveStateAt(smallSystem, smallStart(), 300))).toEqual(bits(integration.head))
  })

  test('anchors reach back to the ring and no further', () => {
    const start = massiveStateAt(smallSystem, smallStart(), 10)
    const integration = createIntegration(smallSystem, start)
    const small = ring(100)
    extendEphemeris(integration, small, 50)
    expect(anchorAt(integration, 50).node).toBe(10)
    expect(() => anchorAt(integration, 9)).toThrow(
      expect.objectContaining({ code: 'ERR_EPHEMERIS_SPAN' }),
    )
    extendEphemeris(integration, small, 400)
    expect([...small.span]).toEqual([301, 400])
    expect(anchorAt(integration, 301).node).toBe(256)
    expect(anchorAt(integration, 400).node).toBe(384)
    expect(bits(anchorAt(integration, 330))).toEqual(
      bits(massiveStateAt(smallSystem, smallStart(), 320)),
    )
    expect(integration.anchors.length).toBeLessThanOrEqual(4)
  })

  test('there and back ends within a micrometre of the start', () => {
    const there = massiveStateAt(smallSystem, smallStart(), -500)
    const back = massiveStateAt(smallSystem, there, 0)
    const start = smallStart()
    for (let i = 0; i < start.x.length; i++) {
      const error = back.x[i] - start.x[i] + (back.xLow[i] - start.xLow[i])
      expect(Math.abs(error)).toBeLessThan(1e-6)
    }
  })

  test('a state that does not fit is refused', () => {
    const wrong = { ...smallStart(), node: 0.5 }
    const refused = expect.objectContaining({ code: 'ERR_MASSIVE_STATE' })
    expect(() => createIntegration(smallSystem, wrong)).toThrow(refused)
    expect(() => createIntegration(smallSystem, wrong)).toThrow(
      'A state of 5 bodies at node 0.5 does not fit Small.',
    )
    expect(() => massiveStateAt(smallSystem, smallStart(), 0.5)).toThrow(refused)
    expect(massiveInvariants(smallSystem, smallStart()).length).toBe(8)
  })
})
