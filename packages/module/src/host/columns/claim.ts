import type { ColumnMemory } from './memory.ts'

/** Claims of one ship at one beat. */
export const CLAIMS_MAX = 16

/** What a ship wants of a row at a beat. */
export interface Claim {
  readonly slot: number
  readonly memory: ColumnMemory
  readonly place: number
  readonly amount: number
  readonly settle: (got: number) => void
}
