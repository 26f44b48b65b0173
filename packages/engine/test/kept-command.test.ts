/**
 * Law: a kept command is read back as it was, or refused: nothing is guessed. Goal: every kind of
 * command comes back from text; none with a field too many, too few, or of another kind does.
 */
import { type KeptCommand, parseKeptCommand } from '@orrery/engine'
import { expect, it } from 'vitest'

const KEPT: { readonly [Kind in KeptCommand['kind']]: Extract<KeptCommand, { kind: Kind }> } = {
  control: {
    kind: 'control',
    ship: 3,
    control: { thrustLevel: 0.1, attitude: [1, 5e-324, -0.3, 1e-17] },
  },
  create_ship: { kind: 'create_ship', shipId: 'a', name: 'Nostromo' },
  remove_ship: { kind: 'remove_ship', shipId: 'a' },
  rename_ship: { kind: 'rename_ship', shipId: 'a', name: 'Narcissus' },
  transfer_ship: { kind: 'transfer_ship', shipId: 'a', systemId: 'sol' },
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
  maneuver_logging: { kind: 'maneuver_logging', level: 'off' },
  maneuver_debug: { kind: 'maneuver_debug', shipId: 'a', enabled: false },
}

const { control, create_station: station } = KEPT
const aim = (words: object): object => ({ ...control, control: words })

it.each([
  ...Object.values(KEPT),
  aim({ pointing: 'rest', abort: true }),
  aim({ pointing: 'target', target: 9, thrustLevel: 1 }),
  { ...station, placement: { kind: 'orbit', altitude: 4e5 } },
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
  { ...station, placement: { kind: 'orbit', altitude: Infinity } },
  { ...station, placement: { kind: 'orbit', altitude: 4e5, point: 1 } },
  { ...station, placement: { kind: 'lagrange', secondaryBody: 'Moon', point: 6 } },
]

it('refuses nonsense', () => {
  for (const value of NONSENSE) {
    expect(() => parseKeptCommand(value), `for ${JSON.stringify(value)}`).toThrow(refusal)
  }
})
