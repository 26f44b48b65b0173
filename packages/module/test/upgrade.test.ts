/**
 * Law: a module is upgraded at an index of the journal, before which its older version ruled. Goal:
 * what ships and rows keep is the same however it is flown; a stored world opens with the newer
 * version alone where nothing was flown by the older; what cannot be taken over changes nothing.
 */
import {
  type Universe,
  createGameClock,
  createReplay,
  createUniverse,
  executeCommand,
  restoreUniverse,
  universeImage,
} from '@orrery/engine/testing'
import { type GameModule, bit, defineModule, f64, row, text, u32, v } from '@orrery/module'
import { gameModules } from '@orrery/module/host'
import { flownEveryWay } from '@orrery/module/kit'
import { createMassiveState } from '@orrery/sim'
import type { Upgrade } from '../src/declaration.ts'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'

const body = v.object({ pit: v.id() })

/** Its rows have a column that is named as a part of their rails. */
const older = defineModule({
  id: 'dig',
  version: 1,
  ship: {
    ore: f64('kg'),
    pit: row('pit'),
    full: bit(),
    luck: f64('', { default: 7 }),
    name: text(5),
  },
  tables: {
    pit: { rows: 2, onRail: true, columns: { ore: f64('kg'), radius: f64('m') } },
    gone: { rows: 1, columns: {} },
  },
  mass: ({ ore }) => ore,
  begin({ add }) {
    add('gone', {})
    add('pit', { ore: 1000, radius: 5 }, { around: 'Earth', radius: 7e6 })
  },
  commands: {
    dig: {
      body,
      run({ ship: own }, { pit }) {
        own.pit = pit
        own.name = '🪨 Ida'.slice(0, 5)
      },
    },
  },
  beat: {
    of: 'pit',
    run: ({ claim, ship: own }) => claim('pit', 1, 'ore', 2, (got) => void (own.ore += got)),
  },
})

const ship = {
  iron: f64('kg'),
  pit: row('pit'),
  luck: u32('', { default: 3 }),
  name: text(12),
  shop: row('shop'),
}

const tables = {
  pit: { rows: 2, onRail: true, columns: { iron: f64('kg'), radius: f64('m') } },
  shop: { rows: 4, columns: { price: f64('cr') } },
}

type How = Upgrade<typeof ship, typeof tables>

/** Ore is iron by then, of which it digs half as fast, and it weighs twice as much. */
function newer(from: How): GameModule {
  return defineModule({
    id: 'dig',
    version: 2,
    ship,
    tables,
    mass: ({ iron }) => 2 * iron,
    from: { 1: from },
    commands: { dig: { body, run: ({ ship: own }, { pit }) => void (own.pit = pit) } },
    beat: {
      of: 'pit',
      run: ({ claim, ship: own }) => claim('pit', 1, 'iron', 1, (got) => void (own.iron += got)),
    },
  })
}

const upgraded = newer({
  ship: ({ name, ore }) => ({ iron: Number(ore), name: `${name} & Co`, shop: 1 }),
  tables: { pit: ({ ore }) => ({ iron: Number(ore) }) },
  begin: ({ add, random }) => void add('shop', { price: 1 + random() }),
})

it.runIf(IS_NIGHT)('is the same to the bit however it is flown', async () => {
  const flown = await flownEveryWay([older, upgraded], {
    ships: 4,
    seconds: 90,
    happenings: [
      { ship: 1, at: 3, command: 'dig', body: { pit: 1 } },
      { ship: 1, at: 4, control: { thrustLevel: 0.1, seconds: 80 } },
      { ship: 2, at: 5, command: 'dig', body: { pit: 1 } },
      { ship: 2, at: 25, to: 'there' },
      { ship: 0, at: 40.25, version: 2 },
      { ship: 3, at: 50, command: 'dig', body: { pit: 1 } },
    ],
  })
  expect(flown.refusals).toEqual([])
  expect(flown.stopped).toEqual([])
  const dug = [2 * 37 + 50, 2 * 20, 40].reduce((sum, kg) => sum + kg)
  expect(flown.sum('iron')).toBe(dug)
  expect(flown.sum('iron', 'pit')).toBe(2 * 1000 - dug)
  expect(flown.sum('shop')).toBe(2)
  expect(flown.sum('luck')).toBe(7 + 7 + 3 + 3)
  expect(flown.sum('radius', 'pit')).toBe(10)
})

const INDEX = 1_000_000
const EARTH = { name: 'Earth', parent: -1, gm: 3.986004418e14, radius: 6.371e6 }
const SYSTEMS = ['here', 'there'].map((id) => ({
  system: { id, name: id, position: [0, 0, 0] as const, bodies: [EARTH] },
  territory: { home: 0, spheres: Float64Array.of(Infinity) },
  start: Object.assign(createMassiveState(1), { node: Math.floor(INDEX / 16_384) - 2 }),
}))

type Stored = Parameters<typeof restoreUniverse>[0]

function imageOf(universe: Universe): Stored {
  const clock = createGameClock(universe.worlds[0].index)
  const { bytes, header } = universeImage(universe, clock, 0)
  return { bytes, header: JSON.parse(JSON.stringify(header)) }
}

function opened(stored: Stored, ...modules: readonly GameModule[]): Universe {
  const room = { systems: SYSTEMS, shipsMax: 256, modules: gameModules(modules) }
  return restoreUniverse(stored, room).universe
}

async function fly({ worlds }: Universe, quanta: number): Promise<void> {
  for (const world of worlds) {
    await createReplay({ world, pool: undefined }).flyTo(world.index + quanta, 0)
  }
}

function order(universe: Universe, shipId: string): void {
  const command = { module: 'dig', command: 'dig', body: { pit: 1 } }
  executeCommand(universe, { kind: 'module_command', shipId, ...command })
}

/** Two ships of the older version, of which one digs for five seconds. */
async function dug(): Promise<Universe> {
  const modules = gameModules([older, upgraded])
  const setup = { systems: SYSTEMS, index: INDEX, seed: 'up', shipsMax: 256, modules }
  const universe = createUniverse(setup)
  executeCommand(universe, { kind: 'add_module', module: 'dig', version: 1 })
  for (const shipId of ['a', 'b']) {
    executeCommand(universe, { kind: 'create_ship', shipId, name: shipId })
  }
  order(universe, 'a')
  await fly(universe, 5 * 64 + 7)
  return universe
}

function upgrade(universe: Universe): void {
  executeCommand(universe, { kind: 'add_module', module: 'dig', version: 2 })
}

function valuesOf({ worlds }: Universe, shipId: string): object | undefined {
  const world = worlds.find(({ roster }) => roster.byId.has(shipId))
  const { slot } = world?.roster.byId.get(shipId) ?? { slot: -1 }
  return world?.modules?.shipValues(slot, 'operator')['dig']
}

it('opens without the older version where nothing was flown by it', async () => {
  const universe = await dug()
  const before = imageOf(universe)
  const alone = opened(before, upgraded)
  expect(alone.worlds[0].modules?.added).toMatchObject([{ id: 'dig', version: 1 }])
  // As it was stored, it can be stored again.
  expect(imageOf(alone)).toEqual(before)
  await expect(fly(opened(before, upgraded), 64)).rejects.toThrow(
    `The journal after index ${INDEX + 5 * 64 + 7} needs dig 1, which is not given.`,
  )
  for (const one of [universe, alone]) {
    upgrade(one)
    await fly(one, 200)
  }
  expect(imageOf(alone)).toEqual(imageOf(universe))
  expect(imageOf(opened(imageOf(alone), upgraded))).toEqual(imageOf(alone))
  expect(valuesOf(alone, 'a')).toEqual({ iron: 13, pit: 1, luck: 7, name: '🪨 Id & Co', shop: 1 })
  expect(() => opened(before, defineModule({ id: 'dig', version: 2 }))).toThrow(
    'The world has dig 1, and 2 is given.',
  )
})

const BROKEN: readonly [what: string, from: How, reason: string][] = [
  ['NaN', { ship: () => ({ iron: NaN }) }, 'ship 1 in here: BrokenModule: It sets iron to NaN.'],
  ['a column', { ship: () => ({ ore: 1 }) as object }, 'It has no column ore.'],
  ['a mass', { ship: () => ({ iron: 1e9 }) }, 'Its ship carries 2000000000 kg'],
  ['a row', { ship: () => ({ shop: 1 }) }, 'It sets shop to row 1, which there is not.'],
  ['rows', { begin: ({ add }) => void add('pit', {}) }, 'without an orbit'],
  [
    'an error',
    { tables: { pit: () => JSON.parse('{') as object } },
    'row 1 of pit in here: Syntax',
  ],
]

it.each(BROKEN)('is refused with what is wrong: %s', async (_, from, reason) => {
  const before = imageOf(await dug())
  const universe = opened(before, older, newer(from))
  expect(() => upgrade(universe)).toThrow(/^dig 2 cannot take over from dig 1: /)
  expect(() => upgrade(universe)).toThrow(reason)
  expect(imageOf(universe)).toEqual(before)
})

it('takes in ships of an older version, and gives none to one', async () => {
  const universe = await dug()
  const [here, there] = universe.worlds
  const move = (shipId: string, systemId: string): void => {
    executeCommand(universe, { kind: 'transfer_ship', shipId, systemId })
  }
  there.modules?.add({ id: 'dig', version: 2 }, there.index)
  move('a', 'there')
  const brought = { iron: 10, pit: null, luck: 7, name: '🪨 Id & Co', shop: null }
  expect(valuesOf(universe, 'a')).toEqual(brought)
  expect(there.state.ships.payload[there.roster.byId.get('a')?.slot ?? -1]).toBe(20)
  // It comes back at once, with all that it has.
  move('a', 'here')
  expect(there.roster.byId.has('a')).toBe(true)
  expect(valuesOf(universe, 'a')).toEqual(brought)
  // Others have nothing of it.
  move('b', 'there')
  move('b', 'here')
  expect(here.roster.byId.has('b')).toBe(true)
})
