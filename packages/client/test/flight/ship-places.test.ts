/**
 * Law: what an order names is found in the star system as it is known, in any case of letters; what
 * is not there is refused by the field that names it. Method: a scene with one of each.
 */
import type { RailedObject } from '@orrery/protocol'
import { COURIER } from '@orrery/sim'
import { expect, test } from 'vitest'
import { takeFrame } from '../../src/feeds/frame-intake.ts'
import { createPlaces } from '../../src/pilot/ship-places.ts'
import { Scene } from '../../src/scene/scene.ts'
import { PAIR, identities, readFrame } from './sent-frames.ts'

const id = (last: string): string => `0badcafe-0000-4000-8000-00000000000${last}`
const rail = { kind: 'lagrange', parent: 0, secondary: 1, point: 4 } as const
const OBJECTS: readonly RailedObject[] = [
  { id: id('a'), name: 'Depot', kind: 'station', radius: 10, row: 3, rail },
  { id: id('b'), name: 'Gate', kind: 'jumpgate', radius: 10, row: 5, rail },
]

const scene = new Scene()
const places = createPlaces(scene)

function refusal(message: string): object {
  return expect.objectContaining({ code: 'E002', message })
}

test('nothing is found before a star system is known', () => {
  expect(() => places.body('Globe', 'body')).toThrow(
    refusal('body names no body in this star system'),
  )
  expect([places.ship(id('1'), 'ship'), places.railOf(id('a'))]).toEqual([0, -1])
})

test('all that is there is found, and nothing else', () => {
  scene.enter(PAIR, [COURIER])
  scene.placeObjects(OBJECTS)
  takeFrame(scene, readFrame(0, identities([{ number: 9, id: id('f'), name: 'Ida' }])))
  expect([places.body('moon', ''), places.body('Globe', ''), places.star()]).toEqual([1, 0, 0])
  expect([places.ship(id('F'), ''), places.ship(id('1'), '')]).toEqual([9, 0])
  expect([places.station(id('A'), ''), places.jumpgate(id('B'), '')]).toEqual([id('a'), id('b')])
  expect(OBJECTS.map((one) => places.railOf(one.id))).toEqual([3, 5])
  expect([places.railOf(id('c')), places.slotOf(9)]).toEqual([-1, -1])
  const there = 'in this star system'
  expect(() => places.body('Pluto', 'to')).toThrow(refusal(`to names no body ${there}`))
  expect(() => places.station(id('b'), 'at')).toThrow(refusal(`at names no station ${there}`))
  expect(() => places.jumpgate(id('a'), 'by')).toThrow(refusal(`by names no jumpgate ${there}`))
})
