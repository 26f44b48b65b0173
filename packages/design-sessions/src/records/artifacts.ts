import * as v from 'valibot'
import { filled, integer, orNull, source } from '../tables/fields.ts'
import { type CreateOf, type RowOf, kind, type UpdateOf } from '../tables/kind.ts'
import { versions } from './versions.ts'
import type postgres from 'postgres'
import { type Place, type Revision, type Stored, insert, one, update } from '../tables/table.ts'

const NAME_MAX = 255

const type = v.picklist(['diagram', 'document', 'pdf_report'])
const detailLevel = v.picklist(['conceptual', 'logical', 'detailed', 'deployment'])
/** `weasyprint` is the contract's name for the PDF report. */
const engine = v.picklist(['diagrams_py', 'd2', 'graphviz', 'mermaid', 'markdown', 'weasyprint'])
const renderStatus = v.picklist(['pending', 'rendering', 'success', 'error'])
const engineDefaults =
  'd2 by default for a diagram, markdown for a document, weasyprint for a pdf_report'

/** Diagrams and documents of a version. */
export const artifacts = kind({
  name: 'artifact',
  thing: 'Artifact',
  parent: { table: versions, column: 'version_id' },
  order: [
    { by: 'sort_order', type: 'integer' },
    { by: 'name', type: 'text' },
    { by: 'id', type: 'uuid' },
  ],
  fields: {
    name: filled(NAME_MAX),
    artifact_type: { shown: type, create: type },
    detail_level: v.optional(detailLevel, 'conceptual'),
    engine: {
      shown: engine,
      create: v.optional(v.pipe(engine, v.description(engineDefaults))),
      update: engine,
    },
    source_code: orNull(source()),
    /** file names of the last successful rendering */
    output_paths: { shown: v.array(v.string()) },
    /** whether the source has changed since that rendering */
    outputs_stale: { shown: v.boolean() },
    render_status: { shown: renderStatus },
    render_error: { shown: v.nullable(v.string()) },
    /** 0 conceptual, 1 logical, 2 detailed, 3 security-focused */
    sort_order: v.optional(integer(), 0),
  },
  filters: { artifact_type: type, engine, detail_level: detailLevel, render_status: renderStatus },
})

export type Artifact = RowOf<typeof artifacts>
export type NewArtifact = CreateOf<typeof artifacts>
export type ArtifactEngine = Artifact['engine']

/** Whether an artifact is the report of its version. */
export function isReport({ artifact_type, engine }: Artifact): boolean {
  return artifact_type === 'pdf_report' || engine === 'weasyprint'
}

const REFERENCE = /\bartifact:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/gi

/** Ids of artifacts that a source refers to. */
export function artifactIds(source: string): ReadonlySet<string> {
  return new Set([...source.matchAll(REFERENCE)].map(([, id]) => id.toLowerCase()))
}

/** A source with its artifact references replaced; unknown ids stay. */
export function redirectedReferences(source: string, ids: ReadonlyMap<string, string>): string {
  return source.replaceAll(REFERENCE, (reference, id: string) => {
    const other = ids.get(id.toLowerCase())
    return other === undefined ? reference : `artifact:${other}`
  })
}

/** Whether an artifact is shown as a picture, not as text. */
export function isDrawn({ artifact_type: type, engine }: Artifact): boolean {
  return type === 'diagram' && engine !== 'markdown' && engine !== 'weasyprint'
}

const ENGINES: Readonly<Record<Artifact['artifact_type'], ArtifactEngine>> = {
  diagram: 'd2',
  document: 'markdown',
  pdf_report: 'weasyprint',
}

/** Adds an artifact; the engine defaults to that of its type. */
export function createArtifact(
  sql: postgres.ISql,
  versionId: string,
  values: NewArtifact,
): Promise<Stored<Artifact>> {
  const engine = values.engine ?? ENGINES[values.artifact_type]
  return insert<Artifact>(sql, artifacts, { ...values, version_id: versionId, engine })
}

/** A changed artifact, and whether its rendering is out of date. */
export interface ArtifactChange {
  readonly artifact: Stored<Artifact>
  readonly sourceChanged: boolean
}

/**
 * Changes an artifact. A new source or engine makes its outputs stale, resets it to `pending` and
 * updates the time stamp in its source.
 *
 * @param now  for the stamp
 * @throws {HttpError} 404; 412 when its state is not `revision`
 */
export async function changeArtifact(
  sql: postgres.Sql,
  place: Required<Place>,
  changes: UpdateOf<typeof artifacts>,
  { now, revision }: { readonly now: Date; readonly revision: Revision | undefined },
): Promise<ArtifactChange> {
  return sql.begin(async (transaction) => {
    const change = (values: object): Promise<Stored<Artifact>> =>
      update<Artifact>(transaction, artifacts, place, { ...values }, revision)
    await transaction`select 1 from artifact where id = ${place.id} for no key update`
    const {
      source_code: source,
      engine,
      output_paths,
    } = await one<Artifact>(transaction, artifacts, place)
    const sourceChanged =
      (changes.source_code !== undefined && changes.source_code !== source) ||
      (changes.engine !== undefined && changes.engine !== engine)
    if (!sourceChanged) return { artifact: await change(changes), sourceChanged }
    const code = changes.source_code === undefined ? source : changes.source_code
    const artifact = await change({
      ...changes,
      source_code: code === null ? null : stamped(code, now),
      outputs_stale: output_paths.length > 0,
      render_status: 'pending',
      render_error: null,
    })
    return { artifact, sourceChanged }
  })
}

const STAMP = /\bLast updated: \d{4}-\d\d-\d\d \d\d:\d\d [A-Z]{1,5}\b/g

/** Replaces the stamps in a source by the given time in UTC. */
function stamped(source: string, now: Date): string {
  return source.replaceAll(STAMP, () => {
    const [date, time] = now.toISOString().split('T')
    return `Last updated: ${date} ${time.slice(0, 5)} UTC`
  })
}
