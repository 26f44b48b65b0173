/**
 * Law: a step that is changed after it was sent is sent again, as a whole. Steps change at the
 * index at which they begin, and before they begin by another order.
 */
import { type World, applyCommand } from '@orrery/engine/testing'
import type { Control } from '@orrery/sim'
import { beforeEach, describe, expect, it } from 'vitest'
import { steerShip } from '../../src/commands/steering.ts'
import { takeUpEvents } from '../../src/flown-universe.ts'
import { Trajectories } from '../../src/trajectories/trajectories.ts'
import type { RosterEntry } from '../../src/world/roster.ts'
import { busyWorld } from '../busy-world.ts'
import { expectSame } from './comparison.ts'
import { flyTo } from './flown-ticks.ts'
import { ReceivedClient } from './received-client.ts'

let world: World
let ship: RosterEntry
let trajectories: Trajectories
let client: ReceivedClient

beforeEach(() => {
  world = busyWorld()
  // One that begins beside the station.
  ship = world.roster.byNumber.get(9)!
  trajectories = new Trajectories(world, 0)
  client = new ReceivedClient()
  client.ask(world, trajectories)
})

/** Publishes; returns the rows that the client is sent. */
function published(): { steps: number; burns: number; arcs: number; hulls: number } {
  const { arcs, burns, hulls, steps } = trajectories.publish()
  client.read(trajectories.publication)
  expectSame(world, client, 'published')
  return { steps: steps.count, burns: burns.count, arcs: arcs.count, hulls: hulls.count }
}

async function flown(control: Control, quanta: number): Promise<void> {
  steerShip(world, ship, control, world.index)
  await flyTo(world, world.index + quanta)
  published()
}

const NOTHING = { steps: 0, burns: 0, arcs: 0, hulls: 0 }

describe('at the index at which a step begins', () => {
  it('a docked ship loses its station', async () => {
    await flown(
      { maneuver: { maneuver: 'dock', stationId: 'station', timeout: 1e6, params: [] } },
      64,
    )
    while (world.state.ships.activity[ship.slot] !== 8) {
      await flyTo(world, world.index + 64)
      published()
    }
    // Its step begins here.
    applyCommand(world, { kind: 'set_rules', shipId: ship.shipId, rules: [] })
    expect(world.state.ships.stepStart[ship.slot]).toBe(world.index)
    published()
    expect(published()).toEqual(NOTHING)
    applyCommand(world, { kind: 'remove_station', stationId: 'station' })
    expect(published().arcs).toBeGreaterThan(0)
    expect(published()).toEqual(NOTHING)
  })

  it('an order fails as it was flown ahead', async () => {
    const { shipId } = ship
    await flown(
      { maneuver: { maneuver: 'dock', stationId: 'station', timeout: 1e6, params: [] } },
      64,
    )
    applyCommand(world, { kind: 'set_rules', shipId, rules: [] })
    published()
    takeUpEvents(world)
    const { since } = world.maneuvers.open.get(ship.number)!
    const endsAt = world.index + 6400
    applyCommand(world, { kind: 'fail_maneuver', shipId, since, reason: 'late', endsAt })
    expect(world.state.ships.activity[ship.slot]).toBe(0)
    published()
    expect(published()).toEqual(NOTHING)
    await flyTo(world, world.index + 6400)
    published()
  })

  it('a hull loses what it points at', async () => {
    await flown({ pointing: 'target', stationId: 'station' }, 640)
    applyCommand(world, { kind: 'set_rules', shipId: ship.shipId, rules: [] })
    published()
    applyCommand(world, { kind: 'remove_station', stationId: 'station' })
    expect(published().hulls).toBeGreaterThan(0)
    expect(published()).toEqual(NOTHING)
  })
})

describe('before it begins', () => {
  const coming = (control: Control): void => {
    steerShip(world, ship, control, world.index + 4)
    client.read(trajectories.ahead([ship.number])!)
  }

  beforeEach(async () => {
    await flyTo(world, world.index + 3)
    published()
    coming({ thrustLevel: 0.5 })
  })

  it('another order acts with its own, and is sent', async () => {
    coming({ thrustLevel: 0.7, pointing: 'prograde' })
    await flyTo(world, world.index + 1)
    expect(published().arcs).toBe(0)
    expect(trajectories.expected.size).toBe(1)
    await flyTo(world, world.index + 6)
    expect(published().arcs).toBe(0)
    expect(trajectories.expected.size).toBe(0)
  })

  it('another order acts with its own, and is not sent', async () => {
    steerShip(world, ship, { thrustLevel: 0 }, world.index + 4)
    await flyTo(world, world.index + 7)
    expect(published()).toMatchObject({ arcs: 1, hulls: 1 })
    await flyTo(world, world.index + 7)
    expect(published()).toEqual(NOTHING)
  })

  it('its ship is changed', async () => {
    applyCommand(world, { kind: 'set_rules', shipId: ship.shipId, rules: [] })
    expect(published().arcs).toBe(1)
    await flyTo(world, world.index + 7)
    expect(published()).toMatchObject({ arcs: 1, hulls: 1 })
  })

  it('its ship leaves, and another takes its place', async () => {
    applyCommand(world, { kind: 'remove_ship', shipId: ship.shipId })
    applyCommand(world, { kind: 'create_ship', shipId: 'another', name: 'Another' })
    expect(published()).toMatchObject({ arcs: 1, hulls: 1 })
    await flyTo(world, world.index + 7)
    published()
  })
})
