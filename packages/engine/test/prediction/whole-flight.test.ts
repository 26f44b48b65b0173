/**
 * Law: a prediction to the end of a maneuver says when and with how much fuel it ends, to the bit,
 * however far ahead that is. Goal: a transfer that ends after the massive bodies that the world has
 * made, leg by leg.
 */
import { addShip, createReplay, createWorld } from '@orrery/engine/testing'
import { NODE_QUANTA, QUANTA_PER_SECOND } from '@orrery/sim'
import { expect, it } from 'vitest'
import { predictionTask } from '../../src/prediction/request.ts'
import { flownAhead } from '../../src/prediction/trajectory.ts'
import { acceptControl } from '../../src/world/intake.ts'
import { pair } from '../busy-world.ts'
import { START_INDEX, universeOf } from '../globe.ts'
import { wasmKernels } from '../catalog-systems.ts'

const DAY = 86_400 * QUANTA_PER_SECOND

it('is flown as predicted', async () => {
  const index = START_INDEX
  const world = createWorld({ system: pair(), index, seed: 'whole', shipsMax: 1, ...wasmKernels })
  const ship = addShip(world, 'one', 'One')
  const params = [0, 0, index + DAY, 86_400]
  const maneuver = { maneuver: 'transfer', body: 1, timeout: 1e7, params } as const
  const orders = [{ after: 0, control: { maneuver } }]
  const request = { shipId: 'one', seconds: 3600, orders, toEnd: true }
  const predicted = flownAhead(structuredClone(predictionTask(universeOf(world), request)))

  const known = world.integration.head.node * NODE_QUANTA
  acceptControl(world.intake, ship, { maneuver }, world.index, world.settled)
  const ends: { eventType: string; index: number }[] = []
  const replay = createReplay({
    world,
    pool: undefined,
    onManeuver: (event) => void ends.push(event),
  })
  const end = () => ends.find(({ eventType }) => eventType === 'completed')
  while (!end() && world.index < index + 9 * DAY) await replay.flyTo(world.index + DAY / 24, 0)

  const completed = predicted.marks.find(({ kind }) => kind === 'maneuver_completed')
  expect(completed?.index).toBe(end()?.index)
  expect(predicted.fuel).toBe(world.state.ships.fuel[ship.slot])
  expect(end()!.index).toBeGreaterThan(known)
  expect(predicted).toMatchObject({ end: 'asked', to: index + 3600 * QUANTA_PER_SECOND })
  const { deltaV, flightLegs } = predicted
  const exact = { deltaVUncertainty: 0, secondsUncertainty: 0 }
  const leg = { fromBody: 'Globe', body: 'Moon', arrivesAt: end()!.index, deltaV, ...exact }
  expect(flightLegs).toEqual([leg])
  expect(deltaV).toBeGreaterThan(3000)
})
