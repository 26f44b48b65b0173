// Law: a pilot's client that runs the game's modules has for the own ship what the server has of
// it, at each check, and flies with the masses, so that beats need no seed. Goal: 3 pilots for
// two minutes, at night 100 for an hour, who burn while they dig, and empty what they share.
import { connectSocket } from '@orrery/client'
import { createShipSample, openFlight } from '@orrery/client/flight'
import type { Universe } from '@orrery/engine/testing'
import { type GameModule, bit, defineModule, f64, row, v } from '@orrery/module'
import { flownModules } from '@orrery/module/flown'
import { gameModules } from '@orrery/module/host'
import { thrustLimitOf } from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit/chance'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { smallUniverse } from '../small-universe.ts'
import { type BinaryServer, usedBinaryServers } from './binary-server.ts'

const PILOTS = byTier({ gate: 3, night: 100 })
const SECONDS = byTier({ gate: 120, night: 3600 })

/** Kilograms of ore a second. */
const RATE = 2.7

type World = Universe['worlds'][number]

const open = usedBinaryServers()
const { below, share } = createChance(testSeed('own modules'))

/** Ships dig while they are cool: engines heat them, and the end of a burn cools them. */
const digging: GameModule = defineModule({
  id: 'digging',
  version: 3,
  ship: {
    ore: f64('kg'),
    heat: f64('K'),
    pit: row('pit'),
    hot: bit(),
    note: f64('', { seenBy: 'operator' }),
  },
  tables: { pit: { rows: 2, columns: { ore: f64('kg') } } },
  mass: ({ ore }) => ore,
  thrustLimit: ({ hot }) => (hot ? 0.5 : 1),
  begin({ add }) {
    add('pit', { ore: 1e9 })
    add('pit', { ore: 0.8 * Math.floor(PILOTS / 2) * RATE * SECONDS })
  },
  commands: {
    dig: {
      body: v.object({ pit: v.id() }),
      run({ ship }, { pit }) {
        ship.pit = pit
      },
    },
  },
  beat: {
    of: 'pit',
    run({ claim, seconds, ship }) {
      ship.heat += ship.thrust + ship.fuel / ship.fuelCapacity + (seconds % 2)
      if (ship.pit === null) return
      claim('pit', ship.pit, 'ore', RATE, (got) => {
        ship.ore += got
        ship.hot = ship.heat > 30
        if (got === 0) ship.pit = 1
      })
    },
  },
  on: { burnEnded: (ship) => void (ship.heat = 0) },
})

/** It loads ships by chance, which no client can foresee. */
const luck: GameModule = defineModule({
  id: 'luck',
  version: 1,
  ship: { coins: f64('kg'), left: f64('') },
  mass: ({ coins }) => coins,
  commands: { play: { body: v.object({}), run: ({ ship }) => void (ship.left = 5) } },
  beat: {
    of: 'left',
    run({ random, ship }) {
      ship.coins += random()
      ship.left -= 1
    },
  },
})

const RULES = [digging, luck]

/** What it keeps is as before, of which it takes twice as much. */
const deeper: GameModule = {
  ...digging,
  version: 4,
  from: { 3: {} },
  beat: {
    of: 'pit',
    run: ({ claim, ship }) =>
      claim('pit', 1, 'ore', 2 * RATE, (got) => {
        ship['ore'] += got
      }),
  },
}

async function begun(): Promise<{ readonly server: BinaryServer; readonly world: World }> {
  const universe = smallUniverse(1024, gameModules([...RULES, deeper]))
  const server = await open(universe)
  server.engine.changeTickRate(2)
  // Tokens of pilots are valid for an hour.
  server.engine.changeTimeScale(2)
  for (const { id: module, version } of RULES) {
    await server.engine.execute({ kind: 'add_module', module, version })
  }
  return { server, world: universe.worlds[0] }
}

/** @param runs  what the client takes for the modules of the game */
async function pilot(server: BinaryServer, runs: readonly GameModule[] = RULES) {
  const shipId = await server.launch()
  const socket = connectSocket({
    url: server.url,
    token: server.join(shipId),
    wire: 'binary',
    clock: server.clock,
    WebSocket,
  })
  const { ship, world } = openFlight({
    socket,
    clock: server.clock,
    modules: flownModules(runs),
  })
  const checks: boolean[] = []
  const rows: boolean[] = []
  const seeds: number[] = []
  ship.on('checked', ({ isEqual }) => checks.push(isEqual))
  ship.on('modulesChecked', ({ isEqual }) => rows.push(isEqual))
  socket.on('ship_modules', ({ index }) => seeds.push(index))
  await socket.opened
  const order = (module: string, command: string, body = {}): Promise<unknown> =>
    server.engine.execute({ kind: 'module_command', shipId, module, command, body })
  return { checks, order, rows, seeds, ship, shipId, socket, world }
}

type Pilot = Awaited<ReturnType<typeof pilot>>

const out = createShipSample()

/** Two seconds of the game pass, and each looks at its ship so far after the index [quanta]. */
async function pass(server: BinaryServer, pilots: readonly Pilot[], ahead = 0): Promise<void> {
  await server.pass(1)
  await Promise.all(pilots.map(({ socket }) => socket.ping()))
  const [{ index }] = server.engine.universe.worlds
  for (const { shipId, world } of pilots) world.shipAt(out, shipId, index + ahead)
}

/** What a pilot has of its ship at the published index, and what the server has. */
function kept({ ship, shipId, world: seen }: Pilot, world: World): readonly [object, object] {
  seen.shipAt(out, shipId, world.index)
  const { slot } = world.roster.byId.get(shipId)!
  const payload = world.state.ships.payload[slot]
  const thrustLimit = thrustLimitOf(world.state.ships, slot)
  const { digging: due } = world.modules!.shipValues(slot, 'pilot')
  return [
    { payload: out.payload, thrustLimit: out.thrustLimit, values: ship.modules['digging']?.values },
    { payload, thrustLimit, values: due },
  ]
}

test(`${PILOTS} pilots have for ${SECONDS} s what the server has`, { timeout: 1e7 }, async () => {
  const { server, world } = await begun()
  const pilots = await Promise.all(Array.from({ length: PILOTS }, () => pilot(server)))
  while (pilots.some(({ ship }) => !ship.modules['luck'])) await pass(server, pilots)
  for (const { order } of pilots) await order('luck', 'play')
  // It needs chance, and runs on the server alone from then on.
  while (pilots.some(({ ship }) => ship.modules['luck'])) await pass(server, pilots)
  for (let second = 0; second < 4; second++) await pass(server, pilots)
  const [first, ...others] = pilots
  // Until a client knows that, a check can find what luck has given.
  for (const { checks, rows, seeds } of pilots) checks.length = rows.length = seeds.length = 0
  expect(first.ship.modules['digging']).toMatchObject({ isSettled: true, values: { pit: null } })
  for (const [i, { order }] of pilots.entries()) await order('digging', 'dig', { pit: 1 + (i % 2) })
  for (let second = 0; second < SECONDS; second += 4) {
    // Its orders act before what it has looked at.
    await pass(server, [first], 40)
    await pass(server, others)
    for (const one of others) {
      const [here, there] = kept(one, world)
      expect(here).toEqual(there)
    }
    if (second === 32) await first.order('luck', 'play')
    if (below(10) > 0) continue
    const order = { type: 'control', delta_v: 2 * share(), pointing: 'prograde' } as const
    await pilots[below(PILOTS)].ship.order({ ...order, thrust_level: share() })
  }
  // Of some the server has just sent it.
  expect(pilots.some(({ ship }) => !ship.modules['digging'].isSettled)).toBe(true)
  for (const { checks, rows, seeds, ship } of pilots) {
    expect(ship.modules['digging']).toMatchObject({ values: { pit: 1 } })
    expect(checks).not.toContain(false)
    expect(rows).not.toContain(false)
    // A seed takes the place of a check.
    expect(rows.length).toBeGreaterThan(SECONDS / 100 - 1)
    expect(seeds.length).toBeLessThan(SECONDS / 4)
  }
})

test('rules that are not those of the server are found and put right', async () => {
  const { server, world } = await begun()
  const wrong = await pilot(server, [{ ...digging, mass: ({ heat }) => heat }])
  const newer = await pilot(server, [{ ...digging, version: 5 }])
  const both = await pilot(server, [digging, deeper])
  const all = [wrong, newer, both]
  while (![wrong, both].every(({ ship }) => ship.modules['digging'])) await pass(server, all)
  for (const { order } of [wrong, both]) await order('digging', 'dig', { pit: 1 })
  for (let second = 0; second < 35; second++) await pass(server, all)
  expect(wrong.rows).toContain(false)
  expect(newer.ship.modules).toEqual({})
  await server.engine.execute({ kind: 'add_module', module: 'digging', version: 4 })
  for (let second = 0; second < 3; second++) await pass(server, all)
  const [here, there] = kept(both, world)
  expect(here).toEqual(there)
  expect(both.rows).not.toContain(false)
})
