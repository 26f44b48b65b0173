/**
 * Law: operators see drift as it is, per system and signed, and every ship that stopped flying.
 * Goal: a linear drift that is written into the anchors has its slope per day of game time, a
 * moving barycentre its speed, and a system that keeps everything has neither.
 */
import { createUniverse } from '@orrery/engine/testing'
import { FROZEN, NODE_SECONDS } from '@orrery/sim'
import { expect, it } from 'vitest'
import { busyWorld, pair } from '../busy-world.ts'
import { START_INDEX } from '../globe.ts'
import { testEngine } from '../test-engine.ts'

const DAY_SECONDS = 86_400

it('shows rounding and no more where nothing drifts', async () => {
  const one = pair()
  const systems = [one, { ...one, system: { ...one.system, id: 'twin' } }]
  const setup = { systems, index: START_INDEX, seed: 'drift', shipsMax: 1 }
  const { engine, clock } = testEngine({ universe: createUniverse(setup) })
  await clock.advance(10_000)
  const metrics = engine.metrics()
  expect(metrics.systems.map(({ systemId }) => systemId)).toEqual(['pair', 'twin'])
  for (const { systemId: _, ...values } of metrics.systems) {
    for (const value of Object.values(values)) expect(Math.abs(value)).toBeLessThan(1e-12)
  }
  expect(metrics).toMatchObject({ frozenShips: 0, ticksDropped: 0 })
  expect(Object.keys(metrics.phases)).toEqual(['ephemeris', 'orders', 'flight', 'views'])
})

it('shows the slope of a drift per day, with its sign', () => {
  const { engine, world } = testEngine({ world: busyWorld() })
  const { anchors } = world.integration
  for (const anchor of anchors) {
    const days = (anchor.state.node * NODE_SECONDS) / DAY_SECONDS
    anchor.drift = { energy: 1e-13 - 3e-15 * days, momentum: 2e-16 * days }
  }
  const [{ energyPerDay, momentumPerDay, energy }] = engine.metrics().systems
  expect(energyPerDay / -3e-15).toBeCloseTo(1, 9)
  expect(momentumPerDay / 2e-16).toBeCloseTo(1, 9)
  expect(energy).toBe(anchors[0].drift?.energy)
})

it('shows how fast a barycentre has become', () => {
  const { engine, world } = testEngine({ world: busyWorld() })
  for (const { state } of world.integration.anchors) {
    for (let i = 0; i < state.v.length; i += 3) {
      state.v[i] += 3
      state.v[i + 1] -= 4
    }
  }
  expect(engine.metrics().systems[0].barycentreSpeed).toBeCloseTo(5, 12)
})

it('counts frozen ships', () => {
  const { engine, world } = testEngine({ world: busyWorld() })
  world.state.ships.condition[3] = FROZEN
  world.state.ships.condition[400] = FROZEN
  expect(engine.metrics().frozenShips).toBe(2)
})
