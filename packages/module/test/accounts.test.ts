/**
 * Law: what an account keeps goes where its ship goes, and from ship to ship without a loss. Goal:
 * commands, full seconds and reactions write it, and it is the same in every way to fly; a
 * destruction, another star system, an upgrade and a change of ships leave it whole.
 */
import { defineModule, f64, text, u32, v } from '@orrery/module'
import {
  type Universe,
  addShip,
  applyCommand,
  completeHandOffs,
  createUniverse,
  executeCommand,
} from '@orrery/engine/testing'
import { gameModules } from '@orrery/module/host'
import { flownEveryWay } from '@orrery/module/kit'
import { createMassiveState } from '@orrery/sim'
import { expect, it } from 'vitest'

const PAY = 700
const RENT = 3

/** @param coins  that a credit is worth, for the second version */
function bank(version: number, coins = 1) {
  return defineModule({
    id: 'bank',
    version,
    ship: { rent: f64('cr/s') },
    account: { credits: f64('cr', { default: 100 }), losses: u32(''), title: text(8) },
    commands: {
      earn: {
        body: v.object({ credits: v.number(), rent: v.number(), title: v.string() }),
        run({ account, ship }, { credits, rent, title }) {
          account.credits += credits * coins
          if (title) account.title = title
          ship.rent = rent
        },
      },
      sink: { body: v.object({}), run: ({ destroy }) => destroy('sunk') },
    },
    beat: { of: 'rent', run: ({ account, ship }) => void (account.credits += ship.rent) },
    on: { destroyed: (_ship, _event, { account }) => void (account.losses += 1) },
    ...(version > 1 && {
      from: { 1: { account: (old) => ({ credits: Number(old['credits']) * coins }) } },
    }),
    panel: { title: 'Bank', fields: [{ label: 'Credits', column: 'credits' }] },
  })
}

const earn = (ship: number, at: number, credits: number, rent = 0, title = '') => {
  return { ship, at, command: 'earn', body: { credits, rent, title } }
}

it('keeps what accounts have in every way', async () => {
  const flown = await flownEveryWay([bank(1), bank(2, 10)], {
    ships: 3,
    seconds: 150,
    happenings: [
      earn(1, 3, PAY, 0, 'Baron'),
      { ship: 1, at: 20, command: 'sink' },
      { ship: 1, at: 40, to: 'there' },
      earn(2, 5.5, 0, RENT),
      earn(2, 15.5, 0),
      { ship: 1, at: 100, version: 2 },
      earn(1, 110, PAY),
    ],
  })
  expect(flown.refusals).toEqual([])
  expect(flown.stopped).toEqual([])
  const [first, second] = [100 + 2 * PAY, 100 + 10 * RENT]
  expect(flown.sum('credits')).toBe(10 * (first + second) + 100)
  expect(flown.sum('losses')).toBe(1)
})

it('gives what all ships of an account have to the one that it flies', async () => {
  const flown = await flownEveryWay(bank(1), {
    ships: 3,
    seconds: 150,
    happenings: [
      earn(1, 3, PAY, 0, 'Baron'),
      { ship: 1, at: 10, flies: 2 },
      earn(2, 20, PAY),
      // The one that coasts goes on earning.
      earn(1, 30, 0, RENT),
      { ship: 2, at: 35, to: 'there' },
      { ship: 1, at: 40.5, flies: 2 },
      { ship: 2, at: 50, flies: 3 },
      { ship: 3, at: 60, flies: 9 },
    ],
  })
  expect(flown.refusals).toEqual(['EngineError: No ship ship-9.'])
  expect(flown.sum('credits')).toBe(3 * 100 + 2 * PAY + RENT * (150 - 30))
  const late = RENT * (150 - 40)
  expect(flown.of(1, 'credits')).toBe(100 + late)
  expect(flown.of(2, 'credits')).toBe(100)
  expect(flown.of(3, 'credits')).toBe(100 + 2 * PAY + RENT * 10)
  expect(flown.of(3, 'title')).toBe('Baron')
})

const START = 1_000_000

/** Two systems with a ship each, the first of which has earned. */
function apart(): Universe {
  const systems = ['here', 'there'].map((id) => ({
    system: {
      id,
      name: id,
      position: [0, 0, 0] as const,
      bodies: [{ name: `Globe ${id}`, parent: -1, gm: 3.986004418e14, radius: 6.371e6 }],
    },
    territory: { home: 0, spheres: Float64Array.of(Infinity) },
    start: Object.assign(createMassiveState(1), { node: Math.floor(START / 16_384) - 2 }),
  }))
  const modules = gameModules([bank(1)])
  const universe = createUniverse({ systems, index: START, seed: 'bank', shipsMax: 4, modules })
  executeCommand(universe, { kind: 'add_module', module: 'bank', version: 1 })
  for (const [i, world] of universe.worlds.entries()) addShip(world, `ship-${i}`, 'Ship')
  const { at: _at, ship: _ship, ...command } = earn(1, 0, PAY)
  executeCommand(universe, { kind: 'module_command', shipId: 'ship-0', module: 'bank', ...command })
  return universe
}

/** What each ship has of its account. */
function credits({ worlds }: Universe): unknown[] {
  return worlds.flatMap(({ modules, roster }) => {
    return Array.from(roster.byId.values(), ({ shipId, slot }) => {
      return [shipId, modules?.shipValues(slot, 'operator')['bank']['credits']]
    })
  })
}

it('is at one ship or between two, whatever becomes of them', () => {
  const leave = { kind: 'depart_account', shipId: 'ship-0', taker: 'ship-1' } as const
  const departed = (): Universe => {
    const universe = apart()
    applyCommand(universe.worlds[0], { ...leave, to: 'there', passId: 'pass' })
    return universe
  }
  const arrives = departed()
  expect(credits(arrives)).toEqual([
    ['ship-0', 100],
    ['ship-1', 100],
  ])
  completeHandOffs(arrives)
  expect(credits(arrives)).toEqual([
    ['ship-0', 100],
    ['ship-1', 100 + PAY],
  ])
  const follows = departed()
  applyCommand(follows.worlds[1], { kind: 'depart_ship', shipId: 'ship-1', to: 'here' })
  completeHandOffs(follows)
  completeHandOffs(follows)
  expect(credits(follows)).toEqual([
    ['ship-0', 100],
    ['ship-1', 100 + PAY],
  ])
  const returns = departed()
  executeCommand(returns, { kind: 'remove_ship', shipId: 'ship-1' })
  completeHandOffs(returns)
  expect(credits(returns)).toEqual([['ship-0', 100 + PAY]])
  const ends = departed()
  for (const shipId of ['ship-0', 'ship-1']) executeCommand(ends, { kind: 'remove_ship', shipId })
  completeHandOffs(ends)
  for (const { worlds } of [arrives, follows, returns, ends]) {
    expect(worlds.map(({ departed: all }) => all.size)).toEqual([0, 0])
  }
})
