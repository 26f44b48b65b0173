import type { EngineStatus } from '@orrery/engine'
import type { Interests } from './nearest-ships.ts'

/** The server at one moment, as all clients' frames of one round need it. */
export interface Moment {
  readonly status: EngineStatus
  readonly era: number
  /** published lattice index */
  readonly index: number
  readonly nowMs: number
  readonly utcMs: number
  readonly interests: Interests
  /** whether there is time left for decisions that can wait */
  hasTime(): boolean
}
