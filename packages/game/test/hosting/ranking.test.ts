// Law: of equal hosts each is first for as many star systems, of unequal ones by their free cores;
// a host that leaves moves only its own systems, one that comes takes only what it is first for.
import { expect, test } from 'vitest'
import { type RankedHost, rankedHosts } from '../../src/hosting/ranking.ts'

const SYSTEMS = Array.from({ length: 6000 }, (_, i) => `system-${i}`)

function newHost(name: string, load = 0, cores = 2): RankedHost {
  return { incarnation: name, address: `http://${name}:3100`, cores, load }
}

const THREE = ['a', 'b', 'c'].map((name) => newHost(name))

/** The first host of each system. */
function firsts(hosts: readonly RankedHost[]): string[] {
  return SYSTEMS.map((systemId) => rankedHosts(systemId, hosts)[0].incarnation)
}

/** Share of systems for which a host is first. */
function shareOf(name: string, hosts: readonly RankedHost[]): number {
  return firsts(hosts).filter((first) => first === name).length / SYSTEMS.length
}

test('systems are shared by free cores', () => {
  // Five standard deviations of a fair draw.
  const near = (share: number): number => 5 * Math.sqrt((share * (1 - share)) / SYSTEMS.length)
  for (const { incarnation } of THREE) {
    expect(Math.abs(shareOf(incarnation, THREE) - 1 / 3)).toBeLessThan(near(1 / 3))
  }
  const unequal = [newHost('a', 0.5, 4), newHost('b', 0, 4), newHost('c', 0, 2)]
  expect(Math.abs(shareOf('a', unequal) - 1 / 4)).toBeLessThan(near(1 / 4))
  expect(Math.abs(shareOf('b', unequal) - 1 / 2)).toBeLessThan(near(1 / 2))
})

test('a host that leaves moves its own systems alone, to all of the others', () => {
  const before = firsts(THREE)
  const after = firsts(THREE.filter(({ incarnation }) => incarnation !== 'b'))
  const moved = before.flatMap((first, i) => (first === after[i] ? [] : [first]))
  expect(new Set(moved)).toEqual(new Set(['b']))
  const heirs = after.filter((_, i) => before[i] === 'b')
  expect(new Set(heirs)).toEqual(new Set(['a', 'c']))
  // Each had been the second of those that it gets.
  const seconds = SYSTEMS.map((systemId) => rankedHosts(systemId, THREE)[1].incarnation)
  expect(after).toEqual(before.map((first, i) => (first === 'b' ? seconds[i] : first)))
})

test('all hosts agree, in whatever order they read them', () => {
  expect(firsts(THREE.toReversed())).toEqual(firsts(THREE))
})
