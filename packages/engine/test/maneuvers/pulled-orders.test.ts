/**
 * Law: an order ends as it should where a parent or a companion pulls the orbit, or is refused
 * before a burn. Method: orbits at which each kind of order has failed after its burns.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import { applyCommand } from '@orrery/engine/testing'
import type { ManeuverOrder } from '@orrery/sim'
import { expect, it } from 'vitest'
import { type PlacedState, solFlight } from './sol-flight.ts'

const DAY = 86_400

const flight = solFlight()
const altitude = 0.08 * solSystem.bodies[bodyIndex(solSystem, 'Ariel')].radius
const placement = { kind: 'orbit', altitude } as const
const station = { stationId: 'low', name: 'Low', parentBody: 'Ariel', placement }
applyCommand(flight.world, { kind: 'create_station', ...station })

interface Case extends PlacedState {
  readonly order: Pick<ManeuverOrder, 'maneuver' | 'params' | 'stationId'>
}

const ENDING: Readonly<Record<string, Case>> = {
  'an orbit that is pulled into the ground between two burns': {
    body: 'Charon',
    position: [-327_685.2, -3_208_774.6, -496_333],
    velocity: [-111.42, 33.63, -113.01],
    order: { maneuver: 'circularize', params: [655_014] },
  },
  'an apsis that is passed earlier than it was seen': {
    body: 'Pluto',
    position: [-3_264_023.9, 25_472_023.2, -1_418_902.7],
    velocity: [-149.16, 18.27, -2.11],
    order: { maneuver: 'circularize', params: [2_819_996.3] },
  },
  'an orbit so slow that its last burns are too small': {
    body: 'Vesta',
    position: [-776_433.3, 448_030.5, -667_441],
    velocity: [-37.82, -115.36, 111.61],
    order: { maneuver: 'circularize', params: [3_483_218.6] },
  },
  'a way to a station that passes low before': {
    body: 'Ariel',
    position: [-804_245.8, 463_516.9, 23_035.3],
    velocity: [-74.304, -139.936, 255.34],
    order: { maneuver: 'dock', params: [], stationId: 'low' },
  },
}

const REFUSED: Readonly<Record<string, Case>> = {
  'an orbit that would leave the sphere': {
    body: 'Dione',
    position: [-1_164_331.7, 510_880.3, 290_038],
    velocity: [179.88, 187.55, 68.72],
    order: { maneuver: 'set_orbit', params: [0, 0.0186, -2, 0, -0.8589, 0.5122] },
  },
}

const cases = { ...ENDING, ...REFUSED }

it('ends orders where others pull the orbit, or refuses them before a burn', async () => {
  const { fuel } = flight.world.state.ships
  const ships = Object.entries(cases).map(([name, place]) => flight.add(name, place))
  for (const ship of ships) {
    flight.order(ship, { timeout: 100 * DAY, ...cases[ship.shipId].order })
  }
  const full = ships.map(({ slot }) => fuel[slot])
  await flight.fly(8 * DAY)
  const ends = flight.events.filter(({ eventType }) => /^(completed|failed)$/.test(eventType))
  const outcomes = Object.fromEntries(ends.map(({ shipId, eventType }) => [shipId, eventType]))
  const expected = (names: object, end: string): [string, string][] =>
    Object.keys(names).map((name) => [name, end])
  expect(outcomes).toEqual(
    Object.fromEntries([...expected(ENDING, 'completed'), ...expected(REFUSED, 'failed')]),
  )
  const spent = ships.filter(({ slot }, i) => fuel[slot] < full[i]).map(({ shipId }) => shipId)
  expect(spent.filter((name) => name in REFUSED)).toEqual([])
})
