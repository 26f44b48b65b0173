/**
 * Law: a ship that coasts with its hull at rest and no plan costs at most 400 bytes. Rows of
 * `hullStep` are
 * used by ships that turn, tumble or burn alone, each by one, from the chunk's first on; and they
 * are free and clear again when the ship is at rest.
 */
import {
  ORDERS_ATTITUDE,
  ORDERS_POINTING,
  ORDERS_THRUST,
  POINTINGS,
  SHIP_COLUMNS,
  advanceChunk,
  valueBytes,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { GM, launchAt, twoBodyFlight } from '../field/two-body-field.ts'

const SPEED = Math.sqrt(GM / 7e6)

it('is small', () => {
  const rare: ReadonlySet<string> = new Set(['hullStep', 'plan', 'burnNodes'])
  const bytes = SHIP_COLUMNS.filter(({ name }) => !rare.has(name)).map(
    (column) => column.components * valueBytes(column),
  )
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(400)
})

it('gives rows to ships that move their hulls, and takes them back', () => {
  const flight = twoBodyFlight(512)
  const { chunk, orders, ships } = flight.state
  for (let slot = 0; slot < 256; slot++) launchAt(flight, slot, [7e6, slot, 0], [0, SPEED, 0])
  const rows = (): number[] => [...ships.hullRow.subarray(0, 256)].filter((row) => row > 0)
  expect(rows()).toEqual([])
  const [turning, tumbling, burning] = [3, 90, 255]
  for (const [row, slot] of [burning, turning, tumbling].entries()) {
    orders.orderIndex[row] = 64
    orders.orderSlot[row] = slot
    chunk.chunkOrderEnd[0]++
  }
  orders.orderFields.set([ORDERS_THRUST, ORDERS_ATTITUDE, ORDERS_POINTING])
  orders.orderThrustLevel[0] = 0.5
  orders.orderAttitude.set([1, 0.1, 0, 0], 4)
  orders.orderPointing[2] = POINTINGS.indexOf('loose')
  advanceChunk(flight, 0, 64 * 2)
  expect(new Set(rows())).toEqual(new Set([1, 2, 3]))
  orders.orderIndex[3] = 64 * 3
  orders.orderSlot[3] = burning
  orders.orderFields[3] = ORDERS_THRUST
  orders.orderThrustLevel[3] = 0
  chunk.chunkOrderEnd[0]++
  advanceChunk(flight, 0, 64 * 200)
  expect(ships.hullRow[tumbling]).toBeGreaterThan(0)
  expect(rows()).toHaveLength(1)
  const used = [...ships.hullStep.subarray(0, 15 * 256).keys()].filter(
    (i) => ships.hullStep[i] !== 0,
  )
  expect(new Set(used.map((i) => 1 + Math.floor(i / 15)))).toEqual(new Set(rows()))
})
