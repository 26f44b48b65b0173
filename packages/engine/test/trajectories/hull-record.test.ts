// Law: a record covers a later one of a hull that points at something, and of one that has lost it
// only while its attitude is the same.
import { HULL_COLUMNS, LOCKED, POINTINGS, TARGETS } from '@orrery/sim'
import { expect, it } from 'vitest'
import { type HullRows, isCovered } from '../../src/trajectories/hull-record.ts'
import { table } from '../../src/trajectories/rows.ts'

function locked(start: number, kind: (typeof TARGETS)[number], angle: number): HullRows {
  const hull = table(HULL_COLUMNS, 1)
  hull.start[0] = start
  hull.mode[0] = LOCKED
  hull.pointing[0] = POINTINGS.indexOf('target')
  hull.aimKind[0] = TARGETS.indexOf(kind)
  hull.attitude.set([Math.cos(angle / 2), Math.sin(angle / 2), 0, 0])
  return hull
}

it.each([
  ['body', 0, true],
  ['body', 1e-4, true],
  ['none', 0, true],
  ['none', 1e-4, false],
] as const)('at %s, turned by %s rad: %s', (kind, angle, expected) => {
  expect(isCovered(locked(0, kind, 0), 0, locked(64, kind, angle), 0, 128)).toBe(expected)
})
