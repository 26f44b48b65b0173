import { type GameModule, bit, defineModule, f64, refusal, row, u32, v } from '@orrery/module'

/** Ore that a hold takes [kg], and what a station pays for it [1/kg]. */
const HOLD = 8000
const PRICE = 3

/** Ore that a drill brings up [kg/s]: a ship at rest stays in reach until its hold is full. */
const RATE = 8

/** Seconds from one lot of ore to the next. */
const EVERY = 8

/** Ore that gives a kilogram of fuel [kg]. */
const ORE_PER_FUEL = 4

/** A drill reaches so far [m], and holds up to so much [m/s]. */
const REACH = 200
const SPEED = 0.5

/** Asteroids around bodies, from their centres [m], each with about so much ore [kg]. */
const FIELDS = [
  { around: 'Moon', radius: 2.2e6, count: 12, ore: 4e5 },
  { around: 'Ceres', radius: 9e5, count: 24, ore: 2e6 },
]

export const mining: GameModule = defineModule({
  id: 'mining',
  version: 5,
  ship: {
    ore: f64('kg', { seenBy: 'system' }),
    drill: row('asteroid'),
    full: bit(),
    /** its fuel, rounded down, when it began to drill: one that burns some leaves */
    tank: u32('kg'),
  },
  account: { credits: f64('cr') },
  // Of the second, ships had the credits, by the same name.
  from: { 2: {}, 3: {}, 4: {} },
  tables: {
    asteroid: {
      rows: 64,
      onRail: true,
      columns: { ore: f64('kg', { seenBy: 'system' }) },
    },
  },
  mass: ({ ore }) => ore,
  begin({ add, hasBody, random }) {
    for (const { around, count, ore, radius } of FIELDS) {
      if (!hasBody(around)) continue
      for (let i = 0; i < count; i++) {
        add('asteroid', { ore: ore * (0.5 + random()) }, { around, radius, turn: random() })
      }
    }
  },
  commands: {
    drill: {
      summary: 'Drill an asteroid beside the ship until the hold is full.',
      body: v.object({ asteroid: v.id() }),
      run({ near, ship }, { asteroid }) {
        const { distance, speed } = near('asteroid', asteroid)
        if (ship.docked || distance > REACH || speed > SPEED) {
          throw refusal('too_far', { distance, speed })
        }
        if (ship.ore >= HOLD) throw refusal('full', { ore: ship.ore })
        ship.drill = asteroid
        ship.tank = Math.floor(ship.fuel)
      },
    },
    stop: {
      summary: 'Stop the drill.',
      body: v.object({}),
      run({ ship }) {
        ship.drill = null
      },
    },
    refine: {
      summary: 'Make fuel of ore, as far as the tank holds it.',
      body: v.object({ kg: v.positive() }),
      run({ refuel, ship }, { kg }) {
        const made = refuel(Math.min(kg, ship.ore) / ORE_PER_FUEL)
        ship.ore -= made * ORE_PER_FUEL
        ship.full = ship.ore >= HOLD
      },
    },
    sell: {
      summary: 'Sell ore to the station that the ship is docked at.',
      body: v.object({ kg: v.positive() }),
      run({ account, ship }, { kg }) {
        if (!ship.docked) throw refusal('not_docked')
        const sold = Math.min(kg, ship.ore)
        ship.ore -= sold
        account.credits += sold * PRICE
        ship.full = false
      },
    },
  },
  beat: {
    of: 'drill',
    every: EVERY,
    run({ claim, ship }) {
      const { drill } = ship
      if (drill === null) return
      claim('asteroid', drill, 'ore', Math.min(RATE * EVERY, HOLD - ship.ore), (got) => {
        const ore = ship.ore + got
        ship.ore = ore
        if (ore >= HOLD) ship.full = true
        // Emptied, full, or it leaves.
        if (got === 0 || ore >= HOLD || ship.fuel < ship.tank) ship.drill = null
      })
    },
  },
  panel: {
    title: 'Mining',
    fields: [
      { label: 'Ore', column: 'ore' },
      { label: 'Credits', column: 'credits' },
      { label: 'Drills', column: 'drill' },
      { label: 'Hold', column: 'full', words: ['has room', 'is full'] },
    ],
    buttons: [
      { label: 'Stop the drill', command: 'stop', when: 'drill' },
      {
        label: 'Make fuel',
        command: 'refine',
        inputs: { kg: { label: 'Ore for fuel', unit: 'kg' } },
      },
      { label: 'Sell', command: 'sell', inputs: { kg: { label: 'Ore to sell', unit: 'kg' } } },
    ],
    lists: [
      {
        label: 'Asteroids',
        table: 'asteroid',
        row: 'Asteroid',
        columns: [{ label: 'Ore', column: 'ore' }],
        buttons: [{ label: 'Drill', command: 'drill', row: 'asteroid' }],
        marker: true,
      },
    ],
  },
})
