// A module with money of accounts.
import { type GameModule, defineModule, f64, text, v } from '@orrery/module'

export const bank: GameModule = defineModule({
  id: 'bank',
  version: 1,
  ship: { berth: text(8, { seenBy: 'account' }), dice: f64('') },
  account: { credits: f64('cr'), title: text(12) },
  commands: {
    moor: {
      body: v.object({ berth: v.string() }),
      run({ ship }, { berth }) {
        ship.berth = berth
        ship.dice = 6
      },
    },
    earn: {
      body: v.object({ credits: v.positive() }),
      run({ account }, { credits }) {
        account.credits += credits
        if (account.credits > 100) account.title = 'Baron'
      },
    },
  },
  panel: {
    title: 'Bank',
    fields: [
      { label: 'Credits', column: 'credits' },
      { label: 'Title', column: 'title' },
    ],
  },
})
