/**
 * Law: what a ship does depends on no slot, no row and no neighbour, and flying it writes to no
 * row of another. Method: a pilot who turns and burns, a ship that falls to the ground, one that
 * leaves a moon and one that watches the pilot, in two sets of slots among random numbers.
 */
import {
  type Flight,
  ORDERS_ATTITUDE,
  ORDERS_POINTING,
  ORDERS_THRUST,
  POINTINGS,
  type RoundsOf,
  SHIP_COLUMNS,
  SIGHTING_COLUMNS,
  type ShipEvent,
  createIntegration,
  createMassiveState,
  flyTo,
  spawnKey,
  takeEvents,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import { expect, it } from 'vitest'
import { GM, RADIUS, flightAmong, launchAt } from '../field/two-body-field.ts'

const SECONDS = 150
const MOON_SPHERE = 1.7e7
const MOON_DISTANCE = 1e8
const bodies = [
  { name: 'Globe', parent: -1, gm: GM, radius: RADIUS },
  { name: 'Moon', parent: 0, gm: 4.9e12, radius: 1.74e6 },
]

const SPEED = Math.sqrt(GM / 6.8e6)
const SHIPS = [
  { name: 'pilot', reference: 0, r: [6.8e6, 0, 0], v: [0, SPEED, 900] },
  { name: 'faller', reference: 0, r: [RADIUS + 4e5, 0, 100], v: [-2000, 300, 0] },
  { name: 'leaver', reference: 1, r: [1.095 * MOON_SPHERE, 0, 10], v: [2000, 0, 50] },
  { name: 'watcher', reference: 0, r: [6.8e6, 3e5, 1e5], v: [0, SPEED, 880] },
] as const

/** Commands by ship: second, ship, fields, thrust level, pointing. */
const COMMANDS = [
  [4, 0, ORDERS_THRUST + ORDERS_ATTITUDE, 0.4, 'hold'],
  [10, 3, ORDERS_THRUST + ORDERS_POINTING, 0.2, 'target'],
  [90, 0, ORDERS_THRUST + ORDERS_POINTING, 1, 'prograde'],
  [130, 0, ORDERS_THRUST + ORDERS_POINTING, 0, 'rest'],
] as const

type Rows = Record<string, number[]>[]

/** Which rows a ship has is left out, and the table that is not by slot. */
const FLOWN = SHIP_COLUMNS.filter(({ name }) => !/^(?:sighting|hullRow|hullStep)$/.test(name))
const SIGHTED = SIGHTING_COLUMNS.filter(({ name }) => name.startsWith('sighted'))

interface Flown {
  readonly rows: Rows
  readonly sightings: Rows
  readonly events: readonly ShipEvent[]
}

function flown(
  slots: readonly number[],
  sightingRow: number,
  companions: readonly number[],
): Flown {
  const start = createMassiveState(2)
  start.x[3] = MOON_DISTANCE
  start.v[4] = Math.sqrt(GM / MOON_DISTANCE)
  const flight: Flight = {
    ...flightAmong(bodies, start, SECONDS + 128),
    territory: { home: 0, spheres: Float64Array.of(Infinity, MOON_SPHERE) },
  }
  const { ships, sightings, system } = flight.state
  const taken = new Set([...slots, ...companions])
  const others = [...ships.condition.keys()].filter((slot) => !taken.has(slot))
  const { below, share } = createChance(7)
  for (const { name, type, components } of FLOWN) {
    if (name === 'condition') continue
    // Far away and slow: who mistakes them for its own misses the ground.
    const size = name === 'position' ? 1e12 : 250
    for (const slot of others) {
      for (let i = components * slot; i < components * (slot + 1); i++) {
        ships[name][i] = type === 'f64' ? size * share() : below(size)
      }
    }
  }
  for (const { name, components } of SIGHTED) {
    for (let i = 0; i < 16 * components; i++) sightings[name][i] = below(250)
  }
  const free = [...Array(16).keys()].filter((row) => row !== sightingRow)
  const rowsOfOthers = (): string =>
    JSON.stringify([rowsOf(ships, FLOWN, others), rowsOf(sightings, SIGHTED, free)])
  const untouched = rowsOfOthers()
  for (const [i, { reference, r, v }] of SHIPS.entries()) {
    const slot = slots[i]
    ships.shipNumber[slot] = i + 1
    ships.spawnKey.set(spawnKey(0, i + 1), 2 * slot)
    ships.reference[slot] = reference
    ships.wheelMomentum[3 * slot + 1] = 0.85 * flight.state.classes[0].wheelCapacity[1]
    ships.angularMomentum[3 * slot + 1] = 0.85 * flight.state.classes[0].wheelCapacity[1]
    launchAt(flight, slot, r, v)
  }
  for (const slot of companions) launchAt(flight, slot, SHIPS[0].r, SHIPS[0].v)
  writeCommands(flight, slots, sightingRow)
  const world: RoundsOf = {
    state: flight.state,
    integration: createIntegration(system, start),
    since: 0,
  }
  flyTo(flight, world, 0, 64 * SECONDS, () => undefined)
  expect(rowsOfOthers()).toBe(untouched)
  return {
    rows: rowsOf(ships, FLOWN, slots),
    sightings: rowsOf(sightings, SIGHTED, [sightingRow]),
    events: takeEvents(flight.state).events,
  }
}

function writeCommands({ state }: Flight, slots: readonly number[], sightingRow: number): void {
  const { chunk, orders } = state
  chunk.chunkOrderEnd[0] = COMMANDS.length
  for (const [row, [second, ship, fields, thrustLevel, pointing]] of COMMANDS.entries()) {
    orders.orderIndex[row] = 64 * second
    orders.orderSlot[row] = slots[ship]
    orders.orderFields[row] = fields
    orders.orderThrustLevel[row] = thrustLevel
    orders.orderPointing[row] = POINTINGS.indexOf(pointing)
    orders.orderAttitude.set([0.6, 0, 0.64, 0.48], 4 * row)
    orders.orderTarget[row] = slots[0]
    orders.orderTargetNumber[row] = 1
    orders.orderSighting[row] = sightingRow
  }
}

function rowsOf<Name extends string>(
  table: Record<Name, { subarray(from: number, to: number): Iterable<number> }>,
  columns: readonly { readonly name: Name; readonly components: number }[],
  rows: readonly number[],
): Rows {
  return rows.map((row) =>
    Object.fromEntries(
      columns.map(({ name, components }) => [
        name,
        [...table[name].subarray(components * row, components * (row + 1))],
      ]),
    ),
  )
}

it('gives the same bits in any slots, beside any others', () => {
  const expected = flown([0, 1, 2, 3], 0, [])
  const kinds = expected.events.map(({ kind }) => kind)
  expect(kinds).toEqual(['sighted', 'locked', 'locked', 'locked', 'locked', 'impact'])
  expect(expected.rows.map(({ reference }) => reference[0])).toEqual([0, 0, 0, 0])
  expect(flown([77, 7, 255, 31], 9, [0, 76, 78, 254])).toEqual(expected)
})
