import type { OwnerRow, Ownership } from '../ownership.ts'
import { type NewJournalBatch, batchOf } from './journal-batch.ts'

/** Acknowledged batches that an owner keeps, to append them again when the database lost them. */
const REMEMBERED_MS = 60_000

/** Commands in those batches, at most: a flood would fill the memory. */
const REMEMBERED_ROWS_MAX = 200_000

/** A batch that is durable, and the rows of its systems before it. */
interface Acknowledged {
  readonly batch: NewJournalBatch
  readonly before: ReadonlyMap<string, number>
  /** monotonic [ms] */
  readonly atMs: number
}

/** What an owner has written with each of its present claims. */
export class JournalMemory {
  #claims: ReadonlyMap<string, OwnerRow> = new Map()
  readonly #sequences = new Map<string, number>()
  #remembered: Acknowledged[] = []
  #rows = 0
  #era: number | undefined

  /** Begins again with the systems whose claim is another one. */
  follow(claims: ReadonlyMap<string, OwnerRow>): void {
    if (claims === this.#claims) return
    const isKept = (system: string): boolean =>
      claims.get(system)?.claim === this.#claims.get(system)?.claim
    const others = new Set([...claims.keys(), ...this.#claims.keys()].filter((id) => !isKept(id)))
    this.#claims = claims
    for (const system of others) {
      const row = claims.get(system)
      if (row) this.#sequences.set(system, row.sequence)
      else this.#sequences.delete(system)
    }
    this.#remembered = this.#remembered.flatMap(({ batch, before, atMs }) => {
      const left = new Set([...before.keys()].filter((system) => !others.has(system)))
      const own = [...before].filter(([system]) => left.has(system))
      return left.size > 0 ? [{ batch: batchOf(batch, left), before: new Map(own), atMs }] : []
    })
    this.#rows = this.#remembered.reduce((sum, { batch }) => sum + batch.rows.length, 0)
  }

  /** The number that a system's row has when nothing is lost. */
  sequence(system: string): number {
    return this.#sequences.get(system) ?? 0
  }

  /** Whether a batch has been acknowledged already. */
  has({ era, rows }: NewJournalBatch): boolean {
    const isBefore = ({ systemId, sequence }: NewJournalBatch['rows'][number]): boolean =>
      sequence <= this.sequence(systemId)
    return era === this.#era && rows.length > 0 && rows.every(isBefore)
  }

  /** The batches of the last minute, oldest first. */
  batches(): readonly Acknowledged[] {
    return this.#remembered
  }

  add(batch: NewJournalBatch, atMs: number): void {
    if (this.has(batch)) return
    const systems = Object.entries(batch.sequences)
    const before = new Map(systems.map(([system]) => [system, this.sequence(system)]))
    for (const [system, sequence] of systems) this.#sequences.set(system, sequence)
    this.#era = batch.era
    this.#remembered.push({ batch, before, atMs })
    this.#rows += batch.rows.length
    const isYoung = (one: Acknowledged): boolean => {
      if (atMs - one.atMs <= REMEMBERED_MS && this.#rows <= REMEMBERED_ROWS_MAX) return true
      this.#rows -= one.batch.rows.length
      return false
    }
    this.#remembered.splice(0, this.#remembered.findIndex(isYoung))
  }
}

const memories = new WeakMap<Ownership, JournalMemory>()

export function memoryOf(owner: Ownership): JournalMemory {
  const memory = memories.get(owner) ?? new JournalMemory()
  memories.set(owner, memory)
  memory.follow(owner.claims())
  return memory
}
