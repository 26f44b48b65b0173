import type postgres from 'postgres'

/** A journalled command. */
export interface JournalRow {
  /** Its number in the era; they rise, not always by 1. */
  readonly sequence: number
  /** Index on the lattice at which it acts, in quanta (1/64 s) since J2000.0 TDB. */
  readonly lattice: number
  /** Player id of the actor; null for the server itself. */
  readonly actor: string | null
  /** Numbers come back bit for bit, but for the sign of a zero. */
  readonly command: postgres.JSONValue
}

/** The world's clock when a batch was closed. */
export interface ClockRow {
  /** Of the last command accepted until then. */
  readonly sequence: number
  /** Index last published. */
  readonly lattice: number
  /** Carried part of a quantum, numerator and denominator in decimal. */
  readonly remainder: readonly [string, string]
  readonly tick: number
  /** Hz. */
  readonly tickRate: number
  /** Seconds of simulation time per second. */
  readonly timeScale: number
  readonly paused: boolean
}

/** Digest of the state at an index. */
export interface DigestRow {
  readonly lattice: number
  readonly digest: string
}

/** Commands, and the clock after the last of them. */
export interface JournalBatch {
  readonly rows: readonly JournalRow[]
  readonly clock: ClockRow
}
