/**
 * Law: what a ship does depends on its commands alone, not on how time is cut into ticks or who
 * steps it. Goal: the same bits of every column whether a span is flown at once, in irregular
 * ticks, or with an interruption between any two chunks' work.
 */
import {
  type Flight,
  ORDERS_ATTITUDE,
  ORDERS_THRUST,
  SHIP_COLUMNS,
  absorbBytes,
  advanceChunk,
  createDigest,
  digestText,
  finish,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import { expect, it } from 'vitest'
import { GM, launchAt, twoBodyFlight } from '../field/two-body-field.ts'

const SECONDS = 512
const END = 64 * SECONDS
const SEED = 20_261

interface Order {
  readonly index: number
  readonly slot: number
  readonly thrustLevel: number
  readonly attitude: readonly [number, number, number, number]
}

it('gives the same bits in one tick, in ticks of any length, and chunk by chunk', () => {
  const random = createChance(SEED).share
  const orders = Array.from({ length: 60 }, () => randomOrder(random)).toSorted(
    (a, b) => a.index - b.index || a.slot - b.slot,
  )
  const whole = fly(orders, [END])
  expect(fly(orders, regularTicks(6.4)), `seed ${SEED}`).toBe(whole)
  expect(fly(orders, regularTicks(640)), `seed ${SEED}`).toBe(whole)
  expect(fly(orders, randomTicks(random)), `seed ${SEED}`).toBe(whole)
  expect(fly(orders.slice(1), [END]), 'another command list is another world').not.toBe(whole)
})

function fly(orders: readonly Order[], targets: readonly number[]): string {
  const flight = twoBodyFlight(SECONDS + 64)
  for (let slot = 0; slot < 8; slot++) {
    const radius = 6.8e6 + 1e5 * slot
    const speed = Math.sqrt(GM / radius)
    launchAt(flight, slot, [radius, 0, 0], [0, speed, 0.01 * speed * slot])
  }
  let from = -1
  for (const target of targets) {
    writeOrders(
      flight,
      orders.filter(({ index }) => index > from && index <= target),
    )
    advanceChunk(flight, 0, target)
    from = target
  }
  return digestOf(flight)
}

function writeOrders(flight: Flight, due: readonly Order[]): void {
  const { chunk, orders } = flight.state
  chunk.chunkOrderBegin[0] = 0
  chunk.chunkOrderEnd[0] = due.length
  for (const [row, order] of due.entries()) {
    orders.orderIndex[row] = order.index
    orders.orderSlot[row] = order.slot
    orders.orderFields[row] = ORDERS_THRUST + ORDERS_ATTITUDE
    orders.orderThrustLevel[row] = order.thrustLevel
    orders.orderAttitude.set(order.attitude, 4 * row)
  }
}

function digestOf(flight: Flight): string {
  const digest = createDigest()
  for (const { name } of SHIP_COLUMNS) {
    const { buffer, byteOffset, byteLength } = flight.state.ships[name]
    absorbBytes(digest, new Uint8Array(buffer, byteOffset, byteLength))
  }
  finish(digest)
  return digestText(digest)
}

function regularTicks(quanta: number): number[] {
  const ticks: number[] = []
  for (let i = 1; i * quanta < END; i++) ticks.push(Math.floor(i * quanta))
  return [...ticks, END]
}

function randomTicks(random: () => number): number[] {
  const ticks: number[] = []
  for (let n = 0; n < END; n += Math.floor(1 + 300 * random())) ticks.push(n)
  return [...ticks, END]
}

function randomOrder(random: () => number): Order {
  return {
    index: 4 * Math.floor(1 + (END / 4 - 1) * random()),
    slot: Math.floor(8 * random()),
    thrustLevel: random() < 0.5 ? 0 : random(),
    attitude: [1, random() - 0.5, random() - 0.5, random() - 0.5],
  }
}
