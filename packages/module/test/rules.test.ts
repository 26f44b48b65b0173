/**
 * Law: rules of pilots fire on columns of modules, alike in every way to fly. Goal: one fires at
 * the beat at which its condition holds and did not before; what an upgrade takes away disarms the
 * rule; a stopped module's conditions do not hold.
 */
import { type GameModule, defineModule, f64, v } from '@orrery/module'
import { flownEveryWay } from '@orrery/module/kit'
import { expect, it } from 'vitest'
import { column, open, pump, set } from './pump.ts'

it('fires on columns of the ship and its account, in every way', async () => {
  const shut = { name: 'shut', once: true, condition: column('shut', 1) }
  const flown = await flownEveryWay(pump(1), {
    ships: 4,
    seconds: 150,
    happenings: [
      open(1, 1, 2),
      set(1, 2, { name: 'full', condition: column('water', 100), order: { thrustLevel: 0.5 } }),
      // It holds already: it fires when it holds again.
      open(2, 1, 10),
      set(2, 30, { name: 'again', condition: column('water', 200), order: { thrustLevel: 1 } }),
      { ship: 2, at: 90, command: 'sell', body: { kg: 800 } },
      set(3, 1, shut),
      { ship: 3, at: 30.5, command: 'shut' },
      open(3, 40, 1),
      { ship: 3, at: 50, command: 'shut' },
      // Not between two beats.
      set(4, 1, { ...shut, name: 'open' }),
      { ship: 4, at: 60, command: 'shut' },
      open(4, 60.13, 0),
      set(4, 70, { name: 'poor', condition: column('coins', 0) }),
    ],
  })
  expect(flown.refusals).toEqual([])
  expect(flown.stopped).toEqual([])
  expect(flown.events).toEqual(['Sold 800 kg.'])
  expect(flown.fired).toEqual(['shut', 'full', 'again'])
})

it('fires where a ship is destroyed, and orders it to thrust from its spawn orbit', async () => {
  const wreck = defineModule({
    id: 'wreck',
    version: 1,
    ship: { heat: f64('K') },
    commands: { heat: { body: v.object({}), run: ({ ship }) => void (ship.heat = 1) } },
    beat: {
      of: 'heat',
      run({ destroy, ship }) {
        ship.heat += 1
        if (ship.heat === 10) destroy('It melts.')
      },
    },
    on: {
      destroyed: (ship, _event, { emit }) => {
        ship.heat = 0
        emit('lost', { thrust: ship.thrust })
      },
    },
    events: { lost: { text: 'Lost at {thrust}.', body: v.object({ thrust: v.number() }) } },
  })
  const hot = { kind: 'module', module: 'wreck', column: 'heat', above: 10 } as const
  const flown = await flownEveryWay(wreck, {
    ships: 1,
    seconds: 70,
    happenings: [
      { ship: 1, at: 2, control: { thrustLevel: 1 } },
      { ship: 1, at: 9, command: 'heat' },
      set(1, 10, { name: 'hot', condition: hot, order: { thrustLevel: 0.25 } }),
    ],
  })
  expect(flown.fired).toEqual(['hot'])
  expect(flown.events.toSorted()).toEqual(['It melts.', 'Lost at 0.25.'])
})

it('disarms by name what an upgrade takes away, and goes with its ship', async () => {
  const { level: _, ...columns } = pump(1).ship
  const second: GameModule = { ...pump(2), ship: columns }
  const flown = await flownEveryWay([pump(1), second], {
    ships: 2,
    seconds: 150,
    happenings: [
      open(1, 3, 1),
      set(
        1,
        5,
        { name: 'level', condition: column('level', 1) },
        { name: 'stays', condition: column('water', 70) },
      ),
      { ship: 1, at: 50, version: 2 },
      set(2, 5, { name: 'goes', condition: column('water', 2) }),
      { ship: 2, at: 20, to: 'there' },
      open(2, 90, 1),
    ],
  })
  expect(flown.refusals).toEqual([])
  expect(flown.fired).toEqual(['stays', 'goes'])
  expect(flown.events).toEqual([
    'The rule “level” is disarmed: Module pump shows pilots no column level.',
  ])
})

it('holds for no column of a module that has stopped', async () => {
  const flown = await flownEveryWay(pump(1, 30), {
    ships: 1,
    seconds: 70,
    happenings: [open(1, 3, 1), set(1, 5, { name: 'never', condition: column('water', 31) })],
  })
  expect(flown.stopped).toEqual(['Error: It leaks'])
  expect(flown.fired).toEqual([])
})
