// Law: spans cover all distances without gap or overlap, farthest first, and none cuts an object.
import { createChance, testSeed } from '@orrery/testkit/chance'
import { expect, test } from 'vitest'
import { type Extent, depthSpans } from '../../src/space/depth-spans.ts'

const REACH: Extent = { near: 0.1, far: 1e14 }

/** What is wrong with the spans of some objects; empty when nothing is. */
function faults(extents: readonly Extent[]): readonly string[] {
  const spans = depthSpans(extents, REACH)
  const found: string[] = []
  let edge = Math.max(spans[0].far, REACH.far)
  for (const { near, far, members } of spans) {
    if (far !== edge) found.push(`a gap from ${far} to ${edge}`)
    if (!(near < far)) found.push(`no depth at ${far}`)
    edge = near
    for (const member of members) {
      const isCut = extents[member].far > far || Math.max(extents[member].near, REACH.near) < near
      if (isCut) found.push(`${member} is cut`)
    }
  }
  if (edge !== REACH.near) found.push(`nothing before ${edge}`)
  const drawn = spans.flatMap(({ members }) => members).toSorted((a, b) => a - b)
  const seen = [...extents.keys()].filter((i) => extents[i].far > REACH.near)
  if (drawn.join() !== seen.join()) found.push(`${drawn.join()} instead of ${seen.join()}`)
  return found
}

test('with random objects from 1 m to 10¹³ m', () => {
  const chance = createChance(testSeed('extents'))
  for (let i = 0; i < 300; i++) {
    const extents = Array.from({ length: Math.floor(chance.share() * 40) }, () => {
      const near = 10 ** (chance.share() * 13)
      return { near, far: near * (1 + 10 ** (chance.share() * 4 - 3)) }
    })
    expect(faults(extents)).toEqual([])
  }
})

test('a hull before a planet before a star: each has a span of its own', () => {
  const extents = [
    { near: 1.4e11, far: 1.6e11 },
    { near: 2e7, far: 8e7 },
    { near: 3, far: 40 },
  ]
  expect(faults(extents)).toEqual([])
  const spans = depthSpans(extents, { ...REACH, near: 1e-3 })
  expect(spans.map(({ members }) => members)).toEqual([[0], [1], [2], []])
  // Depth is finest at the nearest distance, which is just before the object.
  for (const [i, { near }] of extents.entries()) expect(near / spans[i].near).toBeLessThan(2)
})

test('a gap belongs to the nearer objects, and what is just before the last ones, too', () => {
  const extents = [
    { near: 2e7, far: 8e7 },
    { near: 1, far: 4 },
  ]
  expect(depthSpans(extents, { ...REACH, near: 1e-5 })).toMatchObject([
    { far: REACH.far, members: [0] },
    { far: 0.99 * 2e7, members: [1] },
    { far: 0.99, near: 1e-5, members: [] },
  ])
  expect(depthSpans(extents, REACH)).toMatchObject([
    { members: [0] },
    { far: 0.99 * 2e7, near: REACH.near, members: [1] },
  ])
})

test('nothing to see is one span; what is around the camera is cut at the nearest', () => {
  expect(depthSpans([], REACH)).toEqual([{ ...REACH, members: [] }])
  expect(faults([{ near: -5, far: 20 }])).toEqual([])
  expect(faults([{ near: -5, far: 0.01 }])).toEqual([])
})
