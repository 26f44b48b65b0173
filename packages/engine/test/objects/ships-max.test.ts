/**
 * Law: the most ships there may be are ships, however they are spread over systems. Goal: three
 * systems take as many together, and refuse one more wherever the others are; a ship between two
 * systems counts; ships of full systems still move.
 */
import { type Universe, applyCommand, createUniverse, executeCommand } from '@orrery/engine/testing'
import { expect, it } from 'vitest'
import { shipCount } from '../../src/world/universe.ts'
import { START_INDEX, globe } from '../globe.ts'
import { codeOf, transfer } from './two-systems.ts'

const SHIPS_MAX = 300

function threeSystems(): Universe {
  const { system, ...rest } = globe()
  const systems = ['first', 'second', 'third'].map((id) => ({ ...rest, system: { ...system, id } }))
  return createUniverse({ systems, index: START_INDEX, seed: 'full', shipsMax: SHIPS_MAX })
}

const create = (universe: Universe, i: number): void =>
  executeCommand(universe, { kind: 'create_ship', shipId: `ship-${i}`, name: `Ship ${i}` })

/** Creates as many ships as there may be, and takes each to its system. */
function full(systemOf: (i: number) => string): Universe {
  const universe = threeSystems()
  for (let i = 0; i < SHIPS_MAX; i++) {
    create(universe, i)
    if (systemOf(i) !== 'first') transfer(universe, `ship-${i}`, systemOf(i))
  }
  return universe
}

it.each<[string, (i: number) => string]>([
  ['in the first', () => 'first'],
  ['in the last', () => 'third'],
  ['in all', (i) => ['first', 'second', 'third'][i % 3]],
])('300 ships %s are accepted, the next is refused, and they move', (_, systemOf) => {
  const universe = full(systemOf)
  expect(() => create(universe, SHIPS_MAX)).toThrow(codeOf('ERR_WORLD_FULL'))
  for (let i = 0; i < SHIPS_MAX; i++) {
    const there = systemOf(i) === 'second' ? 'first' : 'second'
    transfer(universe, `ship-${i}`, there)
  }
  const back = Array.from({ length: SHIPS_MAX }, (_, i) => systemOf(i)).filter(
    (id) => id === 'second',
  )
  expect(universe.worlds.map(({ roster }) => roster.byId.size)).toEqual([
    back.length,
    SHIPS_MAX - back.length,
    0,
  ])
  expect(() => create(universe, SHIPS_MAX)).toThrow(codeOf('ERR_WORLD_FULL'))
  executeCommand(universe, { kind: 'remove_ship', shipId: 'ship-7' })
  create(universe, SHIPS_MAX)
  expect(shipCount(universe)).toBe(SHIPS_MAX)
})

it('a ship that is between two systems keeps its place', () => {
  const universe = full(() => 'first')
  applyCommand(universe.worlds[0], { kind: 'depart_ship', shipId: 'ship-0', to: 'second' })
  expect(() => create(universe, SHIPS_MAX)).toThrow(codeOf('ERR_WORLD_FULL'))
})
