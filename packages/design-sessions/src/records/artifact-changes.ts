import type postgres from 'postgres'
import { type Artifact, type ArtifactEngine, type NewArtifact, artifacts } from './artifacts.ts'
import type { UpdateOf } from '../tables/kind.ts'
import { type Place, type Revision, type Stored, insert, one, update } from '../tables/table.ts'

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
