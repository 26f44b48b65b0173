/**
 * Law: the shipped modules leave the same bits however they are flown. Goal: twelve ships mine,
 * sell, carry out missions, obey rules and change star systems beside each other, and both modules
 * are replaced by newer versions meanwhile: one to four threads, ticks of a second to five minutes,
 * restarts from images, and a part that is flown again from a past image come out alike.
 */
import type { GameModule } from '@orrery/module'
import { type Happening, type KitRule, flownEveryWay } from '@orrery/module/kit'
import { expect, it } from 'vitest'
import { mining } from '../../src/mining.ts'
import { missions } from '../../src/missions.ts'

const EARTH = '1672af5b-fe40-4014-9088-7187b8727b43'
const MOON = 'b0c5e1d2-6c0e-4b3e-9d0a-5f6a2f1c7e84'
const STATIONS = {
  [EARTH]: { around: 'Earth', altitude: 420_000 },
  [MOON]: { around: 'Moon', altitude: 430_000 },
}
const SHIPS = 12
const MINERS = [1, 2, 3, 4, 5, 6]
const COURIERS = [7, 8, 9, 10]

const PAY = 100

/** The same missions, but brief: a site beside the station, and one behind the body. */
const brief: GameModule = {
  ...missions,
  begin({ add }) {
    for (const turn of [0, 0.5]) add('site', {}, { around: 'Earth', radius: 6.791e6, turn })
    for (const site of [1, 1, 2, 2]) {
      add('offer', { kind: 1, from: 0, to: 0, site, days: 300 / 86_400, pay: PAY })
    }
  },
}

const olderOf = (module: GameModule): GameModule => ({ ...module, version: 1, from: {} })
const newerOf = (module: GameModule): GameModule => ({ ...module, version: 2, from: { 1: {} } })
const VERSIONS = [mining, brief].flatMap((module) => [olderOf(module), newerOf(module)])

/** A ship that is put elsewhere has another number: miners first, then couriers. */
const numberOf = (ship: number): number => SHIPS + ship
const orders = { timeout: 1e6, params: [] }

const mine = (at: number, ship: number, command: string, body = {}): Happening => {
  return { at, ship, module: 'mining', command, body }
}
const carry = (at: number, ship: number, command: string, body = {}): Happening => {
  return { at, ship, module: 'missions', command, body }
}
/** Some are late for theirs. */
const asteroidOf = (ship: number): number => (ship < 5 ? 1 : ship)

const RULES: readonly KitRule[] = [
  {
    name: 'refine',
    condition: { kind: 'module', module: 'mining', column: 'ore', above: 1000 },
    command: { module: 'mining', command: 'refine', body: { kg: 80 } },
  },
  {
    name: 'leave',
    once: true,
    condition: { kind: 'module', module: 'mining', column: 'full', above: 1 },
    order: { thrustLevel: 0.01, seconds: 2 },
  },
]

const happenings: readonly Happening[] = [
  ...MINERS.flatMap((ship): readonly Happening[] => [
    { ship, at: 10 + ship / 10, behind: MOON },
    {
      ship: numberOf(ship),
      at: 20 + ship,
      order: { maneuver: 'rendezvous', ...orders },
      toRow: ['asteroid', asteroidOf(ship)],
      module: 'mining',
    },
    { ship, at: 26_000 + ship, rules: RULES },
    // Some are there by then; two drill the same.
    ...[26_900, 27_400].map((at) =>
      mine(at + ship / 64, ship, 'drill', { asteroid: asteroidOf(ship) }),
    ),
  ]),
  ...COURIERS.flatMap((ship): readonly Happening[] => [
    { ship, at: 15 + ship / 10, behind: EARTH },
    { ship: numberOf(ship), at: 30, order: { maneuver: 'dock', stationId: EARTH, ...orders } },
    carry(1600 + ship, ship, 'take', { offer: ship - 6 }),
    carry(1700, ship, 'collect'),
    carry(1800 + ship, ship, 'handIn'),
  ]),
  { ship: 11, at: 200, to: 'there' },
  { ship: 11, at: 5000, to: 'here' },
  // A mission stays behind, and ore goes along.
  { ship: 7, at: 1650, to: 'there' },
  { ship: 1, at: 28_200, to: 'there' },
  { ship: 0, at: 27_150.5, module: 'mining', version: 2 },
  { ship: 0, at: 27_300, module: 'missions', version: 2 },
  carry(1850, 10, 'giveUp'),
  { ship: 2, at: 28_300, behind: MOON },
  {
    ship: SHIPS + MINERS.length + COURIERS.length + 2,
    at: 28_301,
    order: { maneuver: 'dock', stationId: MOON, ...orders },
  },
  mine(29_800, 2, 'sell', { kg: 500 }),
]

it('fly alike in every way', async () => {
  const flown = await flownEveryWay(VERSIONS, {
    ships: SHIPS,
    seconds: 29_900,
    stations: STATIONS,
    happenings,
    isWhole: true,
  })
  expect(flown.stopped).toEqual([])
  const full = MINERS.filter((ship) => flown.of(ship, 'full') === true)
  expect(full).toEqual([1, 3, 4])
  expect([flown.of(2, 'ore'), flown.of(1, 'drill')]).toEqual([7500, null])
  expect(flown.fired.filter((name) => name === 'leave')).toHaveLength(4)
  expect(flown.events).toEqual([
    'The mission is done: 100 credits.',
    'The mission was not done in time.',
  ])
  expect(flown.sum('credits')).toBe(3 * 500 + PAY)
  expect([flown.sum('done'), flown.sum('failed')]).toEqual([1, 2])
  expect(flown.digests.size).toBeGreaterThan(900)
})
