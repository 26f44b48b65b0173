import { type BlockName, type BlockViews, FrameError, type ReadBlock } from '@orrery/protocol'
import type { ModuleRows } from './flown-modules.ts'
import {
  ACTION_COLUMNS,
  BLOCK_QUANTA,
  COPIED_COLUMNS,
  type CopiedShip,
  FROZEN,
  IDLE,
  LAYOUT_DIGEST,
  NODE,
  NODE_DOUBLES,
  ORDER_COLUMNS,
  PHYSICS,
  PLAN,
  RULES_PER_SHIP,
  RULE_COLUMNS,
  type Row,
  TARGETS,
  RULE_BITS,
  copiedRow,
} from '@orrery/sim'

/** One's own ship as it was at an index, with all that it flies by. */
export interface Seed {
  /** published lattice index at which it was taken */
  readonly index: number
  readonly ship: CopiedShip
  /** what modules that run here keep of it */
  readonly rows?: ModuleRows | undefined
}

/** Why a ship cannot be flown from its seed. */
export type SeedFault =
  /** the server's core is another version */
  | 'physics'
  /** its state has other columns */
  | 'layout'
  /** it watches another ship, or a rule of it may begin to */
  | 'watching'

/** Rows of a star system's tables. */
export interface KnownRows {
  readonly bodies: number
  readonly classes: number
}

type Blocks = { readonly [Name in BlockName]?: BlockViews<Name> }

/**
 * The seed in a frame; undefined when there is none.
 *
 * @param known  how many bodies and ship classes the star system has
 * @throws {FrameError} 'ERR_FRAME_VALUE' when it is not whole, or could not be flown
 */
export function readSeed(
  blocks: readonly ReadBlock[],
  known: KnownRows,
): Seed | SeedFault | undefined {
  const found: Blocks = Object.fromEntries(blocks.map(({ name, columns }) => [name, columns]))
  const { seed, seedShip: own } = found
  if (!seed || seed.number.length === 0) return undefined
  if (seed.physics[0] !== PHYSICS) return 'physics'
  if (layoutText(seed.layout) !== LAYOUT_DIGEST) return 'layout'
  const rules = ruleRows(found)
  const orders = orderRows(found)
  const written = [...orders.map(({ order }) => order), ...rules.map(({ action }) => action)]
  const isWhole =
    own?.shipNumber[0] === seed.number[0] &&
    isOpenAt(own, seed.index[0]) &&
    rules.length === own.ruleCount[0] &&
    rules.length <= RULES_PER_SHIP &&
    orders.every(({ index }) => Number.isSafeInteger(index)) &&
    isAmong(known, own, rules, written)
  if (!isWhole) {
    throw new FrameError('ERR_FRAME_VALUE', `A seed of ship ${seed.number[0]} is not whole.`)
  }
  // Rules that are not armed order nothing.
  const isArmed = (place: number): boolean => (own.ruleArmed[0] & RULE_BITS[place]) !== 0
  const isWatching = own.sighting[0] >= 0 || (own.ruleWatching[0] & own.ruleArmed[0]) !== 0
  const acting = written.filter((_, i) => i < orders.length || isArmed(i - orders.length))
  if (isWatching || acting.some((order) => order['orderTargetNumber'][0] > 0)) return 'watching'
  return {
    index: seed.index[0],
    ship: {
      shipId: '',
      number: seed.number[0],
      slot: seed.slot[0],
      columns: copiedRow(COPIED_COLUMNS, own, 0),
      hull: own.hullRow[0] > 0 ? own.hullStep.slice() : undefined,
      sightings: new Map(),
      rules,
      orders,
    },
  }
}

/** Whether a ship's class, and all bodies that it is near or aims at, are known. */
function isAmong(
  { bodies, classes }: KnownRows,
  own: BlockViews<'seedShip'>,
  rules: CopiedShip['rules'],
  written: readonly Row[],
): boolean {
  const isBody = (at: number): boolean => Number.isInteger(at) && at >= 0 && at < bodies
  const isTarget = (kind: number, at: number): boolean => kind !== BODY || isBody(at)
  return (
    own.shipClass[0] < classes &&
    isBody(own.reference[0]) &&
    (own.aim[0] < 0 ? own.aim[0] === -1 : isTarget(own.aimKind[0], own.aim[0])) &&
    isTarget(own.plan[PLAN.targetKind], own.plan[PLAN.target]) &&
    isFramed(bodies, own.burnNodes) &&
    written.every(({ orderBurnNodes: nodes = [] }) => isFramed(bodies, nodes)) &&
    rules.every(({ condition: { whenTargetKind, whenTarget } }) => {
      return isTarget(whenTargetKind[0], whenTarget[0])
    }) &&
    written.every((order) => isTarget(order['orderTargetKind'][0], order['orderPlace'][0]))
  )
}

const BODY = TARGETS.indexOf('body')

/** Whether the frames of burns are those of bodies, or of the reference body. */
function isFramed(bodies: number, nodes: ArrayLike<number>): boolean {
  for (let at = NODE.body; at < nodes.length; at += NODE_DOUBLES) {
    const body = nodes[at]
    if (!(Number.isInteger(body) && body >= -1 && body < bodies)) return false
  }
  return true
}

/** Whether nothing that is due of a ship lies behind: it would be flown from there. */
function isOpenAt(own: BlockViews<'seedShip'>, index: number): boolean {
  const [ruleAt] = own.ruleAt
  const [start] = own.stepStart
  const [end] = own.stepEnd
  if (![index, start, ruleAt].every(Number.isSafeInteger)) return false
  if (own.condition[0] === FROZEN) return start <= index
  const wake = own.activity[0] === IDLE ? Infinity : own.plan[PLAN.wake]
  const isStep = start <= index && end - start <= BLOCK_QUANTA && isDue(end, index)
  const isRuled = ruleAt <= 0 || ruleAt > index
  return isStep && isRuled && isDue(own.impactAt[0], index) && isDue(wake, end - 1)
}

/** Whether something happens after an index, if ever. */
function isDue(at: number, index: number): boolean {
  return at > index && (at === Infinity || Number.isSafeInteger(at))
}

function ruleRows({ seedRules, seedActions }: Blocks): CopiedShip['rules'] {
  if (!seedRules || !seedActions) return []
  return Array.from(seedRules.whenKind, (_, row) => ({
    condition: copiedRow(RULE_COLUMNS, seedRules, row),
    action: copiedRow(ACTION_COLUMNS, seedActions, row),
  }))
}

function orderRows({ seedOrders }: Blocks): CopiedShip['orders'] {
  if (!seedOrders) return []
  return Array.from(seedOrders.orderIndex, (index, row) => ({
    index,
    sequence: row,
    order: copiedRow(ORDER_COLUMNS, seedOrders, row),
  }))
}

/** As `LAYOUT_DIGEST` is written. */
function layoutText(words: Uint32Array): string {
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('')
}
