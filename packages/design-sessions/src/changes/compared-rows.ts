import { HttpError } from '@orrery/http'
import type postgres from 'postgres'
import { notFound, unprocessable } from '../errors.ts'
import type { Adr } from '../records/adrs.ts'
import type { Artifact } from '../records/artifacts.ts'
import type { CoverageItem } from '../records/coverage.ts'
import type { InventoryItem } from '../records/inventory.ts'
import type { Question } from '../records/questions.ts'
import { type Stored, one } from '../records/table.ts'
import type { Upload } from '../records/uploads.ts'
import { PROSE_KINDS, ensureReadable } from '../records/version-texts.ts'
import { type Version, versions } from '../records/versions.ts'
import { itemKey } from '../workflow/item-words.ts'

/** Bytes of a version's texts that are compared. */
const TEXT_BYTES_MAX = 8_388_608

/** Replaces a long text, a source or raw data, in a comparison. */
export interface Extent {
  readonly bytes: number
  /** SHA-256 */
  readonly digest: string
}

export type AdrRow = Pick<
  Adr,
  'id' | 'adr_number' | 'title' | 'status' | 'context' | 'decision' | 'consequences'
> & {
  /** number of the superseding decision */
  readonly superseded_by: number | null
}

export type QuestionRow = Pick<
  Question,
  'id' | 'question_text' | 'answer_text' | 'status' | 'category'
>

export type ArtifactRow = Pick<
  Artifact,
  'id' | 'name' | 'artifact_type' | 'detail_level' | 'engine' | 'sort_order'
> & { readonly source_code: Extent | null }

export type CoverageRow = Pick<
  CoverageItem,
  'id' | 'knowledge_file' | 'item_text' | 'priority' | 'status' | 'reason'
> & {
  /** text of the linked question */
  readonly question: string | null
}

export type InventoryRow = Pick<
  InventoryItem,
  'id' | 'name' | 'description' | 'data_type' | 'sort_order'
> & { readonly data: Extent }

export type UploadRow = Pick<Upload, 'id' | 'original_filename' | 'content_type' | 'file_size'>

/** The compared records of a version, in the order of its lists. */
export interface VersionRows {
  readonly version: Version
  readonly decisions: readonly AdrRow[]
  readonly questions: readonly QuestionRow[]
  readonly artifacts: readonly ArtifactRow[]
  readonly coverage: readonly CoverageRow[]
  readonly inventory: readonly InventoryRow[]
  readonly uploads: readonly UploadRow[]
}

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

/**
 * The compared records of a version.
 *
 * @throws {HttpError} 409 when they are too large
 */
export async function versionRows(
  sql: postgres.ISql,
  stored: Stored<Version>,
): Promise<VersionRows> {
  const { revision: _, ...version } = stored
  const { id } = version
  await ensureReadable(sql, id, PROSE_KINDS, TEXT_BYTES_MAX)
  const extent = (column: string): postgres.Fragment =>
    sql.unsafe(`case when ${column} is not null then json_build_object(
      'bytes', octet_length(${column}),
      'digest', encode(sha256(convert_to(${column}, 'UTF8')), 'hex')) end as ${column}`)
  return {
    version,
    decisions: await sql<AdrRow[]>`
      select adr.id, adr.adr_number, adr.title, adr.status, adr.context, adr.decision,
        adr.consequences, successor.adr_number as superseded_by
      from adr left join adr as successor on successor.id = adr.superseded_by
      where adr.version_id = ${id} order by adr.adr_number`,
    questions: await sql<QuestionRow[]>`
      select id, question_text, answer_text, status, category
      from question where version_id = ${id} order by ordinal`,
    artifacts: await sql<ArtifactRow[]>`
      select id, name, artifact_type, detail_level, engine, sort_order, ${extent('source_code')}
      from artifact where version_id = ${id} order by sort_order, name collate "C", id`,
    coverage: await sql<CoverageRow[]>`
      select item.id, item.knowledge_file, item.item_text, item.priority, item.status,
        item.reason, question.question_text as question
      from coverage_item as item left join question on question.id = item.question_id
      where item.version_id = ${id} order by item.knowledge_file collate "C", item.ordinal`,
    inventory: await sql<InventoryRow[]>`
      select id, name, description, data_type, sort_order, ${extent('data')}
      from inventory_item where version_id = ${id} order by sort_order, name collate "C", id`,
    uploads: await sql<UploadRow[]>`
      select id, original_filename, content_type, file_size
      from upload where version_id = ${id} order by ordinal`,
  }
}

/** How records of a kind are matched and compared. */
export interface Identity<Row> {
  /** records with an equal key are the same one; the most specific key first */
  readonly keys: readonly ((row: Row) => string)[]
  /** fields that name a record */
  readonly named: readonly (keyof Row & string)[]
  /** fields that are compared */
  readonly compared: readonly (keyof Row & string)[]
}

export const DECISIONS: Identity<AdrRow> = {
  // Clones keep their numbers unless one was taken; then the title matches.
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

export const QUESTIONS: Identity<QuestionRow> = {
  keys: [({ question_text: text }) => text],
  named: ['question_text', 'category', 'status'],
  compared: ['category', 'status', 'answer_text'],
}

export const ARTIFACTS: Identity<ArtifactRow> = {
  keys: [({ artifact_type: type, name }) => `${type} ${name}`],
  named: ['name', 'artifact_type', 'detail_level', 'engine'],
  compared: ['detail_level', 'engine', 'sort_order', 'source_code'],
}

export const COVERAGE: Identity<CoverageRow> = {
  keys: [({ knowledge_file: file, item_text: text }) => itemKey(file, text)],
  named: ['knowledge_file', 'item_text', 'priority', 'status'],
  compared: ['priority', 'status', 'reason', 'question'],
}

export const INVENTORY: Identity<InventoryRow> = {
  keys: [({ name }) => name],
  named: ['name', 'data_type'],
  compared: ['data_type', 'sort_order', 'description', 'data'],
}

export const UPLOADS: Identity<UploadRow> = {
  keys: [
    ({ file_size: size, original_filename: name }) => `${size} ${name}`,
    ({ original_filename: name }) => name,
  ],
  named: ['original_filename', 'file_size', 'content_type'],
  compared: ['file_size', 'content_type'],
}
