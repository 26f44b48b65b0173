// Laws of rows on rails: a circle is closed after its period, and speeds stay.
import { length, vector } from '@orrery/page-kit'
import { expect, test } from 'vitest'
import { placeAfter, railedRow } from '../../src/modules/row-place.ts'

const RADIUS = 2.2e6
const SPEED = 1500
const row = { around: 'Moon', x: RADIUS, y: 0, z: 0, vx: 0, vy: 0, vz: SPEED, ore: 1 }
const place = { r: vector(), v: vector() }

test.each([0.25, 0.5, 1])('after %d of a turn a row is where a circle leads', (turn) => {
  const railed = railedRow(row)
  if (!railed) throw new Error('The row is on a rail')
  placeAfter(place, railed, (turn * 2 * Math.PI * RADIUS) / SPEED)
  const angle = 2 * Math.PI * turn
  expect(place.r[0]).toBeCloseTo(RADIUS * Math.cos(angle), 3)
  expect(place.r[2]).toBeCloseTo(RADIUS * Math.sin(angle), 3)
  expect(length(place.r)).toBeCloseTo(RADIUS, 3)
  expect(length(place.v)).toBeCloseTo(SPEED, 6)
})

test('a row without a body is nowhere', () => {
  expect(railedRow({ ore: 1 })).toBeUndefined()
})
