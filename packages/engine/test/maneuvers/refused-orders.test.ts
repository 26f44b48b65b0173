/**
 * Law: an order that cannot end is refused before a burn. Goal: ways whose second burn the fuel
 * does not suffice for, and a target that is gone before it is met; each burned fuel for nothing
 * once.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import { applyCommand } from '@orrery/engine/testing'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { spentDeltaV } from './stocked-sol.ts'
import { type PlacedState, solFlight } from './sol-flight.ts'

const DAY = 86_400

const flight = solFlight()
const { world } = flight
const altitude = 0.08 * solSystem.bodies[bodyIndex(solSystem, 'Mars')].radius
const placement = { kind: 'orbit', altitude } as const
const station = { stationId: 'low', name: 'Low', parentBody: 'Mars', placement }
applyCommand(world, { kind: 'create_station', ...station })

/** Apoapsis beyond the sphere of influence of Titania; later it falls into the moon. */
const passing: PlacedState = {
  body: 'Titania',
  position: [1_205_570.6, -66_194.1, -174_286.8],
  velocity: [-10.9138, 398.1235, 414.8491],
}

const SHIPS: Readonly<Record<string, PlacedState>> = {
  phasing: {
    body: 'Mars',
    position: [-108_304_388.759, 106_763_803.32, -68_228_109.589],
    velocity: [-86.676982, 37.54371, 565.018386],
    fuel: 1754.48,
  },
  'capture from a moon': {
    body: 'Tethys',
    position: [-106_807.8, -630_837.6, -19_262.6],
    velocity: [135.9379, -16.1445, -213.5655],
  },
  chase: {
    body: 'Titania',
    position: [-3_881_711.8, 1_276_226.6, 1_348_607.4],
    velocity: [-233.3823, 29.4594, -97.0183],
  },
}

it('says before a burn that fuel does not suffice, or the target goes', async () => {
  const [phasing, moon, chase] = Object.entries(SHIPS).map(([name, at]) => flight.add(name, at))
  const full = [phasing, moon, chase].map(({ slot }) => spentDeltaV(flight, slot))
  const target = flight.add('target', passing)
  const timeout = 3650 * DAY
  flight.order(phasing, { maneuver: 'dock', stationId: 'low', timeout, params: [] })
  const body = bodyIndex(solSystem, 'Vesta')
  flight.order(moon, { maneuver: 'transfer', body, timeout, params: [] })
  flight.order(chase, { maneuver: 'rendezvous', ship: target.number, timeout, params: [] })
  await flight.fly(1024)
  const failed = flight.events.filter(({ eventType }) => eventType === 'failed')
  const texts = Object.fromEntries(failed.map(({ shipId, statusText }) => [shipId, statusText]))
  expect(texts).toEqual({
    phasing: expect.stringMatching(/fuel does not suffice: it takes 1\.8/),
    'capture from a moon': expect.stringMatching(/fuel does not suffice: it takes 1[34]\./),
    chase: 'The target cannot be reached',
  })
  expect([phasing, moon, chase].map(({ slot }) => spentDeltaV(flight, slot))).toEqual(full)
})

it.runIf(byTier({ gate: false, night: true }))(
  'reaches an ordered node that precesses while burns wait for their places',
  async () => {
    const mars = solFlight()
    const ship = mars.add('ship', {
      body: 'Mars',
      position: [117_313_477.7, -82_590_002.5, -98_219_350.7],
      velocity: [-575.2608, 46.619, -250.5561],
    })
    const params = [14_825_376.5, 0.27156, 0.966186, 0.257846, 0.367604, -0.929982]
    mars.order(ship, { maneuver: 'set_orbit', timeout: 60 * DAY, params })
    expect(await mars.flyToEnd(ship, 30 * DAY)).toMatchObject({ eventType: 'completed' })
  },
)
