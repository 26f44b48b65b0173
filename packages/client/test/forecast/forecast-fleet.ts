import type { RailedObject, SystemMessage } from '@orrery/protocol'
import {
  CHUNK_SLOTS,
  COURIER,
  type Flight,
  advanceChunk,
  copiedShip,
  createFlight,
  createIntegration,
  createState,
  extendEphemeris,
  launch,
  stateBytes,
  turnRate,
} from '@orrery/sim'
import type { Seed } from '../../src/pilot/seed-reading.ts'
import { PAIR, pairAt, systemSent } from '../flight/sent-frames.ts'

const GM = PAIR.bodies[0].gm

export const PLACE: SystemMessage = systemSent(PAIR)

/** Nodes of 256 s: what the world flies in six hours. */
const NODES = 110
export const NOW = 100_000

export const id = (slot: number): string => `0badcafe-0000-4000-8000-00000000000${slot}`
/** A station on a circle, in row 2. */
export const DEPOT: RailedObject = {
  id: id(8),
  name: 'Depot',
  kind: 'station',
  radius: 30,
  row: 2,
  rail: {
    kind: 'orbit',
    parent: 0,
    radius: 8e6,
    pole: [0.6, 0, 0.8],
    rate: turnRate(1e-3),
    epoch: 0,
  },
}

export interface Known {
  readonly number: number
  readonly id: string
  readonly name: string
}

export const known = (slot: number): Known => {
  return { number: 100 + slot, id: id(slot), name: `Ship ${slot}` }
}

/** One in a low orbit, one in a high one, one that falls. */
export function fleet(): Flight {
  const size = { ships: CHUNK_SLOTS, nodes: NODES }
  const buffer = new SharedArrayBuffer(stateBytes(PAIR, size))
  const state = createState(buffer, PAIR, size)
  extendEphemeris(createIntegration(PAIR, pairAt(0)), state.ephemeris, NODES - 1)
  const territory = { home: 0, spheres: Float64Array.of(Infinity, 6e7) }
  const flight = createFlight(state, territory)
  const { ships } = state
  for (const [slot, [distance, share]] of [
    [6.8e6, 1],
    [2e7, 1.1],
    [7e6, 0.95],
  ].entries()) {
    const speed = share * Math.sqrt(GM / distance)
    ships.position.set([0.6 * distance, 0.8 * distance, 0], 3 * slot)
    ships.velocity.set([-0.8 * speed, 0.6 * speed, 0.2 * speed], 3 * slot)
    ships.attitude.set([1, 0, 0, 0], 4 * slot)
    ships.fuel[slot] = COURIER.fuelCapacity
    ships.shipNumber[slot] = known(slot).number
    launch(flight, slot, 0)
  }
  advanceChunk(flight, 0, NOW)
  return flight
}

export function copyOf({ state }: Flight, slot: number): Seed['ship'] {
  return copiedShip(state, { shipId: id(slot), number: known(slot).number, slot }, [], [])
}
