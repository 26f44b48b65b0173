import { HttpError } from '@orrery/http'
import type postgres from 'postgres'
import { notFound, unprocessable } from '../errors.ts'
import { adrs } from '../records/adrs.ts'
import { artifacts } from '../records/artifacts.ts'
import { coverageItems } from '../records/coverage.ts'
import { inventoryItems } from '../records/inventory.ts'
import { questions } from '../records/questions.ts'
import { type Stored, type Table, one, orderOf } from '../tables/table.ts'
import { uploads } from '../records/uploads.ts'
import { PROSE_KINDS, ensureReadable } from '../records/version-texts.ts'
import { type Version, versions } from '../records/versions.ts'
import { itemKey } from '../indexing/item-words.ts'
import { KINDS, type Kind, type Shown } from './differences.ts'

/** Bytes of a version's texts that are compared. */
const TEXT_BYTES_MAX = 8_388_608

/** Replaces a long text, a source or raw data, in a comparison. */
export interface Extent {
  readonly bytes: number
  /** SHA-256 */
  readonly digest: string
}

/** A record of a version, with its compared fields. */
export interface Row extends Readonly<Record<string, Shown | Extent>> {
  readonly id: string
}

/** The compared records of a version, in the order of its lists. */
export type VersionRows = Readonly<Record<Kind, readonly Row[]>>

/**
 * The version to compare with.
 *
 * @param against  the previous one by default
 * @throws {HttpError} 404; 422 for a version of another project
 */
export async function otherVersion(
  sql: postgres.ISql,
  { id, project_id: projectId, version_number: number }: Version,
  against: string | undefined,
): Promise<Stored<Version>> {
  if (against === undefined) {
    const [before] = await sql<{ id: string }[]>`
      select other.id from version as other join version as this on this.id = ${id}
      where other.project_id = ${projectId}
        and (other.sort_key collate "C", other.id) < (this.sort_key collate "C", this.id)
      order by other.sort_key collate "C" desc, other.id desc limit 1`
    if (before) return one<Version>(sql, versions, { id: before.id })
    const message = `The project has no version before ${number}; name another one with \`against\``
    throw new HttpError(404, 'not_found', message)
  }
  const [other] = await sql<{ project_id: string }[]>`
    select project_id from version where id = ${against}`
  if (!other) throw notFound('Version to compare with')
  if (other.project_id === projectId) return one<Version>(sql, versions, { id: against })
  const msg = 'must be a version of the same project'
  throw unprocessable([{ type: 'value_error', loc: ['query', 'against'], msg, input: against }])
}

/** How records of a kind are read, matched and compared. */
export interface Compared {
  readonly table: Table
  /** fields that are no columns, or whose columns are long, in SQL */
  readonly derived?: Readonly<Record<string, string>>
  /** records with equal values are the same one; the most specific fields first */
  readonly keys: readonly ((row: Row) => string)[]
  /** fields that name a record, and those shown beside them */
  readonly names: readonly string[]
  readonly facts: readonly string[]
  /** fields that are not compared: equal records have them, or they follow from others */
  readonly ignored?: readonly string[]
}

function textOf(row: Row, field: string): string {
  const value = row[field]
  return typeof value === 'object' ? '' : String(value)
}

const by =
  (...fields: readonly string[]): ((row: Row) => string) =>
  (row) =>
    fields.map((field) => textOf(row, field)).join(' ')

export const COMPARED: Readonly<Record<Kind, Compared>> = {
  decisions: {
    table: adrs,
    // Its number.
    derived: {
      superseded_by: '(select adr_number from adr as other where id = adr.superseded_by)',
      decision_makers: "array_to_string(decision_makers, ', ')",
      drivers: "array_to_string(drivers, E'\\n')",
      options: "nullif(options::text, '[]')",
    },
    // Clones keep their numbers unless one was taken; then the title matches.
    keys: [by('adr_number', 'title'), by('title'), by('adr_number')],
    names: ['adr_number', 'title'],
    facts: ['status'],
  },
  questions: {
    table: questions,
    keys: [by('question_text')],
    names: ['question_text'],
    facts: ['category', 'status'],
  },
  artifacts: {
    table: artifacts,
    derived: { source_code: extent('source_code') },
    keys: [by('artifact_type', 'name')],
    names: ['name'],
    facts: ['artifact_type', 'detail_level', 'engine'],
    ignored: ['output_paths', 'outputs_stale', 'render_status', 'render_error'],
  },
  coverage: {
    table: coverageItems,
    derived: { question: '(select question_text from question where id = question_id)' },
    keys: [(row) => itemKey(textOf(row, 'knowledge_file'), textOf(row, 'item_text'))],
    names: ['knowledge_file', 'item_text'],
    facts: ['priority', 'status'],
    ignored: ['knowledge_file', 'item_text', 'question_id'],
  },
  inventory: {
    table: inventoryItems,
    derived: { data: extent('data') },
    keys: [by('name')],
    names: ['name'],
    facts: ['data_type'],
  },
  uploads: {
    table: uploads,
    keys: [by('file_size', 'original_filename'), by('original_filename')],
    names: ['original_filename'],
    facts: ['file_size', 'content_type'],
  },
}

/** Of every record. */
const ASSIGNED = new Set(['id', 'version_id', 'created_at', 'updated_at'])

/** All fields that records of a kind show, but for the ignored ones; long texts come last. */
export function comparedFields({ table, derived = {}, ignored = [] }: Compared): readonly string[] {
  const isPlain = (field: string): boolean =>
    !ASSIGNED.has(field) && !ignored.includes(field) && !(field in derived)
  return [...table.columns.filter(isPlain), ...Object.keys(derived)]
}

function extent(column: string): string {
  return `case when ${column} is not null then json_build_object('bytes', octet_length(${column}),
    'digest', encode(sha256(convert_to(${column}, 'UTF8')), 'hex')) end`
}

/**
 * The compared records of a version.
 *
 * @throws {HttpError} 409 when they are too large
 */
export async function versionRows(sql: postgres.ISql, versionId: string): Promise<VersionRows> {
  await ensureReadable(sql, versionId, PROSE_KINDS, TEXT_BYTES_MAX)
  const found: [Kind, readonly Row[]][] = []
  for (const kind of KINDS) {
    const { table, derived = {}, names, facts } = COMPARED[kind]
    const fields = [...new Set(['id', ...names, ...facts, ...comparedFields(COMPARED[kind])])].map(
      (field) => (field in derived ? `${derived[field]} as ${field}` : field),
    )
    const rows = await sql.unsafe<Row[]>(
      `select ${fields.join(', ')} from ${table.name} where version_id = $1
      order by ${orderOf(table)}`,
      [versionId],
    )
    found.push([kind, rows])
  }
  return Object.fromEntries(found) as Record<Kind, readonly Row[]>
}
