// Law: an address brings back the view that it was made of; any other text brings none.
import { expect, test } from 'vitest'
import { addressOf, parsedAddress } from '../../src/view/view-address.ts'

test('there and back', () => {
  const aim = { distance: 4.2e8, yaw: 0.5, pitch: -0.25 }
  const text = addressOf({ system: 'alpha-centauri', body: 'Alpha Centauri A', aim })
  expect(text).toBe('#alpha-centauri:Alpha%20Centauri%20A/4.2000e+8/28.65/-14.32')
  const back = parsedAddress(text)
  expect(back?.system).toBe('alpha-centauri')
  expect(back?.body).toBe('Alpha Centauri A')
  expect(back?.aim.distance).toBe(4.2e8)
  expect(back?.aim.yaw).toBeCloseTo(0.5, 3)
  expect(back?.aim.pitch).toBeCloseTo(-0.25, 3)
})

test('the first star system needs no name', () => {
  const text = addressOf({ system: 'sol', body: 'Mars', aim: { distance: 1e7, yaw: 0, pitch: 0 } })
  expect(text).toBe('#Mars/1.0000e+7/0.00/0.00')
  expect(parsedAddress(text)?.system).toBe('sol')
})

test.each(['', '#', '#Earth', '#Earth/1', '#Earth/0/0/0', '#Earth/-1/0/0', '#Earth/1e99/0/0'])(
  '%s is none',
  (hash) => expect(parsedAddress(hash)).toBeUndefined(),
)

test.each([
  '#%ff/1e7/0/0',
  '#:Earth/1e7/0/0',
  '#Earth/x/0/0',
  '#Earth/1e7/0/90',
  '#Earth/1e7/NaN/0',
  '#Earth/1/2/3/4',
])('%s is none either', (hash) => expect(parsedAddress(hash)).toBeUndefined())
