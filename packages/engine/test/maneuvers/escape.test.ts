/**
 * Law: a ship that escapes leaves the sphere of influence of its reference body, into that of the
 * parent, for little more Δv than the speed of escape asks for.
 */
import { expect, it } from 'vitest'
import { bodyIndex, solSystem } from '@orrery/catalog'
import { solFlight } from './sol-flight.ts'

it('leaves the Earth', async () => {
  const flight = solFlight()
  const ship = flight.add('runner')
  const { ships } = flight.world.state
  const circular = Math.hypot(...ships.velocity.subarray(3 * ship.slot, 3 * ship.slot + 3))
  const before = flight.world.ship.dryMass + ships.fuel[ship.slot]
  flight.order(ship, { maneuver: 'escape', timeout: 1e6, params: [] })
  const end = await flight.flyToEnd(ship, 1e6)
  expect(end).toMatchObject({ eventType: 'completed', maneuverType: 'escape' })
  expect(ships.reference[ship.slot]).toBe(bodyIndex(solSystem, 'Sun'))
  expect(ships.activity[ship.slot]).toBe(0)
  const ratio = before / (flight.world.ship.dryMass + ships.fuel[ship.slot])
  const spent = flight.world.ship.exhaustVelocity * Math.log(ratio)
  expect(spent / ((Math.SQRT2 - 1) * circular)).toBeLessThan(1.1)
})
