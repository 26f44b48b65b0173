/**
 * Law: while changes are not durable the sky lists ships as they were: a new one is not there, a
 * renamed one has its name before, one that has left stands at the end; each is found at its place.
 */
import { addShip, applyCommand } from '@orrery/engine/testing'
import { expect, it } from 'vitest'
import type { CommandRow } from '../../src/commands/command-row.ts'
import type { SystemCommand } from '../../src/commands/world-command.ts'
import { OutputGate } from '../../src/output-gate.ts'
import { skyOf } from '../../src/views/sky.ts'
import { globeWorld, universeOf } from '../globe.ts'

it('lists ships as they were until their commands are durable', async () => {
  const world = globeWorld()
  const universe = universeOf(world)
  for (const id of ['a', 'b', 'c', 'd']) addShip(world, id, `Ship ${id}`)
  let durable = 0
  const gate = new OutputGate({
    journal: { admit: () => {}, keep: () => Promise.resolve(), durableUpTo: () => durable },
    universe: () => universe,
    offset: () => 0,
    whenSettled: async (act) => act(),
    onEvent: () => {},
    onFault: (error) => expect.fail(String(error)),
  })
  const row = (sequence: number): CommandRow => {
    return { systemId: 'alone', sequence } as Partial<CommandRow> as CommandRow
  }
  const commands: readonly SystemCommand[] = [
    { kind: 'rename_ship', shipId: 'a', name: 'Other' },
    { kind: 'remove_ship', shipId: 'b' },
    { kind: 'create_ship', shipId: 'e', name: 'Ship e' },
  ]
  for (const [i, command] of commands.entries()) {
    const before = gate.before('shipId' in command ? command.shipId : undefined)
    applyCommand(world, command)
    gate.acted(row(i + 1), command, before)
  }
  const listed = (): string[] => {
    const fleet = skyOf(universe, 0).fleets.get('alone')!
    for (const [place, { shipId }] of fleet.ships.entries()) {
      expect(fleet.indexOf(shipId)).toBe(place)
    }
    expect(fleet.indexOf('e')).toBe(fleet.ships.findIndex(({ shipId }) => shipId === 'e'))
    return fleet.ships.map(({ name }) => name)
  }
  expect(listed()).toEqual(['Ship a', 'Ship c', 'Ship d', 'Ship b'])
  durable = 3
  await gate.keep(row(4))
  expect(listed()).toEqual(['Other', 'Ship c', 'Ship d', 'Ship e'])
})
