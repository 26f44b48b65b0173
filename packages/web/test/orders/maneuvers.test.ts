// Goal: forms make orders that the protocol takes, and say in its words what it does not.
import type { OwnShipState } from '@orrery/client'
import { describe, expect, test } from 'vitest'
import {
  MANEUVERS,
  maneuverForm,
  maneuverOrder,
  maneuverTitle,
  proposedTexts,
  textsOfManeuver,
} from '../../src/orders/maneuvers.ts'
import { isTurn } from '../../src/orders/turns.ts'

const aim = {
  body: 'Moon',
  pointing: 'retrograde',
  target: { kind: 'station', id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' },
} as const

describe.each(MANEUVERS)('$maneuver', (form) => {
  test('is a sound order with what its form proposes', () => {
    const texts = form.maneuver === 'set_orbit' ? { semi_major_axis: '7000' } : {}
    expect(maneuverOrder(form, texts, aim)).toMatchObject({ maneuver: form.maneuver })
  })

  test('takes each of its quantities', () => {
    const texts = Object.fromEntries(form.quantities.map((name) => [name, '0.5']))
    const order = maneuverOrder(form, { ...texts, timeout: '2' }, aim)
    expect(order).toBeTypeOf('object')
    for (const name of form.quantities) expect(order).toHaveProperty(name)
  })
})

test('units are those of the protocol', () => {
  const texts = { semi_major_axis: '7000', inclination: '90', thrust_level: '50', timeout: '1' }
  expect(maneuverOrder(maneuverForm('set_orbit'), texts, aim)).toEqual({
    type: 'maneuver_start',
    maneuver: 'set_orbit',
    semi_major_axis: 7e6,
    inclination: Math.PI / 2,
    thrust_level: 0.5,
    timeout: 86_400,
  })
})

test.each([
  ['set_orbit', { eccentricity: '1' }, 'eccentricity must be a number from 0 to below 1'],
  ['set_orbit', { inclination: 'steep' }, 'inclination must be a number of radians from 0 to π'],
  ['set_orbit', {}, 'takes at least one of semi_major_axis'],
  ['transfer', { altitude: '-5' }, 'altitude must be a finite number of metres above 0'],
])('%s with %o is refused in words of the protocol', (name, texts, words) => {
  expect(maneuverOrder(maneuverForm(name), texts, aim)).toContain(words)
})

describe('an orbit by the altitudes of its apsides', () => {
  const form = maneuverForm('set_orbit', true)
  const orbit = { apoapsis_altitude: 600_000, periapsis_altitude: 200_000 }
  const present = { radius: 6_400_000, orbit }

  test.each([
    [{ apoapsis: '1000', periapsis: '400' }, 7_100_000, 300_000],
    [{ apoapsis: '1000' }, 7_000_000, 400_000],
    [{ periapsis: '400' }, 6_900_000, 100_000],
    [{ periapsis: '-50' }, 6_675_000, 325_000],
  ])('%o', (texts, axis, half) => {
    expect(maneuverOrder(form, texts, { ...aim, present })).toEqual({
      type: 'maneuver_start',
      maneuver: 'set_orbit',
      semi_major_axis: axis,
      eccentricity: half / axis,
    })
  })

  test.each([
    [{ apoapsis: 'high' }, present, /^apoapsis must be a number/],
    [{ periapsis: 'low' }, present, /^periapsis must be a number/],
    [{ periapsis: '-6400' }, present, /^periapsis must be above the middle/],
    [{ apoapsis: '300', periapsis: '400' }, present, /^periapsis must not be above the apoapsis/],
    [{ apoapsis: '100' }, present, /^periapsis must not be above the apoapsis/],
    [
      { periapsis: '400' },
      { ...present, orbit: { ...orbit, apoapsis_altitude: null } },
      /^apoapsis is needed/,
    ],
    [{ apoapsis: '400' }, undefined, /^Nothing is known/],
    [{}, present, /takes at least one of/],
  ])('%o with %o is refused: %s', (texts, around, words) => {
    expect(maneuverOrder(form, texts, { ...aim, present: around })).toMatch(words)
  })

  test('the form begins with the present ones', () => {
    const shape = { semi_major_axis: 6_800_000, eccentricity: 0.03 }
    const ship = { mean_orbit: { ...orbit, ...shape, inclination: 1 } } as OwnShipState
    expect(proposedTexts(form, ship)).toEqual({ apoapsis: '600', periapsis: '200' })
    const ofRule = { semi_major_axis: '6800', eccentricity: '0.03' }
    expect(proposedTexts(maneuverForm('set_orbit'), ship)).toEqual(ofRule)
  })

  test('a rule, which acts about any body, has the elements', () => {
    expect(maneuverForm('set_orbit').quantities).not.toContain('apoapsis')
  })
})

test('a rendezvous needs a target', () => {
  const order = maneuverOrder(maneuverForm('rendezvous'), {}, { ...aim, target: undefined })
  expect(order).toBe('Choose a target first.')
})

const STATION = { target_station_id: aim.target.id }

test.each([
  ['circularize', 'retrograde', {}],
  ['transfer', 'retrograde', { target_body: 'Moon' }],
  ['rendezvous', 'retrograde', STATION],
  ['hold_station', 'retrograde', STATION],
  ['attitude', 'retrograde', { pointing: 'retrograde' }],
  ['attitude', 'target', { pointing: 'target', ...STATION }],
])('%s towards %s is directed at %j', (maneuver, pointing, fields) => {
  const order = { type: 'maneuver_start', maneuver, ...fields }
  expect(maneuverOrder(maneuverForm(maneuver), {}, { ...aim, pointing })).toEqual(order)
})

test('a flight leaves when it is chosen to, others do not choose', () => {
  const leaving = (name: string, way: 'cheapest' | 'soonest' | 'dated', date = ''): unknown =>
    maneuverOrder(maneuverForm(name), {}, { ...aim, departure: { way, date } })
  expect(leaving('transfer', 'cheapest')).not.toHaveProperty('depart')
  expect(leaving('transfer', 'soonest')).toMatchObject({ depart: 'soonest' })
  expect(leaving('transfer', 'dated', '2030-03-01T12:00')).toMatchObject({
    depart: '2030-03-01T12:00:00.000Z',
  })
  expect(leaving('transfer', 'dated')).toBe('Choose a date to leave at.')
  expect(leaving('escape', 'soonest')).not.toHaveProperty('depart')
})

test('a turn to a target needs one, other turns do not', () => {
  const turn = (pointing: string): unknown =>
    maneuverOrder(maneuverForm('attitude'), {}, { ...aim, pointing, target: undefined })
  expect(turn('target')).toBe('Choose a target first.')
  expect(turn('prograde')).toBeTypeOf('object')
  expect(MANEUVERS.map(({ maneuver }) => maneuver).filter(isTurn)).toEqual([
    'attitude',
    'kill_rotation',
  ])
})

test('maneuvers without a form have names, too', () => {
  expect(['dock', 'plan', 'attitude', 'later_one'].map(maneuverTitle)).toEqual([
    'Dock',
    'Plan',
    'Turn',
    'later one',
  ])
  expect(maneuverForm('later_one')).toBe(MANEUVERS[0])
  expect(maneuverForm('transfer', true)).toBe(maneuverForm('transfer'))
})

test('only an orbit begins with the present one, and only where it is known', () => {
  const orbit = { semi_major_axis: 6_800_000, eccentricity: 0.03 }
  const ship = { orbit } as OwnShipState
  expect(proposedTexts(maneuverForm('transfer'), ship)).toEqual({})
  expect(proposedTexts(maneuverForm('set_orbit'), undefined)).toEqual({})
})

test('a started maneuver is shown as it was written', () => {
  expect(textsOfManeuver({ maneuver: 'transfer', target_body: 'Moon', altitude: 200_000 })).toEqual(
    {
      altitude: '200',
      delta_v_max: '',
      depart_within: '',
      timeout: '',
    },
  )
})
