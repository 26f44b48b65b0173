// Goal: the orbit that a pilot orders becomes the values of an order, mean elements by default;
// what contradicts itself is refused with E001 and names the fields.
import { expect, test } from 'vitest'
import { controlOf, parseClientMessage } from '../src/index.ts'

const none = (): never => {
  throw new Error('Nothing is named.')
}
const places = {
  star: none,
  ship: none,
  station: none,
  anchorage: none,
  jumpgate: none,
  body: none,
}

const parsed = (fields: object): ReturnType<typeof parseClientMessage> =>
  parseClientMessage(JSON.stringify({ type: 'maneuver_start', maneuver: 'set_orbit', ...fields }))

function params(fields: object): readonly number[] | undefined {
  const result = parsed(fields)
  if (!result.ok || result.message.type !== 'maneuver_start') throw new Error('It is not taken.')
  return controlOf(result.message, places).maneuver?.params
}

test('elements and heights become values, with their reading at the end', () => {
  expect(params({ semi_major_axis: 7e6, eccentricity: 0 })).toEqual([7e6, 0, -2, 0, 0, 0, 0, 0])
  expect(params({ apoapsis_altitude: 9e5 })).toEqual([-1, 9e5, -2, 0, 0, 0, 0, 2])
  const both = { periapsis_altitude: 5e5, apoapsis_altitude: 9e5, elements: 'osculating' }
  expect(params(both)).toEqual([5e5, 9e5, -2, 0, 0, 0, 0, 3])
  expect(params({ eccentricity: 0.1, elements: 'osculating' })?.at(-1)).toBe(1)
  expect(params({ maneuver: 'circularize' })).toEqual([])
  expect(params({ maneuver: 'circularize', elements: 'osculating' })?.at(-1)).toBe(1)
})

test.each<[object, RegExp]>([
  [
    { eccentricity: 0, apoapsis_altitude: 5e5 },
    /takes either semi_major_axis, eccentricity or periapsis_altitude, apoapsis_altitude/,
  ],
  [{ periapsis_altitude: 0 }, /^periapsis_altitude must be a finite number of metres above 0/],
  [{ apoapsis_altitude: -1 }, /^apoapsis_altitude must be/],
  [{ elements: 'mean' }, /takes at least one of/],
  [{ maneuver: 'circularize', elements: 'true' }, /^elements must be mean or osculating/],
  [{ maneuver: 'escape', elements: 'mean' }, /takes no elements/],
])('%j is refused', (fields, message) => {
  expect(parsed(fields)).toMatchObject({
    error: { code: 'E001', message: expect.stringMatching(message) },
  })
})
