import {
  CHUNK_COLUMNS,
  CHUNK_SLOTS,
  type Column,
  EVENT_COLUMNS,
  FROZEN,
  type Flight,
  NEXT_PLAN_COLUMNS,
  ORDER_COLUMNS,
  RULE_COLUMNS,
  SHIP_COLUMNS,
  SIGHTING_COLUMNS,
  type ShipClass,
  type StateVector,
  type WorldState,
  attachState,
  columnBytes,
  columnViews,
  createFlight,
  segmentState,
  updateChunkDue,
} from '@orrery/sim'
import { createIntake, writeOrders } from '../commands/intake.ts'
import type { SystemOfWorker } from '../pool/chunk-flyer.ts'
import { createRoster, enterRoster } from '../world/roster.ts'
import type { NamedObject } from './prediction.ts'
import { type CopiedShip, writeShips } from './copied-ships.ts'

/** What a prediction is made from, as a thread gets it. */
export interface PredictionTask {
  readonly place: SystemOfWorker
  readonly ship: ShipClass
  /** lattice index at which the ships were copied */
  readonly index: number
  /** lattice index that is asked for, need not be whole */
  readonly until: number
  /** the ship in question first */
  readonly copies: readonly CopiedShip[]
  /** rows of stations and gates in the table of rails, by id */
  readonly rails: Map<string, number>
  /** what every closest approach to is marked */
  readonly target: PredictionTarget | undefined
}

/** A body, a copied ship, or a row of the rails. */
export interface PredictionTarget {
  readonly body?: number
  readonly slot?: number
  readonly row?: number
  /** of a ship or an object on rails */
  readonly name?: NamedObject
}

/** A few ships of a star system that fly ahead of it, among its own massive bodies. */
export interface Stage {
  readonly state: WorldState
  readonly flight: Flight
  readonly ship: ShipClass
}

/** More than can happen to a few ships within one step. */
const EVENTS = 1024

/**
 * Puts copied ships into a state of their own, which shares the system's ephemeris. Each keeps its
 * slot: a chunk's number decides the phase of its steps. Rows in between are never touched, and
 * take no memory.
 */
export function createStage({ place, ship, copies, rails, index }: PredictionTask): Stage {
  const { buffer, system, territory } = place
  const chunksOf = copies.map(({ entry }) => Math.floor(entry.slot / CHUNK_SLOTS))
  const chunks = Math.max(...chunksOf) + 1
  const count = (of: (copy: CopiedShip) => number): number =>
    copies.reduce((sum, copy) => sum + of(copy), 0)
  const rules = count((copy) => copy.rules.length)
  // One row more for each ship that begins to watch another.
  const sightings = count((copy) => copy.sightings.size + 1)
  const shared = attachState(buffer, system)
  // Every table that ships write is its own: nothing that these do may reach the world.
  const state: WorldState = {
    buffer,
    system,
    ephemeris: shared.ephemeris,
    rails: shared.rails,
    chunks,
    slots: chunks * CHUNK_SLOTS,
    ships: table(SHIP_COLUMNS, chunks * CHUNK_SLOTS) as WorldState['ships'],
    chunk: table(CHUNK_COLUMNS, chunks) as WorldState['chunk'],
    nextPlans: table(NEXT_PLAN_COLUMNS, chunks) as WorldState['nextPlans'],
    orders: table(
      ORDER_COLUMNS,
      count(({ orders }) => orders.length),
    ) as WorldState['orders'],
    sightings: table(SIGHTING_COLUMNS, sightings) as WorldState['sightings'],
    events: table(EVENT_COLUMNS, EVENTS) as WorldState['events'],
    rules: table(RULE_COLUMNS, rules) as WorldState['rules'],
    actions: table(ORDER_COLUMNS, rules) as WorldState['actions'],
    eventCount: new Int32Array(1),
  }
  state.chunk.chunkDue.fill(Infinity)
  state.nextPlans.nextPlanSlot.fill(-1)
  state.sightings.watcher.fill(-1)
  writeShips(state, copies)
  writeWaiting(state, copies, rails)
  const flight = createFlight(state, territory, ship)
  for (const chunk of new Set(chunksOf)) updateChunkDue(flight, chunk, index)
  return { state, flight, ship }
}

/** Writes all orders at once: each acts at its index. */
function writeWaiting(
  state: WorldState,
  copies: readonly CopiedShip[],
  rails: Map<string, number>,
): void {
  const intake = createIntake()
  const roster = { ...createRoster(), rails }
  for (const { entry, orders } of copies) {
    enterRoster(roster, entry)
    for (const order of orders) intake.pending.push({ ship: entry, ...order })
  }
  writeOrders(intake, roster, state, Infinity)
}

function table(columns: readonly Column[], rows: number): object {
  return columnViews(columns, new ArrayBuffer(columnBytes(columns, rows)), 0, rows)
}

/** A ship's state from its reference body at an index that it has been flown to. */
export function stateOf(out: StateVector, { state, ship }: Stage, slot: number, n: number): void {
  const { condition, position, velocity } = state.ships
  if (condition[slot] === FROZEN) {
    out.r.set(position.subarray(3 * slot, 3 * slot + 3))
    out.v.set(velocity.subarray(3 * slot, 3 * slot + 3))
  } else {
    segmentState(out, state.ships, slot, ship, n, 0)
  }
}
