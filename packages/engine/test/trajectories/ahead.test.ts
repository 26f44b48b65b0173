/**
 * Law: what an order will do is sent when it is accepted, and is what the tick then flies, to the
 * bit, when no other order comes between.
 */
import { createChance, testSeed } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { Trajectories } from '../../src/trajectories/trajectories.ts'
import { busyWorld } from '../busy-world.ts'
import { expectSame } from './comparison.ts'
import { flyTo } from './flown-ticks.ts'
import { orderSome } from './random-orders.ts'
import { ReceivedClient } from './received-client.ts'

it('is flown as received', async () => {
  const chance = createChance(testSeed('received ahead'))
  const world = busyWorld()
  const trajectories = new Trajectories(world, 0)
  const client = new ReceivedClient()
  client.ask(world, trajectories)
  await flyTo(world, world.index + 3)
  client.read(trajectories.publish())
  let received = 0
  for (let tick = 0; tick < 20; tick++) {
    const ordered = orderSome(world, 30, chance, 8)
    const { number: before } = trajectories.publication
    const ahead = trajectories.ahead(ordered)!
    expect(ahead.number).toBe(before + 1)
    expect(ahead.index).toBe(world.index)
    client.read(ahead)
    const { ships } = world.state
    const coming = [...trajectories.expected.keys()].map((slot) => {
      const number = ships.shipNumber[slot]
      const [arc] = client.ships.get(number)!.arcs.slice(-1)
      expect(arc.start).toBeGreaterThan(world.index)
      return { slot, number, arc, start: ships.stepStart[slot] }
    })
    await flyTo(world, world.index + 13)
    const { arcs, burns, steps, hulls } = trajectories.publish()
    const sent = new Set(
      [arcs, burns, steps, hulls].flatMap(({ columns, count }) => [
        ...columns.number.subarray(0, count),
      ]),
    )
    for (const { slot, number, arc, start } of coming) {
      if (![start, arc.start].includes(ships.stepStart[slot])) continue
      // Both the step that was open and the one that was to come have been sent.
      expect(sent.has(number)).toBe(false)
      if (ships.stepStart[slot] === start) continue
      expect(arc.end).toBe(ships.stepEnd[slot])
      expect(arc.endPosition).toEqual([...ships.endPosition.subarray(3 * slot, 3 * slot + 3)])
      received++
    }
    client.read(trajectories.publication)
    expectSame(world, client, `tick ${tick}`)
  }
  expect(received).toBeGreaterThan(20)
})
