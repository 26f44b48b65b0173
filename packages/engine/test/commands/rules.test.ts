/**
 * Laws of a ship's list of rules: a refused change leaves no trace; rules that name nothing of
 * their star system go with their ship; a rule that names a station ends with it.
 */
import {
  type Rule,
  type ShipNotice,
  type WorldCommand,
  executeCommand,
  shipRules,
} from '@orrery/engine/testing'
import { RULES_PER_SHIP, ruleRows } from '@orrery/sim'
import { expect, it } from 'vitest'
import { commandNotices } from '../../src/commands/command-notices.ts'
import { coast, codeOf, imageOf, livelySystems } from '../objects/two-systems.ts'

const SHIP = 'ship-2'

function rule(ruleId: string, condition: Rule['condition'], order?: Rule['order']): Rule {
  const rest = { name: ruleId, once: false, armed: true, source: '' }
  return { ruleId, ...rest, condition, ...(order && { order }) }
}

const create = (made: Rule): WorldCommand => ({ kind: 'create_rule', shipId: SHIP, rule: made })
const LOW = rule('low', { kind: 'altitude', below: 1e5 }, { thrustLevel: 1, pointing: 'prograde' })
const STATION: WorldCommand = {
  kind: 'create_station',
  stationId: 'pier',
  name: 'Pier',
  systemId: 'alone',
  parentBody: 'Globe',
  placement: { kind: 'orbit', altitude: 1e6 },
}

it('refuses what cannot be, and changes nothing', async () => {
  const universe = livelySystems()
  executeCommand(universe, create(LOW))
  await coast(universe, 777)
  const [{ intake }] = universe.worlds
  const before = imageOf(universe)
  const { sequence } = intake
  const bad: readonly [Rule | string, string][] = [
    [LOW, 'ERR_RULE'],
    [rule('a', { kind: 'altitude', above: NaN }), 'ERR_RULE'],
    [rule('a', { kind: 'altitude', above: 1, body: 9 }), 'ERR_RULE'],
    [rule('a', { kind: 'distance', above: 1, ship: 999 }), 'ERR_RULE'],
    [rule('a', { kind: 'distance', above: 1, stationId: 'pier' }), 'ERR_RULE'],
    [rule('a', { kind: 'fuel', below: 0.5 }, { thrustLevel: 2 }), 'ERR_CONTROL'],
    ['unknown', 'ERR_RULE_UNKNOWN'],
  ]
  for (const [made, code] of bad) {
    const command: WorldCommand =
      typeof made === 'string' ? { kind: 'remove_rule', shipId: SHIP, ruleId: made } : create(made)
    expect(() => executeCommand(universe, command)).toThrow(codeOf(code))
  }
  expect(intake.sequence).toBe(sequence)
  expect(imageOf(universe)).toEqual(before)
})

it('takes 32 rules of each ship, again and again', () => {
  const universe = livelySystems()
  const [{ rules, state }] = universe.worlds
  for (let round = 0; round < 40; round++) {
    for (let i = 0; i < RULES_PER_SHIP; i++)
      executeCommand(universe, create({ ...LOW, ruleId: `${i}` }))
    expect(() => executeCommand(universe, create(LOW))).toThrow(codeOf('ERR_RULES_FULL'))
    for (let i = RULES_PER_SHIP - 1; i >= 0; i--) {
      executeCommand(universe, { kind: 'remove_rule', shipId: SHIP, ruleId: `${i}` })
    }
  }
  expect(rules.space.end).toBeLessThan(ruleRows(state.slots) / 100)
})

it('goes with its ship where it names nothing local, spent or not', () => {
  const universe = livelySystems()
  executeCommand(universe, STATION)
  const spent = { ...rule('spent', { kind: 'apsis', above: 0 }), armed: false }
  const local = [
    rule('body', { kind: 'altitude', above: 1, body: 0 }),
    rule('ship', { kind: 'speed', above: 1, ship: 1 }),
    rule('pier', { kind: 'distance', above: 1, stationId: 'pier' }),
    rule('aim', { kind: 'fuel', below: 0.5 }, { pointing: 'target', target: 1 }),
  ]
  for (const made of [local[0], LOW, ...local.slice(1), spent])
    executeCommand(universe, create(made))
  const notices: ShipNotice[] = []
  const transfer = { kind: 'transfer_ship', shipId: SHIP, systemId: 'pair' } as const
  executeCommand(universe, transfer, {}, (row, command) => {
    notices.push(...commandNotices(universe, row, command))
  })
  expect(shipRules(universe, SHIP)).toEqual([LOW, spent])
  expect(notices).toMatchObject([
    { kind: 'transferred', shipId: SHIP },
    { kind: 'rules_dropped', shipId: SHIP },
  ])
  // Nothing of them is left where they were.
  const { sightings, ships } = universe.worlds[0].state
  expect(sightings.sightingUse.some((use) => use > 0)).toBe(false)
  expect(ships.ruleCount.some((count) => count > 0)).toBe(false)
})

it('ends with the station that it names', () => {
  const universe = livelySystems()
  executeCommand(universe, STATION)
  const pier = rule('pier', { kind: 'distance', above: 1, stationId: 'pier' })
  executeCommand(universe, create(pier))
  executeCommand(universe, create(LOW))
  executeCommand(universe, { kind: 'remove_station', stationId: 'pier' })
  executeCommand(universe, STATION)
  expect(shipRules(universe, SHIP)).toEqual([{ ...pier, armed: false }, LOW])
})
