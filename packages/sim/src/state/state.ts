import { attachEphemeris, type Ephemeris, ephemerisLength } from '../ephemeris/ephemeris.ts'
import type { StarSystem } from '../ephemeris/star-system.ts'
import { CHUNK_SLOTS } from '../lattice.ts'
import { type ClassColumns, addClass, classesIn } from './class-table.ts'
import { COURIER, type ShipClass } from './ship-class.ts'
import { SimError } from '../sim-error.ts'
import {
  ACTION_COLUMNS,
  CHUNK_COLUMNS,
  CLASSES_MAX,
  CLASS_COLUMNS,
  type Column,
  EVENTS_MAX,
  EVENT_COLUMNS,
  LAYOUT_DIGEST,
  NEXT_PLAN_COLUMNS,
  ORDERS_MAX,
  ORDER_COLUMNS,
  RAILS_MAX,
  RAIL_COLUMNS,
  RULE_COLUMNS,
  SHIP_COLUMNS,
  SIGHTING_COLUMNS,
  WATCHERS_MAX,
  ruleRows,
  valueBytes,
} from './layout.ts'

type View<Type extends Column['type']> = Type extends 'f64'
  ? Float64Array
  : Type extends 'f32'
    ? Float32Array
    : Type extends 'i32'
      ? Int32Array
      : Type extends 'u32'
        ? Uint32Array
        : Uint8Array

type AnyView = View<Column['type']>

/** Typed views of a table's columns, by name. */
export type ColumnViews<Columns extends readonly Column[]> = {
  readonly [C in Columns[number] as C['name']]: View<C['type']>
}

/** Typed views of every column: `ships.position` and so on, see `layout.ts`. */
export type ShipColumns = ColumnViews<typeof SHIP_COLUMNS>
export type ChunkColumns = ColumnViews<typeof CHUNK_COLUMNS>
export type NextPlanColumns = ColumnViews<typeof NEXT_PLAN_COLUMNS>
export type OrderColumns = ColumnViews<typeof ORDER_COLUMNS>
export type ActionColumns = ColumnViews<typeof ACTION_COLUMNS>
export type SightingColumns = ColumnViews<typeof SIGHTING_COLUMNS>
export type RailColumns = ColumnViews<typeof RAIL_COLUMNS>
export type RuleColumns = ColumnViews<typeof RULE_COLUMNS>
export type EventColumns = ColumnViews<typeof EVENT_COLUMNS>

/**
 * The state of one star system: a shared buffer, and typed views of it.
 *
 * ```
 * | header 128 B | node ring | ships | chunks | next plans | orders | sightings | rails | classes |
 * | events | rules | actions |
 * ```
 */
export interface WorldState {
  readonly buffer: ArrayBufferLike
  readonly system: StarSystem
  /** by row of their table, as far as this thread has read it */
  readonly classes: ShipClass[]
  /** absent where a few ships fly apart, which read no further */
  readonly classTable?: ClassColumns
  readonly slots: number
  readonly chunks: number
  /** number of its first chunk for the phase of steps: not 0 where a few ships fly apart */
  readonly firstChunk: number
  readonly ephemeris: Ephemeris
  readonly ships: ShipColumns
  readonly chunk: ChunkColumns
  readonly nextPlans: NextPlanColumns
  readonly orders: OrderColumns
  readonly sightings: SightingColumns
  readonly rails: RailColumns
  readonly events: EventColumns
  readonly rules: RuleColumns
  /** what each rule orders, by its row; `orderSlot` and `orderIndex` are not used */
  readonly actions: ActionColumns
  /** one value: events noted in the running tick */
  readonly eventCount: Int32Array
}

const MAGIC = 0x4f525259 // "ORRY"
const VERSION = 1
const HEADER_BYTES = 128
const EVENT_COUNT_OFFSET = 64
const WORD = { magic: 0, version: 1, layout: 2, slots: 6, nodes: 7, bodies: 8 }

export interface StateSize {
  /** ships the state holds at most; rounded up to whole chunks */
  readonly ships: number
  /** nodes in the ring */
  readonly nodes: number
}

/** Bytes of the buffer that `createState` needs. */
export function stateBytes(system: StarSystem, size: StateSize): number {
  return sections(system, chunkCount(size.ships) * CHUNK_SLOTS, size.nodes).bytes
}

/**
 * Lays an empty world out in a zeroed shared buffer.
 *
 * @throws {SimError} 'ERR_STATE_SIZE' when the buffer is smaller than `stateBytes`
 */
export function createState(
  buffer: SharedArrayBuffer,
  system: StarSystem,
  size: StateSize,
  classes: readonly ShipClass[] = [COURIER],
): WorldState {
  const slots = chunkCount(size.ships) * CHUNK_SLOTS
  const { bytes } = sections(system, slots, size.nodes)
  if (buffer.byteLength < bytes) {
    throw new SimError(
      'ERR_STATE_SIZE',
      `State buffer has ${buffer.byteLength} bytes when ${bytes} are needed.`,
    )
  }
  const header = new Int32Array(buffer, 0, HEADER_BYTES / 4)
  header[WORD.magic] = MAGIC
  header[WORD.version] = VERSION
  header.set(layoutWords(), WORD.layout)
  header[WORD.slots] = slots
  header[WORD.nodes] = size.nodes
  header[WORD.bodies] = system.bodies.length
  const state = attachState(buffer, system)
  for (const shipClass of classes) addClass(state, shipClass)
  state.chunk.chunkDue.fill(Infinity)
  state.chunk.chunkFires.fill(Infinity)
  state.chunk.chunkHashedAt.fill(-1)
  state.ships.sighting.fill(-1)
  state.nextPlans.nextPlanSlot.fill(-1)
  state.sightings.watcher.fill(-1)
  return state
}

/**
 * Views a buffer that `createState` laid out, in this thread or another.
 *
 * @throws {SimError} 'ERR_STATE_HEADER' when magic, version, layout or bodies differ
 */
export function attachState(buffer: ArrayBufferLike, system: StarSystem): WorldState {
  const header = new Int32Array(buffer, 0, HEADER_BYTES / 4)
  const expected = [MAGIC, VERSION, ...layoutWords()]
  const wrong = expected.findIndex((word, i) => header[i] !== word)
  if (wrong >= 0) {
    throw new SimError(
      'ERR_STATE_HEADER',
      `State header word ${wrong} is ${header[wrong]} when ${expected[wrong]} was expected.`,
    )
  }
  if (header[WORD.bodies] !== system.bodies.length) {
    throw new SimError(
      'ERR_STATE_HEADER',
      `State holds ${header[WORD.bodies]} bodies when ${system.bodies.length} were expected.`,
    )
  }
  const slots = header[WORD.slots]
  const nodes = header[WORD.nodes]
  const at = sections(system, slots, nodes)
  const classTable = columnViews(CLASS_COLUMNS, buffer, at.classes, CLASSES_MAX) as ClassColumns
  return {
    buffer,
    system,
    classes: classesIn(classTable),
    classTable,
    slots,
    chunks: slots / CHUNK_SLOTS,
    firstChunk: 0,
    ephemeris: attachEphemeris(
      system,
      new Float64Array(buffer, HEADER_BYTES + 16, ephemerisLength(system, nodes)),
      new Float64Array(buffer, HEADER_BYTES, 2),
    ),
    ships: columnViews(SHIP_COLUMNS, buffer, at.ships, slots) as ShipColumns,
    chunk: columnViews(CHUNK_COLUMNS, buffer, at.chunks, slots / CHUNK_SLOTS) as ChunkColumns,
    nextPlans: columnViews(
      NEXT_PLAN_COLUMNS,
      buffer,
      at.nextPlans,
      slots / CHUNK_SLOTS,
    ) as NextPlanColumns,
    orders: columnViews(ORDER_COLUMNS, buffer, at.orders, ORDERS_MAX) as OrderColumns,
    sightings: columnViews(SIGHTING_COLUMNS, buffer, at.sightings, WATCHERS_MAX) as SightingColumns,
    rails: columnViews(RAIL_COLUMNS, buffer, at.rails, RAILS_MAX) as RailColumns,
    events: columnViews(EVENT_COLUMNS, buffer, at.events, EVENTS_MAX) as EventColumns,
    rules: columnViews(RULE_COLUMNS, buffer, at.rules, ruleRows(slots)) as RuleColumns,
    actions: columnViews(ACTION_COLUMNS, buffer, at.actions, ruleRows(slots)) as ActionColumns,
    eventCount: new Int32Array(buffer, EVENT_COUNT_OFFSET, 1),
  }
}

const VIEWS = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  u8: Uint8Array,
}

/** Views of every column of a table with `rows` rows that starts at `offset`. */
export function columnViews(
  columns: readonly Column[],
  buffer: ArrayBufferLike,
  offset: number,
  rows: number,
): Record<string, AnyView> {
  const views: Record<string, AnyView> = {}
  let at = offset
  for (const column of columns) {
    const length = rows * column.components
    const value = new VIEWS[column.type](buffer as ArrayBuffer, at, length)
    // Of more than 20 that are added by assignment, each access would look up its name.
    Object.defineProperty(views, column.name, { value, enumerable: true })
    at += padded(length * valueBytes(column))
  }
  return views
}

/** Bytes of a table with `rows` rows; every column starts on a multiple of 8. */
export function columnBytes(columns: readonly Column[], rows: number): number {
  return columns.reduce(
    (sum, column) => sum + padded(rows * column.components * valueBytes(column)),
    0,
  )
}

/** Byte offsets of the parts of the buffer, and its whole length. */
interface Sections {
  readonly ships: number
  readonly chunks: number
  readonly nextPlans: number
  readonly orders: number
  readonly sightings: number
  readonly rails: number
  readonly classes: number
  readonly events: number
  readonly rules: number
  readonly actions: number
  readonly bytes: number
}

function sections(system: StarSystem, slots: number, nodes: number): Sections {
  const ships = HEADER_BYTES + 16 + 8 * ephemerisLength(system, nodes)
  const chunks = ships + columnBytes(SHIP_COLUMNS, slots)
  const nextPlans = chunks + columnBytes(CHUNK_COLUMNS, slots / CHUNK_SLOTS)
  const orders = nextPlans + columnBytes(NEXT_PLAN_COLUMNS, slots / CHUNK_SLOTS)
  const sightings = orders + columnBytes(ORDER_COLUMNS, ORDERS_MAX)
  const rails = sightings + columnBytes(SIGHTING_COLUMNS, WATCHERS_MAX)
  const classes = rails + columnBytes(RAIL_COLUMNS, RAILS_MAX)
  const events = classes + columnBytes(CLASS_COLUMNS, CLASSES_MAX)
  const rules = events + columnBytes(EVENT_COLUMNS, EVENTS_MAX)
  const actions = rules + columnBytes(RULE_COLUMNS, ruleRows(slots))
  const bytes = actions + columnBytes(ACTION_COLUMNS, ruleRows(slots))
  const worked = { orders, sightings, rails, classes, events, rules, actions }
  return { ships, chunks, nextPlans, ...worked, bytes }
}

function chunkCount(ships: number): number {
  return Math.max(1, Math.ceil(ships / CHUNK_SLOTS))
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8
}

function layoutWords(): Int32Array {
  return Int32Array.from({ length: 4 }, (_, lane) =>
    Number.parseInt(LAYOUT_DIGEST.slice(8 * lane, 8 * lane + 8), 16),
  )
}
