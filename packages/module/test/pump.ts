/** A module whose ships pump water, for tests of rules. */
import { type GameModule, bit, defineModule, f64, i32, refusal, row, text, v } from '@orrery/module'
import type { Happening, KitRule } from '@orrery/module/kit'

const none = v.object({})

/** A pump fills a cask, drop by drop. @param leaksAt  water at which it breaks [kg] */
export function pump(version: number, leaksAt: number | undefined = Infinity): GameModule {
  return defineModule({
    id: 'pump',
    version,
    ship: {
      water: f64('kg'),
      rate: f64('kg/s'),
      level: i32(''),
      shut: bit(),
      fuelBefore: f64('kg'),
      secret: f64('', { seenBy: 'operator' }),
      name: text(8),
      cask: row('cask'),
    },
    account: { coins: f64('cr') },
    tables: { cask: { rows: 1, columns: {} } },
    mass: ({ water }) => water,
    events: { sold: { text: 'Sold {kg} kg.', body: v.object({ kg: v.number() }) } },
    commands: {
      open: {
        body: v.object({ rate: v.number() }),
        run({ ship: own }, { rate }) {
          own.rate = rate
          own.shut = false
        },
      },
      shut: {
        body: none,
        run({ ship: own }) {
          if (own.shut) throw refusal('shut_already')
          own.rate = 0
          own.shut = true
        },
      },
      sell: {
        body: v.object({ kg: v.positive() }),
        run({ account, emit, ship: own }, { kg }) {
          if (own.water < kg) throw refusal('too_little', { water: own.water })
          own.water -= kg
          account.coins += 2 * kg
          emit('sold', { kg })
        },
      },
      burn: {
        body: v.object({ kg: v.number() }),
        run({ refuel, ship: own }, { kg }) {
          own.fuelBefore = own.fuel
          refuel(kg)
        },
      },
      scuttle: { body: none, run: ({ destroy }) => destroy('Scuttled.') },
      fail: { body: none, run: () => void Object(undefined).no.way },
      tap: { body: v.object({ cask: v.optional(v.id()) }), run: () => undefined },
      drain: { may: 'operator', body: none, run: ({ ship: own }) => void (own.water = 0) },
    },
    beat: {
      of: 'rate',
      run({ ship: own }) {
        own.water += own.rate
        if (own.water > leaksAt) throw new Error('It leaks')
      },
    },
    from: version > 1 ? { 1: {} } : {},
  })
}

export function open(ship: number, at: number, rate: number): Happening {
  return { ship, at, command: 'open', body: { rate } }
}

export function set(ship: number, at: number, ...rules: KitRule[]): Happening {
  return { ship, at, rules }
}

/** At or above a value. */
export function column(name: string, above: number): KitRule['condition'] {
  return { kind: 'module', module: 'pump', column: name, above }
}
