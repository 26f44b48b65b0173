import type { SystemSeen } from '@orrery/store'

/** An owner whose beats stand still for so long is silent. */
const SILENT_MS = 2000

/** Answered looks that show it, at least. */
const SILENT_LOOKS = 6

/** The same for one whose lock became free: its process has ended. */
const ENDED_MS = 300

/** After a longer time without an answer the observation begins again: the database was away. */
const ANSWER_MS_MAX = 1000

/**
 * What is known of the owner of a world: `none` where nothing has ever owned it, `tool` for one
 * that raises no beats.
 */
export type OwnerLife = 'none' | 'tool' | 'alive' | 'ended' | 'silent'

/** Decides by the rows of owners, and by no clock but its own, whether their process lives. */
export class OwnerWatch {
  readonly #nowMs: () => number
  #claims = ''
  #beats = ''
  #sinceMs = 0
  #lastMs = -Infinity
  #looks = 0
  /** this owner has held its lock since the observation began */
  #wasLocked = false

  /** @param nowMs  a monotonic clock [ms] */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** A look was not answered: what was seen before counts no more. */
  unanswered(): void {
    this.#lastMs = -Infinity
  }

  /** A look was answered. */
  saw(rows: readonly SystemSeen[]): OwnerLife {
    const nowMs = this.#nowMs()
    const claims = rows.map(({ claim }) => claim).join()
    const beats = rows.map((row) => row.beats).join()
    const sinceMs = nowMs - this.#lastMs
    // A look may come to a server without the locks of the one before, and no error says so.
    const isOtherServer = rows.some(
      ({ sessionSeconds }) => 1000 * sessionSeconds < sinceMs + ANSWER_MS_MAX,
    )
    const isNew = sinceMs > ANSWER_MS_MAX || isOtherServer || claims !== this.#claims
    const isLocked = rows.some(({ isLockFree }) => !isLockFree)
    this.#wasLocked = isLocked || (this.#wasLocked && !isNew)
    this.#lastMs = nowMs
    if (isNew || beats !== this.#beats) {
      this.#claims = claims
      this.#beats = beats
      this.#sinceMs = nowMs
      this.#looks = 0
    }
    this.#looks++
    if (rows.every(({ host, fence }) => host === undefined && fence === 0)) return 'none'
    if (rows.every((row) => row.beats === 0)) return 'tool'
    const stillMs = nowMs - this.#sinceMs
    if (!isLocked && this.#wasLocked && stillMs >= ENDED_MS) return 'ended'
    return stillMs >= SILENT_MS && this.#looks >= SILENT_LOOKS ? 'silent' : 'alive'
  }
}
