import { type BlockName, type BlockViews, FrameError, type ReadBlock } from '@orrery/protocol'
import {
  COPIED_COLUMNS,
  type CopiedShip,
  LAYOUT_DIGEST,
  ORDER_COLUMNS,
  PHYSICS,
  RULES_PER_SHIP,
  RULE_COLUMNS,
  RULE_BITS,
  copiedRow,
} from '@orrery/sim'

/** One's own ship as it was at an index, with all that it flies by. */
export interface Seed {
  /** published lattice index at which it was taken */
  readonly index: number
  readonly ship: CopiedShip
}

/** Why a ship cannot be flown from its seed. */
export type SeedFault =
  /** the server's core is another version */
  | 'physics'
  /** its state has other columns */
  | 'layout'
  /** it watches another ship, or a rule of it may begin to */
  | 'watching'

type Blocks = { readonly [Name in BlockName]?: BlockViews<Name> }

/**
 * The seed in a frame; undefined when there is none.
 *
 * @throws {FrameError} 'ERR_FRAME_VALUE' when it is incomplete
 */
export function readSeed(blocks: readonly ReadBlock[]): Seed | SeedFault | undefined {
  const found: Blocks = Object.fromEntries(blocks.map(({ name, columns }) => [name, columns]))
  const { seed, seedShip: own } = found
  if (!seed || seed.number.length === 0) return undefined
  if (seed.physics[0] !== PHYSICS) return 'physics'
  if (layoutText(seed.layout) !== LAYOUT_DIGEST) return 'layout'
  if (!own || own.shipNumber[0] !== seed.number[0] || !Number.isSafeInteger(seed.index[0])) {
    throw new FrameError('ERR_FRAME_VALUE', `A seed of ship ${seed.number[0]} is not complete.`)
  }
  const rules = ruleRows(found)
  const orders = orderRows(found)
  if (rules.length !== own.ruleCount[0] || rules.length > RULES_PER_SHIP) {
    throw new FrameError('ERR_FRAME_VALUE', `A seed has ${rules.length} rules.`)
  }
  const named = [
    ...orders.map(({ order }) => order),
    ...rules.filter((_, i) => (own.ruleArmed[0] & RULE_BITS[i]) !== 0).map(({ action }) => action),
  ]
  const isWatching = own.sighting[0] >= 0 || (own.ruleWatching[0] & own.ruleArmed[0]) !== 0
  if (isWatching || named.some((order) => order['orderTargetNumber'][0] > 0)) return 'watching'
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

function ruleRows({ seedRules, seedActions }: Blocks): CopiedShip['rules'] {
  if (!seedRules || !seedActions) return []
  return Array.from(seedRules.whenKind, (_, row) => ({
    condition: copiedRow(RULE_COLUMNS, seedRules, row),
    action: copiedRow(ORDER_COLUMNS, seedActions, row),
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
