/**
 * Law: the hash of a chunk covers what its ships are at the start of their steps, their slots and
 * rules and what they sighted. It does not depend on the row of a sighting or on what was hashed
 * before.
 */
import { type Flight, PLANNED, POINTINGS, SHIP_COLUMNS, SIGHTING_COLUMNS } from '@orrery/sim'
import { expect, it } from 'vitest'
import { hashChunk } from '../../src/ships/chunk-hash.ts'
import { launchAt, twoBodyFlight } from '../field/two-body-field.ts'

const WATCHER = 3
const ROW = 5

/** Columns of the open step, which follows from the others, and places in memory. */
const LEFT_OUT =
  /^(?:end[A-Z]|step|impact|hull|sighting(?:Use)?$|watched$|watcher$|rule(?!Armed|Held|Count))/

function watchingFlight(slot = WATCHER, row = ROW): Flight {
  const flight = twoBodyFlight(64)
  launchAt(flight, slot, [6.8e6, 0, 0], [0, 7600, 0])
  flight.state.ships.pointing[slot] = POINTINGS.indexOf('target')
  flight.state.ships.sighting[slot] = row
  flight.state.ships.activity[slot] = PLANNED
  flight.state.ships.ruleCount[slot] = 1
  flight.state.sightings.watchedNumber[row] = 9
  return flight
}

function hashOf({ hasher, state }: Flight): string {
  hashChunk(hasher!, 0, 0)
  return state.chunk.chunkHash.subarray(0, 4).join()
}

it('covers every value of a ship and of its sighting', () => {
  const flight = watchingFlight()
  const whole = hashOf(flight)
  const { rules, ships, sightings } = flight.state
  const values = [
    ...SHIP_COLUMNS.map((column) => ({ ...column, view: ships[column.name], row: WATCHER })),
    { name: 'whole rule', components: 4, view: rules.ruleDigest, row: 0 },
    ...SIGHTING_COLUMNS.map((column) => ({ ...column, view: sightings[column.name], row: ROW })),
  ].filter(({ name }) => !LEFT_OUT.test(name))
  for (const { name, components, view, row } of values) {
    for (let i = components * row; i < components * (row + 1); i++) {
      const kept = view[i]
      view[i]++
      expect(hashOf(flight), `${name}, value ${i - components * row}`).not.toBe(whole)
      view[i] = kept
    }
  }
  expect(hashOf(flight)).toBe(whole)
})

it('differs when a ship is in another slot', () => {
  expect(hashOf(watchingFlight(4))).not.toBe(hashOf(watchingFlight(3)))
})

it('does not depend on the row of a sighting', () => {
  expect(hashOf(watchingFlight(3, 6))).toBe(hashOf(watchingFlight(3, 5)))
})
