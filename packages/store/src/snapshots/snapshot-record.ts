import type postgres from 'postgres'

/** Who asked for a snapshot: an administrator, the schedule, a clean stop, or a factory reset. */
export type SnapshotKind = 'admin' | 'automatic' | 'stop' | 'backup'

/** A snapshot without its state. */
export interface SnapshotSummary {
  readonly id: number
  readonly era: number
  readonly kind: SnapshotKind
  readonly tick: number
  /** Index on the lattice of simulation time, in quanta (1/64 s) since J2000.0 TDB. */
  readonly lattice: number
  /** Of the last command of each system that is in it, by its id. */
  readonly sequences: Readonly<Record<string, number>>
  /** Version of the physics that made it. */
  readonly physics: number
  readonly gameTime: Date
  readonly createdAt: Date
  /** Length of the state, uncompressed. */
  readonly byteCount: number
}

/** A snapshot with the state itself. */
export interface Snapshot extends SnapshotSummary {
  readonly header: postgres.JSONValue
  readonly bytes: Uint8Array
}

export interface NewSnapshot extends Omit<Snapshot, 'id' | 'createdAt' | 'byteCount'> {
  /** by default now */
  readonly createdAt?: Date
  /** Resolves when the journal holds all that is in it; until then it does not exist. */
  readonly durable?: () => Promise<void>
}
