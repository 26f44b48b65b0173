import type { Database } from '@orrery/database'
import { PHYSICS, utcFromLattice } from '@orrery/sim'
import { type Era, type SnapshotSummary, eraHeads, eras, snapshots } from '@orrery/store'
import { SYSTEM_IDS } from '../game-records.ts'
import { refusal } from '../refusal.ts'

/** A moment of a star system's past. */
export interface PastMoment {
  readonly systemId: string
  /** lattice index */
  readonly index: number
}

/** What of a star system's past can be flown again. */
export interface PastSpan {
  readonly era: number
  /** lattice indices of the oldest stored world, and of the last durable clock */
  readonly from: number
  readonly to: number
  /** stored worlds at or before the moment, the latest first */
  readonly stored: readonly SnapshotSummary[]
}

/** The first snapshot of an era is stored within such a time of its opening. */
const FIRST_MS = 60_000

const BEGINNINGS: Readonly<Record<Era['reason'], string>> = {
  new: 'as a new world',
  restored: 'when a snapshot was restored',
  reset: 'when the game was reset',
  backup: 'when a backup was restored',
  mismatch: 'after a start that did not give the digests kept',
}

/**
 * Finds where a flight to a past moment can begin; nothing is opened.
 *
 * @throws {Refusal} 404 E002 for an unknown star system; 409 E003 in the future, before the era,
 *   before its oldest stored world, and after one of another physics
 */
export async function pastSpan(
  sql: Database['sql'],
  { systemId, index }: PastMoment,
): Promise<PastSpan> {
  if (!SYSTEM_IDS.includes(systemId)) throw refusal('E002', `There is no star system ${systemId}`)
  const begun = (await eras(sql).list()).at(-1)
  if (!begun) throw refused('No world has been stored yet')
  const { era } = begun
  const known = { era, snapshotId: begun.snapshotId, physics: PHYSICS }
  const { systems } = await eraHeads(sql, { ...known, sequences: { [systemId]: 0 } })
  const to = systems[0]?.clock?.lattice ?? -Infinity
  const all = (await snapshots(sql).list())
    .filter((one) => one.era === era && one.kind !== 'backup' && one.id >= begun.snapshotId)
    .filter(({ sequences }) => systemId in sequences)
    .toSorted((a, b) => b.lattice - a.lattice || b.id - a.id)
  const first = all.at(-1)
  if (!first) throw refused(`No world of ${systemId} has been stored yet`)
  if (index < first.lattice) throw beforeAll(begun, first)
  if (index > to) {
    const now = to === -Infinity ? 'not known yet' : `known up to ${textOf(to)}`
    throw refused(`${textOf(index)} is not past: ${systemId} is ${now}`)
  }
  const stored = all.filter(({ lattice }) => lattice <= index)
  if (stored[0].physics !== PHYSICS) {
    const physics = `physics ${stored[0].physics}, this one has ${PHYSICS}`
    throw refused(`${textOf(index)} was flown by a release with ${physics}`)
  }
  return { era, from: first.lattice, to, stored }
}

/** A moment that nothing is kept of. */
function beforeAll({ reason, openedAt }: Era, first: SnapshotSummary): Error {
  const since = textOf(first.lattice)
  // A journal that was pruned begins with a later snapshot than its era.
  const isWhole = Number(first.createdAt) - Number(openedAt) < FIRST_MS
  return isWhole
    ? refused(`This world began at ${since}, ${BEGINNINGS[reason]}: nothing before is flown again`)
    : refused(`The past is kept since ${since}: nothing before can be flown again`)
}

function refused(reason: string): Error {
  return refusal('E003', reason, 409)
}

function textOf(index: number): string {
  return new Date(utcFromLattice(index)).toISOString()
}
