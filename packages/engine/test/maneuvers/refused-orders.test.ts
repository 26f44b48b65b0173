/**
 * Law: an order that cannot end is refused before a burn. Goal: ways whose second burn or later leg
 * the fuel does not suffice for, and a target that is gone before it is met; each burned fuel for
 * nothing once.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import { applyCommand } from '@orrery/engine/testing'
import type { ManeuverOrder } from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { spentDeltaV } from './stocked-sol.ts'
import { type PlacedState, solFlight } from './sol-flight.ts'

const DAY = 86_400

const flight = solFlight()
const { world } = flight
for (const [stationId, parentBody] of [
  ['low', 'Mars'],
  ['low over Titan', 'Titan'],
  ['low over the Earth', 'Earth'],
] as const) {
  const altitude = 0.08 * solSystem.bodies[bodyIndex(solSystem, parentBody)].radius
  const placement = { kind: 'orbit', altitude } as const
  const station = { stationId, name: stationId, parentBody, placement }
  applyCommand(world, { kind: 'create_station', ...station })
}

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
  'escape from the orbit that a fall from a moon ends in': {
    body: 'Titan',
    position: [17_448_351.3, -2_347_719.7, 4_883_532.6],
    velocity: [-126.8162, -673.1086, 140.096],
  },
  'way from where an arrival ends to a moon': {
    body: 'Vesta',
    position: [-116_091.4, 2_695_761.5, -344_960.6],
    velocity: [-75.3504, -7.1587, -25.1118],
  },
  'arrival too fast to stop at a small moon': {
    body: 'Saturn',
    position: [-160_167_570.006, 462_424_675.004, 194_972_242.624],
    velocity: [-6016.732453, 2984.676234, 2126.356803],
  },
  'turn beyond the sphere of influence': {
    body: 'Titan',
    position: [-4_736_208.171, -379_324.978, 640_613.263],
    velocity: [82.604772, 1789.729747, 491.261709],
    fuel: 1327.198,
  },
  'brake beside a station low down': {
    body: 'Earth',
    position: [221_150_378.154, -127_788_000.987, -184_185_221.356],
    velocity: [-379.395689, 697.317063, -785.463952],
  },
  chase: {
    body: 'Titania',
    position: [-3_881_711.8, 1_276_226.6, 1_348_607.4],
    velocity: [-233.3823, 29.4594, -97.0183],
  },
}

it('says before a burn that fuel does not suffice, or the target goes', async () => {
  const ships = Object.entries(SHIPS).map(([name, at]) => flight.add(name, at))
  const [phasing, moon, escape, arrival, fast, turn, brake, chase] = ships
  const full = ships.map(({ slot }) => spentDeltaV(flight, slot))
  const target = flight.add('target', passing)
  const timeout = 3650 * DAY
  flight.order(phasing, { maneuver: 'dock', stationId: 'low', timeout, params: [] })
  flight.order(turn, { maneuver: 'dock', stationId: 'low over Titan', timeout, params: [] })
  flight.order(brake, { maneuver: 'dock', stationId: 'low over the Earth', timeout, params: [] })
  const legs: [typeof moon, string][] = [
    [moon, 'Vesta'],
    [escape, 'Ceres'],
    [arrival, 'Iapetus'],
    [fast, 'Tethys'],
  ]
  for (const [ship, name] of legs) {
    const body = bodyIndex(solSystem, name)
    flight.order(ship, { maneuver: 'transfer', body, timeout, params: [] })
  }
  flight.order(chase, { maneuver: 'rendezvous', ship: target.number, timeout, params: [] })
  await flight.fly(1024)
  const failed = flight.events.filter(({ eventType }) => eventType === 'failed')
  const texts = Object.fromEntries(failed.map(({ shipId, statusText }) => [shipId, statusText]))
  const takes = (deltaV: string): unknown =>
    expect.stringMatching(`fuel does not suffice: it takes ${deltaV}`)
  expect(texts).toEqual({
    phasing: takes('1\\.8'),
    'capture from a moon': takes('1[34]\\.'),
    'escape from the orbit that a fall from a moon ends in': takes('1[34]\\.'),
    'way from where an arrival ends to a moon': takes('9\\.[67]'),
    'arrival too fast to stop at a small moon': takes('10\\.1'),
    'turn beyond the sphere of influence': takes('2\\.4'),
    'brake beside a station low down': takes('1[01]\\.'),
    chase: 'The target cannot be reached',
  })
  expect(ships.map(({ slot }) => spentDeltaV(flight, slot))).toEqual(full)
})

/** Too far out for a circle that the Earth leaves alone until the next burn. */
const leaving: PlacedState = {
  body: 'Moon',
  position: [-9_076_556.1, 14_530_413.2, -46_321_149.4],
  velocity: [-44.337, 52.692, -831.187],
}

/** Leaves Saturn unless it burns at its periapsis, three radii up. */
const passingLow: PlacedState = {
  body: 'Saturn',
  position: [-204_370_639.5, 117_384_872.2, -89_828_624.5],
  velocity: [2375.2671, -17_056.0843, -1778.4212],
}

it('refuses a low circle about the same body that only its first burn has fuel for', async () => {
  const ship = flight.add('passing low', passingLow)
  const to = { maneuver: 'transfer', body: bodyIndex(solSystem, 'Saturn') } as const
  flight.order(ship, { ...to, timeout: 60 * DAY, params: [3_775_480] })
  const end = await flight.flyToEnd(ship, 1024)
  expect(end).toMatchObject({ eventType: 'failed', statusText: 'The fuel does not suffice' })
  expect(spentDeltaV(flight, ship.slot)).toBe(0)
})

it('refuses a circle on the way out, which does not last until the next burn', async () => {
  const ship = flight.add('leaving', leaving)
  flight.order(ship, { maneuver: 'circularize', timeout: 60 * DAY, params: [3_091_164] })
  const end = await flight.flyToEnd(ship, 1024)
  expect(end).toMatchObject({ eventType: 'failed', statusText: 'The target cannot be reached' })
  expect(spentDeltaV(flight, ship.slot)).toBe(0)
})

const NODE: ManeuverOrder = {
  maneuver: 'set_orbit',
  timeout: 60 * DAY,
  params: [14_825_376.5, 0.27156, 0.966186, 0.257846, 0.367604, -0.929982],
}

const LOW_TURN: ManeuverOrder = {
  ...NODE,
  params: [0, -1, 0.234231389352, 0.972180876299, 0.719869218187, 0.694109723824],
}

const DOCK: ManeuverOrder = { maneuver: 'dock', stationId: 'low', timeout: 60 * DAY, params: [] }

it.runIf(byTier({ gate: false, night: true })).each<[string, ManeuverOrder, PlacedState]>([
  [
    'a node that precesses while burns wait for their places',
    NODE,
    {
      body: 'Mars',
      position: [117_313_477.7, -82_590_002.5, -98_219_350.7],
      velocity: [-575.2608, 46.619, -250.5561],
    },
  ],
  [
    'another plane from low orbit, slow and sinking on the way',
    LOW_TURN,
    {
      body: 'Mars',
      position: [3_675_764.121, -979_309.328, -303_361.569],
      velocity: [506.285361, 912.336103, 3179.179738],
    },
  ],
  [
    'a dock of a moon whose sphere of influence is small',
    DOCK,
    {
      body: 'Io',
      position: [1_921_625.117, -1_640_098.901, 1_484_894.072],
      velocity: [1090.267284, 1378.680392, -258.246272],
    },
  ],
  [
    'a dock straight below, towards which the planet pulls a fall into the ground',
    DOCK,
    {
      body: 'Rhea',
      position: [896_091.576, 699_443.815, -285_971.242],
      velocity: [490.061467, -272.515654, -61.492204],
    },
  ],
  [
    'a dock on whose departure, low, a planet pulls the orbit into the ground first',
    DOCK,
    {
      body: 'Ariel',
      position: [-53_906.414, 18.053, 968_084.784],
      velocity: [290.609524, 12.823823, 83.215677],
    },
  ],
  [
    'a dock between whose burns of arrival a planet pulls the orbit into the ground',
    DOCK,
    {
      body: 'Io',
      position: [-4_804_664.140, 1_157_266.984, 3_255_909.382],
      velocity: [-1498.255311, 1219.134124, 318.259758],
    },
  ],
  [
    'a dock from an orbit that leaves the sphere of influence before it comes back',
    DOCK,
    {
      body: 'Charon',
      position: [523_133.511, -234_784.338, 649_806.105],
      velocity: [418.07956, 40.26147, -225.474304],
    },
  ],
  [
    'a dock on whose way a moon has the ship, and would pull it into its ground',
    DOCK,
    {
      body: 'Pluto',
      position: [2_462_003.855, 895_426.421, 2_707_127.336],
      velocity: [619.668243, -108.066948, -255.812024],
    },
  ],
  [
    'a dock low about a very oblate body, of which many searches find no way',
    DOCK,
    {
      body: 'Vesta',
      position: [-64_633.126, -258_378.075, 150_869.777],
      velocity: [166.808677, -116.028346, -124.533713],
      fuel: 4707.534,
    },
  ],
])('reaches %s', async (_, order, place) => {
  const alone = solFlight()
  const { radius } = solSystem.bodies[bodyIndex(solSystem, place.body)]
  const low = { kind: 'orbit', altitude: 0.08 * radius } as const
  const named = { stationId: 'low', name: 'Low', parentBody: place.body }
  applyCommand(alone.world, { kind: 'create_station', ...named, placement: low })
  const ship = alone.add('ship', place)
  alone.order(ship, order)
  expect(await alone.flyToEnd(ship, 30 * DAY)).toMatchObject({ eventType: 'completed' })
})
