/**
 * Law: a module destroys a ship at a beat or in a command, and it starts again on its spawn orbit.
 * Goal: ships that are destroyed in flight, under thrust and under an order of that very beat leave
 * the same bits however they are flown; one whose command is refused is not destroyed.
 */
import { bit, defineModule, f64, refusal, u32, v } from '@orrery/module'
import { flownEveryWay } from '@orrery/module/kit'
import { expect, it } from 'vitest'

const hulls = defineModule({
  id: 'hulls',
  version: 1,
  ship: { hull: f64('', { default: 100 }), burns: bit(), lost: u32(''), steered: u32('') },
  commands: {
    light: { body: v.object({}), run: ({ ship }) => void (ship.burns = true) },
    scuttle: {
      body: v.object({ sure: v.boolean() }),
      run({ destroy }, { sure }) {
        destroy('It was scuttled.')
        if (!sure) throw refusal('not_sure')
      },
    },
  },
  beat: {
    of: 'burns',
    run({ destroy, ship }) {
      ship.hull -= 1
      if (ship.hull <= 90) destroy('The hull burnt through.')
    },
  },
  on: {
    destroyed(ship, { by, reason }) {
      if (by !== 'hulls' || ship.docked) throw new Error('It is docked still.')
      ship.hull = 100
      if (ship.thrust > 0) ship.steered += 1
      ship.burns = false
      ship.lost += reason.startsWith('The hull') ? 1 : 100
    },
  },
})

/** The kit begins 52 quanta before a full second: an order acts at the beat of the tenth. */
const ORDERED = 10 + 52 / 64

it('destroys ships at beats and by commands, alike in every way', async () => {
  const lit = [1, 2, 3].map((ship) => ({ at: 1, ship, command: 'light' }))
  const flown = await flownEveryWay(hulls, {
    ships: 5,
    seconds: 140,
    happenings: [
      ...lit,
      { at: 2, ship: 2, control: { thrustLevel: 1 } },
      { at: ORDERED - 1, ship: 3, control: { thrustLevel: 0.5 } },
      { at: 20, ship: 4, command: 'scuttle', body: { sure: true } },
      { at: 21, ship: 5, command: 'scuttle', body: { sure: false } },
    ],
  })
  expect(flown.stopped).toEqual([])
  expect(flown.refusals).toEqual([expect.stringContaining('not_sure')])
  expect(flown.sum('lost')).toBe(103)
  expect(flown.sum('hull')).toBe(500)
  // The order of that beat comes behind.
  expect(flown.sum('steered')).toBe(1)
  expect(flown.events.toSorted()).toEqual(
    [...Array.from({ length: 3 }, () => 'The hull burnt through.'), 'It was scuttled.'].toSorted(),
  )
})
