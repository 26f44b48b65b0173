// Law: things by their numbers are as a map has them, in the order of numbers. Method: random
// insertions, replacements and deletions beside a map, far numbers among them.
import { expect, test } from 'vitest'
import { Numbered } from '../../src/world/numbered.ts'
import { createChance, testSeed } from '@orrery/testkit'

test('things by number are those of a map', () => {
  const { oneIn, share } = createChance(testSeed('numbered'))
  const [numbered, map] = [new Numbered<{ number: number }>(), new Map<number, unknown>()]
  for (let round = 0; round < 5000; round++) {
    const number = Math.floor(share() ** 4 * 1e6)
    if (oneIn(3)) {
      numbered.delete(number)
      map.delete(number)
    } else {
      const thing = { number }
      numbered.set(thing)
      map.set(number, thing)
    }
    expect(numbered.get(number)).toBe(map.get(number))
    expect(numbered.has(number)).toBe(map.has(number))
    expect(numbered.size).toBe(map.size)
  }
  const numbers = [...map.keys()].toSorted((a, b) => a - b)
  expect([...numbered.keys()]).toEqual(numbers)
  expect([...numbered.values()]).toEqual(numbers.map((number) => map.get(number)))
})
