/**
 * Law: an order of an orbit ends on it, or is refused before a burn. Goal: orbits that others move,
 * that a slow turn spoils, or that no ship can keep; each burned fuel for nothing once.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import type { ManeuverOrder } from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { spentDeltaV } from './stocked-sol.ts'
import { type PlacedState, solFlight } from './sol-flight.ts'

const DAY = 86_400

function setOrbit(...params: number[]): ManeuverOrder {
  return { maneuver: 'set_orbit', timeout: 300 * DAY, params }
}

function circle(...params: number[]): ManeuverOrder {
  return { maneuver: 'circularize', timeout: 300 * DAY, params }
}

const REFUSED: Readonly<Record<string, readonly [ManeuverOrder, PlacedState]>> = {
  'another plane of a way that leaves': [
    setOrbit(0, -1, 0.834750862, 0.550627821, 0, 0),
    {
      body: 'Callisto',
      position: [2_484_440.448, 776_261.015, -4_320_221.08],
      velocity: [919.943687, 1477.713618, -373.563549],
    },
  ],
  'a long ellipse that the planet pulls into the ground': [
    setOrbit(0, -1, -0.750516244, 0.660852001, 0, 0),
    {
      body: 'Callisto',
      position: [-2_708_621.66, 3_410_761.383, -913_553.213],
      velocity: [-679.992629, 865.882459, 1185.368721],
    },
  ],
  'a circle so low that oblateness leaves it no mean elements': [
    circle(313_795.344),
    {
      body: 'Vesta',
      position: [371_062.908, 316_013.154, 799_621.778],
      velocity: [-78.667202, 115.958256, -25.433538],
    },
  ],
  'a circle from a fall that leaves no time for it': [
    circle(),
    {
      body: 'Mercury',
      position: [-3_077_121.425, 66_369.466, -167_608.982],
      velocity: [2331.068861, -2158.100548, -380.475506],
    },
  ],
}

it('refuses orbits that no ship can keep or come to', async () => {
  const flight = solFlight()
  const ships = Object.entries(REFUSED).map(([name, [order, place]]) => {
    const ship = flight.add(name, place)
    flight.order(ship, order)
    return ship
  })
  const full = ships.map(({ slot }) => spentDeltaV(flight, slot))
  await flight.fly(256)
  const failed = flight.events.filter(({ eventType }) => eventType === 'failed')
  expect(failed.map(({ shipId }) => shipId).toSorted()).toEqual(Object.keys(REFUSED).toSorted())
  expect(ships.map(({ slot }) => spentDeltaV(flight, slot))).toEqual(full)
})

const REACHED: readonly (readonly [string, ManeuverOrder, PlacedState])[] = [
  [
    'a turned circle, from a place where the ship climbs',
    setOrbit(3_126_062.276, 0, -0.144852051, 0.989453325, 0.289626308, -0.957139803),
    {
      body: 'Io',
      position: [2_028_816.604, 299_089.325, -532_184.675],
      velocity: [3.394832, 1867.702496, 210.368138],
    },
  ],
  [
    'a circle from low about a body so oblate that its mean periapsis is under the ground',
    circle(490_897.182),
    {
      body: 'Vesta',
      position: [102_520.2, 267_855.565, -63_256.968],
      velocity: [200.28813, -45.163096, 129.380669],
    },
  ],
  [
    'another plane from so far out that the planet pulls a wait off',
    setOrbit(2_451_566.773, -1, -0.733814823, 0.679349546, 0, 0),
    {
      body: 'Charon',
      position: [2_198_280.569, -2_993_178.641, 3_219_443.662],
      velocity: [-91.962799, 45.789511, 105.190124],
    },
  ],
  [
    'a circle so low that a last burn where the planet has lifted it would aim at the ground',
    circle(590_160.658),
    {
      body: 'Umbriel',
      position: [1_563_285.804, -415_334.965, -580_994.952],
      velocity: [-24.716525, -196.335921, 81.149649],
    },
  ],
  [
    'a circle far out, which the planet moves between two burns',
    circle(4_683_385.69),
    {
      body: 'Europa',
      position: [-2_469_252.847, 3_531_823.677, 247_620.498],
      velocity: [-572.296791, -366.283217, -534.160492],
    },
  ],
  [
    'an ellipse in a plane that precesses faster than its shape is burnt',
    setOrbit(556_795.98, 0.383047759, 0.419722123, 0.907652654, 0.22968112, 0.973265937),
    {
      body: 'Vesta',
      position: [244_482.492, -1_469_281.937, 213_250.908],
      velocity: [-87.736882, -22.587184, -57.661859],
      fuel: 3468.93,
    },
  ],
]

/** The moon that is inside moves it by little. */
const BEYOND_TRITON: (typeof REACHED)[number] = [
  'a circle beyond the orbit of a moon',
  circle(1_100_000_000),
  { body: 'Neptune', position: [900_000_000, 0, 0], velocity: [0, 2000, 1860] },
]

it('accepts a circle beyond the orbit of a moon', async () => {
  const flight = solFlight()
  const [name, order, place] = BEYOND_TRITON
  flight.order(flight.add(name, place), order)
  await flight.fly(256)
  expect(flight.events.at(-1)).toMatchObject({ shipId: name, phase: 'waiting' })
})

/** Each takes days of many looks, or weeks. */
const REACHED_BY_NIGHT: typeof REACHED = [
  BEYOND_TRITON,
  [
    'another plane of a low ellipse, whose mean elements differ along it about so oblate a body',
    setOrbit(0, -1, 0.999721986, 0.023578626, 0, 0),
    {
      body: 'Vesta',
      position: [-237_436.376, -549_251.359, 589_442.391],
      velocity: [-102.351782, 9.830141, -101.051157],
      fuel: 4251.393,
    },
  ],
  [
    'a plane that precesses faster than it is turned',
    setOrbit(0, -1, 0.144923442, 0.989442871, -0.344663309, 0.938726373),
    {
      body: 'Vesta',
      position: [538_809.758, -35_738.584, 237_634.316],
      velocity: [22.906455, -153.463462, -72.707981],
    },
  ],
  [
    'a circle, from a way down that the planet pulls into the ground',
    circle(894_026.977),
    {
      body: 'Charon',
      position: [-2_879_042.09, 96_984.198, 3_797_399.646],
      velocity: [-48.881678, 134.390762, -40.574184],
    },
  ],
  [
    'another plane whose turn keeps the axis as the Sun has made it',
    setOrbit(0, 0, -0.963920981, 0.266188548, 0.671051117, -0.741411086),
    {
      body: 'Mercury',
      position: [14_483_350.984, 53_718_746.615, 13_780_314.54],
      velocity: [-310.123814, -613.069696, -30.038969],
      fuel: 8888.739,
    },
  ],
  [
    'a low circle past the Moon, which has the ship for a day',
    setOrbit(15_422_103.063, 0, 0.934240557, 0.356643495, 0.855216918, -0.51827022),
    {
      body: 'Earth',
      position: [-241_647_391.039, 120_114_582.989, -342_322_571.115],
      velocity: [-791.25039, -77.688687, 531.290652],
    },
  ],
]

const isNight = byTier({ gate: false, night: true })

it.each(isNight ? [...REACHED, ...REACHED_BY_NIGHT] : REACHED)('reaches %s', async (...drawn) => {
  const [, order, place] = drawn
  const flight = solFlight()
  const ship = flight.add('ship', place)
  flight.order(ship, order)
  expect(await flight.flyToEnd(ship, 70 * DAY)).toMatchObject({ eventType: 'completed' })
  expect(flight.world.state.ships.reference[ship.slot]).toBe(bodyIndex(solSystem, place.body))
})
