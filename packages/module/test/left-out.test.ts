/**
 * Law: what modules may do to a flight that is flown ahead is said by their names, and ends no
 * order. Goal: beats, reactions and rules that can move the ship are named, what cannot is not; an
 * order that would end at the ground is left alone where a module may change that, and only there.
 */
import {
  type Universe,
  createPool,
  createPredictor,
  createPreflight,
  createReplay,
  createUniverseInSlices,
  executeCommand,
  universeAt,
} from '@orrery/engine'
import type { ModuleBody, Rule } from '@orrery/engine/modules'
import { type GameModule, bit, defineModule, f64, u32, v } from '@orrery/module'
import { gameModules } from '@orrery/module/host'
import { QUANTA_PER_SECOND } from '@orrery/sim'
import { expect, it } from 'vitest'
import { INDEX, SYSTEM } from './lone-system.ts'
import { column, pump } from './pump.ts'

const AT = '::1'

/** Its beats move no ship. */
const clock = defineModule({
  id: 'clock',
  version: 1,
  ship: { on: bit(), seconds: u32('s') },
  commands: { wind: { body: v.object({}), run: ({ ship }) => void (ship.on = true) } },
  beat: { of: 'on', run: ({ ship }) => void (ship.seconds += 1) },
})

/** It lets the engine get hot where a burn ends. */
const heat = defineModule({
  id: 'heat',
  version: 1,
  ship: { kelvin: f64('K') },
  thrustLimit: ({ kelvin }) => (kelvin > 0 ? 0.5 : 1),
  on: { burnEnded: (ship) => void (ship.kelvin += 1) },
})

/** It destroys a ship that has docked too often; its text does not show where. */
const wear = defineModule({
  id: 'wear',
  version: 1,
  ship: { docks: u32('') },
  on: {
    docked(ship, _event, context) {
      ship.docks += 1
      if (ship.docks > 9) context.destroy('Worn out.')
    },
  },
})

/** Its beats say so, and another module answers by a load. */
const bell = defineModule({
  id: 'bell',
  version: 1,
  ship: { on: bit() },
  events: { rung: { text: 'It rings.', body: v.object({}) } },
  commands: { wind: { body: v.object({}), run: ({ ship }) => void (ship.on = true) } },
  beat: { of: 'on', run: ({ emit }) => emit('rung', {}) },
})
const hearer = defineModule({
  id: 'hearer',
  version: 1,
  ship: { rings: u32('') },
  mass: ({ rings }) => rings,
  on: { 'bell.rung': (ship) => void (ship.rings += 1) },
})

type Act = (command: string, body?: ModuleBody, module?: string) => void

interface Case {
  readonly modules?: readonly GameModule[]
  readonly rules?: readonly Partial<Rule>[]
  readonly happen?: (act: Act, universe: Universe) => void
  /** of a prediction that coasts, and of one that burns */
  readonly coasting?: readonly string[]
  readonly burning?: readonly string[]
  readonly isEnded: boolean
}

const open = (act: Act): void => act('open', { rate: 1 })
const water = column('water', 10)
const order = { pointing: 'rest', abort: true } as const
const soon = { kind: 'time', above: INDEX + 30 * QUANTA_PER_SECOND } as const
const late = { kind: 'time', above: INDEX + 1e9 } as const
const sell = { module: 'pump', command: 'sell', body: { kg: 1 } }
const PUMP = ['pump']

const CASES: Readonly<Record<string, Case>> = {
  'nothing aboard': { isEnded: true },
  'a beat that loads it': { happen: open, coasting: PUMP, isEnded: false },
  'a beat that moves nothing': {
    modules: [clock],
    happen: (act) => act('wind', {}, 'clock'),
    isEnded: true,
  },
  'a stopped module': {
    happen(act, universe) {
      open(act)
      executeCommand(universe, {
        kind: 'stop_module',
        module: 'pump',
        systemId: 'alone',
        reason: 'off',
      })
    },
    isEnded: true,
  },
  'something aboard that commands go by': {
    happen: (act) => act('burn', { kg: -1 }),
    isEnded: false,
  },
  'a rule on a column': { rules: [{ condition: water, order }], coasting: PUMP, isEnded: false },
  'a rule that only notes a column': { rules: [{ condition: water }], isEnded: true },
  'a disarmed rule': { rules: [{ condition: water, order, armed: false }], isEnded: true },
  'a rule that orders a command': {
    rules: [{ condition: soon, command: sell }],
    coasting: PUMP,
    isEnded: false,
  },
  'a rule that fires later': { rules: [{ condition: late, command: sell }], isEnded: true },
  'what follows a burn': { modules: [heat], burning: ['heat'], isEnded: false },
  'what follows what another module says': {
    modules: [bell, hearer],
    happen: (act) => act('wind', {}, 'bell'),
    coasting: ['hearer'],
    isEnded: false,
  },
  'what another module does not say': { modules: [bell, hearer], isEnded: true },
  'what follows a dock': { modules: [wear], isEnded: true },
}

const one = { shipId: 'one' }
const two = { shipId: 'two' }
const OPEN = { module: 'pump', command: 'open', body: { rate: 1 } }

/** Two ships on one orbit. */
async function universeOf(modules: readonly GameModule[]): Promise<Universe> {
  const made = await createUniverseInSlices({
    systems: [SYSTEM],
    shipsMax: 2,
    modules: gameModules(modules),
    index: INDEX,
    seed: 'left out',
  })
  const { universe } = universeAt(made, INDEX)
  for (const { id: module } of modules) {
    executeCommand(universe, { kind: 'add_module', module, version: 1 })
  }
  for (const ship of [one, two]) {
    executeCommand(universe, { kind: 'create_ship', ...ship, name: ship.shipId })
  }
  return universe
}

const settledOf = (universe: Universe) => ({
  universe,
  whenSettled: async <Result>(act: () => Result) => act(),
  shipsReleased: () => undefined,
})

const raise = (error: unknown): never => expect.fail(String(error))

it('what moves the ship that approaches are marked to', async () => {
  const universe = await universeOf([pump(1)])
  executeCommand(universe, { kind: 'module_command', ...two, ...OPEN })
  const predictor = createPredictor(settledOf(universe), raise)
  const leftOut = async (target?: { readonly shipId: string }): Promise<readonly string[]> => {
    const asked = { ...one, seconds: 60, ...(target && { target }) }
    return (await predictor.predict(asked, AT)).modulesLeftOut
  }
  expect(await leftOut()).toEqual([])
  expect(await leftOut(two)).toEqual(PUMP)
  await predictor.close()
})

it.each(Object.entries(CASES))('%s', async (_, given) => {
  const { coasting = [], happen, isEnded, modules = [pump(1)], rules = [] } = given
  const universe = await universeOf(modules)
  happen?.((command, body = {}, module = 'pump') => {
    executeCommand(universe, { kind: 'module_command', ...one, module, command, body })
  }, universe)
  const rule = { ruleId: 'r', name: 'Rule', source: '', once: true, armed: true }
  const all = rules.map((own) => ({ ...rule, ...own }) as Rule)
  executeCommand(universe, { kind: 'set_rules', ...one, rules: all })

  const settled = settledOf(universe)
  const predictor = createPredictor(settled, raise)
  const predicted = async (control?: object): Promise<readonly string[]> => {
    const orders = control ? [{ after: 0, control }] : []
    const { modulesLeftOut } = await predictor.predict({ ...one, seconds: 60, orders }, AT)
    return modulesLeftOut
  }
  expect(await predicted()).toEqual(coasting)
  const { burning = coasting } = given
  expect(await predicted({ thrustLevel: 1, seconds: 5 })).toEqual(burning)
  await predictor.close()

  expect(await flownAhead(settled)).toEqual(isEnded ? ENDED : LEFT)
})

it('what comes to act while an order is flown ahead', async () => {
  const universe = await universeOf([pump(1)])
  const settled = settledOf(universe)
  let looks = 0
  const found = await flownAhead({
    ...settled,
    whenSettled: (act) => {
      // The order is found, copied, and looked at again before it is ended.
      if (++looks === 3) executeCommand(universe, { kind: 'module_command', ...one, ...OPEN })
      return settled.whenSettled(act)
    },
  })
  expect([found, looks]).toEqual([LEFT, 3])
})

const ENDED = { reasons: ['impact'], ended: 1, unknown: 0 }
const LEFT = { reasons: [], ended: 0, unknown: 1 }

/** What becomes of an order that leads to the ground. */
async function flownAhead(settled: ReturnType<typeof settledOf>): Promise<object> {
  const [world] = settled.universe.worlds
  const pool = createPool(settled.universe, 1, raise)
  const replay = createReplay({ world, pool, place: 0 })
  await replay.apply({
    sequence: world.intake.sequence + 1,
    index: INDEX + 64,
    command: { kind: 'control', ship: 1, control: { maneuver: doomed } },
  })
  await replay.flyTo(INDEX + 128, 0)
  const reasons: unknown[] = []
  const execute = async (command: object): Promise<number> => reasons.push(Object(command).reason)
  const preflight = createPreflight({ ...settled, execute }, raise, { isOn: false })
  await preflight.look()
  await preflight.settled()
  preflight.stop()
  await pool.close()
  const { ended, unknown } = preflight.counts
  return { reasons, ended, unknown }
}

const burn = (seconds: number) => ({
  index: INDEX + QUANTA_PER_SECOND * seconds,
  anchor: 'start',
  throttle: 1,
  pointing: 'retrograde',
  deltaV: 400,
})

/** Its first burn leads to the ground, the second one never comes. */
const doomed = { maneuver: 'plan', timeout: 1e6, params: [], nodes: [burn(600), burn(20_000)] }
