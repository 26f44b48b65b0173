// Chance that can be repeated: the same seed draws the same.

/** A running generator. */
export interface Chance {
  /** 0 to below 1 */
  share(): number
  /** 0 to below count, whole */
  below(count: number): number
  pick<T>(items: readonly T[]): T
  /** true once in so many */
  oneIn(count: number): boolean
  uuid(): string
  text(lengthMax: number): string
  bytes(lengthMax: number): Buffer
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0
  // Mulberry32 of Tommy Ettinger: 32 bits of state, enough to send things wrong.
  const word = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const share = (): number => word() / 2 ** 32
  const below = (count: number): number => Math.floor(share() * count)
  const bytes = (lengthMax: number): Buffer =>
    Buffer.from(Array.from({ length: below(lengthMax + 1) }, () => below(256)))
  return {
    share,
    below,
    bytes,
    pick: (items) => items[below(items.length)],
    oneIn: (count) => below(count) === 0,
    uuid: () => {
      const hex = Array.from({ length: 32 }, () => below(16).toString(16)).join('')
      const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`]
      return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
    },
    text: (lengthMax) => bytes(lengthMax).toString(below(2) === 0 ? 'latin1' : 'utf8'),
  }
}
