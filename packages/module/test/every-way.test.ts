/**
 * Law: what modules keep is a function of the flight. Goal: ships that share rows, refuse, sell and
 * change star systems come out alike to the bit on any threads, by any ticks, and over restarts.
 */
import { bit, defineModule, f64, i32, refusal, row, text, v } from '@orrery/module'
import { type Happening, flownEveryWay } from '@orrery/module/kit'
import { expect, it } from 'vitest'

const SHIPS = 40
const SEAMS = 6
const ORE = 4000

/** Many ships at few seams, which are emptied. */
const digging = defineModule({
  id: 'digging',
  version: 1,
  ship: {
    ore: f64('kg'),
    luck: i32(''),
    seam: row('seam'),
    tired: bit(),
    fed: f64('kg'),
    motto: text(7),
  },
  tables: {
    seam: {
      rows: SEAMS,
      onRail: true,
      columns: { ore: f64('kg'), name: text(12), radius: f64('m') },
    },
  },
  begin({ add, random }) {
    for (let i = 0; i < SEAMS; i++) {
      add(
        'seam',
        { ore: ORE, name: `Ader ${i} 🪨` },
        { around: 'Earth', radius: 7e6, turn: random() },
      )
    }
  },
  commands: {
    dig: {
      body: v.object({ seam: v.id() }),
      run({ near, ship }, { seam }) {
        if (near('seam', seam).distance < 1e6) throw refusal('too_near')
        ship.seam = seam
        ship.motto = `${seam}`.padEnd(seam, '–')
      },
    },
    feed: {
      body: v.object({ kg: v.number() }),
      run({ refuel, ship }, { kg }) {
        if (ship.fuel > ship.fuelCapacity) throw refusal('too_full')
        ship.fed += refuel(kg)
        if (kg > 1e6) throw refusal('too_much')
      },
    },
    read: {
      body: v.object({}),
      run: ({ ship, row: rowOf }) => {
        throw refusal('read', { motto: ship.motto, name: rowOf('seam', 2).name })
      },
    },
    give: {
      body: v.object({ seam: v.id() }),
      run(context, { seam }) {
        const { ship } = context
        context.row('seam', seam).ore += ship.ore
        ship.ore = 0
        ship.tired = true
      },
    },
  },
  beat: {
    of: 'seam',
    run({ claim, near, random, ship }) {
      if (ship.seam === null) return
      const { distance } = near('seam', ship.seam)
      ship.luck += Math.floor(random() * 10) - 4
      claim('seam', ship.seam, 'ore', distance / 1e7 + random(), (got) => {
        ship.ore += got
        if (got === 0) ship.seam = null
      })
    },
  },
})

/** What the ship asks for, the third first [kg]. */
const FED = [-500, 300, -500, 800, -500, 800]

const happenings: readonly Happening[] = Array.from({ length: 60 }, (_, i) => {
  const ship = 1 + ((i * 7) % SHIPS)
  const at = 1 + ((i * 37) % 120) + (i % 5) / 64
  if (i % 17 === 3) return { at, ship, to: i % 2 === 0 ? 'there' : 'here' }
  // The last has changed its star system.
  if (i > 56) return { at: 130 + i, ship: [1, 8, 19][i - 57], command: 'read' }
  // From a full tank, to its brim thrice at most, and at last short of it.
  if (i % 10 === 6) return { at, ship: 40, command: 'feed', body: { kg: FED[(i - 6) / 10] } }
  if (i === 50) return { at, ship: 40, command: 'feed', body: { kg: 2e6 } }
  const command = i % 9 === 4 ? 'give' : 'dig'
  return { at, ship, command, body: { seam: 1 + (i % (SEAMS + 1)) } }
})

it('is the same to the bit however it is flown, and loses nothing', async () => {
  const flown = await flownEveryWay(digging, { ships: SHIPS, seconds: 400, happenings })
  expect(flown.stopped).toEqual([])
  expect(flown.refusals.join('\n')).toContain('too_near')
  expect(flown.refusals.join('\n')).toContain('no_row')
  expect(flown.digests.size).toBeGreaterThan(4)
  expect(flown.refusals.slice(-3).map((refused) => refused.split('motto ')[1])).toEqual([
    '1, name Ader 1 🪨',
    '2–, name Ader 1 🪨',
    '1, name Ader 1 🪨',
  ])
  expect(flown.sum('ore')).toBeGreaterThan(ORE)
  expect(flown.sum('luck')).not.toBe(0)
  expect(flown.refusals.join('\n')).toContain('too_much')
  expect(flown.sum('fed')).toBeCloseTo(-200, 9)
  expect(flown.sum('ore') + flown.sum('ore', 'seam')).toBeCloseTo(2 * SEAMS * ORE, 6)
})
