// Goal: the checkpoint file is what the program makes, whole and readable, and refused when it
// is not. Method: the span before J2000, at night the last one too, is integrated again and
// compared bit for bit, a digest of the inputs with the one in the header; the header is damaged
// in every field that is checked.
import { readFileSync } from 'node:fs'
import {
  CHECKPOINT_NODES,
  STAR_SYSTEMS,
  checkpointAtOrBefore,
  checkpointBytes,
  checkpointInputs,
  checkpointTowards,
  checkpointsUrl,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import { type MassiveState, drift, massiveInvariants, massiveStateAt } from '@orrery/sim'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { describe, expect, test } from 'vitest'

const bytes = new Uint8Array(readFileSync(checkpointsUrl))
const checkpoints = parseCheckpoints(bytes)
const LAST = checkpoints.firstNode + (checkpoints.count - 1) * checkpoints.spacing

function bits(state: MassiveState): Uint8Array[] {
  const { x, v, xLow, vLow, energyWork, angularWork } = state
  return [x, v, xLow, vLow, energyWork, angularWork].map((array) => new Uint8Array(array.buffer))
}

describe('checkpoints', () => {
  test('cover 1990 to 2050 in steps of 2^21 s', () => {
    expect(checkpoints).toMatchObject({ bodies: 34, count: 918, spacing: CHECKPOINT_NODES })
    const yearNodes = (365.25 * 86400) / 256
    expect(checkpoints.firstNode - checkpoints.spacing).toBeLessThan(-10 * yearNodes)
    expect(LAST + checkpoints.spacing).toBeGreaterThan(51 * yearNodes)
    expect(bits(checkpointAtOrBefore(checkpoints, 0))).toEqual(bits(solStateJ2000()))
  })

  test.runIf(IS_NIGHT)('the last span is remade bit for bit', () => {
    const before = checkpointAtOrBefore(checkpoints, LAST - 1)
    expect(before.node).toBe(LAST - CHECKPOINT_NODES)
    const remade = massiveStateAt(solSystem, before, LAST)
    expect(bits(remade)).toEqual(bits(checkpointAtOrBefore(checkpoints, LAST)))
  })

  test.runIf(IS_NIGHT)('the span before J2000 is remade backward bit for bit', () => {
    const remade = massiveStateAt(solSystem, solStateJ2000(), -CHECKPOINT_NODES)
    const stored = checkpointTowards(checkpoints, -CHECKPOINT_NODES)
    expect(bits(remade)).toEqual(bits(stored))
  })

  test.each(STAR_SYSTEMS)(
    'of $system.name were made from the constants, start state and physics of today',
    ({ system, startState, checkpointsUrl: url }) => {
      const { inputs } = parseCheckpoints(readFileSync(url))
      expect(inputs).toEqual(checkpointInputs(system, startState()))
    },
  )

  test('have other inputs when one number differs in its last bit', () => {
    const [, { system, startState }] = STAR_SYSTEMS
    const inputs = checkpointInputs(system, startState())
    const [first, ...rest] = system.bodies
    const heavier = { ...system, bodies: [{ ...first, gm: first.gm * (1 + 2 ** -52) }, ...rest] }
    expect(checkpointInputs(heavier, startState())).not.toEqual(inputs)
    const moved = startState()
    moved.x[0] += moved.x[0] * 2 ** -52
    expect(checkpointInputs(system, moved)).not.toEqual(inputs)
  })

  test('energy and angular momentum hold over all 60 years', () => {
    const reference = massiveInvariants(solSystem, solStateJ2000())
    for (let k = 0; k < checkpoints.count; k += 131) {
      const node = checkpoints.firstNode + k * checkpoints.spacing
      const state = checkpointAtOrBefore(checkpoints, node)
      const { energy, momentum } = drift(massiveInvariants(solSystem, state), reference)
      expect(Math.abs(energy)).toBeLessThan(1e-14)
      expect(Math.abs(momentum)).toBeLessThan(1e-14)
    }
  })

  test('are found on the right side of a node', () => {
    const node = (find: typeof checkpointTowards, at: number) => find(checkpoints, at).node
    expect(node(checkpointAtOrBefore, 8191)).toBe(0)
    expect(node(checkpointAtOrBefore, 8192)).toBe(8192)
    expect(node(checkpointAtOrBefore, -1)).toBe(-8192)
    expect(node(checkpointAtOrBefore, 1e9)).toBe(LAST)
    expect(node(checkpointTowards, 8191)).toBe(0)
    expect(node(checkpointTowards, -1)).toBe(0)
    expect(node(checkpointTowards, -8193)).toBe(-8192)
    expect(node(checkpointTowards, -1e9)).toBe(checkpoints.firstNode)
    expect(() => checkpointAtOrBefore(checkpoints, checkpoints.firstNode - 1)).toThrow(
      expect.objectContaining({ code: 'ERR_CHECKPOINT_RANGE' }),
    )
  })

  test('survive the way to bytes and back, at any alignment', () => {
    const states = [0, 1, 2].map((k) => checkpointAtOrBefore(checkpoints, k * CHECKPOINT_NODES))
    const packed = checkpointBytes(states, CHECKPOINT_NODES, checkpoints.inputs)
    const shifted = new Uint8Array(packed.length + 3)
    shifted.set(packed, 3)
    const again = parseCheckpoints(shifted.subarray(3))
    expect(bits(checkpointAtOrBefore(again, 8192))).toEqual(bits(states[1]))
    expect(again.inputs).toEqual(checkpoints.inputs)
  })

  test('damaged files are refused', () => {
    const refused = expect.objectContaining({ code: 'ERR_CHECKPOINTS' })
    expect(() => parseCheckpoints(new Uint8Array(0))).toThrow(refused)
    expect(() => parseCheckpoints(bytes.subarray(0, bytes.length - 8))).toThrow(refused)
    for (const at of [0, 4, 8, 12]) {
      const damaged = bytes.slice()
      damaged[at] ^= 1
      expect(() => parseCheckpoints(damaged)).toThrow(refused)
    }
  })
})
