import type postgres from 'postgres'
import { redirectedReferences } from '../records/artifacts.ts'
import { one } from '../records/table.ts'
import { type Version, versions } from '../records/versions.ts'
import { type Change, type Shown, excerpt, fieldChanges, sourceDiff } from './field-changes.ts'
import {
  ARTIFACTS,
  type ArtifactRow,
  COVERAGE,
  DECISIONS,
  INVENTORY,
  type Identity,
  QUESTIONS,
  UPLOADS,
  otherVersion,
  versionRows,
} from './compared-rows.ts'
import { type Pause, pauses } from '../pauses.ts'

/** Identifies a record. */
export interface Named {
  readonly id: string
  readonly [field: string]: Shown
}

/** A record of both versions with changed fields. */
export interface Changed {
  /** in the newer version */
  readonly record: Named
  /** in the older version */
  readonly against_id: string
  readonly changes: readonly Change[]
}

/** The differences among records of one kind. */
export interface Difference {
  readonly added: readonly Named[]
  readonly removed: readonly Named[]
  readonly changed: readonly Changed[]
}

export const KINDS = [
  'decisions',
  'questions',
  'artifacts',
  'coverage',
  'inventory',
  'uploads',
] as const

export type Kind = (typeof KINDS)[number]

export type Counts = Readonly<Record<'added' | 'removed' | 'changed' | 'unchanged', number>>

/** The differences of two versions of a project. */
export interface VersionDiff extends Readonly<Record<Kind, Difference>> {
  readonly version: Version
  readonly against: Version
  readonly summary: Readonly<Record<Kind, Counts>>
}

/** Bytes of sources that are compared line by line. */
const SOURCES_BYTES_MAX = 8_388_608

/** Limits of all line diffs of two versions together: time and characters. */
const DIFFS_MS_MAX = 1000
const DIFFS_MAX = 1_048_576

type Sources = ReadonlyMap<string, string>

/**
 * The differences of two versions, from one snapshot.
 *
 * @param against  the previous version by default
 * @throws {HttpError} 404; 409 when they are too large; 422 for a version of another project
 */
export async function versionDiff(
  sql: postgres.Sql,
  versionId: string,
  against?: string,
): Promise<VersionDiff> {
  const pause = pauses()
  const { before, after, drawn, sources } = await sql.begin(
    'isolation level repeatable read read only',
    async (snapshot) => {
      const version = await one<Version>(snapshot, versions, { id: versionId })
      const other = await otherVersion(snapshot, version, against)
      const before = await versionRows(snapshot, other)
      const after = await versionRows(snapshot, version)
      const drawn = await matched(before.artifacts, after.artifacts, ARTIFACTS.keys, pause)
      return { before, after, drawn, sources: await changedSources(snapshot, drawn.pairs) }
    },
  )
  const differences = {
    decisions: await difference(before.decisions, after.decisions, DECISIONS, pause),
    questions: await difference(before.questions, after.questions, QUESTIONS, pause),
    artifacts: await artifactDifference(drawn, sources, pause),
    coverage: await difference(before.coverage, after.coverage, COVERAGE, pause),
    inventory: await difference(before.inventory, after.inventory, INVENTORY, pause),
    uploads: await difference(before.uploads, after.uploads, UPLOADS, pause),
  }
  const summary = KINDS.map((kind) => {
    const { added, removed, changed } = differences[kind]
    const unchanged = after[kind].length - added.length - changed.length
    const counts = { added: added.length, removed: removed.length, changed: changed.length }
    return [kind, { ...counts, unchanged }] as const
  })
  return {
    version: after.version,
    against: before.version,
    summary: Object.fromEntries(summary) as VersionDiff['summary'],
    ...differences,
  }
}

/** The sources of changed artifacts, within the limit. */
async function changedSources(
  sql: postgres.ISql,
  pairs: Matching<ArtifactRow>['pairs'],
): Promise<Sources> {
  const ids: string[] = []
  let bytes = 0
  for (const pair of pairs) {
    const [before, after] = pair.map(({ source_code: source }) => source)
    if (before?.digest === after?.digest) continue
    bytes += (before?.bytes ?? 0) + (after?.bytes ?? 0)
    if (bytes > SOURCES_BYTES_MAX) break
    ids.push(...pair.map(({ id }) => id))
  }
  const rows = await sql<{ id: string; source: string }[]>`
    select id, coalesce(source_code, '') as source from artifact where id = any(${ids}::uuid[])`
  return new Map(rows.map(({ id, source }) => [id, source]))
}

async function difference<Row extends { readonly id: string }>(
  before: readonly Row[],
  after: readonly Row[],
  identity: Identity<Row>,
  pause: Pause,
): Promise<Difference> {
  const matching = await matched(before, after, identity.keys, pause)
  const changed: Changed[] = []
  for (const pair of matching.pairs) {
    await pause()
    changed.push(...changedRecord(pair, identity, fieldChanges(pair, identity.compared)))
  }
  return { ...unmatched(matching, identity), changed }
}

function changedRecord<Row extends { readonly id: string }>(
  [before, after]: readonly [Row, Row],
  identity: Identity<Row>,
  changes: readonly Change[],
): Changed[] {
  if (changes.length === 0) return []
  return [{ record: named(after, identity), against_id: before.id, changes }]
}

function unmatched<Row extends { readonly id: string }>(
  { added, removed }: Matching<Row>,
  identity: Identity<Row>,
): Omit<Difference, 'changed'> {
  const records = (rows: readonly Row[]): Named[] => rows.map((row) => named(row, identity))
  return { added: records(added), removed: records(removed) }
}

function named<Row extends { readonly id: string }>(row: Row, { named }: Identity<Row>): Named {
  const shown = named.map((field) => [field, excerpt(row[field] as Shown, 0)])
  return { id: row.id, ...Object.fromEntries(shown) }
}

/**
 * Differences of artifacts, with line diffs of sources. References to a cloned artifact equal
 * references to its clone.
 */
async function artifactDifference(
  matching: Matching<ArtifactRow>,
  sources: Sources,
  pause: Pause,
): Promise<Difference> {
  const copies = new Map(matching.pairs.map(([before, after]) => [before.id, after.id]))
  let [milliseconds, characters] = [DIFFS_MS_MAX, DIFFS_MAX]
  const changed: Changed[] = []
  for (const pair of matching.pairs) {
    await pause()
    const [was, is] = pair.map(({ id }) => sources.get(id))
    const before = was === undefined ? undefined : redirectedReferences(was, copies)
    const changes = fieldChanges(pair, ARTIFACTS.compared).flatMap((change): Change[] => {
      if (change.field !== 'source_code') return [change]
      if (before === undefined || is === undefined) return [{ ...change, diff: null }]
      if (before === is && change.from !== null && change.to !== null) return []
      const start = performance.now()
      const diff = milliseconds > 0 ? sourceDiff(before, is) : undefined
      milliseconds -= performance.now() - start
      characters -= diff?.length ?? 0
      return [{ ...change, diff: characters < 0 ? null : (diff ?? null) }]
    })
    changed.push(...changedRecord(pair, ARTIFACTS, changes))
  }
  return { ...unmatched(matching, ARTIFACTS), changed }
}

/** Pairs of rows before and after that are the same record. */
export interface Matching<Row> {
  /** in the order of the newer rows */
  readonly pairs: readonly (readonly [before: Row, after: Row])[]
  readonly added: readonly Row[]
  readonly removed: readonly Row[]
}

/**
 * Matches rows by their first keys, then the rest by their second keys, and so on. Rows with equal
 * keys are matched in order.
 */
export async function matched<Row>(
  before: readonly Row[],
  after: readonly Row[],
  keys: readonly ((row: Row) => string)[],
  pause: Pause,
): Promise<Matching<Row>> {
  const partners = new Map<Row, Row>()
  const left = new Set(before)
  for (const key of keys) {
    const queues = new Map<string, Row[]>()
    // Reversed, so that `pop` takes the first.
    for (const row of [...left].toReversed()) {
      await pause()
      const name = key(row)
      const queue = queues.get(name)
      if (queue) queue.push(row)
      else queues.set(name, [row])
    }
    for (const row of after) {
      if (partners.has(row)) continue
      await pause()
      const partner = queues.get(key(row))?.pop()
      if (partner === undefined) continue
      partners.set(row, partner)
      left.delete(partner)
    }
  }
  return {
    pairs: after.flatMap((row) => {
      const partner = partners.get(row)
      return partner === undefined ? [] : [[partner, row] as const]
    }),
    added: after.filter((row) => !partners.has(row)),
    removed: [...left],
  }
}
