// Laws: of the marks of a forecast each that a pilot waits for is listed once, with what it is of;
// what orders cost is counted until their end.
import type { Forecast } from '@orrery/client/flight'
import { expect, test } from 'vitest'
import { burnAhead } from '../../src/forecast/burn-ahead.ts'
import { type Mark, type NextMark, nextMarks, waitText } from '../../src/forecast/next-marks.ts'
import { type Cost, type Tank, costOf } from '../../src/forecast/preview.ts'

const NOW = 6400
const radii: Readonly<Record<string, number>> = { Earth: 6e6, Moon: 2e6 }
const context = {
  now: NOW,
  radiusOf: (body: string) => radii[body],
  nameOf: (id: string) => `Thing ${id}`,
}

function forecast(marks: readonly Mark[], more: Partial<Forecast> = {}): Forecast {
  const place = {
    shipId: 'a',
    systemId: 'sol',
    legs: [],
    deltaV: 0,
    fuel: 1,
    marksLeftOut: 0,
    flightLegs: [],
  }
  const extent = { from: 0, to: 1e6, end: 'asked', isExact: true, steps: 1 } as const
  return { ...place, ...extent, marks, stateAt: () => false, ...more }
}

/** At whole seconds from now on. */
function next(marks: readonly (Omit<Mark, 'index'> & { readonly after: number })[]): NextMark[] {
  const placed = marks.map(({ after, ...mark }) => ({ ...mark, index: NOW + 64 * after }))
  return nextMarks(forecast(placed), context).slice()
}

const lines = (marks: Parameters<typeof next>[0]): string[] =>
  next(marks).map(({ name, detail, seconds }) => `${seconds} ${name}: ${detail}`)

test('what is now is not ahead any more', () => {
  const docked = { kind: 'docked' } as const
  expect(lines([-1, 0].map((after) => ({ ...docked, after })))).toEqual([])
  expect(lines([{ ...docked, after: 1 }])).toEqual(['1 Docked: '])
})

test('apsides of one body hide none of another, and each comes once', () => {
  const apsis = (kind: 'periapsis' | 'apoapsis', body: string, distance: number, after: number) =>
    ({ kind, body, distance, after }) as const
  expect(
    lines([
      apsis('periapsis', 'Earth', 7e6, 1),
      apsis('periapsis', 'Earth', 7.1e6, 2),
      apsis('apoapsis', 'Earth', 8e6, 3),
      apsis('periapsis', 'Moon', 7e6, 4),
      apsis('apoapsis', 'Moon', 9e6, 5),
    ]),
  ).toEqual([
    '1 Periapsis: 1,000 km',
    '3 Apoapsis: 2,000 km',
    '4 Periapsis: 5,000 km',
    '5 Apoapsis: 7,000 km',
  ])
})

test.each([
  [1.001, 0],
  [1.0019, 0],
  [1.0021, 2],
  [0.9981, 0],
])('apsides whose distances are as 1 to %d are %d', (share, count) => {
  const marks = [
    { kind: 'periapsis', body: 'Earth', distance: 1e7, after: 1 },
    { kind: 'apoapsis', body: 'Earth', distance: share * 1e7, after: 2 },
  ] as const
  expect(next(marks)).toHaveLength(count)
})

test('apsides of two bodies at one distance are no circle', () => {
  expect(
    next([
      { kind: 'periapsis', body: 'Earth', distance: 1e7, after: 1 },
      { kind: 'apoapsis', body: 'Moon', distance: 1e7, after: 2 },
    ]),
  ).toHaveLength(2)
})

test('the closest approach to each thing is listed, with what it is', () => {
  const near = { kind: 'approach', speed: 5 } as const
  expect(
    lines([
      { ...near, shipId: '1', distance: 3000, after: 1 },
      { ...near, shipId: '1', distance: 2000, after: 2 },
      { ...near, stationId: '2', distance: 1000, after: 3 },
      { ...near, jumpgateId: '3', distance: 4000, after: 4 },
      { ...near, body: 'Earth', distance: 7e6, after: 5 },
      { ...near, body: 'Moon', distance: 3e6, after: 6 },
    ]),
  ).toEqual([
    '2 Closest to Thing 1: 2.000 km at 5.000 m/s',
    '3 Closest to Thing 2: 1.000 km at 5.000 m/s',
    '4 Closest to Thing 3: 4.000 km at 5.000 m/s',
    '5 Closest to Earth: 7,000 km at 5.000 m/s',
    '6 Closest to the Moon: 3,000 km at 5.000 m/s',
  ])
})

test('two of a kind are listed, and sixteen in all', () => {
  const burn = (after: number) => [
    { kind: 'burn_begin', after } as const,
    { kind: 'burn_end', after: after + 1, deltaV: after } as const,
  ]
  const burns = [burn(1), burn(3), burn(5)].flat()
  expect(lines(burns)).toEqual([
    '1 Burn: 1.000 m/s',
    '2 Burn ends: 1.000 m/s',
    '3 Burn: 3.000 m/s',
    '4 Burn ends: 3.000 m/s',
  ])
  expect(new Set(next(burns).map(({ key }) => key)).size).toBe(4)
  const spheres = Array.from({ length: 20 }, (_, i) => ({ kind: 'sphere', body: `B${i}` }) as const)
  const listed = next(spheres.map((mark, i) => ({ ...mark, after: i + 1 })))
  expect(listed.map(({ seconds }) => seconds)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1))
})

test('a burn that begins as another ends has its own Δv', () => {
  expect(
    lines([
      { kind: 'burn_end', deltaV: 1, after: 1 },
      { kind: 'burn_begin', after: 1 },
      { kind: 'burn_end', deltaV: 2, after: 2 },
    ]),
  ).toContain('1 Burn: 2.000 m/s')
})

test('how a maneuver ends is said, with why it fails', () => {
  expect(
    lines([
      { kind: 'maneuver_completed', after: 1 },
      { kind: 'maneuver_failed', reason: 'out_of_fuel', after: 2 },
      { kind: 'maneuver_phase', phase: 'waiting', after: 3 },
    ]),
  ).toEqual(['1 Maneuver completed: ', '2 Maneuver fails: out of fuel'])
})

test.each([
  [-5, '0 s'],
  [60, '1 min 0 s'],
  [3599, '59 min 59 s'],
  [3600, '1 h 0 min'],
  [86_399, '23 h 59 min'],
  [86_400, '1 d 0 h'],
])('%d s are %s', (seconds, words) => {
  expect(waitText(seconds)).toBe(words)
})

const TANK: Tank = { mass: 3000, fuel: 1000, deltaV: 2000 }

function cost(marks: readonly Mark[], more: Partial<Forecast> = {}, tank?: Tank): Cost {
  return costOf(forecast(marks, { deltaV: 100, fuel: 900, ...more }), tank, NOW)
}

test.each<[string, readonly Mark[], Partial<Forecast>, Partial<Cost>]>([
  ['nothing', [], {}, { end: 'coasting', seconds: 0, reason: undefined }],
  ['a burn', [{ kind: 'burn_end', index: NOW + 640 }], {}, { end: 'coasting', seconds: 10 }],
  ['a burn before', [{ kind: 'burn_end', index: NOW - 640 }], {}, { seconds: 0 }],
  [
    'a maneuver that goes on',
    [
      { kind: 'burn_end', index: NOW + 640 },
      { kind: 'maneuver_phase', index: NOW + 6400 },
    ],
    {},
    { end: 'open', seconds: 10 },
  ],
  [
    'a maneuver that fails',
    [
      { kind: 'maneuver_phase', index: NOW + 64 },
      { kind: 'maneuver_failed', index: NOW + 128, reason: 'timed_out' },
    ],
    {},
    { end: 'failed', seconds: 2, reason: 'timed_out' },
  ],
  ['a maneuver', [{ kind: 'maneuver_completed', index: NOW + 64 }], {}, { end: 'completed' }],
  ['an impact', [{ kind: 'maneuver_completed', index: 1 }], { end: 'impact' }, { end: 'impact' }],
])('the cost of %s', (_, marks, more, expected) => {
  expect(cost(marks, more, TANK)).toMatchObject({ deltaV: 100, fuel: 100, ...expected })
})

test('a ship that docks without fuel has spent none', () => {
  const docked = [{ kind: 'docked', index: NOW + 64 }] as const
  expect(cost(docked, {}, { mass: 2000, fuel: 0, deltaV: 0 }).fuel).toBe(0)
  expect(cost(docked, {}, TANK).fuel).toBeCloseTo(3000 * (1 - (2 / 3) ** (1 / 20)), 9)
})

test('a burn whose states are not known is not ahead, and the next one is', () => {
  const marks: readonly Mark[] = [
    { kind: 'burn_end', index: NOW, deltaV: 1 },
    { kind: 'burn_begin', index: NOW },
    { kind: 'burn_begin', index: NOW + 64 },
    { kind: 'burn_end', index: NOW + 128, deltaV: 2 },
  ]
  const known = (times: readonly number[]): Pick<Forecast, 'marks' | 'stateAt'> => ({
    marks,
    stateAt: (out, time) => {
      out.r.set([1, 0, 0])
      out.reference = 0
      return times.includes(time)
    },
  })
  const bodies = [{ gm: 1 }]
  expect(burnAhead(known([NOW + 64, NOW + 96]), NOW, bodies)).toMatchObject({
    begin: NOW + 64,
    deltaV: 2,
  })
  expect(burnAhead(known([NOW + 64]), NOW, bodies)).toBeUndefined()
  expect(burnAhead(known([NOW + 96]), NOW, bodies)).toBeUndefined()
})
