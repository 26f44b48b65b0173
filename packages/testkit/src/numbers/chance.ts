/** Random values that a seed decides. */
import { IS_NIGHT } from '../runs/tier.ts'

/** So that the gate's result depends on the code alone. */
const GATE_SEED = 20_261_127

/** A running generator. */
export interface Chance {
  /** 0 to below 1 */
  readonly share: () => number
  /** 0 to below count, whole */
  readonly below: (count: number) => number
  readonly pick: <T>(items: readonly T[]) => T
  /** true once in so many */
  readonly oneIn: (count: number) => boolean
  readonly uuid: () => string
  readonly text: (lengthMax: number) => string
  readonly bytes: (lengthMax: number) => Buffer
  /** an independent generator */
  readonly branch: () => Chance
}

/** @source mulberry32, Tommy Ettinger (public domain): 32 bits of state */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
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
    branch: () => createChance(word()),
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

/**
 * The seed of a random test: `SEED` of the environment, or a fixed one, at night a new one. It is
 * printed, so that a failure can be repeated.
 *
 * @param name  what is random, for the printed line
 */
export function testSeed(name: string): number {
  const given = process.env['SEED'] ?? ''
  if (given !== '' && !/^\d{1,9}$/.test(given)) throw new Error(`SEED is no whole number: ${given}`)
  const unset = IS_NIGHT ? Date.now() % 2 ** 29 : GATE_SEED
  const seed = given === '' ? unset : Number(given)
  console.log(`${name}: SEED=${seed}`)
  return seed
}
