import type postgres from 'postgres'
import { redirectedReferences } from '../records/artifacts.ts'
import { type Stored, one } from '../tables/table.ts'
import { type Version, versions } from '../records/versions.ts'
import { excerpt, fieldChanges, sourceDiff, scopeChanges } from './field-changes.ts'
import {
  COMPARED,
  comparedFields,
  type Compared,
  type Extent,
  type Row,
  otherVersion,
  versionRows,
} from './compared-rows.ts'
import {
  type Change,
  type Changed,
  type Counts,
  type Difference,
  KINDS,
  type Kind,
  type Named,
  type Shown,
  type VersionDiff,
} from './differences.ts'
import { type Pause, pauses } from '../pauses.ts'

/** Bytes of sources that are compared line by line. */
const SOURCES_BYTES_MAX = 8_388_608

/** Limits of all line diffs of two versions together: time and characters. */
const DIFFS_MS_MAX = 1000
const DIFFS_MAX = 1_048_576

type Sources = ReadonlyMap<string, string>

const { artifacts: ARTIFACTS } = COMPARED

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
  const { version, other, before, after, drawn, sources } = await sql.begin(
    'isolation level repeatable read read only',
    async (snapshot) => {
      const version = await one<Version>(snapshot, versions, { id: versionId })
      const other = await otherVersion(snapshot, version, against)
      const before = await versionRows(snapshot, other.id)
      const after = await versionRows(snapshot, version.id)
      const drawn = await matched(before.artifacts, after.artifacts, ARTIFACTS.keys, pause)
      const sources = await changedSources(snapshot, drawn.pairs)
      return { version, other, before, after, drawn, sources }
    },
  )
  const differences: Partial<Record<Kind, Difference>> = {}
  const summary: Partial<Record<Kind, Counts>> = {}
  for (const kind of KINDS) {
    const found =
      kind === 'artifacts'
        ? await artifactDifference(drawn, sources, pause)
        : await difference(before[kind], after[kind], COMPARED[kind], pause)
    const [added, changed] = [found.added.length, found.changed.length]
    const unchanged = after[kind].length - added - changed
    summary[kind] = { added, removed: found.removed.length, changed, unchanged }
    differences[kind] = found
  }
  return {
    version: shownVersion(version),
    against: shownVersion(other),
    scope: scopeChanges(other, version),
    summary: summary as VersionDiff['summary'],
    ...(differences as Record<Kind, Difference>),
  }
}

function shownVersion(stored: Stored<Version>): Version {
  const { revision: _, ...version } = stored
  return version
}

/** The sources of changed artifacts, within the limit. */
async function changedSources(sql: postgres.ISql, pairs: Matching<Row>['pairs']): Promise<Sources> {
  const ids: string[] = []
  let bytes = 0
  for (const pair of pairs) {
    const [before, after] = pair.map(({ source_code: source }) => source as Extent | null)
    if (before?.digest === after?.digest) continue
    bytes += (before?.bytes ?? 0) + (after?.bytes ?? 0)
    if (bytes > SOURCES_BYTES_MAX) break
    ids.push(...pair.map(({ id }) => id))
  }
  const rows = await sql<{ id: string; source: string }[]>`
    select id, coalesce(source_code, '') as source from artifact where id = any(${ids}::uuid[])`
  return new Map(rows.map(({ id, source }) => [id, source]))
}

async function difference(
  before: readonly Row[],
  after: readonly Row[],
  identity: Compared,
  pause: Pause,
): Promise<Difference> {
  const matching = await matched(before, after, identity.keys, pause)
  const fields = comparedFields(identity)
  const changed: Changed[] = []
  for (const pair of matching.pairs) {
    await pause()
    changed.push(...changedRecord(pair, identity, fieldChanges(pair, fields)))
  }
  return { ...unmatched(matching, identity), changed }
}

function changedRecord(
  [before, after]: readonly [Row, Row],
  identity: Compared,
  changes: Change[],
): Changed[] {
  if (changes.length === 0) return []
  return [{ record: named(after, identity), against_id: before.id, changes }]
}

function unmatched(
  { added, removed }: Matching<Row>,
  identity: Compared,
): Omit<Difference, 'changed'> {
  const records = (rows: readonly Row[]): Named[] => rows.map((row) => named(row, identity))
  return { added: records(added), removed: records(removed) }
}

function named(row: Row, { names, facts }: Compared): Named {
  const shown = [...names, ...facts].map((field) => [field, excerpt(row[field] as Shown, 0)])
  return { id: row.id, ...Object.fromEntries(shown) }
}

/**
 * Differences of artifacts, with line diffs of sources. References to a cloned artifact equal
 * references to its clone.
 */
async function artifactDifference(
  matching: Matching<Row>,
  sources: Sources,
  pause: Pause,
): Promise<Difference> {
  const copies = new Map(matching.pairs.map(([before, after]) => [before.id, after.id]))
  const fields = comparedFields(ARTIFACTS)
  let [milliseconds, characters] = [DIFFS_MS_MAX, DIFFS_MAX]
  const changed: Changed[] = []
  for (const pair of matching.pairs) {
    await pause()
    const [was, is] = pair.map(({ id }) => sources.get(id))
    const before = was === undefined ? undefined : redirectedReferences(was, copies)
    const changes = fieldChanges(pair, fields).flatMap((change): Change[] => {
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
