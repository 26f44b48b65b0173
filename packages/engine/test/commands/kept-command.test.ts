/**
 * Law: a kept command is read back as it was, or refused: nothing is guessed. Goal: every kind of
 * command comes back from text; none with a field too many, too few, or of another kind does.
 */
import { type KeptCommand, parseKeptCommand } from '@orrery/engine/testing'
import { COURIER } from '@orrery/sim'
import { expect, it } from 'vitest'

const KEPT: { readonly [Kind in KeptCommand['kind']]: Extract<KeptCommand, { kind: Kind }> } = {
  control: {
    kind: 'control',
    ship: 3,
    control: { thrustLevel: 0.1, attitude: [1, 5e-324, -0.3, 1e-17] },
  },
  freeze_ship: { kind: 'freeze_ship', ship: 3 },
  create_ship: { kind: 'create_ship', shipId: 'a', name: 'Nostromo' },
  begin_physics: { kind: 'begin_physics', physics: 5 },
  add_ship_class: { kind: 'add_ship_class', shipClass: COURIER },
  module_command: {
    kind: 'module_command',
    shipId: 'a',
    module: 'mining',
    command: 'drill',
    body: { asteroid: 3, deep: true, note: null },
  },
  add_module: { kind: 'add_module', module: 'mining', version: 2 },
  stop_module: { kind: 'stop_module', module: 'mining', reason: 'It hangs.' },
  module_fault: { kind: 'module_fault', module: 'mining', reason: 'It hangs.' },
  remove_ship: { kind: 'remove_ship', shipId: 'a' },
  rename_ship: { kind: 'rename_ship', shipId: 'a', name: 'Narcissus' },
  alter_ship: { kind: 'alter_ship', shipId: 'a' },
  fail_maneuver: {
    kind: 'fail_maneuver',
    shipId: 'a',
    since: 64,
    reason: 'out_of_fuel',
    endsAt: 77,
  },
  depart_ship: { kind: 'depart_ship', shipId: 'a', to: 'sol' },
  arrive_ship: {
    kind: 'arrive_ship',
    handOff: {
      shipId: 'a',
      name: 'Nostromo',
      from: 'trappist-1',
      to: 'sol',
      index: 77,
      debugged: true,
      ship: {
        referenceBody: 'TRAPPIST-1 e',
        position: [0.1, 7e6, -5e-324],
        positionLow: [1e-10, 0, -1e-17],
        velocity: [7e3, -0.3, 0],
        velocityLow: [1e-14, 0, 0],
        attitude: [1, 0, 0, 0],
        angularMomentum: [0.1, 0.2, 0.3],
        wheelMomentum: [-0.1, 0, 1e-300],
        fuel: 0.1,
      },
    },
  },
  depart_account: { kind: 'depart_account', shipId: 'a', taker: 'b', to: 'sol', passId: 'p' },
  arrive_account: {
    kind: 'arrive_account',
    handOff: {
      shipId: 'p',
      giver: 'a',
      taker: 'b',
      from: 'trappist-1',
      to: 'sol',
      index: 77,
      modules: { mining: { credits: 0.1, 'its version': 3 } },
    },
  },
  create_station: {
    kind: 'create_station',
    stationId: 's',
    name: 'Gateway',
    systemId: 'sol',
    parentBody: 'Earth',
    placement: { kind: 'lagrange', secondaryBody: 'Moon', point: 2 },
  },
  remove_station: { kind: 'remove_station', stationId: 's' },
  create_jumpgate: {
    kind: 'create_jumpgate',
    jumpgateId: 'g',
    name: 'Gate',
    primaryBody: 'Sun',
    secondaryBody: 'Earth',
    lagrangePoint: 4,
  },
  remove_jumpgate: { kind: 'remove_jumpgate', jumpgateId: 'g' },
  set_rules: {
    kind: 'set_rules',
    shipId: 'a',
    rules: [
      { ruleId: 'kept' },
      {
        ruleId: 'r',
        name: 'Up',
        source: '{}',
        once: true,
        armed: true,
        condition: { kind: 'distance', below: 0.1, ship: 4 },
        order: { thrustLevel: 0.1, pointing: 'target', target: 7 },
      },
    ],
  },
  start_module: { kind: 'start_module', module: 'mining' },
  maneuver_logging: { kind: 'maneuver_logging', level: 'off' },
  maneuver_debug: { kind: 'maneuver_debug', shipId: 'a', enabled: false },
}

const { control, create_station: station, arrive_ship: arrival } = KEPT
const aim = (words: object): object => ({ ...control, control: words })
const { handOff } = arrival
const PASSAGE = { jumpgateId: 'h', offset: [1, 2, 3], velocity: [-1, 0.5, 0] }
const carrying = (changes: object): object => ({
  ...arrival,
  handOff: { ...handOff, ship: { ...handOff.ship, ...changes } },
})

const PLAN = { maneuver: 'plan', timeout: 1e6, params: [] } as const
const TIMED = { index: 1_000_001, anchor: 'center', throttle: 0.1 } as const
const FRAMED = { ...TIMED, frame: 'radial', body: 3, vector: [0.1, -1e-9, 0] } as const
const POINTED = { ...TIMED, pointing: 'antinormal', seconds: 0.1 } as const

it.each([
  ...Object.values(KEPT),
  aim({ pointing: 'rest', abort: true }),
  aim({ pointing: 'target', target: 9, thrustLevel: 1 }),
  aim({ pointing: 'target', body: 0 }),
  aim({ pointing: 'target', stationId: 's' }),
  aim({ pointing: 'target', jumpgateId: 'g' }),
  aim({ angularRate: [1e-3, -0.04, 0] }),
  carrying({ wheelsKept: true }),
  aim({ thrustLevel: 0.1, deltaV: 1e-3, unloading: false }),
  aim({ thrustLevel: 1, seconds: 5e8, unloading: true }),
  aim({ maneuver: { ...PLAN, nodes: [FRAMED, POINTED] } }),
  { ...station, placement: { kind: 'orbit', altitude: 4e5 } },
  { ...KEPT.create_ship, place: { kind: 'orbit', body: 'Moon', altitude: 4e5 } },
  { ...KEPT.create_ship, place: { kind: 'station', stationId: 's' }, shipClass: 'tug' },
  { ...KEPT.create_jumpgate, pairedWith: 'h' },
  { ...KEPT.depart_ship, through: { entry: 'g', exit: 'h' } },
  { ...arrival, handOff: { ...handOff, passage: PASSAGE } },
])('reads $kind back from text', (command) => {
  expect(parseKeptCommand(JSON.parse(JSON.stringify(command)))).toEqual(command)
})

/** Fields that take more than any text. */
const CHOSEN: ReadonlySet<string> = new Set(['kind', 'level', 'placement', 'enabled', 'control'])

/** A command with a field left out, of another kind, or with one more. */
function broken(command: KeptCommand): unknown[] {
  const changed = Object.keys(command).flatMap((field) => {
    const { [field]: _, ...rest } = command as Record<string, unknown>
    const values = [null, '', 7.5, ...(CHOSEN.has(field) ? ['what'] : [])]
    // A body's name may be looked for in all systems.
    const isOptional = field === 'systemId' && command.kind === 'create_station'
    return [
      ...(isOptional ? [] : [rest]),
      ...values.map((value) => ({ ...command, [field]: value })),
    ]
  })
  return [...changed, { ...command, more: 1 }]
}

const refusal = expect.objectContaining({ code: 'ERR_REPLAY' }) as Error

it.each(Object.values(KEPT))('refuses a broken $kind', (command) => {
  for (const value of broken(command)) {
    expect(() => parseKeptCommand(value), `for ${JSON.stringify(value)}`).toThrow(refusal)
  }
})

const NONSENSE: readonly unknown[] = [
  null,
  [],
  'create_ship',
  { kind: 'toString' },
  { ...control, ship: 0 },
  { ...control, ship: 1.5 },
  aim({ thrustLevel: 1.01 }),
  aim({ thrustLevel: '1' }),
  aim({ attitude: [0, 0, 0, 0] }),
  aim({ attitude: [1, 0, 0] }),
  aim({ attitude: [1, 0, 0, 0, 0] }),
  aim({ attitude: [1, 0, 0, null] }),
  aim({ pointing: 'somewhere' }),
  aim({ pointing: 'target' }),
  aim({ target: 3 }),
  aim({ pointing: 'rest', abort: false }),
  aim({ pointing: 'prograde', abort: true }),
  aim({ thrust: 1 }),
  aim({ thrustLevel: 1, deltaV: 0 }),
  aim({ thrustLevel: 1, seconds: -1 }),
  aim({ thrustLevel: 1, seconds: 1, deltaV: 1 }),
  aim({ thrustLevel: 0, deltaV: 1 }),
  aim({ deltaV: 1 }),
  aim({ unloading: 0 }),
  aim({ pointing: 'target', target: 9, body: 0 }),
  aim({ pointing: 'target', body: -1 }),
  aim({ pointing: 'target', stationId: '' }),
  aim({ pointing: 'prograde', jumpgateId: 'g' }),
  aim({ pointing: 'prograde', angularRate: [0, 0, 0.01] }),
  aim({ attitude: [1, 0, 0, 0], angularRate: [0, 0, 0.01] }),
  aim({ angularRate: [0, 0] }),
  aim({ angularRate: [0, 0, null] }),
  aim({ maneuver: PLAN }),
  aim({ maneuver: { ...PLAN, nodes: [] } }),
  aim({ maneuver: { ...PLAN, nodes: [{ ...FRAMED, pointing: 'normal' }] } }),
  aim({ maneuver: { ...PLAN, nodes: [{ ...POINTED, seconds: undefined }] } }),
  aim({ maneuver: { ...PLAN, maneuver: 'escape', nodes: [FRAMED] } }),
  carrying({ wheelsKept: false }),
  { ...arrival, handOff: { ...handOff, index: 0.5 } },
  { ...arrival, handOff: { ...handOff, debugged: 1 } },
  { ...arrival, handOff: { ...handOff, from: undefined } },
  { ...arrival, handOff: { ...handOff, more: 1 } },
  carrying({ fuel: -1 }),
  carrying({ fuel: null }),
  carrying({ position: [1, 2] }),
  carrying({ position: [1, 2, null] }),
  carrying({ velocity: [1, 2, Infinity] }),
  carrying({ attitude: [1, 0, 0] }),
  carrying({ referenceBody: '' }),
  carrying({ thrust: 1 }),
  { ...KEPT.create_jumpgate, pairedWith: '' },
  { ...KEPT.depart_ship, through: { entry: 'g' } },
  { ...arrival, handOff: { ...handOff, passage: { ...PASSAGE, offset: [1, 2] } } },
  { ...arrival, handOff: { ...handOff, passage: { ...PASSAGE, velocity: [1, 2, null] } } },
  { ...station, placement: { kind: 'orbit', altitude: Infinity } },
  { ...station, placement: { kind: 'orbit', altitude: 4e5, point: 1 } },
  { ...station, placement: { kind: 'lagrange', secondaryBody: 'Moon', point: 6 } },
]

it('refuses nonsense', () => {
  for (const value of NONSENSE) {
    expect(() => parseKeptCommand(value), `for ${JSON.stringify(value)}`).toThrow(refusal)
  }
})
