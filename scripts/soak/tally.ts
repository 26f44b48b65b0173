/** What all bots have done and seen, counted. */
import { ClientError, type Wire } from '@orrery/client'
import { type RecordableHistogram, createHistogram } from 'node:perf_hooks'
import type { Disturbances } from './disturbances.ts'

/** Errors that pilots cause themselves: to undock in flight, to dock in another star system. */
const OWN_ERRORS: ReadonlySet<string> = new Set(['E002', 'E003'])

/** Of an order that names its index. */
const TOO_FAR_AHEAD = /^Index \S+ is more than 2 s ahead/

export class Tally {
  visits = 0
  registrations = 0
  deletions = 0
  /** requests and commands that were answered, and those that were refused for a reason */
  answered = 0
  refused = 0
  /** orders whose index the server takes for too late a one */
  tooFarAhead = 0
  /** comparisons of own ships with the server's checks */
  checks = 0
  readonly faults: Map<string, number> = new Map()
  /** what would be a fault outside of a disturbance */
  readonly disturbed: Map<string, number> = new Map()
  /** by how much own ships were moved, by reason: how often */
  readonly corrections: Map<string, number> = new Map()
  /** between two frames of a socket [µs] */
  readonly gaps: Readonly<Record<Wire, RecordableHistogram>> = {
    json: createHistogram(),
    binary: createHistogram(),
  }
  readonly #disturbances: Disturbances

  constructor(disturbances: Disturbances) {
    this.#disturbances = disturbances
  }

  /** Counts what must not happen, unless a part of the time since it began is disturbed. */
  fault(what: string, sinceMs: number = performance.now()): void {
    count(this.#disturbances.touch(sinceMs) ? this.disturbed : this.faults, what)
  }

  gap(wire: Wire, sinceMs: number, ms: number): void {
    if (this.#disturbances.touch(sinceMs)) return
    this.gaps[wire].record(Math.max(1, Math.round(ms * 1000)))
  }

  corrected(reason: string): void {
    if (!this.#disturbances.touch(performance.now())) count(this.corrections, reason)
  }

  /** Sends a request; undefined when it fails, which is counted. */
  async request<Answer>(what: string, send: () => Promise<Answer>): Promise<Answer | undefined> {
    const sinceMs = performance.now()
    try {
      const answer = await send()
      this.answered++
      return answer
    } catch (error) {
      const [code, message] =
        error instanceof ClientError ? [error.code, error.message] : ['', String(error)]
      if (OWN_ERRORS.has(code)) this.refused++
      else if (TOO_FAR_AHEAD.test(message)) this.tooFarAhead++
      else this.fault(`${what}: ${code} ${message}`, sinceMs)
      return undefined
    }
  }
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}

/** Of all kinds together. */
export function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, number) => sum + number, 0)
}
