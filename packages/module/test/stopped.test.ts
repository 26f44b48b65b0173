/**
 * Law: a module that breaks is stopped by a row of the journal, and harms nothing else. Goal: of a
 * beat that throws, writes NaN, claims below zero, leaves its row or hangs nothing is left but the
 * reason; ships fly on, commands are refused by name, and a replay stops it at the same index.
 */
import { type GameModule, bit, defineModule, f64, refusal, row, text, v } from '@orrery/module'
import { gameModules } from '@orrery/module/host'
import {
  type CommandRow,
  Engine,
  type Pool,
  type SystemDigest,
  type Universe,
  type World,
  addShip,
  createGameClock,
  createReplay,
  createUniverse,
  restoreUniverse,
  universeImage,
} from '@orrery/engine/testing'
import { EVENTS_MAX, advanceChunk } from '@orrery/sim'
import { simulatedClock } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { INDEX, SYSTEM } from './lone-system.ts'

/** What a hostile module does at its third beat, and with what reason it is stopped. */
const HOSTILE: readonly [what: string, reason: string][] = [
  ['throw', 'Error: it throws'],
  ['nan', 'sets ore to NaN'],
  ['claim', 'claims -1'],
  ['kind', 'sets on to 7'],
  ['refuse', 'what is no command'],
  ['frozen', 'TypeError'],
  ['undeclared', 'has no event'],
  ['unfit', 'dug: Invalid type'],
  ['flood', 'more than 8 events'],
  ['long', 'sets name to "abcdef"'],
  ['lines', 'sets name to'],
  ['hang', 'did not end'],
  ['hoard', 'did not end'],
]

function hostile(what: string): GameModule {
  return defineModule({
    id: 'hostile',
    version: 1,
    ship: { ore: f64('kg'), on: bit(), pit: row('pit'), name: text(5) },
    tables: { pit: { rows: 2, columns: { ore: f64('kg') } } },
    begin: ({ add }) => void add('pit', { ore: 1000 }),
    events: { dug: { text: 'Dug {ore}.', body: v.object({ ore: v.number() }) } },
    commands: {
      begin: {
        body: v.object({}),
        run: ({ ship }) => {
          ship.on = true
          ship.pit = 1
        },
      },
      divide: {
        body: v.object({ by: v.number() }),
        run: ({ ship }, { by }) => {
          ship.on = false
          if (by === 1) throw refusal('pointless', { by })
          ship.ore /= by
        },
      },
    },
    on: {
      'hostile.dug': (ship) => {
        ship.ore += 10
        if (what === 'answer') throw new Error('it answers')
      },
    },
    beat: {
      of: 'on',
      run({ claim, emit, ship }) {
        ship.ore += 1
        if (ship.ore === 3 && (what === 'answer' || what === 'mute')) emit('dug', { ore: 3 })
        claim('pit', 1, 'ore', ship.ore < 3 ? 1 : what === 'claim' ? -1 : 0, () => undefined)
        if (ship.ore < 3) return
        if (what === 'throw') throw new Error('it throws')
        if (what === 'nan') ship.ore = Number('x')
        if (what === 'kind') ship.on = 7 as never
        if (what === 'refuse') throw refusal('never')
        if (what === 'frozen') (ship as { other?: number }).other = 1
        if (what === 'undeclared') emit('lost' as never, {} as never)
        if (what === 'unfit') emit('dug', { ore: 'much' as never })
        if (what === 'flood') for (let i = 0; i < 9; i++) emit('dug', { ore: i })
        if (what === 'long') ship.name = 'abcdef'
        if (what === 'lines') ship.name = 'a\nb'
        if (what === 'hang') for (;;) ship.on = true
        // oxlint-disable-next-line unicorn/no-new-array -- only built-in functions
        if (what === 'hoard') for (const all = [[0]]; ;) all.push(new Array(1000).fill(1))
      },
    },
  })
}

interface Flown {
  readonly universe: Universe
  readonly rows: readonly { sequence: number; index: number; command: unknown }[]
  readonly digests: readonly SystemDigest[]
  readonly refusals: readonly string[]
  readonly start: ReturnType<typeof universeImage>
}

/** The simulated clock waits for no other. */
function callingThread({ flight, state }: World): Pool {
  return {
    advance: ([round]) => {
      const chunks = round ? state.chunks : 0
      for (let chunk = 0; chunk < chunks; chunk++) advanceChunk(flight, chunk, round?.target ?? 0)
      return Promise.resolve()
    },
    status: () => ({ threads: 0, failures: 0, busyMs: 0 }),
    close: () => Promise.resolve(),
  }
}

/** Two ships under a module in a live engine for 200 s. */
async function live(
  module: GameModule,
  divisor?: { by: number },
  more?: (engine: Engine, clock: ReturnType<typeof simulatedClock>) => Promise<void>,
): Promise<Flown> {
  const modules = gameModules([module])
  const setup = { systems: [SYSTEM], index: INDEX, seed: 'stop', shipsMax: 256, modules }
  const universe = createUniverse(setup)
  const gameClock = createGameClock(INDEX)
  const start = universeImage(universe, gameClock, 0)
  const open: CommandRow[] = []
  const digests: SystemDigest[] = []
  const clock = simulatedClock(0)
  const fail = (error: unknown): void => expect.fail(String(error))
  const engine = new Engine({
    universe,
    gameClock,
    tick: 0,
    pool: callingThread(universe.worlds[0]),
    clock,
    tickRate: 10,
    timeScale: 10,
    paused: false,
    journal: { admit: () => undefined, keep: (one) => Promise.resolve(void open.push(one)) },
    onPublish: () => undefined,
    onFault: fail,
    onDigest: (digest) => digests.push(digest),
  })
  engine.start()
  const refusals: string[] = []
  const order = async (shipId: string, command: string, body = {}): Promise<void> => {
    const sent = { kind: 'module_command', shipId, module: 'hostile', command, body } as const
    await engine.execute(sent).catch((error: unknown) => refusals.push(String(error)))
  }
  await engine.execute({ kind: 'add_module', module: 'hostile', version: 1 })
  for (const shipId of ['a', 'b'])
    await engine.execute({ kind: 'create_ship', shipId, name: shipId })
  await order('a', 'begin')
  await order('a', 'divide', { by: 1 })
  await order('a', 'divide', {})
  await order('a', 'nothing')
  await order('a', 'divide', { by: 2, note: 'a\u0000b' })
  await order('a', 'divide', { by: Infinity })
  if (divisor) await order('a', 'divide', divisor)
  await clock.advance(1000)
  await order('b', 'begin')
  await clock.advance(19_000)
  await order('b', 'begin')
  await more?.(engine, clock)
  await engine.stop()
  const rows = open.map(({ sequence, index, ...one }) => ({ sequence, index, command: one.seal() }))
  return { universe, rows, digests, refusals, start }
}

/** Replays a flight under a module, perhaps another. */
async function replayed({ start, rows, universe }: Flown, module: GameModule): Promise<Flown> {
  const room = { systems: [SYSTEM], shipsMax: 256, modules: gameModules([module]) }
  const stored = { header: JSON.parse(JSON.stringify(start.header)), bytes: start.bytes }
  const again = restoreUniverse(stored, room).universe
  const digests: SystemDigest[] = []
  const replay = createReplay({
    world: again.worlds[0],
    pool: undefined,
    onDigest: (digest) => digests.push(digest),
  })
  for (const one of rows) await replay.apply(JSON.parse(JSON.stringify(one)))
  await replay.flyTo(universe.worlds[0].index, 1)
  return { universe: again, rows, digests, refusals: [], start }
}

function endOf({ universe }: Flown): string {
  const clock = createGameClock(universe.worlds[0].index)
  return Buffer.from(universeImage(universe, clock, 0).bytes).toString('base64')
}

it.each(HOSTILE)('stops one that does: %s', async (what, reason) => {
  const flown = await live(hostile(what))
  const [{ stopped }] = flown.universe.worlds[0].modules?.added ?? []
  expect(stopped?.reason).toContain(reason)
  const fault = flown.rows.find(({ command }) => Object(command).kind === 'module_fault')
  expect(fault?.index).toBe(stopped?.index)
  expect(flown.refusals).toHaveLength(7)
  expect(flown.refusals[0]).toContain('hostile divide: pointless, by 1')
  expect(flown.refusals[1]).toContain('hostile divide: by')
  expect(flown.refusals[2]).toContain('no command nothing')
  for (const refused of flown.refusals.slice(3, 5)) expect(refused).toContain('cannot be kept')
  for (const refused of flown.refusals.slice(5)) expect(refused).toContain('has stopped')
  const { modules, roster } = flown.universe.worlds[0]
  const [a, b] = ['a', 'b'].map((id) => roster.byId.get(id)?.slot ?? -1)
  expect(modules?.shipValues(a, 'pilot')).toEqual({
    hostile: { ore: 2, on: true, pit: 1, name: '' },
  })
  expect(modules?.shipValues(b, 'pilot')).toEqual({
    hostile: { ore: 0, on: false, pit: null, name: '' },
  })
  expect(modules?.rowValues('hostile', 'pit', 'pilot', 0)).toEqual([{ ore: 998 }])
  expect(flown.digests.length).toBeGreaterThan(1)
  // A replay need not hang to know it.
  for (const other of [reason === 'did not end' ? 'nothing' : what, 'nothing']) {
    const again = await replayed(flown, hostile(other))
    expect(again.digests).toEqual(flown.digests)
    expect(endOf(again)).toBe(endOf(flown))
  }
})

it('stops one that breaks in a command, of which nothing is left', async () => {
  const flown = await live(hostile('nothing'), { by: 0 })
  const { modules, roster } = flown.universe.worlds[0]
  const slot = roster.byId.get('a')?.slot ?? -1
  expect(modules?.added[0].stopped?.reason).toContain('sets ore to NaN')
  expect(modules?.shipValues(slot, 'pilot')['hostile']).toMatchObject({ ore: 0, on: true })
  expect(flown.refusals.at(-1)).toContain('has stopped')
  const kinds = flown.rows.map(({ command }) => Object(command).kind as string)
  expect(kinds.filter((kind) => kind === 'module_command')).toHaveLength(1)
  expect(kinds).toContain('stop_module')
  const again = await replayed(flown, hostile('nothing'))
  expect(again.digests).toEqual(flown.digests)
  expect(endOf(again)).toBe(endOf(flown))
})

it('stops one that breaks in a reaction, of which nothing is left', async () => {
  const flown = await live(hostile('answer'))
  const { modules, roster } = flown.universe.worlds[0]
  const slot = roster.byId.get('a')?.slot ?? -1
  expect(modules?.shipValues(slot, 'pilot')['hostile']).toMatchObject({ ore: 3 })
  const fault = flown.rows.find(({ command }) => Object(command).kind === 'module_fault')
  expect(fault?.command).toMatchObject({ reason: 'Error: it answers', call: 1 })
  for (const other of ['answer', 'mute']) {
    const again = await replayed(flown, hostile(other))
    expect(again.digests).toEqual(flown.digests)
    expect(endOf(again)).toBe(endOf(flown))
  }
})

it('starts again, by a row, what an error or an operator has stopped', async () => {
  const stops: (string | undefined)[] = []
  const flown = await live(hostile('throw'), undefined, async (engine, clock) => {
    const [{ modules }] = engine.universe.worlds
    const note = (): unknown => stops.push(modules?.added[0].stopped?.reason)
    const order = (shipId: string, command: string, body = {}): Promise<number> =>
      engine.execute({ kind: 'module_command', shipId, module: 'hostile', command, body })
    note()
    await engine.execute({ kind: 'start_module', module: 'hostile' })
    note()
    await clock.advance(1000)
    note()
    await engine.execute({ kind: 'start_module', module: 'hostile', systemId: 'alone' })
    await order('a', 'divide', { by: 2 })
    await order('b', 'begin')
    await clock.advance(100)
    await engine.execute({ kind: 'stop_module', module: 'hostile', reason: 'It is repaired.' })
    note()
    await clock.advance(1000)
    await engine.execute({ kind: 'start_module', module: 'hostile' })
    await clock.advance(100)
    note()
  })
  const broken = 'Error: it throws'
  expect(stops).toEqual([broken, undefined, broken, 'It is repaired.', undefined])
  const { modules, roster } = flown.universe.worlds[0]
  const ore = ['a', 'b'].map((id) => {
    return modules?.shipValues(roster.byId.get(id)?.slot ?? -1, 'pilot')['hostile']['ore']
  })
  expect(ore).toEqual([1, 2])
  for (const other of ['throw', 'nothing']) {
    const again = await replayed(flown, hostile(other))
    expect(again.digests).toEqual(flown.digests)
    expect(endOf(again)).toBe(endOf(flown))
  }
})

it('ends one that hangs, and no other of the beat', () => {
  const others = ['first', 'last'].map((id) => ({ ...hostile('nothing'), id }))
  const modules = gameModules([others[0], hostile('hang'), others[1]])
  const setup = { systems: [SYSTEM], index: INDEX, seed: 'stop', shipsMax: 256, modules }
  const [world] = createUniverse(setup).worlds
  for (const one of modules.names) world.modules?.add(one, INDEX)
  const ship = addShip(world, 'a', 'a')
  for (const { id: module } of modules.names) {
    const order = {
      kind: 'module_command',
      shipId: 'a',
      module,
      command: 'begin',
      body: {},
    } as const
    world.modules?.command(ship, order, INDEX)
  }
  for (let beat = 1; beat <= 4; beat++) world.modules?.at(INDEX + 64 * beat)
  const values = world.modules?.shipValues(ship.slot, 'pilot')
  const ore = ['first', 'hostile', 'last'].map((id) => values?.[id]['ore'])
  expect(ore).toEqual([4, 2, 4])
  const reason = expect.stringContaining('did not end')
  const fault = { module: 'hostile', index: INDEX + 64 * 3, reason }
  expect(world.modules?.takeFaults()).toEqual([fault])
})

it('calls one again that a busy machine kept from its processor time, and no other', () => {
  const calls = { first: 0, sleepy: 0 }
  const all = (['first', 'sleepy'] as const).map((id) =>
    defineModule({
      id,
      version: 1,
      ship: { ore: f64('kg'), on: bit() },
      commands: { begin: { body: v.object({}), run: ({ ship }) => void (ship.on = true) } },
      beat: {
        of: 'on',
        run({ ship }) {
          ship.ore += 1
          calls[id]++
          if (calls.sleepy === 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
        },
      },
    }),
  )
  const setup = { systems: [SYSTEM], index: INDEX, seed: 'stop', shipsMax: 256 }
  const [world] = createUniverse({ ...setup, modules: gameModules(all) }).worlds
  const ship = addShip(world, 'a', 'a')
  for (const { id: module, version } of all) {
    world.modules?.add({ id: module, version }, INDEX)
    const order = { kind: 'module_command', shipId: 'a', module, command: 'begin' } as const
    world.modules?.command(ship, { ...order, body: {} }, INDEX)
  }
  for (let beat = 1; beat <= 3; beat++) world.modules?.at(INDEX + 64 * beat)
  expect(world.modules?.takeFaults()).toEqual([])
  expect(calls).toEqual({ first: 3, sleepy: 4 })
  const kept = Object.values(world.modules?.shipValues(ship.slot, 'pilot') ?? {})
  expect(kept.map(({ ore }) => ore)).toEqual([3, 3])
})

it('gives one that starts again no event of before', () => {
  const counting = defineModule({
    id: 'counting',
    version: 1,
    ship: { arrivals: f64('') },
    on: {
      jumped: (ship) => {
        ship.arrivals += 1
      },
    },
  })
  const modules = gameModules([counting])
  const setup = { systems: [SYSTEM], index: INDEX, seed: 'stop', shipsMax: 256, modules }
  const [world] = createUniverse(setup).worlds
  world.modules?.add(counting, INDEX)
  const ships = ['early', 'late'].map((name) => addShip(world, name, name))
  const [early, late] = ships
  world.modules?.arrived(early, 'far', true)
  world.modules?.stop({ module: 'counting', index: INDEX, reason: 'It is repaired.' })
  world.modules?.start('counting')
  world.modules?.arrived(late, 'far', true)
  world.modules?.at(INDEX + 64)
  const counts = ships.map(({ slot }) => world.modules?.shipValues(slot, 'pilot')['counting'])
  expect(counts).toEqual([{ arrivals: 0 }, { arrivals: 1 }])
})

it('stops those that react when more has happened than there is room for', () => {
  const modules = gameModules([hostile('nothing')])
  const setup = { systems: [SYSTEM], index: INDEX, seed: 'stop', shipsMax: 256, modules }
  const [world] = createUniverse(setup).worlds
  world.modules?.add({ id: 'hostile', version: 1 }, INDEX)
  Atomics.store(world.state.eventCount, 0, EVENTS_MAX + 1)
  world.modules?.at(INDEX + 64)
  expect(world.modules?.takeFaults()).toMatchObject([
    { index: INDEX + 64, reason: expect.stringContaining('More has happened') },
  ])
  expect(world.modules?.takeFlight().lost).toBe(1)
})
