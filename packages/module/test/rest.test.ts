/**
 * Law: what is at rest beside a row on a rail stays there. Goal: a ship that its autopilot has
 * stopped beside a rock about a moon drifts less than 50 m in 1,000 s, though rails are circles.
 */
import { defineModule, f64, v } from '@orrery/module'
import { flownEveryWay } from '@orrery/module/kit'
import { expect, it } from 'vitest'

const ALTITUDE = 4.6e5

const rocks = defineModule({
  id: 'rocks',
  version: 1,
  ship: { distance: f64('m'), drift: f64('m') },
  tables: { rock: { rows: 1, onRail: true, columns: {} } },
  begin({ add, hasBody }) {
    // Where the station of that altitude is.
    if (hasBody('Moon')) add('rock', {}, { around: 'Moon', radius: 1.74e6 + ALTITUDE, turn: 0 })
  },
  commands: {
    look: {
      body: v.object({}),
      run({ near, ship }) {
        const { distance } = near('rock', 1)
        ship.drift = Math.abs(distance - ship.distance)
        ship.distance = distance
      },
    },
  },
})

it('stays within 50 m of its place for 1,000 s', async () => {
  const look = (at: number) => ({ at, ship: 1, command: 'look' })
  const order = { maneuver: 'rendezvous', timeout: 1e5, params: [] } as const
  const flown = await flownEveryWay(rocks, {
    ships: 1,
    stations: { yard: { around: 'Moon', altitude: ALTITUDE } },
    seconds: 2212,
    happenings: [
      { at: 1, ship: 1, behind: 'yard' },
      { at: 2, ship: 2, order, toRow: ['rock', 1] },
      look(1200),
      look(2200),
    ],
  })
  expect(flown.refusals).toEqual([])
  expect(flown.of(1, 'distance')).toBeLessThan(200)
  expect(flown.of(1, 'drift')).toBeLessThan(50)
})
