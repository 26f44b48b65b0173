import {
  type Control,
  type Flight,
  type Row,
  advanceChunk,
  bodyRate,
  copiedShip,
  createRails,
  createStateVector,
  plainControl,
  segmentAttitude,
  segmentFraction,
  segmentFuel,
  segmentState,
  shipClassOf,
  wheelSaturation,
  writeControl,
  writtenOrder,
} from '@orrery/sim'
import { GM, launchAt, twoBodyFlight } from '@orrery/sim/testing/two-body-field'
import { expect } from 'vitest'
import { OwnShip } from '../../src/pilot/own-ship.ts'
import type { Seed } from '../../src/pilot/seed-reading.ts'
import { createShipSample } from '../../src/scene/world.ts'

export const INDEX = 1000
export const SLOT = 7
const NOWHERE = { slotOf: () => -1, railOf: () => -1 }

export const THRUST: Control = { thrustLevel: 0.6, pointing: 'prograde' }
export const TURN: Control = { attitude: [0.5, 0.1, -0.7, 0.5] }
export const STOP: Control = { thrustLevel: 0 }

/** An order as a ship keeps it. */
export function rowOf(control: Control): Row {
  return writtenOrder(plainControl(control), NOWHERE)
}

/** When an order acts, and what it orders. */
export type Order = readonly [index: number, control: Control]

/** A ship of the core, at an index, with orders for later. */
export function launched(index: number, orders: readonly Order[] = [], fuel?: number): Flight {
  const core = twoBodyFlight(2300)
  launchAt(core, SLOT, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 900])
  if (fuel !== undefined) core.state.ships.fuel[SLOT] = fuel
  advanceChunk(core, 0, index)
  obey(core, orders)
  return core
}

export function obey({ state: { chunk, orders: rows } }: Flight, orders: readonly Order[]): void {
  for (const [index, control] of orders) {
    const row = chunk.chunkOrderEnd[0]++
    writeControl(rows, row, control, NOWHERE)
    rows.orderIndex[row] = index
    rows.orderSlot[row] = SLOT
  }
}

export function seedOf({ state }: Flight, index: number, orders: readonly Order[] = []): Seed {
  const waiting = orders.map(([at, control], sequence) => {
    return { index: at, sequence, order: rowOf(control) }
  })
  const ship = copiedShip(state, { shipId: '', number: 5, slot: SLOT }, [], waiting)
  return { index, ship }
}

export function ownOf(core: Flight, seed: Seed, reach = (_time: number): boolean => true): OwnShip {
  const { state, territory } = core
  const { classes, ephemeris } = state
  return new OwnShip({ ephemeris, classes, rails: createRails(), territory, reach }, seed)
}

const AXES = [0, 1, 2] as const
const out = createShipSample()
const here = createStateVector()

/** All that is shown at a time. */
export function shown(own: OwnShip, time: number): object {
  expect(own.stateAt(out, time)).toBe(true)
  const { attitude, rate, wheels } = out
  return {
    ...out,
    r: [...out.r],
    v: [...out.v],
    attitude: [...attitude],
    rate: [...rate],
    wheels: [...wheels],
  }
}

/** All that the core has there. */
export function due(core: Flight, time: number): object {
  const { state } = core
  const { ships } = state
  const ship = shipClassOf(state, SLOT)
  const n = Math.floor(time)
  advanceChunk(core, 0, n)
  const [attitude, rate] = [new Float64Array(4), new Float64Array(3)]
  const { angularMomentum, wheelMomentum } = ships
  segmentState(here, ships, SLOT, ship, n, time - n)
  segmentAttitude(attitude, core, SLOT, here, n, time - n)
  bodyRate(rate, ships.attitude, angularMomentum, wheelMomentum, SLOT, ship.inertia)
  return {
    r: [...here.r],
    v: [...here.v],
    attitude: [...attitude],
    rate: [...rate],
    wheels: AXES.map((axis) => wheelSaturation(wheelMomentum, SLOT, axis, ship)),
    body: 'Globe',
    reference: 0,
    isFrozen: false,
    fuel: segmentFuel(ships, SLOT, segmentFraction(ships, SLOT, n, time - n)),
    payload: state.ships.payload[SLOT],
    thrustLimit: 1,
    thrustLevel: ships.thrustLevel[SLOT],
  }
}
