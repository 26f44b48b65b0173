/**
 * Law: who follows the records of trajectories has the states that the server shows: of ships that
 * coast to the bit, else within 1e-6 m; and within 1e-6 rad and 1e-6 kg.
 */
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { Trajectories } from '../../src/trajectories/trajectories.ts'
import { busyWorld } from '../busy-world.ts'
import { expectSame } from './comparison.ts'
import { flyTo } from './flown-ticks.ts'
import { orderSome } from './random-orders.ts'
import { ReceivedClient } from './received-client.ts'

const courses = [
  ['scale 1, 1 Hz', 64, 20, 20],
  ['scale 100, 10 Hz', 640, 5, 60],
  ['scale 1, 10 Hz', 6.4, 50, 8],
  ['scale 100, 1 Hz', 6400, 2, 100],
] as const

it.each(courses.slice(0, byTier({ gate: 1, night: 4 })))(
  'of ships under random orders, %s',
  async (name, quanta, ticks, orders) => {
    const chance = createChance(testSeed(`received states, ${name}`))
    const world = busyWorld()
    const trajectories = new Trajectories(world, 0)
    const [client, asked] = [new ReceivedClient(), new ReceivedClient()]
    client.ask(world, trajectories)
    const { index } = world
    for (let tick = 1; tick <= ticks; tick++) {
      // Some orders are sent when they are accepted; they may be followed by others.
      for (let round = 0; round < 3; round++) {
        const ordered = orderSome(world, orders / 2, chance)
        const ahead = chance.oneIn(4) ? undefined : trajectories.ahead(ordered)
        if (ahead) client.read(ahead)
      }
      if (tick % 5 === 1) expectSame(world, client, `before tick ${tick}`)
      await flyTo(world, index + Math.floor(quanta * tick))
      client.read(trajectories.publish())
      expectSame(world, client, `tick ${tick}`)
      if (tick % 3 !== 1) continue
      asked.ask(world, trajectories)
      expectSame(world, asked, `tick ${tick}, by whole records`)
    }
    expect(client.received.hulls).toBeGreaterThan(0)
  },
)

it('sends nothing of ships in steps that were sent', async () => {
  const chance = createChance(testSeed('received once'))
  const world = busyWorld()
  const trajectories = new Trajectories(world, 0)
  for (let tick = 0; tick < 20; tick++) {
    const before = world.state.ships.stepStart.slice()
    orderSome(world, 10, chance)
    await flyTo(world, world.index + 16)
    const { arcs, burns, hulls, steps } = trajectories.publish()
    const sent = [arcs, burns, steps].flatMap(({ columns, count }) => [
      ...columns.number.subarray(0, count),
    ])
    const begun = [...world.roster.byId.values()]
      .filter(({ slot }) => world.state.ships.stepStart[slot] !== before[slot])
      .map(({ number }) => number)
    expect(sent.toSorted((a, b) => a - b)).toEqual(begun)
    for (const number of hulls.columns.number.subarray(0, hulls.count)) {
      expect(begun).toContain(number)
    }
    const again = trajectories.publish()
    for (const rows of [again.arcs, again.burns, again.hulls, again.steps]) {
      expect(rows.count).toBe(0)
    }
  }
})
