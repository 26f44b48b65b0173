/**
 * Law: what becomes of a ship reaches those who watch it, not those who once did. Goal: a
 * pilot who lets go of one target and takes another keeps it when the first leaves the world, in
 * ticks of any length. Method: an engine under a simulated clock.
 */
import { type ManeuverEvent, addShip } from '@orrery/engine/testing'
import { expect, it } from 'vitest'
import { globeWorld } from '../globe.ts'
import { testEngine } from '../test-engine.ts'

const SHIPS = ['first', 'second', 'left', 'kept']

it.each([0.5, 1, 10])('keeps its target when another is gone, at %d Hz', async (tickRate) => {
  const world = globeWorld()
  for (const shipId of SHIPS) addShip(world, shipId, shipId)
  const events: ManeuverEvent[] = []
  const { engine, clock } = testEngine({
    world,
    tickRate,
    onManeuver: (event) => events.push(event),
  })
  const target = (shipId: string) =>
    ({ pointing: 'target', target: engine.shipNumber('first', shipId) }) as const
  // Both take a row; the second ship then gets the first one's, and leaves its own behind.
  engine.control('first', target('left'))
  engine.control('second', target('left'))
  await clock.advance(4000)
  engine.control('first', { pointing: 'loose' })
  engine.control('second', { pointing: 'loose' })
  await clock.advance(4000)
  engine.control('second', target('kept'))
  await clock.advance(4000)
  events.length = 0
  await engine.execute({ kind: 'remove_ship', shipId: 'left' })
  await clock.advance(8000)
  expect(events.map(({ eventType, statusText }) => [eventType, statusText])).not.toContainEqual([
    'failed',
    'The target is lost',
  ])
  await engine.execute({ kind: 'remove_ship', shipId: 'kept' })
  await clock.advance(8000)
  const { ships, sightings } = world.state
  const { slot } = world.roster.byId.get('second')!
  expect(sightings.watched[ships.sighting[slot]]).toBe(-1)
})
