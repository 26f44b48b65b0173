// Law: the burns ahead of a ship are nodes in their middles, along their thrust. Method: a flight
// on a straight way, with thrust of a known direction in two spans.
import type { Forecast } from '@orrery/client/flight'
import { expect, test } from 'vitest'
import { nodesAhead } from '../../src/plans/nodes-ahead.ts'

/** Outwards along x, forwards along y, normal along z; so far away that nothing turns [m]. */
const AWAY = 1e12
const SPEED = 7000

const BURNS = [
  { begin: 6400, end: 7040, thrust: [0, 3, 0] },
  { begin: 64_000, end: 64_640, thrust: [-1, 0, 2] },
] as const

const marks: Forecast['marks'] = BURNS.flatMap(({ begin, end, thrust }) => [
  { kind: 'burn_begin' as const, index: begin },
  { kind: 'burn_end' as const, index: end, deltaV: 10 * Math.hypot(...thrust) },
])

const stateAt: Forecast['stateAt'] = (out, time) => {
  out.r.set([AWAY, 0, 0])
  out.v.set([0, SPEED, 0])
  for (const { begin, end, thrust } of BURNS) {
    const seconds = (Math.min(Math.max(time, begin), end) - begin) / 64
    for (let k = 0; k < 3; k++) out.v[k] += seconds * thrust[k]
  }
  out.reference = 0
  return true
}

test('each burn ahead is a node', () => {
  const [first, second, ...more] = nodesAhead({ marks, stateAt }, 0, [{ gm: 1 }])
  expect([first.index, second.index, more.length]).toEqual([6720, 64_320, 0])
  for (const [i, due] of [30, 0, 0].entries()) expect(first.deltaV[i]).toBeCloseTo(due, 6)
  for (const [i, due] of [0, 20, -10].entries()) expect(second.deltaV[i]).toBeCloseTo(due, 0)
})

test('what has begun is none, and neither is a burn without an end', () => {
  expect(nodesAhead({ marks, stateAt }, 6400, [{ gm: 1 }])).toHaveLength(1)
  expect(nodesAhead({ marks: marks.slice(0, 3), stateAt }, 0, [{ gm: 1 }])).toHaveLength(1)
})
