/**
 * Law: a mission that is done is paid once, and one that is late is free for others. Goal: ships
 * that dock take offers, survey a site and hand in, alike to the bit however they are flown.
 */
import type { GameModule } from '@orrery/module'
import { type Happening, flownEveryWay } from '@orrery/module/kit'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { missions } from '../../src/missions.ts'

const STATION = '1672af5b-fe40-4014-9088-7187b8727b43'
const STATIONS = { [STATION]: { around: 'Earth', altitude: 420_000 } }
const SURVEY = 1
const PAY = 100

/** The same missions, but brief: a site beside the station, and one behind the body. */
const brief: GameModule = {
  ...missions,
  begin({ add }) {
    for (const turn of [0, 0.5]) add('site', {}, { around: 'Earth', radius: 6.791e6, turn })
    for (const site of [1, 2]) {
      const days = 300 / 86_400
      add('offer', { kind: SURVEY, from: 0, to: 0, site, days, pay: PAY })
    }
  },
}

/** Both ships, which are put behind the station, are docked by then [s]. */
const DOCKED = 1500

const given = (
  at: number,
  ship: number,
  command: string,
  body: Happening['body'] = {},
): Happening => ({
  at: DOCKED + at,
  ship,
  command,
  body,
})

const dock = { maneuver: 'dock', stationId: STATION, timeout: DOCKED, params: [] } as const

it('pays a survey once, and ends what is late', async () => {
  const flown = await flownEveryWay(brief, {
    ships: 3,
    seconds: DOCKED + 500,
    stations: STATIONS,
    happenings: [
      { at: 1, ship: 1, behind: STATION },
      { at: 1, ship: 2, behind: STATION },
      // Under other numbers, since they were put there.
      { at: 2, ship: 4, order: dock },
      { at: 2, ship: 5, order: dock },
      { at: 3, ship: 1, command: 'take', body: { offer: 1 } },
      given(0, 1, 'take', { offer: 1 }),
      given(1, 2, 'take', { offer: 1 }),
      given(1, 2, 'take', { offer: 2 }),
      given(2, 2, 'collect'),
      given(2, 1, 'handIn'),
      given(3, 1, 'collect'),
      given(4, 1, 'handIn'),
      given(5, 1, 'handIn'),
      given(300, 1, 'take', { offer: 2 }),
      given(302, 1, 'take', { offer: 2 }),
      given(303, 1, 'giveUp'),
    ],
  })
  expect(flown.stopped).toEqual([])
  expect(
    flown.refusals.map((text) => text.replace(/^\w+: missions (.*?)(?:, \w+ .*)?$/, '$1')),
  ).toEqual([
    'take: not_at_its_station',
    'take: taken',
    'collect: too_far',
    'handIn: nothing_aboard',
    'handIn: no_mission',
    'take: taken',
  ])
  expect(flown.events).toEqual([
    'The mission is done: 100 credits.',
    'The mission was not done in time.',
  ])
  expect(flown.sum('credits')).toBe(PAY)
  expect([flown.sum('done'), flown.sum('failed')]).toEqual([1, 2])
})

it.runIf(IS_NIGHT)('offers what its bodies allow', async () => {
  const flown = await flownEveryWay(missions, { ships: 1, seconds: 1, happenings: [] })
  expect(flown.stopped).toEqual([])
  // Without Mars: a delivery each way, three surveys and two rescues.
  expect(flown.sum('pay', 'offer')).toBeGreaterThan(50_000)
  expect(flown.sum('kind', 'offer')).toBe(7)
})
