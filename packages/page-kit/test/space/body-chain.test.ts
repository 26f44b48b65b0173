// Law: a difference between two places is exact to the last bit of their distance from the body
// that both hang from, however far that body is from the star.
import { createChance, testSeed } from '@orrery/testkit/chance'
import { expect, test } from 'vitest'
import { BodyChain } from '../../src/space/body-chain.ts'
import { length, vector } from '../../src/space/vector.ts'

// A star, two planets, two moons of the second, and a body of the barycentre.
const PARENTS = [-1, 0, 0, 2, 2, -1]

function chain(): BodyChain {
  const made = new BodyChain(PARENTS)
  made.relative.set([1e9, -2e9, 3e8], 0)
  made.relative.set([1.5e11, 0, 0], 3)
  made.relative.set([-3e12, 3.3e12, 1e11], 6)
  made.relative.set([3.5e8, 1e6, 0], 9)
  made.relative.set([0, -1.2e9, 5], 12)
  made.relative.set([7e15, 0, 0], 15)
  return made
}

const at = (body: number, x = 0, y = 0, z = 0) => ({ body, offset: vector(x, y, z) })

test('a place is where the sum of the chain puts it', () => {
  const made = chain()
  const out = vector()
  expect([...made.difference(out, at(0), at(3))]).toEqual([3.5e8 - 3e12, 1e6 + 3.3e12, 1e11])
  expect([...made.difference(out, at(3), at(4))]).toEqual([-3.5e8, -1.2e9 - 1e6, 5])
  expect([...made.difference(out, at(4, 1), at(4))]).toEqual([-1, 0, 0])
  expect(made.difference(out, at(5), at(0))[0]).toBe(1e9 - 7e15)
})

test('there and back is nothing, and three sides of a triangle close', () => {
  const made = chain()
  const { integer, number } = randomPlaces()
  for (let i = 0; i < 200; i++) {
    const places = [0, 1, 2].map(() => at(integer(6), number(), number(), number()))
    const sum = vector()
    let largest = 0
    for (const k of [0, 1, 2]) {
      const side = made.difference(vector(), places[k], places[(k + 1) % 3])
      const back = made.difference(vector(), places[(k + 1) % 3], places[k])
      for (const j of [0, 1, 2]) {
        expect(side[j] + back[j]).toBe(0)
        sum[j] += side[j]
      }
      largest = Math.max(largest, length(side))
    }
    expect(length(sum)).toBeLessThanOrEqual(largest * 1e-14)
  }
})

test('1 m beside a ship at the far planet is 1 m', () => {
  const made = chain()
  const ship = at(2, 24_622_000.5, 1234.25, -77)
  const camera = at(2, 24_622_001.5, 1234.25, -77)
  expect([...made.difference(vector(), camera, ship)]).toEqual([-1, 0, 0])
})

function randomPlaces(): { integer: (limit: number) => number; number: () => number } {
  const chance = createChance(testSeed('places'))
  return {
    integer: (limit) => Math.floor(chance.share() * limit),
    number: () => (chance.share() - 0.5) * 1e9,
  }
}
