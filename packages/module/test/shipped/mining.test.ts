/**
 * Law: ore is mined, sold and burnt, and never lost. Goal: a ship that its autopilot has flown to
 * an asteroid drills it, makes fuel, docks and sells, to the same bits in every way; what is left,
 * carried, sold and burnt is what there was.
 */
import { flownEveryWay } from '@orrery/module/kit'
import { expect, it } from 'vitest'
import { mining } from '../../src/mining.ts'

const STATION = 'yard'
const ASTEROID = 1
const BURNT = 100
/** what a drill brings up at a beat [kg] */
const LOT = 64
const SOLD = 5000
/** what a station pays [1/kg] */
const PRICE = 3

const at = (seconds: number, command: string, body: Readonly<Record<string, number>>) => {
  return { ship: 1, at: seconds, command, body }
}

it('mines an asteroid that its autopilot has met', async () => {
  const scene = { ships: 1, stations: { [STATION]: { around: 'Moon', altitude: 4.3e5 } } }
  const before = await flownEveryWay(mining, { ...scene, seconds: 1, happenings: [] })
  const order = { timeout: 1e6, params: [] }
  const flown = await flownEveryWay(mining, {
    ...scene,
    seconds: 29_800,
    happenings: [
      { ship: 1, at: 10, behind: STATION },
      at(15, 'drill', { asteroid: ASTEROID }),
      // A ship that is put elsewhere has another number.
      {
        ship: 2,
        at: 20,
        order: { maneuver: 'rendezvous', ...order },
        toRow: ['asteroid', ASTEROID],
      },
      at(26_900, 'drill', { asteroid: ASTEROID }),
      at(28_000, 'refine', { kg: BURNT }),
      at(28_100, 'sell', { kg: SOLD }),
      // Its hold has room for a lot and a half, but it burns fuel between the two.
      at(28_110, 'drill', { asteroid: ASTEROID }),
      { ship: 2, at: 28_110, control: { thrustLevel: 0.1, seconds: 0.25 } },
      { ship: 1, at: 28_200, behind: STATION },
      { ship: 3, at: 28_201, order: { maneuver: 'dock', stationId: STATION, ...order } },
      at(29_700, 'sell', { kg: SOLD }),
    ],
  })
  expect(flown.stopped).toEqual([])
  expect(flown.refusals).toEqual([
    expect.stringContaining('too_far'),
    expect.stringContaining('not_docked'),
  ])
  expect(flown.of(1, 'credits')).toBe(SOLD * PRICE)
  expect(flown.of(1, 'ore')).toBe(8000 - BURNT + LOT - SOLD)
  const left = flown.sum('ore', 'asteroid') + flown.sum('ore')
  expect(left + BURNT + SOLD).toBeCloseTo(before.sum('ore', 'asteroid'), 3)
})
