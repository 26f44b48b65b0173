import * as v from 'valibot'
import { named } from '../openapi.ts'
import { type Changes, type Timestamps, filled, id, integer, source, timestamps } from './fields.ts'
import type { Table } from './table.ts'
import { versions } from './versions.ts'

const NAME_MAX = 255

const TYPES = ['diagram', 'document', 'pdf_report'] as const
const DETAIL_LEVELS = ['conceptual', 'logical', 'detailed', 'deployment'] as const
const ENGINES = ['diagrams_py', 'd2', 'graphviz', 'mermaid', 'markdown', 'weasyprint'] as const
const RENDER_STATUSES = ['pending', 'rendering', 'success', 'error'] as const

/** `weasyprint` is the contract's name for the PDF report. */
export type ArtifactEngine = (typeof ENGINES)[number]

export interface ArtifactFields {
  readonly name: string
  readonly detail_level: (typeof DETAIL_LEVELS)[number]
  readonly engine: ArtifactEngine
  readonly source_code: string | null
  /** 0 conceptual, 1 logical, 2 detailed, 3 security-focused */
  readonly sort_order: number
}

export interface NewArtifact extends Omit<ArtifactFields, 'engine'> {
  readonly artifact_type: (typeof TYPES)[number]
  /** by default that of the type */
  readonly engine?: ArtifactEngine | undefined
}

/** A diagram or document of a version. */
export interface Artifact extends ArtifactFields, Timestamps {
  readonly id: string
  readonly version_id: string
  readonly artifact_type: (typeof TYPES)[number]
  /** file names of the last successful rendering */
  readonly output_paths: readonly string[]
  /** whether the source has changed since that rendering */
  readonly outputs_stale: boolean
  readonly render_status: (typeof RENDER_STATUSES)[number]
  readonly render_error: string | null
}

const artifactType = v.picklist(TYPES)
const detailLevel = v.picklist(DETAIL_LEVELS)
const engine = v.picklist(ENGINES)
const renderStatus = v.picklist(RENDER_STATUSES)

const entries = {
  id: id(),
  version_id: id(),
  name: v.string(),
  artifact_type: artifactType,
  detail_level: detailLevel,
  engine,
  source_code: v.nullable(v.string()),
  output_paths: v.array(v.string()),
  outputs_stale: v.boolean(),
  render_status: renderStatus,
  render_error: v.nullable(v.string()),
  sort_order: integer(),
  ...timestamps,
}

export const artifact: v.GenericSchema<unknown, Artifact> = named('Artifact', v.object(entries))

export const artifactCreate: v.GenericSchema<unknown, NewArtifact> = v.object({
  name: filled(NAME_MAX),
  artifact_type: artifactType,
  detail_level: v.optional(detailLevel, 'conceptual'),
  engine: v.optional(
    v.pipe(
      engine,
      v.description(
        'd2 by default for a diagram, markdown for a document, weasyprint for a pdf_report',
      ),
    ),
  ),
  source_code: v.optional(v.nullable(source()), null),
  sort_order: v.optional(integer(), 0),
})

export const artifactUpdate: v.GenericSchema<unknown, Changes<ArtifactFields>> = v.partial(
  v.object({
    name: filled(NAME_MAX),
    detail_level: detailLevel,
    engine,
    source_code: v.nullable(source()),
    sort_order: integer(),
  }),
)

export const artifactFilters: v.ObjectEntries = {
  artifact_type: artifactType,
  engine,
  detail_level: detailLevel,
  render_status: renderStatus,
}

export const artifacts: Table = {
  name: 'artifact',
  thing: 'Artifact',
  columns: Object.keys(entries),
  parent: { table: versions, column: 'version_id' },
  order: [
    { by: 'sort_order', type: 'integer' },
    { by: 'name', type: 'text' },
    { by: 'id', type: 'uuid' },
  ],
}

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
