/**
 * Law: a ship that goes on as it does needs one record per step: 80 B in 64 s at most while it
 * coasts, in 2 s while it burns. Attitude and engine are sent when they change.
 */
import { addShip } from '@orrery/engine/testing'
import type { Control } from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { steerShip } from '../../src/commands/steering.ts'
import { Trajectories } from '../../src/trajectories/trajectories.ts'
import { expectSame } from './comparison.ts'
import { ReceivedClient } from './received-client.ts'
import { flyTo } from './flown-ticks.ts'
import { globeWorld } from '../globe.ts'

/** In this time a hull has turned to what it was ordered to. */
const SETTLED = 20_000

/** Rows that are sent of one ship in 512 s at 10 Hz, once it does what it was ordered to. */
async function sentOf(control: Control): Promise<ReceivedClient['received']> {
  const world = globeWorld()
  const ship = addShip(world, 'ship', 'Ship')
  steerShip(world, ship, control, world.index)
  await flyTo(world, world.index + SETTLED)
  const trajectories = new Trajectories(world, 0)
  const client = new ReceivedClient()
  client.ask(world, trajectories)
  const { index } = world
  for (let tick = 1; tick <= 5120; tick++) {
    await flyTo(world, index + Math.floor(6.4 * tick))
    client.read(trajectories.publish())
    if (tick % 64 === 0) expectSame(world, client, JSON.stringify(control))
  }
  return client.received
}

/** One of two by day. */
const tried = byTier({ gate: 1, night: 2 })

const coasting = [
  ['coasts', { pointing: 'rest' }],
  ['points along its way', { pointing: 'prograde' }],
] as const

it.each(coasting.slice(0, tried))('of a ship that %s', async (_, control) => {
  const { steps, ...others } = await sentOf(control)
  // Steps of 16 to 64 s.
  expect(steps).toBeGreaterThanOrEqual(8)
  expect(steps).toBeLessThanOrEqual(32)
  expect(others).toEqual({ burns: 0, arcs: 0, hulls: 0 })
})

const burning = [
  ['its attitude', { pointing: 'rest', thrustLevel: 0.001 }],
  ['to what it points at', { pointing: 'radial_out', thrustLevel: 0.001 }],
] as const

it.each(burning.slice(0, tried))('of a ship that burns and keeps %s', async (_, control) => {
  // A push along one direction has the same acceleration at the end of a step and after it.
  const { burns, steps, ...others } = await sentOf(control)
  expect(burns + steps).toBe(256)
  expect(others).toEqual({ arcs: 0, hulls: 0 })
})

it('of a ship that spins', async () => {
  const { steps, hulls, ...others } = await sentOf({ angularRate: [0.01, -0.02, 0.013] })
  expect(steps).toBeLessThanOrEqual(32)
  expect(hulls).toBeLessThanOrEqual(steps)
  expect(others).toEqual({ burns: 0, arcs: 0 })
})
