import type postgres from 'postgres'
import { missingPicture } from '../pictures/pictures.ts'
import type { Artifact } from '../records/artifacts.ts'
import type { PdfInput } from '../typesetting/pdf-input.ts'

/** What a document does not show. */
export interface Lacks {
  /** sentences on diagrams */
  readonly missing: readonly string[]
  /** sentences on uploads and other pictures */
  readonly notes: readonly string[]
}

/** What a document refers to. */
export interface Shown {
  /** of artifacts */
  readonly ids: ReadonlySet<string>
  /** to other pictures */
  readonly references: readonly string[]
}

type Row = Pick<Artifact, 'id' | 'name' | 'render_status' | 'render_error' | 'outputs_stale'>

/** Compares what a document refers to with its pictures. */
export async function lacksOf(
  sql: postgres.Sql,
  versionId: string,
  { pictures, faults }: Pick<PdfInput, 'pictures' | 'faults'>,
  { ids, references }: Shown,
): Promise<Lacks> {
  const rows = await sql<Row[]>`
    select id, name, render_status, render_error, outputs_stale from artifact
    where version_id = ${versionId} and id = any(${[...ids]}::uuid[])
    order by sort_order, name, id`
  const known = new Set(rows.map(({ id }) => id))
  const foreign = [...ids].filter((id) => !known.has(id))
  const unknown = references.filter(
    (reference) => pictures[reference] === undefined && !reference.startsWith('data:'),
  )
  return {
    missing: [
      ...rows.flatMap((row) => lackOf(row, pictures[row.id] !== undefined)),
      ...foreign.map((id) => `artifact:${id} is not shown: this version has no such artifact`),
      ...new Set(Object.values(faults).map((fault) => `A diagram of a document: ${fault}`)),
    ],
    notes: unknown.map(missingPicture),
  }
}

function lackOf(
  { name, render_status: status, render_error: error, outputs_stale: isStale }: Row,
  isShown: boolean,
): readonly string[] {
  if (isShown && status !== 'error' && !isStale) return []
  const what = isShown ? 'is shown as it was before' : 'is not drawn'
  return [`${name} ${what}${error === null || status !== 'error' ? '' : `: ${error}`}`]
}
