/** The part of an era to fly again: from the options of the command line and what is stored. */
import type { Database } from '@orrery/database'
import type { GameModules } from '@orrery/engine/modules'
import { latticeFromUtc } from '@orrery/sim'
import { type RestoredUniverse, openedInside } from '@orrery/engine/testing'
import { openStored } from '@orrery/game'
import { type Era, type SnapshotSummary, eras, snapshots } from '@orrery/store'
import { CommandError } from '../command/run.ts'

/** Where a span begins, as requested. */
export type Beginning =
  | { readonly kind: 'moment'; readonly index: number }
  | { readonly kind: 'snapshot'; readonly id: number }

/** A stored universe that is flown on from, and those that were stored on the way. */
export interface Span {
  readonly era: number
  readonly start: SnapshotSummary
  readonly opened: RestoredUniverse
  /** by index, then in the order in which they were stored */
  readonly stops: readonly SnapshotSummary[]
}

/** Prints on stderr which snapshot does not open. */
export function passedOver(command: string): (id: number, reason: string) => void {
  return (id, reason) => {
    process.stderr.write(`${command}: snapshot ${id} is passed over: ${reason}\n`)
  }
}

/** A lattice index, or a UTC time; a time without a zone is UTC, too. @throws {CommandError} */
export function momentOf(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const zoned = /[zZ]$|[+-]\d\d:?\d\d$|^[\d-]+$/.test(text) ? text : `${text}Z`
  const utcMs = Date.parse(zoned)
  if (Number.isFinite(utcMs)) return latticeFromUtc(utcMs)
  const expected = 'a lattice index or a time such as 2026-11-21T18:50:00Z is expected'
  throw new CommandError(`--${name} is ${JSON.stringify(text)}; ${expected}.`)
}

/** As `momentOf`, or `snapshot:ID`. @throws {CommandError} */
export function beginningOf(text: string): Beginning {
  const id = /^snapshot:(\d+)$/.exec(text)?.[1]
  return id === undefined
    ? { kind: 'moment', index: momentOf('from', text) }
    : { kind: 'snapshot', id: Number(id) }
}

/**
 * Opens the newest usable snapshot at or before the beginning, by default the era's first.
 *
 * @param era       by default that of the snapshot asked for, or the newest
 * @param onPassed  called for each one that does not open
 * @throws {CommandError} when nothing usable is stored there
 */
export async function openSpan(
  sql: Database['sql'],
  asked: {
    readonly era: number | undefined
    readonly from: Beginning | undefined
    readonly to: number | undefined
    readonly shipsMax: number
    readonly modules?: GameModules | undefined
  },
  onPassed: (id: number, reason: string) => void,
): Promise<Span> {
  const reasons = new Map<number, string>()
  const records = snapshots(sql, ({ id, reason }) => reasons.set(id, reason))
  const all = await records.list()
  const era = asked.era ?? (await eraOf(sql, all, asked.from))
  const opening = await eras(sql).byNumber(era)
  if (!opening) throw new CommandError(`There is no era ${era}.`)
  // One that is older than the era's first is what a failed restore has left.
  const ofEra = all
    .filter((one) => one.era === era && one.id >= opening.snapshotId)
    .toSorted((a, b) => a.lattice - b.lattice || a.id - b.id)
  requireJournal(all, opening, asked.from)
  for (const start of candidates(ofEra, opening, asked.from)) {
    if (asked.to !== undefined && start.lattice > asked.to) {
      throw new CommandError(
        `--to ${asked.to} lies before snapshot ${start.id} (${start.lattice}).`,
      )
    }
    try {
      const stored = await records.byId(start.id)
      if (stored) {
        const stops = ofEra.slice(ofEra.indexOf(start) + 1)
        const { to = Infinity } = asked
        const within = stops.filter(({ lattice }) => lattice <= to)
        return { era, start, opened: openedInside(await openStored(stored, asked)), stops: within }
      }
      onPassed(start.id, reasons.get(start.id) ?? 'it is gone')
    } catch (error) {
      if (Object(error).code !== 'ERR_IMAGE') throw error
      onPassed(start.id, String(Object(error).message))
    }
  }
  throw new CommandError(`No usable snapshot of era ${era} is stored at or before the beginning.`)
}

/** @throws {CommandError} when the journal after a named snapshot was deleted */
function requireJournal(
  all: readonly SnapshotSummary[],
  { era, snapshotId }: Era,
  from: Beginning | undefined,
): void {
  if (from?.kind !== 'snapshot' || from.id >= snapshotId) return
  if (!all.some((one) => one.era === era && one.id === from.id)) return
  throw new CommandError(
    `The journal after snapshot ${from.id} is no longer kept: that of era ${era} begins with` +
      ` snapshot ${snapshotId}. It can still be restored.`,
  )
}

/** The era that is asked for without being named. */
async function eraOf(
  sql: Database['sql'],
  all: readonly SnapshotSummary[],
  from: Beginning | undefined,
): Promise<number> {
  if (from?.kind === 'snapshot') {
    const named = all.find(({ id }) => id === from.id)
    if (!named) throw new CommandError(`There is no snapshot ${from.id}.`)
    return named.era
  }
  const newest = Math.max(...(await eras(sql).list()).map(({ era }) => era))
  if (newest < 0) throw new CommandError('No world has been stored in this database yet.')
  return newest
}

/** Snapshots to begin with, the best first. */
function candidates(
  ofEra: readonly SnapshotSummary[],
  { era, snapshotId }: Era,
  from: Beginning | undefined,
): readonly SnapshotSummary[] {
  if (from?.kind === 'moment')
    return ofEra.filter(({ lattice }) => lattice <= from.index).toReversed()
  const id = from?.id ?? snapshotId
  const named = ofEra.filter((one) => one.id === id)
  if (named.length === 0) throw new CommandError(`Era ${era} has no snapshot ${id}.`)
  return named
}
