/**
 * Law: of a world that is too large for one view, records are made of the ships that a client was
 * sent, and of no other; whenever it was sent one, it has the state of it that the server shows.
 * Once the world is small enough, records are made of all.
 */
import { createChance, testSeed } from '@orrery/testkit'
import { expect, it } from 'vitest'
import type { Publication } from '../../src/trajectories/publication.ts'
import { Trajectories } from '../../src/trajectories/trajectories.ts'
import type { RosterEntry } from '../../src/world/roster.ts'
import { busyWorld } from '../busy-world.ts'
import { expectSame } from './comparison.ts'
import { flyTo } from './flown-ticks.ts'
import { orderSome } from './random-orders.ts'
import { ReceivedClient } from './received-client.ts'

const numbersIn = ({ arcs, burns, hulls, steps }: Publication): number[] =>
  [arcs, burns, hulls, steps].flatMap(({ columns, count }) => [
    ...columns.number.subarray(0, count),
  ])

it('holds under random orders', async () => {
  const chance = createChance(testSeed('followed ships'))
  const world = busyWorld()
  const trajectories = new Trajectories(world, 0, false)
  const client = new ReceivedClient()
  const all = [...world.roster.byId.values()]
  const followed: RosterEntry[] = []
  for (let tick = 0; tick < 30; tick++) {
    const next = all[Math.floor(tick / 2)]
    if (tick % 2 === 0) followed.push(next)
    client.ask(world, trajectories, followed)
    const ahead = trajectories.ahead(orderSome(world, 10, chance))
    if (ahead) client.read(ahead)
    await flyTo(world, world.index + 64)
    const publication = trajectories.publish(false)
    client.read(publication)
    expectSame(world, client, `tick ${tick}`, followed)
    const known = new Set(followed.map(({ number }) => number))
    expect(numbersIn(publication).filter((number) => !known.has(number))).toEqual([])
  }
  await flyTo(world, world.index + 64)
  client.read(trajectories.publish(true))
  expectSame(world, client, 'as a whole')
})
