/**
 * Law: a rule orders a module's command, which acts at the full second after the rule has fired,
 * alike in every way to fly. Goal: it changes columns, fuel and fate of the ship; one that is
 * refused changes nothing and its pilot reads why; what no pilot may use is refused when it is set.
 */
import type { ModuleFault } from '@orrery/engine/modules'
import { addShip, applyCommand, createUniverse } from '@orrery/engine/testing'
import type { GameModule } from '@orrery/module'
import { gameModules } from '@orrery/module/host'
import { type Happening, type KitRule, flownEveryWay } from '@orrery/module/kit'
import { flyTo, latticeFromUtc } from '@orrery/sim'
import { expect, it } from 'vitest'
import { INDEX, SYSTEM } from './lone-system.ts'
import { column, open, pump, set } from './pump.ts'

const START = latticeFromUtc(Date.UTC(2026, 0, 1))

/** At the first full second after a time; the kit begins 52 quanta before one. */
const time = (seconds: number) => ({ kind: 'time', above: START + 64 * seconds }) as const

const order = (command: string, body = {}) => ({ command: { module: 'pump', command, body } })

it('orders commands, which act at the full second after or are refused', async () => {
  const flown = await flownEveryWay(pump(1), {
    ships: 5,
    seconds: 150,
    happenings: [
      set(
        1,
        2,
        // Every way to fly but the first stores the world between this one and its command.
        { name: 'open', condition: time(74.2), ...order('open', { rate: 5 }) },
        { name: 'greedy', condition: column('water', 50), ...order('sell', { kg: 51 }) },
        { name: 'shut', condition: column('water', 55), ...order('shut') },
        { name: 'sell', once: true, condition: column('shut', 1), ...order('sell', { kg: 30 }) },
        { name: 'burn', condition: column('coins', 60), ...order('burn', { kg: -100 }) },
      ),
      set(2, 2, {
        name: 'both',
        condition: time(36.2),
        order: { thrustLevel: 1 },
        ...order('burn', { kg: -50 }),
      }),
      // It fires as the ship is destroyed.
      { ship: 3, at: 5, control: { thrustLevel: 1 } },
      open(3, 9.5, 7),
      set(
        3,
        2,
        { name: 'last', condition: time(19.2), ...order('scuttle') },
        { name: 'late', condition: column('water', 77), ...order('burn', { kg: -1 }) },
      ),
      set(4, 2, { name: 'gone', condition: time(29.2), ...order('open', { rate: 1 }) }),
      { ship: 4, at: 30.125, to: 'there' },
      // It is replaced before its command acts.
      set(5, 2, { name: 'before', condition: time(29.2), ...order('sell', { kg: 1 }) }),
      set(5, 30.125),
    ],
  })
  expect(flown.refusals).toEqual([])
  expect(flown.stopped).toEqual([])
  expect(flown.events).toEqual([
    'Scuttled.',
    'The rule “before” is refused: pump sell: too_little, water 0',
    'The rule “greedy” is refused: pump sell: too_little, water 50',
    'Sold 30 kg.',
  ])
  expect(flown.fired).toContain('late')
  expect([1, 2, 3, 4].map((ship) => flown.of(ship, 'rate'))).toEqual([0, 0, 7, 0])
  expect(flown.of(1, 'coins')).toBe(60)
  expect(flown.of(2, 'fuelBefore')).toBeGreaterThan(0)
})

it('orders four commands of a ship in a second', async () => {
  const rules = ['a', 'b', 'c', 'd', 'e'].map((name) => {
    return { name, condition: time(20.2), ...order('open', { rate: name.charCodeAt(0) }) }
  })
  const happenings = [set(1, 5, ...rules), set(2, 5, ...rules.slice(3))]
  const flown = await flownEveryWay(pump(1), { ships: 2, seconds: 70, happenings })
  expect(flown.events).toEqual([
    'The rule “e” is refused: Rules of a ship order at most 4 commands of a module in a second.',
  ])
  expect([1, 2].map((ship) => flown.of(ship, 'rate'))).toEqual([100, 101])
})

it('refuses what a module does not give pilots, by name', async () => {
  const rule = (more: Partial<KitRule>): Happening =>
    set(1, 10, { name: 'no', condition: column('water', 5), ...more })
  const flown = await flownEveryWay(pump(1), {
    ships: 1,
    seconds: 70,
    happenings: [
      set(1, 5, { name: 'stays', condition: column('water', 1) }),
      rule({ condition: { ...column('water', 1), module: 'mill' } }),
      rule({ condition: column('wine', 1) }),
      rule({ condition: column('secret', 1) }),
      rule({ condition: column('name', 1) }),
      rule({ condition: column('cask', 1) }),
      rule({ condition: column('water', NaN) }),
      rule({ condition: { kind: 'fuel', above: 0.5, module: 'pump' } }),
      rule({ condition: { ...column('water', 1), below: 2 } }),
      rule(order('boil')),
      rule(order('drain')),
      rule(order('sell', { kg: -1 })),
      rule({ command: { module: 'mill', command: 'grind', body: {} } }),
      open(1, 20, 1),
    ],
  })
  expect(flown.refusals.map((refused) => refused.replace('EngineError: ', ''))).toEqual([
    'There is no module mill.',
    'Module pump shows pilots no column wine.',
    'Module pump shows pilots no column secret.',
    'name of pump is a text; rules take numbers.',
    'cask of pump is a row; rules take numbers.',
    'module has no value NaN.',
    'A module and its column go with kind module.',
    'module takes one value, above or below.',
    'Module pump has no command boil.',
    'Module pump gives pilots no drain.',
    expect.stringContaining('pump sell: kg: '),
    'There is no module mill.',
  ])
  expect(flown.fired).toEqual(['stays'])
})

it('disarms by name what an upgrade takes away, and goes with its ship', async () => {
  const { shut: _, ...commands } = pump(1).commands
  const second: GameModule = { ...pump(2), commands }
  const flown = await flownEveryWay([pump(1), second], {
    ships: 2,
    seconds: 150,
    happenings: [
      open(1, 3, 1),
      set(
        1,
        5,
        { name: 'shut', condition: column('water', 60), ...order('shut') },
        { name: 'stays', condition: column('water', 70), ...order('sell', { kg: 1 }) },
        // It fires at the beat before the upgrade.
        { name: 'waits', condition: time(49.2), ...order('shut') },
      ),
      { ship: 1, at: 50, version: 2 },
      set(
        2,
        5,
        { name: 'row', condition: column('water', 2), ...order('tap', { cask: 1 }) },
        { name: 'goes', condition: column('water', 2), ...order('tap') },
      ),
      { ship: 2, at: 20, to: 'there' },
      open(2, 90, 1),
    ],
  })
  expect(flown.refusals).toEqual([])
  expect(flown.fired).toEqual(['waits', 'stays', 'goes'])
  expect(flown.events).toEqual([
    'The rule “shut” is disarmed: Module pump has no command shut.',
    'The rule “waits” is disarmed: Module pump has no command shut.',
    'The rule “waits” is refused: Module pump has no command shut.',
    'Sold 1 kg.',
  ])
})

it('stops a module that breaks in a command, which is refused as later ones are', async () => {
  const flown = await flownEveryWay(pump(1), {
    ships: 1,
    seconds: 70,
    happenings: [
      set(
        1,
        5,
        { name: 'wrong', condition: time(20.2), ...order('fail') },
        { name: 'late', condition: time(40.2), ...order('sell', { kg: 1 }) },
      ),
    ],
  })
  expect(flown.stopped).toEqual([expect.stringContaining('TypeError')])
  expect(flown.fired).toEqual(['wrong', 'late'])
  const refused = 'is refused: Module pump has stopped: TypeError'
  expect(flown.events).toEqual([
    expect.stringContaining(`The rule “wrong” ${refused}`),
    expect.stringContaining(`The rule “late” ${refused}`),
  ])
})

/** A ship whose rule orders what breaks, for 10 s. @param known  by a journal */
function broken(module: GameModule, known: readonly ModuleFault[]) {
  const modules = gameModules([module])
  const setup = { systems: [SYSTEM], index: INDEX, seed: 'rules', shipsMax: 256, modules }
  const [world] = createUniverse(setup).worlds
  world.modules?.add(module, INDEX)
  addShip(world, 'a', 'a')
  const condition = { kind: 'time', above: INDEX + 200 } as const
  const state = { ruleId: 'r', name: 'Wrong', once: false, armed: true, source: '' }
  const rules = [{ ...state, condition, ...order('fail') }]
  applyCommand(world, { kind: 'set_rules', shipId: 'a', rules })
  for (const fault of known) world.modules?.expect(fault)
  const flown = { state: world.state, since: INDEX, modules: world.modules }
  flyTo(world.flight, flown, INDEX, INDEX + 640, () => undefined)
  const { stopped } = world.modules?.added[0] ?? {}
  return { faults: world.modules?.takeFaults() ?? [], stopped }
}

it('stops where the journal says that a command of a rule broke', () => {
  const first = broken(pump(1), [])
  expect(first.faults).toEqual([{ module: 'pump', ...first.stopped }])
  const { fail } = pump(1).commands
  const harmless = { ...pump(1).commands, fail: { ...fail, run: () => undefined } }
  const again = broken({ ...pump(1), commands: harmless }, first.faults)
  expect(again).toEqual({ faults: [], stopped: first.stopped })
})
