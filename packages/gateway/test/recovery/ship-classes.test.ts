// Goal: a file of ship classes that cannot be flown is refused by name. Method: files, each with a
// fault.
import { describe, expect, test } from 'vitest'
import { join } from 'node:path'
import { givenShips } from '../../src/ship-classes-file.ts'
import { TUG, classFile } from './ship-classes.ts'

describe('a file', () => {
  const one = (changes: object): object => ({ ship_classes: [{ ...TUG, ...changes }] })

  test.each<[string, unknown, RegExp]>([
    ['that is no JSON', '{', /JSON/],
    ['that is a list', [TUG], /ship_classes: .*undefined/],
    ['without classes', { ship_classes: [] }, /length/],
    ['with an unknown field', one({ paint: 'red' }), /paint/],
    ['without a mass', one({ dry_mass: undefined }), /dry_mass/],
    ['with zero thrust', one({ thrust_max: 0 }), /thrust_max/],
    ['with a negative mass', one({ dry_mass: -1 }), /dry_mass/],
    ['with infinity', JSON.stringify(one({})).replace('8000', '1e999'), /dry_mass/],
    ['with NaN', JSON.stringify(one({})).replace('8000', 'NaN'), /JSON/],
    ['with null for NaN', one({ radius: NaN }), /radius/],
    ['with a taker that is no role', one({ takers: ['guest'] }), /tug: takers: must be/],
    ['without takers', one({ takers: [] }), /tug: takers: must be/],
    ['with half a home', one({ home: { body: 'Moon' } }), /tug: home: must be a `station_id`/],
    ['with a negative price', one({ price: -1 }), /tug: price: /],
    ['with a long title', one({ title: 'T'.repeat(61) }), /tug: title: has 60 characters/],
    ["with operators' ships for players", one({ takers: 'operators' }), /tug: takers: new/],
    ['with two of one name', { ship_classes: [TUG, TUG] }, /tug: there is another of its name/],
    ['with no such class for new ships', { ...one({}), new_ships: 'barge' }, /no ship class barge/],
    ['with a nose elsewhere', one({ nose: { x: 0, y: 0, z: 1 } }), /nose/],
    ['with a hull that turns too slowly', one({ turn_seconds: 10 }), /tug: its wheels take up to/],
  ])('%s is refused by its path and what is wrong', async (_, contents, message) => {
    const path = classFile('bad', contents)
    const refusal = await givenShips(path).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: 'ERR_START',
      message: expect.stringMatching(message),
    })
    expect(refusal).toMatchObject({ message: expect.stringContaining(path) })
  })

  test('that names no class for new ships makes them of its first', async () => {
    const path = classFile('good', { ship_classes: [TUG] })
    expect(await givenShips(path)).toMatchObject({
      newShips: 'tug',
      shipClasses: [{ name: 'tug' }],
    })
    expect(await givenShips(undefined)).toEqual({})
  })

  test('of four classes is a sample, by which they differ as its page says', async () => {
    const path = join(import.meta.dirname, '../../deploy/ship-classes.json')
    const { shipClasses = [], newShips, offers } = await givenShips(path)
    expect(newShips).toBe('shuttle')
    expect(offers?.get('freighter')).toMatchObject({ takers: 'operators', price: 60_000 })
    const flown = shipClasses.map(({ name, dryMass, fuelCapacity, thrustMax, exhaustVelocity }) => [
      name,
      Math.round(exhaustVelocity * Math.log1p(fuelCapacity / dryMass)),
      thrustMax / (dryMass + fuelCapacity),
    ])
    expect(flown).toEqual([
      ['shuttle', 6_130, 12],
      ['tug', 8_247, 30],
      ['freighter', 21_991, 2],
      ['probe', 41_233, 0.5],
    ])
  })
})
