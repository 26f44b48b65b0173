/**
 * Law: a rail in a row of the shared table has the states of the rail itself, to the bit, whatever
 * rows were read before.
 */
import {
  NODE_QUANTA,
  type Rail,
  clearRail,
  createIntegration,
  createState,
  createStateVector,
  extendEphemeris,
  freeRailRow,
  isRail,
  railRowState,
  railState,
  stateBytes,
  writeRail,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { smallStart, smallSystem } from '../ephemeris/small-system.ts'

const N = 3 * NODE_QUANTA + 5003

const RAILS: readonly Rail[] = [
  { kind: 'orbit', parent: 1, radius: 3e8, pole: [0.36, 0.48, 0.8], rate: 123_457, epoch: 99 },
  { kind: 'lagrange', parent: 0, secondary: 4, point: 5 },
  { kind: 'orbit', parent: 0, radius: 1e11, pole: [0, 0, 1], rate: 7, epoch: -3 },
  { kind: 'lagrange', parent: 1, secondary: 2, point: 1 },
]

it('reads each row as it was written, and gives freed rows again', () => {
  const size = { ships: 1, nodes: 8 }
  const state = createState(new SharedArrayBuffer(stateBytes(smallSystem, size)), smallSystem, size)
  extendEphemeris(createIntegration(smallSystem, smallStart()), state.ephemeris, 7)
  const { rails, ephemeris } = state
  for (const rail of RAILS) writeRail(rails, freeRailRow(rails), rail)
  for (const row of [0, 1, 2, 3, 1, 0]) {
    const [found, expected] = [createStateVector(), createStateVector()]
    expect(railRowState(found, state, row, N)).toBe(RAILS[row].parent)
    railState(expected, ephemeris, RAILS[row], N, 0)
    expect(found).toEqual(expected)
  }
  clearRail(rails, 2)
  expect([-1, 0, 2, 3, 4, 1e9].map((row) => isRail(rails, row))).toEqual([
    false,
    true,
    false,
    true,
    false,
    false,
  ])
  expect(freeRailRow(rails)).toBe(2)
})
