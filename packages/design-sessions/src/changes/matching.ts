import type { Pause } from './pauses.ts'

/** Which rows of two lists, before and after, are the same record. */
export interface Matching<Row> {
  /** in the order of those after */
  readonly pairs: readonly (readonly [before: Row, after: Row])[]
  readonly added: readonly Row[]
  readonly removed: readonly Row[]
}

/**
 * Rows matched by their keys: first those whose first keys are equal, then of the others those
 * whose second keys are, and so on. Rows that share a key are matched in their order.
 */
export async function matched<Row>(
  before: readonly Row[],
  after: readonly Row[],
  keys: readonly ((row: Row) => string)[],
  pause: Pause,
): Promise<Matching<Row>> {
  const partners = new Map<Row, Row>()
  const left = new Set(before)
  for (const key of keys) {
    const queues = new Map<string, Row[]>()
    // From the back, so that the first is taken first.
    for (const row of [...left].toReversed()) {
      await pause()
      const name = key(row)
      const queue = queues.get(name)
      if (queue) queue.push(row)
      else queues.set(name, [row])
    }
    for (const row of after) {
      if (partners.has(row)) continue
      await pause()
      const partner = queues.get(key(row))?.pop()
      if (partner === undefined) continue
      partners.set(row, partner)
      left.delete(partner)
    }
  }
  return {
    pairs: after.flatMap((row) => {
      const partner = partners.get(row)
      return partner === undefined ? [] : [[partner, row] as const]
    }),
    added: after.filter((row) => !partners.has(row)),
    removed: [...left],
  }
}
