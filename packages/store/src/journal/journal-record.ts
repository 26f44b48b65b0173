import type postgres from 'postgres'

/** A journalled command to one star system. */
export interface JournalRow {
  /** Its number in the era and system; they rise, not always by 1. */
  readonly sequence: number
  /** Index on the lattice at which it acts, in quanta (1/64 s) since J2000.0 TDB. */
  readonly lattice: number
  /** Player id of the actor; null for the server itself. */
  readonly actor: string | null
  /** Numbers come back bit for bit, but for the sign of a zero. */
  readonly command: postgres.JSONValue
  /** UUIDs under which it was sent, and what merged into it. */
  readonly commandIds?: readonly string[] | undefined
}

/** A journalled command by the ids under which it was sent. */
export interface SentCommand {
  readonly commandIds: readonly string[]
  readonly systemId: string
  readonly sequence: number
  readonly lattice: number
}

/** The clock of all systems when a batch was closed. */
export interface Clock {
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

/** The clock when a batch was closed, and the last command of one system accepted until then. */
export interface ClockRow extends Clock {
  readonly sequence: number
}

/** Digest of a system's state at an index. */
export interface DigestRow {
  readonly lattice: number
  readonly digest: string
}

/** Commands to one system, and the clock after the last of them. */
export interface JournalBatch {
  readonly rows: readonly JournalRow[]
  readonly clock: ClockRow
}
