// A module that notes numbers in their order, each once, and gives ships loads of a common stock.
import { type GameModule, bit, defineModule, f64, refusal, u32, v } from '@orrery/module'

export const tally: GameModule = defineModule({
  id: 'tally',
  version: 1,
  ship: { last: u32(''), on: bit(), taken: f64('kg') },
  account: { credits: f64('cr') },
  tables: { stock: { rows: 1, columns: { kg: f64('kg') } } },
  mass: ({ taken }) => taken,
  begin: ({ add }) => void add('stock', { kg: 1e6 }),
  commands: {
    note: {
      body: v.object({ number: v.number() }),
      run({ account, ship }, { number }) {
        if (number !== ship.last + 1) throw refusal('out_of_order', { last: ship.last })
        ship.last = number
        ship.on = true
        account.credits += number
      },
    },
  },
  beat: {
    of: 'on',
    run({ claim, ship }) {
      claim('stock', 1, 'kg', 0.5, (got) => {
        ship.taken += got
      })
    },
  },
})
