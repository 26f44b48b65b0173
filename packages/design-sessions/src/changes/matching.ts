import { setImmediate } from 'node:timers/promises'

/** Work that goes on without a break, while others wait. */
const SLICE_MS = 10

/** Lets others in when a slice is over. */
export type Pause = () => Promise<void>

export function pauses(): Pause {
  let from = performance.now()
  return async () => {
    if (performance.now() - from < SLICE_MS) return
    await setImmediate()
    from = performance.now()
  }
}

/** Which rows of two lists are the same one, before and after. */
export interface Matching<Row> {
  /** in the order of those after */
  readonly pairs: readonly (readonly [before: Row, after: Row])[]
  readonly added: readonly Row[]
  readonly removed: readonly Row[]
}

/**
 * Matches rows by their keys: all that agree in the first, then of the others all that agree in
 * the second, and so on. Of several with one key the first belongs to the first.
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
