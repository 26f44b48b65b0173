/**
 * Law: apsides are those of the mean orbit about an oblate body: a nearly circular orbit passes
 * each once a revolution, for rules and in predictions; a docked ship passes none.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import { type Rule, applyCommand } from '@orrery/engine/testing'
import { createStateVector, isDocked, launch, railState } from '@orrery/sim'
import { expect, it } from 'vitest'
import { predictionTask } from '../../src/prediction/request.ts'
import { flownAhead } from '../../src/prediction/trajectory.ts'
import { steerShip } from '../../src/commands/steering.ts'
import { universeOf } from '../globe.ts'
import { dock } from '../objects/station-world.ts'
import { type SolFlight, solFlight } from './sol-flight.ts'

const earth = solSystem.bodies[bodyIndex(solSystem, 'Earth')]
const RADIUS = earth.radius + 500_000
const REVOLUTIONS = 4
const SECONDS = Math.floor(REVOLUTIONS * 2 * Math.PI * Math.sqrt(RADIUS ** 3 / earth.gm))

const apsis = (ruleId: string, side: { above: number } | { below: number }): Rule => ({
  ruleId,
  name: ruleId,
  once: false,
  armed: true,
  source: '',
  condition: { kind: 'apsis', ...side },
})

const rules = [apsis('periapsis', { above: 0 }), apsis('apoapsis', { below: 0 })]

const firedIn = ({ notices }: SolFlight, ruleId: string): number =>
  notices.filter(({ rule }) => rule?.ruleId === ruleId).length

it.each([0, 0.9, 1.6])('passes each apsis once a revolution at i = %d', async (inclination) => {
  const flight = solFlight()
  const speed = Math.sqrt(earth.gm / RADIUS)
  const { shipId } = flight.add('ruled', {
    body: 'Earth',
    position: [RADIUS, 0, 0],
    velocity: [0, speed * Math.cos(inclination), speed * Math.sin(inclination)],
  })
  // It begins at an apsis.
  await flight.fly(600)
  applyCommand(flight.world, { kind: 'set_rules', shipId, rules })
  const task = predictionTask(universeOf(flight.world), { shipId, seconds: SECONDS })
  const marks = flownAhead(structuredClone(task)).marks.map(({ kind }) => kind)
  await flight.fly(SECONDS)
  for (const kind of ['periapsis', 'apoapsis'] as const) {
    expect(firedIn(flight, kind)).toBe(REVOLUTIONS)
    expect(marks.filter((mark) => mark === kind)).toHaveLength(REVOLUTIONS)
  }
})

it('passes none while it is docked, nor as it undocks', async () => {
  const flight = solFlight()
  const { world } = flight
  applyCommand(world, {
    kind: 'create_station',
    stationId: 'pier',
    name: 'Pier',
    parentBody: 'Earth',
    placement: { kind: 'orbit', altitude: 500_000 },
  })
  const ship = flight.add('docked')
  const place = createStateVector()
  railState(place, world.state.ephemeris, world.stations.get('pier')!.rail, world.index, 0)
  const { ships } = world.state
  ships.position.set([place.r[0] + 40, place.r[1], place.r[2]], 3 * ship.slot)
  ships.velocity.set(place.v, 3 * ship.slot)
  launch(world.flight, ship.slot, world.index)
  steerShip(world, ship, dock('pier'), world.index)
  await flight.fly(30)
  expect(isDocked(ships, ship.slot)).toBe(true)
  applyCommand(world, { kind: 'set_rules', shipId: ship.shipId, rules })
  const { shipId } = ship
  const task = predictionTask(universeOf(world), { shipId, seconds: SECONDS })
  await flight.fly(SECONDS)
  steerShip(world, ship, { undock: true }, world.index)
  await flight.fly(3)
  expect(firedIn(flight, 'periapsis') + firedIn(flight, 'apoapsis')).toBe(0)
  const { marks } = flownAhead(structuredClone(task))
  expect(marks.filter(({ kind }) => kind.endsWith('apsis'))).toEqual([])
})
