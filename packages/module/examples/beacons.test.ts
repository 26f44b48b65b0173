import { flownEveryWay } from '@orrery/module/kit'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beacons } from './beacons.ts'

void test('a battery lasts for a minute, however it is flown', async () => {
  const flown = await flownEveryWay(beacons, {
    ships: 2,
    seconds: 90,
    happenings: [
      { at: 1, ship: 1, command: 'light' },
      { at: 80, ship: 1, command: 'light' },
    ],
  })
  assert.deepEqual(flown.events, ['The battery is empty, and the beacon dark.'])
  assert.match(flown.refusals.join(), /beacons light: empty/)
  assert.deepEqual([flown.of(1, 'charge'), flown.of(2, 'charge')], [0, 3600])
})
