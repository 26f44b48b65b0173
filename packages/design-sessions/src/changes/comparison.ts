import type postgres from 'postgres'
import { redirectedReferences } from '../documents/artifact-references.ts'
import { one } from '../records/table.ts'
import { type Version, versions } from '../records/versions.ts'
import { itemKey } from '../workflow/gate.ts'
import { type Matching, type Pause, matched, pauses } from './matching.ts'
import { sourceDiff } from './source-diff.ts'
import {
  type AdrRow,
  type ArtifactRow,
  type CoverageRow,
  type Extent,
  type InventoryRow,
  type QuestionRow,
  type UploadRow,
  otherVersion,
  versionRows,
} from './version-rows.ts'

/** A value as it is shown: of long texts a part, of sources and data how many bytes. */
export type Shown = string | number | null

/** A field that is not what it was. */
export interface Change {
  readonly field: string
  readonly from: Shown
  readonly to: Shown
  /** of a source, line by line; null when it is too different, or there is too much of it */
  readonly diff?: string | null
}

/** Which record it is. */
export interface Named {
  readonly id: string
  readonly [field: string]: Shown
}

/** A record that is in both versions, and not as it was. */
export interface Changed {
  /** as it is after */
  readonly record: Named
  /** its id before */
  readonly against_id: string
  readonly changes: readonly Change[]
}

/** What differs among the records of one kind. */
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

type Kind = (typeof KINDS)[number]

/** How many records of a kind. */
export type Counts = Readonly<Record<'added' | 'removed' | 'changed' | 'unchanged', number>>

/** What makes one version of a project another. */
export interface VersionDiff extends Readonly<Record<Kind, Difference>> {
  readonly version: Version
  readonly against: Version
  readonly summary: Readonly<Record<Kind, Counts>>
}

/** How records of a kind are told apart. */
interface Identity<Row> {
  /** what makes two of them the same one; the surest first */
  readonly keys: readonly ((row: Row) => string)[]
  /** what tells people which one it is */
  readonly named: readonly (keyof Row & string)[]
  /** what may differ */
  readonly compared: readonly (keyof Row & string)[]
}

const DECISIONS: Identity<AdrRow> = {
  // Clones keep their numbers, unless one was taken: then titles tell.
  keys: [
    ({ adr_number: number, title }) => `${number} ${title}`,
    ({ title }) => title,
    ({ adr_number: number }) => String(number),
  ],
  named: ['adr_number', 'title', 'status'],
  compared: [
    'adr_number',
    'title',
    'status',
    'superseded_by',
    'context',
    'decision',
    'consequences',
  ],
}

const QUESTIONS: Identity<QuestionRow> = {
  keys: [({ question_text: text }) => text],
  named: ['question_text', 'category', 'status'],
  compared: ['category', 'status', 'answer_text'],
}

const ARTIFACTS: Identity<ArtifactRow> = {
  keys: [({ artifact_type: type, name }) => `${type} ${name}`],
  named: ['name', 'artifact_type', 'detail_level', 'engine'],
  compared: ['detail_level', 'engine', 'sort_order', 'source_code'],
}

const COVERAGE: Identity<CoverageRow> = {
  keys: [({ knowledge_file: file, item_text: text }) => itemKey(file, text)],
  named: ['knowledge_file', 'item_text', 'priority', 'status'],
  compared: ['priority', 'status', 'reason', 'question'],
}

const INVENTORY: Identity<InventoryRow> = {
  keys: [({ name }) => name],
  named: ['name', 'data_type'],
  compared: ['data_type', 'sort_order', 'description', 'data'],
}

const UPLOADS: Identity<UploadRow> = {
  keys: [
    ({ file_size: size, original_filename: name }) => `${size} ${name}`,
    ({ original_filename: name }) => name,
  ],
  named: ['original_filename', 'file_size', 'content_type'],
  compared: ['file_size', 'content_type'],
}

/** Bytes of sources that are compared line by line. */
const SOURCES_BYTES_MAX = 8_388_608

/** Time and characters that comparisons line by line may take together. */
const DIFFS_MS_MAX = 1000
const DIFFS_MAX = 1_048_576

/** Sources of artifacts, by their ids. */
type Sources = ReadonlyMap<string, string>

/**
 * What is added, removed and changed from one version to another, as of one moment.
 *
 * @param against  the one before by default
 * @throws {HttpError} 404; 409 when they hold too much; 422 for a version of another project
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

/** Sources that are not the same before and after, as many as are compared. */
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
    changed.push(...changedRecord(pair, identity, changesOf(pair, identity)))
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

function changesOf<Row>(
  [before, after]: readonly [Row, Row],
  { compared }: Identity<Row>,
): Change[] {
  return compared.flatMap((field) => {
    const [from, to] = [before[field], after[field]] as (Shown | Extent)[]
    if (isExtent(from) || isExtent(to)) {
      const [was, is] = [from, to] as (Extent | null)[]
      return was?.digest === is?.digest ? [] : [{ field, from: sized(was), to: sized(is) }]
    }
    if (from === to) return []
    const at = firstDifference(from, to)
    return [{ field, from: excerpt(from, at), to: excerpt(to, at) }]
  })
}

function isExtent(value: Shown | Extent): value is Extent {
  return typeof value === 'object' && value !== null
}

function sized(extent: Extent | null): string | null {
  return extent && `${extent.bytes} bytes, SHA-256 ${extent.digest.slice(0, 12)}`
}

/** Characters of a text that are shown, and how many of them before what differs. */
const TEXT_MAX = 2000
const BEFORE_MAX = 200

function firstDifference(from: Shown, to: Shown): number {
  if (typeof from !== 'string' || typeof to !== 'string') return 0
  let at = 0
  while (at < from.length && from[at] === to[at]) at += 1
  return at
}

/** A text, or of a long one the part in which it differs. */
function excerpt(value: Shown, differsAt: number): Shown {
  if (typeof value !== 'string' || value.length <= TEXT_MAX) return value
  const start = differsAt <= TEXT_MAX / 2 ? 0 : differsAt - BEFORE_MAX
  const part = value.slice(start, start + TEXT_MAX).toWellFormed()
  const ending = start + TEXT_MAX < value.length ? '…' : ''
  return `${start === 0 ? '' : '…'}${part}${ending}`
}

/** Of sources also line by line; what they show of each other is the same if its copies are. */
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
    const changes = changesOf(pair, ARTIFACTS).flatMap((change): Change[] => {
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
