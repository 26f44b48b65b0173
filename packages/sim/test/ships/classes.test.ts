/**
 * Law: ships of several classes in one chunk fly as each does where all ships are of its class:
 * coasting, burning, turning and tumbling, bit for bit; and a digest knows the classes.
 */
import {
  CLASSES_MAX,
  COURIER,
  FREE,
  type Flight,
  SHIP_COLUMNS,
  type ShipClass,
  TURNING,
  addClass,
  advanceChunk,
  attachState,
  createFlight,
  shipCheck,
  shipClassOf,
  updateChunkDue,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { GM, launchAt, twoBodyFlight } from '../field/two-body-field.ts'

const TUG: ShipClass = {
  ...COURIER,
  name: 'tug',
  dryMass: 8_000,
  thrustMax: 90_000,
  exhaustVelocity: 12_000,
  inertia: [30_000, 50_000, 40_000],
}
const CLASSES = [COURIER, TUG]

/** Four flights of each class, by slot: at rest, burning, turning and burning, tumbling. */
const SLOTS = [0, 1, 2, 3, 4, 5, 6, 7]
const SECONDS = 130
const RADIUS = 7e6

/** Flies ships of the classes that `classOf` gives. */
function flown(classes: ShipClass[], classOf: (slot: number) => number): Flight {
  const { state, territory } = twoBodyFlight(SECONDS + 64)
  const flight = createFlight({ ...state, classes }, territory)
  const { ships } = state
  for (const slot of SLOTS) {
    launchAt(flight, slot, [RADIUS, 0, 0], [0, Math.sqrt(GM / RADIUS), 0])
    ships.shipClass[slot] = classOf(slot)
    const way = slot % 4
    if (way === 1 || way === 2) ships.thrustLevel[slot] = 0.7
    if (way === 2) {
      ships.attitudeMode[slot] = TURNING
      ships.pointing[slot] = 2
    }
    if (way === 3) {
      ships.attitudeMode[slot] = FREE
      ships.angularMomentum.set([500, 900, -700], 3 * slot)
    }
  }
  updateChunkDue(flight, 0, 0)
  advanceChunk(flight, 0, 64 * SECONDS)
  return flight
}

const isTug = (slot: number): boolean => slot >= 4
const mixed = flown(CLASSES, (slot) => (isTug(slot) ? 1 : 0))
const couriers = flown([COURIER], () => 0)
const tugs = flown([TUG], () => 0)

it.each(SLOTS)('flies slot %i as among its like', (slot) => {
  const alike = isTug(slot) ? tugs : couriers
  for (const { name, components } of SHIP_COLUMNS) {
    if (name === 'shipClass' || name === 'hullStep' || name === 'hullRow') continue
    const row = ({ state: { ships } }: Flight): (string | number)[] => [
      name,
      ...ships[name].subarray(slot * components, (slot + 1) * components),
    ]
    expect(row(mixed)).toEqual(row(alike))
  }
})

it('flies classes apart, and only as far as their hulls differ', () => {
  const { endPosition } = mixed.state.ships
  const at = (slot: number): number[] => [...endPosition.subarray(3 * slot, 3 * slot + 3)]
  expect(at(4)).toEqual(at(0))
  expect(at(5)).not.toEqual(at(1))
})

it('has other digests and checks for other classes, and those it had for the first', () => {
  const hash = ({ state }: Flight): number[] => [...state.chunk.chunkHash.subarray(0, 4)]
  expect(mixed.state.chunk.chunkHashedAt[0]).toBeGreaterThan(0)
  expect(hash(flown([COURIER, COURIER], () => 0))).toEqual(hash(couriers))
  expect(hash(flown([COURIER, COURIER], () => 1))).not.toEqual(hash(couriers))
  const check = ({ state }: Flight): Uint32Array => {
    const out = new Uint32Array(2)
    shipCheck(out, state, 0)
    return out
  }
  expect(check(flown([COURIER, COURIER], () => 1))).not.toEqual(check(couriers))
})

it('reads what another thread has added since, to the last class there may be', () => {
  const { state } = twoBodyFlight(64)
  const { buffer, system } = state
  const before = attachState(buffer, system)
  addClass(state, TUG)
  before.ships.shipClass[5] = 1
  expect(before.classes).toEqual([COURIER])
  expect(shipClassOf(before, 5)).toEqual(TUG)
  for (let k = 2; k < CLASSES_MAX; k++) addClass(state, { ...TUG, name: `tug-${k}` })
  expect(attachState(buffer, system).classes).toEqual(state.classes)
  const full = expect.objectContaining({ code: 'ERR_STATE_SIZE' })
  expect(() => addClass(state, { ...TUG, name: 'one-more' })).toThrow(full)
})
