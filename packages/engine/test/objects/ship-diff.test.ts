/**
 * Law: two worlds differ ship by ship, and equal ones not at all. Goal: a world and its
 * restored image; then one order more, a ship less, massive bodies elsewhere.
 */
import {
  type Rule,
  type World,
  addShip,
  applyCommand,
  bodiesDiffer,
  createGameClock,
  createReplay,
  restoreWorld,
  shipDifferences,
  worldImage,
} from '@orrery/engine/testing'
import { expect, it } from 'vitest'
import { START_INDEX, globe, globeWorld } from '../globe.ts'

function pairOfWorlds(): { readonly left: World; readonly right: World } {
  const left = globeWorld()
  for (const name of ['hunter', 'prey', 'bystander']) addShip(left, name, name)
  const image = worldImage(left, createGameClock(START_INDEX), 0)
  const { world: right } = restoreWorld(image, { system: globe(), shipsMax: 512 })
  return { left, right }
}

async function fly(world: World, thrustLevel: number): Promise<void> {
  const replay = createReplay({ world, pool: undefined })
  const index = START_INDEX + 4
  const chase = { pointing: 'target', target: 2, thrustLevel } as const
  await replay.apply({
    sequence: 1,
    index,
    command: { kind: 'control', ship: 1, control: chase },
  })
  await replay.flyTo(START_INDEX + 6400, 1)
}

it('finds nothing between a world and its image, however both go on', async () => {
  const { left, right } = pairOfWorlds()
  expect([...shipDifferences(left, right)]).toEqual([])
  await fly(left, 0.5)
  await fly(right, 0.5)
  expect([...shipDifferences(left, right)]).toEqual([])
  expect(bodiesDiffer(left, right)).toBe(false)
})

it('names the ship that was steered otherwise, what differs, and the first value', async () => {
  const { left, right } = pairOfWorlds()
  await fly(left, 0.5)
  await fly(right, 0.5000001)
  const [found, ...others] = shipDifferences(left, right)
  expect(others).toEqual([])
  expect(found).toMatchObject({ number: 1, shipId: 'hunter' })
  expect(found.columns).toEqual(expect.arrayContaining(['position', 'fuel', 'thrustLevel']))
  expect(found.columns).not.toContain('sightedPosition')
  const { column, component, left: ours, right: theirs } = found.first
  expect([column, component]).toEqual(['position', 0])
  expect([ours, theirs]).toEqual([left, right].map(({ state }) => state.ships.position[0]))
})

it('finds a difference of the last bit, and of zero and minus zero', () => {
  const { left, right } = pairOfWorlds()
  const { fuel, gravity } = right.state.ships
  fuel[1] += 2 ** -39
  left.state.ships.gravity[6] = 0
  gravity[6] = -0
  expect([...shipDifferences(left, right)].map(({ number, columns }) => [number, columns])).toEqual(
    [
      [2, ['fuel']],
      [3, ['gravity']],
    ],
  )
})

it('names a ship that watches another in one world only', async () => {
  const { left, right } = pairOfWorlds()
  await fly(left, 0.5)
  await fly(right, 0.5)
  right.state.sightings.watcher.fill(-1)
  const first = { column: 'sighting', component: 0, left: 0, right: -1 }
  expect([...shipDifferences(left, right)]).toEqual([
    { number: 1, shipId: 'hunter', columns: ['sighting'], first },
  ])
})

it('compares rules, whatever rows of memory they have', () => {
  const rest = { once: false, armed: true, source: '' }
  const rule = (name: string, below: number): Rule => {
    return { ruleId: name, name, ...rest, condition: { kind: 'fuel', below } }
  }
  const left = globeWorld()
  for (const name of ['hunter', 'prey']) addShip(left, name, name)
  const give = (shipId: string, rules: readonly Rule[]): unknown =>
    applyCommand(left, { kind: 'set_rules', shipId, rules })
  give('prey', [rule('low', 0.5)])
  give('hunter', [rule('low', 0.5), rule('empty', 0.1)])
  give('prey', [])
  const image = worldImage(left, createGameClock(START_INDEX), 0)
  const { world: right } = restoreWorld(image, { system: globe(), shipsMax: 512 })
  expect(right.state.ships.ruleRow[0]).not.toBe(left.state.ships.ruleRow[0])
  expect([...shipDifferences(left, right)]).toEqual([])
  give('hunter', [rule('low', 0.5), rule('empty', 0.2)])
  expect([...shipDifferences(left, right)]).toMatchObject([
    { number: 1, columns: ['ruleDigest'], first: { component: 4 } },
  ])
})

it('names ships that only one world has, on either side', () => {
  const { left, right } = pairOfWorlds()
  applyCommand(right, { kind: 'remove_ship', shipId: 'prey' })
  addShip(right, 'newcomer', 'newcomer')
  expect([...shipDifferences(left, right)]).toEqual([
    {
      number: 2,
      shipId: 'prey',
      columns: ['condition'],
      first: { column: 'condition', component: 0, left: 1, right: 0 },
    },
    {
      number: 4,
      shipId: 'newcomer',
      columns: ['condition'],
      first: { column: 'condition', component: 0, left: 0, right: 1 },
    },
  ])
})

it('finds massive bodies that differ', () => {
  const { left, right } = pairOfWorlds()
  expect(bodiesDiffer(left, right)).toBe(false)
  right.integration.anchors[0].state.v[1] = 2 ** -40
  expect(bodiesDiffer(left, right)).toBe(true)
})
