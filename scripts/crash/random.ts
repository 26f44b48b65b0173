/** Numbers that a seed decides: a run that found something can be run again. */
export interface Random {
  /** uniform in [0, 1) */
  next(): number
  /** whole, from 0 to below `count` */
  below(count: number): number
  pick<Item>(items: readonly Item[]): Item
  /** an independent sequence of its own */
  branch(): Random
}

/** @source mulberry32, Tommy Ettinger, public domain */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    next,
    below,
    pick: (items) => items[below(items.length)],
    branch: () => seededRandom(below(2 ** 32)),
  }
}
