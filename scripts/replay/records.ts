/** Stored commands and clock rows of a system as one stream, and its part up to a moment. */
import type { Database } from '@orrery/database'
import type { PortableRecord, SystemDigest, Universe } from '@orrery/engine/testing'
import { PHYSICS } from '@orrery/sim'
import { type SnapshotSummary, journal } from '@orrery/store'
import { CommandError } from '../command/run.ts'

/** Whatever the digests are stored under. */
const EVERYTHING = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** What moves a world on: a command, as the journal has it, or how far time has come. */
export type FlightRecord =
  | Omit<Extract<PortableRecord, { kind: 'clock' }>, 'systemId'>
  | {
      readonly kind: 'command'
      readonly sequence: number
      readonly index: number
      readonly command: unknown
    }

/**
 * The records of a system behind a snapshot of an era, read in pages.
 *
 * @throws {CommandError} when another physics than this program's made them
 */
export async function* storedRecords(
  sql: Database['sql'],
  { id, era, sequences, lattice: begin, physics }: SnapshotSummary,
  systemId: string,
): AsyncGenerator<FlightRecord, void> {
  for await (const { rows, clock } of journal(sql).batches(
    { era, systemId },
    sequences[systemId] ?? 0,
  )) {
    if (physics !== PHYSICS && (rows.length > 0 || clock.lattice > begin)) {
      throw new CommandError(
        `What follows snapshot ${id} was made by physics ${physics}, and this program has physics` +
          ` ${PHYSICS}: the release that made it can replay it.`,
      )
    }
    for (const { sequence, lattice: index, command } of rows) {
      yield { kind: 'command', sequence, index, command }
    }
    const { sequence, lattice: index, remainder, tick } = clock
    yield { kind: 'clock', sequence, index, remainder, tick }
  }
}

/**
 * What happens up to a lattice index, that included. Whatever is accepted once the clock has
 * passed it acts later.
 */
export async function* upTo(
  records: AsyncIterable<FlightRecord>,
  end: number | undefined,
): AsyncGenerator<FlightRecord, void> {
  let last = { sequence: 0, tick: 0 }
  for await (const record of records) {
    const waits = record.kind === 'command' && Object(record.command).kind === 'control'
    if (end !== undefined && record.index > end && !waits) {
      yield { kind: 'clock', index: end, remainder: ['0', '1'], ...last }
      return
    }
    const { sequence } = record
    last = { sequence, tick: record.kind === 'clock' ? record.tick : last.tick }
    yield record
  }
}

/** The digests of all systems that are stored of an era. */
export async function storedDigests(
  sql: Database['sql'],
  era: number,
  { worlds }: Universe,
): Promise<SystemDigest[]> {
  const stored: SystemDigest[] = []
  for (const { state } of worlds) {
    const systemId = state.system.id
    for (const { lattice, digest } of await journal(sql).digests({ era, systemId }, EVERYTHING)) {
      stored.push({ systemId, index: lattice, digest })
    }
  }
  return stored
}
