// A module with money of accounts.
import { type GameModule, defineModule, f64, v } from '@orrery/module'

export const bank: GameModule = defineModule({
  id: 'bank',
  version: 1,
  account: { credits: f64('cr') },
  commands: {
    earn: {
      body: v.object({ credits: v.positive() }),
      run({ account }, { credits }) {
        account.credits += credits
      },
    },
  },
  panel: { title: 'Bank', fields: [{ label: 'Credits', column: 'credits' }] },
})
