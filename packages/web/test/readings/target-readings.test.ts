// Laws: instruments count from the right body, of a double star as of a planet; what is not
// known is NaN. Method: a small star system with whole numbers.
import { type Flight, type ShipSample, createShipSample } from '@orrery/client/flight'
import { length, vector } from '@orrery/page-kit'
import { expect, test } from 'vitest'
import { ownReadings } from '../../src/readings/own-readings.ts'
import { targetReadings } from '../../src/readings/target-readings.ts'
import type { Thing } from '../../src/readings/thing.ts'

const GM = 4e14

const bodies = [
  { name: 'Alpha', radius: 7e8, gm: 1e20, parent: -1 },
  { name: 'Beta', radius: 6e8, gm: 3e20, parent: 0 },
  { name: 'Rock', radius: 2e6, gm: GM, parent: 1 },
  { name: 'Pebble', radius: 1, gm: 4, parent: 1 },
]

type State = readonly [r: readonly number[], v: readonly number[]]

/** From the body named, by kind and name or id. */
const STATES: Readonly<Record<string, State>> = {
  'body Beta of Alpha': [
    [1e11, 0, 0],
    [0, Math.sqrt(4e20 / 1e11), 0],
  ],
  // Once around in 10,000 s, about its parent and about itself.
  'body Rock of Beta': [
    [0, 1e9, 0],
    [-2e5 * Math.PI, 0, 0],
  ],
  'body Alpha of Rock': [
    [5e10, 0, 0],
    [0, 0, 0],
  ],
  'ship far of Rock': [
    [3e6, 4e6, 0],
    [0, 0, 8000],
  ],
  'ship dark of Rock': [
    [3e6, 0, 5e6],
    [0, 0, 0],
  ],
  'ship mote of Pebble': [
    [4, 0, 0],
    [0, 1, 0],
  ],
  'station tent of Pebble': [
    [0, 4, 0],
    [1, 0, 0],
  ],
  'station dock of Rock': [
    [3e6, 0, -1000],
    [0, 10, 0],
  ],
}

function write(out: ShipSample, key: string): boolean {
  if (!STATES[key]) return false
  const [r, v] = STATES[key]
  out.r.set(r)
  out.v.set(v)
  return true
}

const flight = {
  clock: { waitSeconds: 0 },
  ship: { mode: { mode: 'flown' }, drift: 'matched' },
  world: {
    system: { id: 'small', bodies },
    bodyAt: (out: ShipSample, name: string, _: number, of: string) =>
      write(out, `body ${name} of ${of}`),
    positionAt: (out: ShipSample, id: string, _: number, of: string) =>
      write(out, `ship ${id} of ${of}`),
    objectAt: (out: ShipSample, id: string, _: number, of: string) =>
      write(out, `station ${id} of ${of}`),
    // Of one it is known where it is and not how it flies.
    shipAt: (out: ShipSample, id: string) => {
      out.reference = id === 'mote' ? 3 : 2
      return id !== 'dark'
    },
    ship: (id: string) => (id === 'far' ? { id, name: 'Far one' } : undefined),
    objects: () => [
      { id: 'dock', name: 'Dock', radius: 200, rail: { parent: 2 } },
      { id: 'tent', name: 'Tent', radius: 1, rail: { parent: 3 } },
    ],
  },
} as unknown as Flight

const own: ShipSample = Object.assign(createShipSample(), {
  r: vector(3e6, 0, 0),
  // As the ground below turns with it.
  v: vector(0, 600 * Math.PI, 0),
  body: 'Rock',
  reference: 2,
  attitude: Float64Array.of(0.5, 0.5, 0.5, 0.5),
})

const seen = (thing: Thing): ReturnType<typeof targetReadings> =>
  targetReadings(flight.world, own, thing, 0)

test('a ship that stands over the ground of a moon has no speed over it', () => {
  const shown = ownReadings(flight, own, 0, undefined)
  expect(shown).toMatchObject({ body: 'Rock', plane: 'ecliptic', altitude: 1e6, verticalSpeed: 0 })
  expect(shown?.speed).toBeCloseTo(600 * Math.PI, 6)
  expect(shown?.groundSpeed).toBeCloseTo(0, 6)
  // The Rock goes round in the plane of the equator of Earth.
  expect(shown?.orbit.inclination).toBeCloseTo((23.439_28 * Math.PI) / 180, 6)
  const rising = { ...own, v: vector(30, 600 * Math.PI, 40) }
  expect(ownReadings(flight, rising, 0, undefined)?.groundSpeed).toBeCloseTo(50, 6)
})

test('what is not known of the ship is no number', () => {
  const spun = { ...own, rate: vector(3, 0, 4), wheels: vector(0.2, -0.7, 0.3), fuel: 7 }
  const shown = ownReadings(flight, spun, 0, undefined)
  const [fuelCapacity, mass, deltaV, acceleration] = [NaN, NaN, NaN, NaN]
  expect(shown).toMatchObject({ turnRate: 5, wheels: 0.7, fuel: 7 })
  expect(shown).toMatchObject({ fuelCapacity, mass, deltaV, acceleration })
  const atRoot = { ...own, body: 'Alpha', reference: 0 }
  expect(ownReadings(flight, atRoot, 0, undefined)?.groundSpeed).toBeNaN()
  expect(ownReadings(flight, { ...own, reference: 9 }, 0, undefined)).toBeUndefined()
})

test('two stars go round each other by the masses of both', () => {
  const { world } = flight
  const atStar = { ...own, body: 'Alpha', reference: 0 }
  const { orbit } = targetReadings(world, atStar, { kind: 'body', name: 'Beta' }, 0)!
  expect(orbit).toMatchObject({ body: 'Alpha', bodyRadius: 7e8 })
  expect(orbit?.elements.eccentricity).toBeCloseTo(0, 9)
  expect(orbit?.elements.semiMajorAxis).toBeCloseTo(1e11, 0)
})

test('ships and stations have no mass of their own', () => {
  const beside = { ...own, body: 'Pebble', reference: 3 }
  for (const thing of [
    { kind: 'ship', id: 'mote' },
    { kind: 'station', id: 'tent' },
  ] as const) {
    const { orbit } = targetReadings(flight.world, beside, thing, 0)!
    expect(orbit?.body).toBe('Pebble')
    expect(orbit?.elements.eccentricity).toBeCloseTo(0, 9)
  }
})

test('another ship has a name and an orbit, as far as they are known', () => {
  const far = seen({ kind: 'ship', id: 'far' })
  expect(far).toMatchObject({ name: 'Far one', distance: 4e6, clearance: 4e6 })
  expect(far?.orbit?.body).toBe('Rock')
  expect(far?.orbit?.elements.semiMajorAxis).toBeCloseTo(1 / (2 / 5e6 - 8000 ** 2 / GM), 0)
  expect(far?.relativeInclination).toBeCloseTo(Math.PI / 2, 9)
  const dark = seen({ kind: 'ship', id: 'dark' })
  expect(dark).toMatchObject({ name: '', orbit: undefined, relativeInclination: NaN })
  expect(seen({ kind: 'ship', id: 'gone' })).toBeUndefined()
})

test('a station is as near as its hull, and the root has no orbit', () => {
  const dock = seen({ kind: 'station', id: 'dock' })
  expect(dock).toMatchObject({ name: 'Dock', distance: 1000, clearance: 800 })
  expect(dock?.relativeSpeed).toBeCloseTo(length(vector(0, 600 * Math.PI - 10, 0)), 9)
  expect(dock?.orbit?.body).toBe('Rock')
  const away = { ...own, v: vector(0, 10, 1000) }
  const station = { kind: 'station', id: 'dock' } as const
  expect(targetReadings(flight.world, away, station, 0)?.closingSpeed).toBeCloseTo(-1000, 9)
  const star = seen({ kind: 'body', name: 'Alpha' })
  expect(star).toMatchObject({ name: 'Alpha', orbit: undefined, relativeInclination: NaN })
  expect(star?.clearance).toBeCloseTo(5e10 - 3e6 - 7e8, 0)
})

test('the angle is from the nose, which points along +y here', () => {
  expect(seen({ kind: 'ship', id: 'far' })?.angle).toBeCloseTo(0, 9)
  expect(seen({ kind: 'ship', id: 'dark' })?.angle).toBeCloseTo(Math.PI / 2, 9)
})
