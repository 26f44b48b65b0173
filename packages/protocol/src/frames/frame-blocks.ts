import {
  ACTION_COLUMNS,
  ARC_COLUMNS,
  BURN_COLUMNS,
  type Column,
  HULL_COLUMNS,
  NEXT_STEP_COLUMNS,
  ORDER_COLUMNS,
  RULE_COLUMNS,
  SHIP_COLUMNS,
} from '@orrery/sim'

/** The massive bodies at one node, with the low parts of their sums: what integrates on from it. */
export const ANCHOR_COLUMNS = [
  { name: 'node', type: 'f64', components: 1, unit: 'of 16,384 quanta each' },
  { name: 'x', type: 'f64', components: 3, unit: 'm, barycentric' },
  { name: 'v', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'xLow', type: 'f64', components: 3, unit: 'm' },
  { name: 'vLow', type: 'f64', components: 3, unit: 'm/s' },
] as const

/** How game time runs, and how complete the receiver's view is. */
export const CLOCK_COLUMNS = [
  { name: 'era', type: 'f64', components: 1, unit: 'count' },
  { name: 'tick', type: 'f64', components: 1, unit: 'count' },
  { name: 'offset', type: 'f64', components: 1, unit: 'quanta shown past the index' },
  { name: 'scale', type: 'f64', components: 1, unit: 'game seconds per second; 0 while paused' },
  { name: 'tickRate', type: 'f64', components: 1, unit: 'Hz' },
  { name: 'serverTime', type: 'f64', components: 1, unit: 'Unix ms' },
  { name: 'inView', type: 'u32', components: 1, unit: 'ships' },
  { name: 'waiting', type: 'u32', components: 1, unit: 'ships that the budget has delayed' },
] as const

/** Who a number is; the names stand in the next block. */
export const SHIP_IDENTITY_COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'never reused' },
  { name: 'shipId', type: 'u8', components: 16, unit: 'UUID, first byte first' },
  { name: 'nameEnd', type: 'u32', components: 1, unit: 'bytes of names up to its end' },
  { name: 'shipClass', type: 'u8', components: 1, unit: 'row of `ship_classes`' },
] as const

/** The names of the ships before, one after the other. */
export const NAME_COLUMNS = [{ name: 'utf8', type: 'u8', components: 1, unit: 'byte' }] as const

/** Numbers of ships. */
export const NUMBER_COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship' },
] as const

/** A digest of the receiver's ship at the start of its open step. */
export const CHECK_COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship' },
  { name: 'index', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'check', type: 'u32', components: 2, unit: 'digest' },
] as const

/** The head of a seed: whose it is, and what it fits. */
export const SEED_COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship' },
  { name: 'slot', type: 'u32', components: 1, unit: 'its chunk decides the phase of its steps' },
  { name: 'index', type: 'f64', components: 1, unit: 'quanta at which it was taken' },
  { name: 'physics', type: 'u32', components: 1, unit: 'version' },
  { name: 'layout', type: 'u32', components: 4, unit: 'digest of all columns of the core' },
] as const

/** The columns of every block, by its name. */
interface BlockTables {
  readonly clock: typeof CLOCK_COLUMNS
  readonly ships: typeof SHIP_IDENTITY_COLUMNS
  readonly names: typeof NAME_COLUMNS
  readonly arcs: typeof ARC_COLUMNS
  readonly steps: typeof NEXT_STEP_COLUMNS
  readonly burns: typeof BURN_COLUMNS
  readonly hulls: typeof HULL_COLUMNS
  readonly left: typeof NUMBER_COLUMNS
  readonly view: typeof NUMBER_COLUMNS
  readonly anchor: typeof ANCHOR_COLUMNS
  readonly checks: typeof CHECK_COLUMNS
  readonly seed: typeof SEED_COLUMNS
  readonly seedShip: typeof SHIP_COLUMNS
  readonly seedRules: typeof RULE_COLUMNS
  readonly seedActions: typeof ACTION_COLUMNS
  readonly seedOrders: typeof ORDER_COLUMNS
}

/** What stands in frames, by name. */
export type BlockName = keyof BlockTables

/** The columns of a block. */
export type BlockColumns<Name extends BlockName> = BlockTables[Name]

const BLOCK_TABLES: BlockTables = {
  clock: CLOCK_COLUMNS,
  ships: SHIP_IDENTITY_COLUMNS,
  names: NAME_COLUMNS,
  arcs: ARC_COLUMNS,
  steps: NEXT_STEP_COLUMNS,
  burns: BURN_COLUMNS,
  hulls: HULL_COLUMNS,
  left: NUMBER_COLUMNS,
  view: NUMBER_COLUMNS,
  anchor: ANCHOR_COLUMNS,
  checks: CHECK_COLUMNS,
  seed: SEED_COLUMNS,
  seedShip: SHIP_COLUMNS,
  seedRules: RULE_COLUMNS,
  seedActions: ACTION_COLUMNS,
  seedOrders: ORDER_COLUMNS,
}

/** A block as a `welcome` describes it. */
export interface FrameBlock {
  readonly name: string
  /** 1 to 255 */
  readonly kind: number
  readonly columns: readonly Column[]
}

/** All blocks, with the numbers that stand in frames. */
export const FRAME_BLOCKS: readonly (FrameBlock & { readonly name: BlockName })[] = Object.entries(
  BLOCK_TABLES,
).map(([name, columns], place) => ({ name: name as BlockName, kind: place + 1, columns }))
