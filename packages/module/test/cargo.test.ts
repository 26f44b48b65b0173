/**
 * Law: what modules give a ship to carry is a part of its mass, and the part of its thrust that
 * they leave it is what it has. Goal: ships that commands and full seconds load and limit during
 * burns and maneuvers have the same bits however they are flown; a Δv costs the fuel of the rocket
 * equation; what cannot be stops its module, whose last loads stay.
 */
import { defineModule, f64, row, u32, v } from '@orrery/module'
import { flownEveryWay } from '@orrery/module/kit'
import { COURIER } from '@orrery/sim'
import { expect, it } from 'vitest'

const ORE = 5000
const FREIGHT = 1234
const DELTA_V = 40

const hold = defineModule({
  id: 'hold',
  version: 1,
  ship: { ore: f64('kg'), rate: f64('kg'), pit: row('pit'), before: f64('kg'), spent: f64('kg') },
  tables: { pit: { rows: 1, columns: {} } },
  mass: ({ ore }) => ore,
  commands: {
    take: {
      body: v.object({ kg: v.number(), rate: v.number() }),
      run({ ship }, { kg, rate }) {
        ship.ore += kg
        ship.rate = rate
        ship.before = ship.fuel
      },
    },
  },
  beat: { of: 'rate', run: ({ ship }) => void (ship.ore += ship.rate) },
  on: { burnEnded: (ship) => void (ship.spent = ship.before - ship.fuel) },
})

const lead = defineModule({
  id: 'lead',
  version: 1,
  ship: { bars: f64('t'), left: u32('') },
  mass: ({ bars, left }) => (left === 1 ? -bars : 1000 * bars),
  commands: {
    load: {
      body: v.object({ bars: v.number() }),
      run({ ship }, { bars }) {
        ship.bars = bars
        ship.left = 100
      },
    },
  },
  beat: { of: 'left', run: ({ ship }) => void (ship.left -= 1) },
})

const wear = defineModule({
  id: 'wear',
  version: 1,
  ship: { damage: f64(''), rate: f64('') },
  thrustLimit: ({ damage }) => Math.max(0, 1 - damage),
  commands: {
    hit: {
      body: v.object({ damage: v.number(), rate: v.number() }),
      run({ ship }, { damage, rate }) {
        ship.damage = damage
        ship.rate = rate
      },
    },
  },
  beat: { of: 'rate', run: ({ ship }) => void (ship.damage += ship.rate) },
})

it('burns the fuel of what ships carry, alike in every way', async () => {
  const take = (ship: number, at: number, kg: number, rate: number) => {
    return { ship, at, command: 'take', body: { kg, rate } }
  }
  const hit = (ship: number, at: number, damage: number, rate: number) => {
    return { ship, at, module: 'wear', command: 'hit', body: { damage, rate } }
  }
  const flown = await flownEveryWay([hold, lead, wear], {
    ships: 8,
    seconds: 150,
    happenings: [
      take(1, 3, ORE, 0),
      { ship: 1, at: 5, control: { thrustLevel: 0.8, deltaV: DELTA_V } },
      take(2, 3, 0, 3.7),
      { ship: 2, at: 10.5, control: { thrustLevel: 0.3, pointing: 'prograde' } },
      take(2, 33.25, 4000, 1.1),
      take(3, 1, 0, 12.5),
      hit(1, 6, 0.5, 0),
      hit(2, 12, 0.1, 0.002),
      hit(3, 20, 0.7, 0),
      hit(5, 51, 0.25, 0),
      hit(6, 10, 1, 0),
      { ship: 6, at: 11, control: { thrustLevel: 0.5, seconds: 3 } },
      { ship: 6, at: 12, order: { maneuver: 'escape', timeout: 1e5, params: [] } },
      hit(7, 10, 0.9, 0.01),
      { ship: 7, at: 11, order: { maneuver: 'escape', timeout: 1e5, params: [] } },
      { ship: 3, at: 4, order: { maneuver: 'escape', timeout: 1e5, params: [] } },
      { ship: 3, at: 140, control: { pointing: 'rest', abort: true } },
      { ship: 4, at: 20, module: 'lead', command: 'load', body: { bars: 2 } },
      take(4, 30, 700, 0),
      { ship: 4, at: 40, control: { thrustLevel: 1, seconds: 300 } },
      take(5, 50, FREIGHT, 0),
      { ship: 5, at: 60, to: 'there' },
      { ship: 5, at: 90, to: 'here' },
      { ship: 9, at: 110, control: { thrustLevel: 0.5, deltaV: DELTA_V } },
    ],
  })
  expect(flown.refusals).toEqual([])
  expect(flown.stopped).toEqual([expect.stringContaining('carries -2 kg')])
  // The second of them has changed its star system twice.
  const before = 2 * (COURIER.dryMass + COURIER.fuelCapacity) + ORE + FREIGHT
  const spent = before * -Math.expm1(-DELTA_V / COURIER.exhaustVelocity)
  expect(flown.sum('spent')).toBeCloseTo(spent, 6)
})

it('keeps the rows of ships that operators put elsewhere in their star system', async () => {
  const drill = defineModule({
    id: 'drill',
    version: 1,
    ship: { ore: f64('kg'), pit: row('pit') },
    tables: { pit: { rows: 1, columns: {} } },
    mass: ({ ore }) => ore,
    begin: ({ add }) => void add('pit', {}),
    commands: { dig: { body: v.object({}), run: ({ ship }) => void (ship.pit = 1) } },
    beat: { of: 'pit', run: ({ ship }) => void (ship.ore += 3) },
  })
  const flown = await flownEveryWay(drill, {
    ships: 2,
    seconds: 20,
    stations: { dock: { around: 'Earth', altitude: 500_000 } },
    happenings: [
      { ship: 1, at: 5.5, command: 'dig' },
      { ship: 1, at: 10.5, behind: 'dock' },
    ],
  })
  expect(flown.refusals).toEqual([])
  expect(flown.sum('pit')).toBe(1)
  expect(flown.sum('ore')).toBe(45)
})

it('takes none whose new ship carries something, or lacks thrust', () => {
  const heavy = { id: 'heavy', version: 1, ship: { tools: f64('kg', { default: 9 }) } } as const
  expect(() => defineModule({ ...heavy, mass: ({ tools }) => tools })).toThrow(
    expect.objectContaining({ code: 'ERR_MASS' }),
  )
  expect(() => defineModule({ ...heavy, thrustLimit: () => NaN })).toThrow(
    expect.objectContaining({ code: 'ERR_THRUST' }),
  )
})
