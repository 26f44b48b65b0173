// Goal: of all marks of a forecast those that a pilot waits for, in words.
import type { Forecast } from '@orrery/client/flight'
import { expect, test } from 'vitest'
import { type Mark, nextMarks, waitText } from '../../src/forecast/next-marks.ts'

const CONTEXT = {
  now: 6400,
  radiusOf: () => 6.371e6,
  nameOf: (id: string) => `Ship ${id}`,
}

function forecast(marks: readonly Mark[]): Forecast {
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
  return { ...place, ...extent, marks, stateAt: () => false }
}

function texts(marks: readonly Mark[]): readonly string[] {
  return nextMarks(forecast(marks), CONTEXT).map(
    ({ name, detail, seconds }) => `${name}|${detail}|${seconds}`,
  )
}

const periapsis = { kind: 'periapsis', body: 'Earth', distance: 6.771e6 } as const
const apoapsis = { kind: 'apoapsis', body: 'Earth', distance: 8.371e6 } as const

test('the next of both apsides of a body, with altitudes', () => {
  expect(
    texts([
      { ...periapsis, index: 3200 },
      { ...apoapsis, index: 12_800 },
      { ...periapsis, index: 19_200 },
      { ...apoapsis, index: 25_600 },
    ]),
  ).toEqual(['Apoapsis|2,000 km|100', 'Periapsis|400.0 km|200'])
})

test('a circle has no apsides', () => {
  const round = { ...apoapsis, distance: 6.772e6 }
  expect(
    texts([
      { ...periapsis, index: 7000 },
      { ...round, index: 8000 },
    ]),
  ).toEqual([])
})

test('burns with their Δv, and what ends a flight', () => {
  expect(
    texts([
      { kind: 'burn_begin', index: 7040 },
      { kind: 'burn_end', index: 7680, deltaV: 120 },
      { kind: 'sphere', index: 8320, body: 'Moon', fromBody: 'Earth' },
      { kind: 'approach', index: 8960, shipId: '7', distance: 1500, speed: 12 },
      { kind: 'rule', index: 9000 },
      { kind: 'impact', index: 9600, body: 'Moon' },
    ]),
  ).toEqual([
    'Burn|120.0 m/s|10',
    'Burn ends|120.0 m/s|20',
    'Enters the sphere of influence of the Moon||30',
    'Closest to Ship 7|1.500 km at 12.00 m/s|40',
    'Impact on the Moon||50',
  ])
})

test('of many approaches the closest one', () => {
  const far = { kind: 'approach', body: 'Moon', speed: 1000 } as const
  expect(
    texts([
      { ...far, index: 7040, distance: 3e8 },
      { ...far, index: 7680, distance: 2e8 },
      { ...far, index: 8320, distance: 4e8 },
    ]),
  ).toEqual(['Closest to the Moon|200,000 km at 1.000 km/s|20'])
})

test('waits in two units', () => {
  expect([0.4, 59.9, 750, 3 * 3600 + 300, 50 * 3600].map(waitText)).toEqual([
    '0 s',
    '59 s',
    '12 min 30 s',
    '3 h 5 min',
    '2 d 2 h',
  ])
})

test('waits change their units at a minute, an hour and a day', () => {
  expect([-5, 60, 3599, 3600, 86_399, 86_400].map(waitText)).toEqual([
    '0 s',
    '1 min 0 s',
    '59 min 59 s',
    '1 h 0 min',
    '23 h 59 min',
    '1 d 0 h',
  ])
})

test('the end of a maneuver, with its reason, and a dock', () => {
  expect(
    texts([
      { kind: 'maneuver_completed', index: 7040 },
      { kind: 'maneuver_failed', index: 7680, reason: 'out_of_fuel' },
      { kind: 'docked', index: 8320 },
    ]),
  ).toEqual(['Maneuver completed||10', 'Maneuver fails|out of fuel|20', 'Docked||30'])
})

test('a mark of now has passed, and a burn has the Δv of its own end', () => {
  expect(
    texts([
      { kind: 'burn_begin', index: 6400 },
      { kind: 'burn_end', index: 7040, deltaV: 7 },
      { kind: 'burn_begin', index: 7680 },
      { kind: 'burn_end', index: 8320, deltaV: 9 },
      { kind: 'burn_begin', index: 8960 },
      { kind: 'burn_end', index: 9600, deltaV: 11 },
    ]),
  ).toEqual([
    'Burn ends|7.000 m/s|10',
    'Burn|9.000 m/s|20',
    'Burn ends|9.000 m/s|30',
    'Burn|11.00 m/s|40',
  ])
})

test('of one kind and body two are shown, and sixteen in all', () => {
  const spheres = Array.from({ length: 30 }, (_, i) => {
    const body = `Body ${Math.floor(i / 3)}`
    return { kind: 'sphere', index: 6464 + 64 * i, body, fromBody: 'Sun' } as const
  })
  const shown = nextMarks(forecast(spheres), CONTEXT)
  expect(shown).toHaveLength(16)
  expect(new Set(shown.map(({ key }) => key)).size).toBe(16)
  expect(shown.map(({ seconds }) => seconds).slice(0, 4)).toEqual([1, 2, 4, 5])
})

test('an orbit is round by the apsides of its own body', () => {
  const other = { ...apoapsis, body: 'Moon', distance: 6.772e6 }
  expect(
    texts([
      { ...periapsis, index: 7040 },
      { ...other, index: 7680 },
    ]),
  ).toHaveLength(2)
  const least = { ...apoapsis, distance: 6.771e6 * 1.002_01 }
  expect(
    texts([
      { ...periapsis, index: 7040 },
      { ...least, index: 7680 },
    ]),
  ).toEqual(['Periapsis|400.0 km|10', 'Apoapsis|413.6 km|20'])
})

test('an approach counts for its own target', () => {
  const near = { kind: 'approach', index: 7040, distance: 10, speed: 1 } as const
  expect(
    texts([
      { ...near, shipId: '7', distance: 30 },
      { ...near, index: 7680, stationId: '8', distance: 20 },
      { ...near, index: 8320, jumpgateId: '9' },
    ]),
  ).toHaveLength(3)
})
