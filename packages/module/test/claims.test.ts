/**
 * Law: claims of a ship are settled before those of the next. Goal: an answer that claims more gets
 * it before the ships behind; one that claims without end is stopped by its count, not by time.
 */
import { defineModule, f64, u32, v } from '@orrery/module'
import { flownEveryWay } from '@orrery/module/kit'
import { expect, it } from 'vitest'

const SHIPS = [1, 2, 3]

const wells = defineModule({
  id: 'wells',
  version: 1,
  ship: { claims: u32(''), water: f64('kg') },
  tables: { well: { rows: 1, columns: { water: f64('kg') } } },
  begin: ({ add }) => void add('well', { water: 5 }),
  commands: {
    draw: {
      body: v.object({ claims: v.number() }),
      run: ({ ship }, { claims }) => {
        ship.claims = claims
      },
    },
  },
  beat: {
    of: 'claims',
    run({ claim, ship }) {
      let left = ship.claims
      ship.claims = 0
      const draw = (): void => {
        if (left-- > 0) claim('well', 1, 'water', 2, settle)
      }
      const settle = (got: number): void => {
        ship.water += got
        draw()
      }
      draw()
    },
  },
})

function drawn(claims: number): ReturnType<typeof flownEveryWay> {
  const happenings = SHIPS.map((ship) => ({ at: 1, ship, command: 'draw', body: { claims } }))
  return flownEveryWay(wells, { ships: SHIPS.length, seconds: 70, happenings })
}

it('gives a ship all that its answers claim before the next one', async () => {
  const flown = await drawn(2)
  expect(flown.stopped).toEqual([])
  expect(SHIPS.map((ship) => flown.of(ship, 'water'))).toEqual([4, 1, 0])
})

it('stops what claims without end, and undoes the beat', async () => {
  const flown = await drawn(1e9)
  expect(flown.stopped).toEqual([expect.stringContaining('more than 16 times for one ship')])
  expect(flown.sum('water', 'well')).toBe(10)
})
