/**
 * Law: a ship that escapes leaves the sphere of influence of its reference body, into that of the
 * parent, for little more Δv than the speed of escape asks for.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { solFlight } from './sol-flight.ts'

const MOON = { from: 'Moon', into: 'Earth' }
const EARTH = { from: 'Earth', into: 'Sun' }
const HEIGHT = 400_000

it.each(byTier({ gate: [MOON], night: [MOON, EARTH] }))('leaves the $from', async (leg) => {
  const flight = solFlight()
  const { gm, radius } = solSystem.bodies[bodyIndex(solSystem, leg.from)]
  const circular = Math.sqrt(gm / (radius + HEIGHT))
  const ship = flight.add('runner', {
    body: leg.from,
    position: [radius + HEIGHT, 0, 0],
    velocity: [0, circular, 0],
  })
  const { ships } = flight.world.state
  const before = flight.world.ship.dryMass + ships.fuel[ship.slot]
  flight.order(ship, { maneuver: 'escape', timeout: 1e6, params: [] })
  const end = await flight.flyToEnd(ship, 1e6)
  expect(end).toMatchObject({ eventType: 'completed', maneuverType: 'escape' })
  expect(ships.reference[ship.slot]).toBe(bodyIndex(solSystem, leg.into))
  expect(ships.activity[ship.slot]).toBe(0)
  const ratio = before / (flight.world.ship.dryMass + ships.fuel[ship.slot])
  const spent = flight.world.ship.exhaustVelocity * Math.log(ratio)
  expect(spent / ((Math.SQRT2 - 1) * circular)).toBeLessThan(1.1)
})

it('burns once low over Saturn, whose oblateness slows a ship on its way out', async () => {
  const flight = solFlight()
  const ship = flight.add('runner', {
    body: 'Saturn',
    position: [16330318.2, -57129376.4, -33836810.9],
    velocity: [22474.7, 1623.8, 8215.5],
  })
  flight.order(ship, { maneuver: 'escape', timeout: 1e7, params: [] })
  await flight.fly(43_200)
  const phases = flight.events
    .filter(({ eventType }) => eventType === 'phase_changed' || eventType === 'failed')
    .map(({ phase }) => phase)
  expect(phases).toEqual(['waiting', 'turning', 'burning', 'trimming', 'coasting'])
})

it('decides once whether a way leaves that oblateness alone keeps', async () => {
  const flight = solFlight()
  const ship = flight.add('runner', {
    body: 'Neptune',
    position: [82_757_988.142, -2_810_868.094, -15_965_202.749],
    velocity: [3610.028399, 9946.889626, 7071.64253],
  })
  flight.order(ship, { maneuver: 'escape', timeout: 1e7, params: [] })
  await flight.fly(1024)
  const phases = flight.events
    .filter(({ eventType }) => eventType !== 'sample')
    .map(({ phase }) => phase)
  expect(phases).toEqual(['planning', 'waiting'])
})
