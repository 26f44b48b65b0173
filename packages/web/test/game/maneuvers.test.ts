// Goal: forms make orders that the protocol takes, and say in its words what it does not.
import { describe, expect, test } from 'vitest'
import { MANEUVERS, maneuverForm, maneuverOrder } from '../../src/game/maneuvers.ts'

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

test('a rendezvous needs a target', () => {
  const order = maneuverOrder(maneuverForm('rendezvous'), {}, { ...aim, target: undefined })
  expect(order).toBe('Choose a target first.')
})
