import * as v from 'valibot'
import { filled, integer, orNull, source } from '../tables/fields.ts'
import { type CreateOf, type RowOf, kind } from '../tables/kind.ts'
import { versions } from './versions.ts'

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
