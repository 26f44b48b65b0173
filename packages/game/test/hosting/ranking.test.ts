// Law: of equal hosts each is first for as many star systems, of unequal ones by their free cores;
// a host that leaves moves only its own systems, one that comes takes only what it is first for.
// Hosts below 70 % load keep what they have, and no move makes another one that goes back.
import { createChance, testSeed } from '@orrery/testkit'
import { expect, test } from 'vitest'
import { type RankedHost, moveOf, rankedHosts } from '../../src/hosting/ranking.ts'

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

test('hosts without too much load, and without one that has room, keep what they have', () => {
  const systems = [{ systemId: 'far', share: 0.5 }]
  expect(moveOf(newHost('a', 0.7), systems, [newHost('b')])).toBeUndefined()
  expect(moveOf(newHost('a', 0.8), systems, [])).toBeUndefined()
  expect(moveOf(newHost('a', 0.8), systems, [newHost('b', 0.3)])).toBeUndefined()
  expect(moveOf(newHost('a', 0.8), systems, [newHost('b', 0.1)])).toEqual({
    systemId: 'far',
    host: 'b',
  })
  // All of its load would only be another's.
  expect(moveOf(newHost('a', 0.8), [{ systemId: 'far', share: 1 }], [newHost('b')])).toBeUndefined()
  const large = newHost('b', 0, 8)
  expect(moveOf(newHost('a', 0.8), [{ systemId: 'far', share: 1 }], [large])).toBeDefined()
})

test('whatever systems weigh, moves come to an end', () => {
  const chance = createChance(testSeed('moves'))
  for (let run = 0; run < 300; run++) {
    const loads = Array.from({ length: 1 + chance.below(12) }, () => 0.9 * chance.share())
    const cores = Array.from({ length: 2 + chance.below(4) }, () => 1 + chance.below(8))
    /** the place of the host of each system; at first one has all */
    const places = loads.map(() => 0)
    const loadsAt = (at: number): number[] => loads.filter((_, i) => places[i] === at)
    const seen = new Set<string>()
    for (let move: ReturnType<typeof moveOf>; ;) {
      const hosts = cores.map((count, at) => newHost(`${at}`, sum(loadsAt(at)) / count, count))
      move = hosts
        .map((host, at) => {
          const total = sum(loadsAt(at))
          const own = loads.flatMap((load, i) => {
            return places[i] === at ? [{ systemId: `${i}`, share: load / total }] : []
          })
          return moveOf(host, own, hosts.toSpliced(at, 1))
        })
        .find((one) => one !== undefined)
      if (!move) break
      places[Number(move.systemId)] = Number(move.host)
      expect(seen).not.toContain(places.join())
      seen.add(places.join())
    }
  }
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
