import type { Ephemeris } from '../ephemeris/ephemeris.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import type { StateVector } from '../math/state-vector.ts'
import { updateChunkDue } from '../chunks/chunk.ts'
import { FROZEN } from '../state/condition.ts'
import { type Flight, type Territory, createFlight } from '../ships/flight.ts'
import { segmentState } from '../ships/segment.ts'
import { shipClassOf } from '../state/class-table.ts'
import type { ShipClass } from '../state/ship-class.ts'
import {
  ACTION_COLUMNS,
  CHUNK_COLUMNS,
  type Column,
  EVENT_COLUMNS,
  NEXT_PLAN_COLUMNS,
  ORDER_COLUMNS,
  RULE_COLUMNS,
  SHIP_COLUMNS,
  SIGHTING_COLUMNS,
} from '../state/layout.ts'
import { type WorldState, columnBytes, columnViews } from '../state/state.ts'
import { writeRow } from './copied-rows.ts'
import { type CopiedOrder, type CopiedShip, slotIn, writeShips } from './copied-ship.ts'

/** What ships on a stage share with others, and only read. */
export interface StagePlace {
  readonly ephemeris: Ephemeris
  readonly rails: WorldState['rails']
  readonly territory: Territory
  readonly classes: ShipClass[]
}

/** A few ships of a star system that fly apart from it, among its own massive bodies. */
export interface Stage {
  readonly state: WorldState
  readonly flight: Flight
}

/** Rows of a stage's tables. */
export interface StageRoom {
  readonly firstChunk: number
  readonly chunks: number
  readonly orders: number
  readonly sightings: number
  readonly rules: number
}

/** More than can happen to a few ships within one step. */
const EVENTS = 1024

/** What copied ships take up. Chunks between theirs are never touched, and take no memory. */
export function roomOf(copies: readonly CopiedShip[]): StageRoom {
  const chunksOf = copies.map(({ slot }) => Math.floor(slot / CHUNK_SLOTS))
  const firstChunk = Math.min(...chunksOf)
  const count = (of: (copy: CopiedShip) => number): number =>
    copies.reduce((sum, copy) => sum + of(copy), 0)
  return {
    firstChunk,
    chunks: Math.max(...chunksOf) + 1 - firstChunk,
    orders: count(({ orders }) => orders.length),
    // One row more for each ship that begins to watch another.
    sightings: count(({ sightings }) => sightings.size + 1),
    rules: count(({ rules }) => rules.length),
  }
}

/** A stage without ships. Every table that ships write is its own. */
export function createStage(
  { ephemeris, rails, territory, classes }: StagePlace,
  { firstChunk, chunks, orders, sightings, rules }: StageRoom,
): Stage {
  const state: WorldState = {
    buffer: ephemeris.nodes.buffer,
    system: ephemeris.system,
    classes,
    ephemeris,
    rails,
    firstChunk,
    chunks,
    slots: chunks * CHUNK_SLOTS,
    ships: table(SHIP_COLUMNS, chunks * CHUNK_SLOTS) as WorldState['ships'],
    chunk: table(CHUNK_COLUMNS, chunks) as WorldState['chunk'],
    nextPlans: table(NEXT_PLAN_COLUMNS, chunks) as WorldState['nextPlans'],
    orders: table(ORDER_COLUMNS, orders) as WorldState['orders'],
    sightings: table(SIGHTING_COLUMNS, sightings) as WorldState['sightings'],
    events: table(EVENT_COLUMNS, EVENTS) as WorldState['events'],
    rules: table(RULE_COLUMNS, rules) as WorldState['rules'],
    actions: table(ACTION_COLUMNS, rules) as WorldState['actions'],
    eventCount: new Int32Array(1),
  }
  state.chunk.chunkDue.fill(Infinity)
  state.nextPlans.nextPlanSlot.fill(-1)
  // A hash of all slots takes as long as the flight of one ship.
  const flight: Flight = { ...createFlight(state, territory), hasher: undefined }
  return { state, flight }
}

/** Puts copied ships, as they were at an index, on a stage in place of any earlier copies. */
export function enterStage(
  { flight, state }: Stage,
  copies: readonly CopiedShip[],
  index: number,
): void {
  state.eventCount[0] = 0
  state.sightings.watcher.fill(-1)
  writeShips(state, copies)
  writeOrders(state, copies)
  for (const { slot } of copies) {
    updateChunkDue(flight, Math.floor(slotIn(state, slot) / CHUNK_SLOTS), index)
  }
}

/** Writes the orders of ships on a stage, in place of any earlier ones: each acts at its index. */
export function writeOrders(
  state: WorldState,
  copies: readonly Pick<CopiedShip, 'slot' | 'orders'>[],
): void {
  const { chunk: chunks, orders, ships } = state
  chunks.chunkOrderBegin.fill(0)
  chunks.chunkOrderEnd.fill(0)
  const waiting = copies.flatMap((copy): [number, CopiedOrder][] =>
    copy.orders.map((order) => [slotIn(state, copy.slot), order]),
  )
  const chunkOf = (slot: number): number => Math.floor(slot / CHUNK_SLOTS)
  waiting.sort(
    ([a, one], [b, other]) =>
      chunkOf(a) - chunkOf(b) || one.index - other.index || one.sequence - other.sequence,
  )
  const sightings = new Map(copies.map((copy, i) => [slotIn(state, copy.slot), i]))
  const spare = state.sightings.watcher.length - copies.length
  for (const [row, [slot, { index, order }]] of waiting.entries()) {
    const chunk = chunkOf(slot)
    if (chunks.chunkOrderEnd[chunk] === 0) chunks.chunkOrderBegin[chunk] = row
    chunks.chunkOrderEnd[chunk] = row + 1
    writeRow(ORDER_COLUMNS, orders, row, order)
    orders.orderIndex[row] = index
    orders.orderSlot[row] = slot
    orders.orderTarget[row] = slotIn(state, orders.orderTarget[row])
    if (orders.orderTargetNumber[row] === 0) continue
    const own = ships.sighting[slot]
    orders.orderSighting[row] = own < 0 ? spare + sightings.get(slot)! : own
  }
}

function table(columns: readonly Column[], rows: number): object {
  return columnViews(columns, new ArrayBuffer(columnBytes(columns, rows)), 0, rows)
}

/** A ship's state from its reference body at an index that it has been flown to. */
export function stateOf(out: StateVector, { state }: Stage, slot: number, n: number): void {
  const { condition, position, velocity } = state.ships
  if (condition[slot] === FROZEN) {
    out.r.set(position.subarray(3 * slot, 3 * slot + 3))
    out.v.set(velocity.subarray(3 * slot, 3 * slot + 3))
  } else {
    segmentState(out, state.ships, slot, shipClassOf(state, slot), n, 0)
  }
}
