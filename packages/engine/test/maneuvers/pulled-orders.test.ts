/**
 * Law: an order ends as it should where a parent or a companion pulls the orbit, or is refused
 * before a burn. Method: orbits at which each kind of order has failed after its burns.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import { applyCommand } from '@orrery/engine/testing'
import type { ManeuverOrder } from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { type PlacedState, solFlight } from './sol-flight.ts'

const DAY = 86_400

const flight = solFlight()
for (const name of ['Ariel', 'Io', 'Neptune']) {
  const altitude = 0.08 * solSystem.bodies[bodyIndex(solSystem, name)].radius
  const placement = { kind: 'orbit', altitude } as const
  const station = { stationId: name, name, parentBody: name, placement }
  applyCommand(flight.world, { kind: 'create_station', ...station })
}

interface Case extends PlacedState {
  readonly order: Pick<ManeuverOrder, 'maneuver' | 'params' | 'stationId'>
  /** the ship that a rendezvous is with */
  readonly target?: PlacedState
}

const ENDING: Readonly<Record<string, Case>> = {
  'an orbit that is pulled into the ground between two burns': {
    body: 'Charon',
    position: [-327_685.2, -3_208_774.6, -496_333],
    velocity: [-111.42, 33.63, -113.01],
    order: { maneuver: 'circularize', params: [655_014] },
  },
  'a way to a station that passes low before': {
    body: 'Ariel',
    position: [-804_245.8, 463_516.9, 23_035.3],
    velocity: [-74.304, -139.936, 255.34],
    order: { maneuver: 'dock', params: [], stationId: 'Ariel' },
  },
  'a way to a station that is pulled into the ground after its first burn': {
    body: 'Io',
    position: [-21_995.564, 2_432_610.956, 1_151_115.331],
    velocity: [188.4998, 526.0377, -1543.2387],
    order: { maneuver: 'dock', params: [], stationId: 'Io' },
  },
}

/** Whose ends are days to months away, and chases, which look at their targets every second. */
const LONG: Readonly<Record<string, Case>> = {
  'a chase of a ship that passes, on whose way a moon has the chaser': {
    body: 'Pluto',
    position: [12_382_122.331, 1_094_169.206, -23_882_766.201],
    velocity: [265.009143, -94.51474, -194.94375],
    order: { maneuver: 'rendezvous', params: [] },
    target: {
      body: 'Pluto',
      position: [-10_906_858.761, -21_771_542.159, 125_209_299.680],
      velocity: [22.214573, -59.094535, -162.02098],
    },
  },
  'a chase of a ship so far out that arcs to it miss, and that leaves days later': {
    body: 'Triton',
    position: [888_554.887, -1_184_144.069, 1_603_683.099],
    velocity: [252.754867, 1024.931292, -162.059219],
    fuel: 1947.597,
    order: { maneuver: 'rendezvous', params: [] },
    target: {
      body: 'Triton',
      position: [3_470_095.947, -3_129_301.767, 4_849_114.438],
      velocity: [-155.415982, -407.281477, -152.158317],
    },
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
  'a fall out of another plane than the station has': {
    body: 'Neptune',
    position: [-710_679_006.7, -4_219_490_160.2, 992_323_924.6],
    velocity: [984.0965, -327.3902, -692.484],
    order: { maneuver: 'dock', params: [], stationId: 'Neptune' },
  },
}

const { ending, days } = byTier({
  gate: { ending: ENDING, days: 1.5 },
  night: { ending: { ...ENDING, ...LONG }, days: 100 },
})

const REFUSED: Readonly<Record<string, Case>> = {
  'an orbit that would leave the sphere': {
    body: 'Dione',
    position: [-1_164_331.7, 510_880.3, 290_038],
    velocity: [179.88, 187.55, 68.72],
    order: { maneuver: 'set_orbit', params: [0, 0.0186, -2, 0, -0.8589, 0.5122] },
  },
}

const cases = { ...ending, ...REFUSED }

it('ends orders where others pull the orbit, or refuses them before a burn', async () => {
  const { fuel } = flight.world.state.ships
  const ships = Object.entries(cases).map(([name, place]) => flight.add(name, place))
  for (const ship of ships) {
    const { order, target } = cases[ship.shipId]
    const met = target && flight.add(`target of ${ship.shipId}`, target).number
    flight.order(ship, { timeout: 100 * DAY, ...order, ...(met && { ship: met }) })
  }
  const full = ships.map(({ slot }) => fuel[slot])
  await flight.fly(days * DAY)
  const ends = flight.events.filter(({ eventType }) => /^(completed|failed)$/.test(eventType))
  const outcomes = Object.fromEntries(ends.map(({ shipId, eventType }) => [shipId, eventType]))
  const expected = (names: object, end: string): [string, string][] =>
    Object.keys(names).map((name) => [name, end])
  expect(outcomes).toEqual(
    Object.fromEntries([...expected(ending, 'completed'), ...expected(REFUSED, 'failed')]),
  )
  const spent = ships.filter(({ slot }, i) => fuel[slot] < full[i]).map(({ shipId }) => shipId)
  expect(spent.filter((name) => name in REFUSED)).toEqual([])
})
