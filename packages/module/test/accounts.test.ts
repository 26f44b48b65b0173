/**
 * Law: what an account keeps goes where its ship goes. Goal: commands, full seconds and reactions
 * write it, and it is the same in every way to fly; a destruction, another star system and an
 * upgrade leave it whole.
 */
import { defineModule, f64, text, u32, v } from '@orrery/module'
import { flownEveryWay } from '@orrery/module/kit'
import { expect, it } from 'vitest'

const PAY = 700
const RENT = 3

/** @param coins  that a credit is worth, for the second version */
function bank(version: number, coins = 1) {
  return defineModule({
    id: 'bank',
    version,
    ship: { rent: f64('cr/s') },
    account: { credits: f64('cr', { default: 100 }), losses: u32(''), title: text(8) },
    commands: {
      earn: {
        body: v.object({ credits: v.number(), rent: v.number(), title: v.string() }),
        run({ account, ship }, { credits, rent, title }) {
          account.credits += credits * coins
          account.title = title
          ship.rent = rent
        },
      },
      sink: { body: v.object({}), run: ({ destroy }) => destroy('sunk') },
    },
    beat: { of: 'rent', run: ({ account, ship }) => void (account.credits += ship.rent) },
    on: { destroyed: (_ship, _event, { account }) => void (account.losses += 1) },
    ...(version > 1 && {
      from: { 1: { account: (old) => ({ credits: Number(old['credits']) * coins }) } },
    }),
    panel: { title: 'Bank', fields: [{ label: 'Credits', column: 'credits' }] },
  })
}

const earn = (ship: number, at: number, credits: number, rent = 0, title = '') => {
  return { ship, at, command: 'earn', body: { credits, rent, title } }
}

it('keeps what accounts have in every way', async () => {
  const flown = await flownEveryWay([bank(1), bank(2, 10)], {
    ships: 3,
    seconds: 150,
    happenings: [
      earn(1, 3, PAY, 0, 'Baron'),
      { ship: 1, at: 20, command: 'sink' },
      { ship: 1, at: 40, to: 'there' },
      earn(2, 5.5, 0, RENT),
      earn(2, 15.5, 0),
      { ship: 1, at: 100, version: 2 },
      earn(1, 110, PAY),
    ],
  })
  expect(flown.refusals).toEqual([])
  expect(flown.stopped).toEqual([])
  const [first, second] = [100 + 2 * PAY, 100 + 10 * RENT]
  expect(flown.sum('credits')).toBe(10 * (first + second) + 100)
  expect(flown.sum('losses')).toBe(1)
})
