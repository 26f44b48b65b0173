/**
 * Law: ships whose module has a beat every few seconds take turns. Goal: each has one in so many
 * seconds, however it is flown; each second has as many ships; a client knows whose turn it is.
 */
import { type GameModule, defineModule, f64, u32, v } from '@orrery/module'
import { flownModules } from '@orrery/module/flown'
import { flownEveryWay } from '@orrery/module/kit'
import { expect, it } from 'vitest'

const EVERY = 3
const SHIPS = [1, 2, 3, 4, 5, 6]
const SECONDS = 31

const pulse: GameModule = defineModule({
  id: 'pulse',
  version: 1,
  ship: { beats: u32(''), at: f64('s since J2000'), wound: u32('') },
  commands: { wind: { body: v.object({}), run: ({ ship }) => void (ship.wound = 1) } },
  beat: {
    of: 'wound',
    every: EVERY,
    run({ seconds, ship }) {
      ship.beats += 1
      ship.at = seconds
    },
  },
})

it('gives each ship a beat in so many seconds, and each second as many ships', async () => {
  const happenings = SHIPS.map((ship) => ({ at: 0.5, ship, command: 'wind' }))
  const flown = await flownEveryWay(pulse, { ships: SHIPS.length, seconds: SECONDS, happenings })
  expect(flown.stopped).toEqual([])
  const [first, ...others] = SHIPS.map((ship) => Number(flown.of(ship, 'at')))
  expect(flown.sum('beats')).toBe((SHIPS.length / EVERY) * SECONDS)
  const turns = [first, ...others].map((at) => at % EVERY)
  expect(new Set(turns.slice(0, EVERY)).size).toBe(EVERY)
  expect(turns.slice(EVERY)).toEqual(turns.slice(0, EVERY))
})

it('runs for its own ship in a browser at its turns alone', () => {
  const flown = flownModules([pulse])
  const values = { beats: 0, at: 0, wound: 1 }
  let rows = flown.rows([{ module: 'pulse', version: 1, mass: 0, thrust: 1, values }])
  const ship = { number: 4, docked: false, station: null, thrust: 0, fuel: 10, fuelCapacity: 10 }
  const at: unknown[] = []
  for (let second = 1; second <= 6; second++) {
    rows = rows.after(ship, 64 * second).rows
    at.push(rows.valuesOf('pulse')['at'])
  }
  expect(at).toEqual([1, 1, 1, 4, 4, 4])
})
