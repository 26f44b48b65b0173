// Law: what an order is said to leave a ship in is the orbit of its state after the last burn.
import type { ForecastState } from '@orrery/client/flight'
import { expect, test } from 'vitest'
import { type OrbitAfter, orbitAfter } from '../../src/forecast/orbit-after.ts'

const GM = 4e14
const bodies = [
  { name: 'Sun', radius: 7e8, gm: 1.3e20 },
  { name: 'Earth', radius: 6.4e6, gm: GM },
]
const BURN_END = 640
const LOW = 6.6e6

interface Way {
  /** speed at 6,600 km from the middle [m/s] */
  readonly speed: number
  readonly marks?: Parameters<typeof orbitAfter>[0]['marks']
  readonly end?: Parameters<typeof orbitAfter>[0]['end']
}

function after({
  speed,
  marks = [{ kind: 'burn_end', index: BURN_END }],
  end = 'asked',
}: Way): OrbitAfter | undefined {
  const stateAt = (out: ForecastState, time: number): boolean => {
    // At any other time it is elsewhere.
    out.r.set([time === BURN_END ? LOW : 9e9, 0, 0])
    out.v.set([0, 0, speed])
    out.reference = 1
    return true
  }
  return orbitAfter({ marks, end, stateAt }, bodies)
}

test('an ellipse has both apsides, above the ground', () => {
  const high = 4.2e7
  const shown = after({ speed: Math.sqrt(GM * (2 / LOW - 2 / (LOW + high))) })
  expect(shown?.body).toBe('Earth')
  expect(shown?.periapsis).toBeCloseTo(LOW - 6.4e6, 3)
  expect(shown?.apoapsis).toBeCloseTo(high - 6.4e6, 3)
})

test('a hyperbola has no apoapsis', () => {
  expect(after({ speed: 1.1 * Math.sqrt((2 * GM) / LOW) })?.apoapsis).toBe(Infinity)
})

test.each([
  ['no burn', { speed: 7000, marks: [] }],
  ['an impact', { speed: 7000, end: 'impact' }],
  [
    'a dock',
    {
      speed: 7000,
      marks: [
        { kind: 'burn_end', index: BURN_END },
        { kind: 'docked', index: 9000 },
      ],
    },
  ],
] as const)('there is none after %s', (_, way) => {
  expect(after(way)).toBeUndefined()
})
