import { Readable } from 'node:stream'
import type postgres from 'postgres'
import { artifacts, redirectedReferences } from '../records/artifacts.ts'
import { adrs } from '../records/adrs.ts'
import { coverageItems } from '../records/coverage.ts'
import { inventoryItems } from '../records/inventory.ts'
import { type Project, projects } from '../records/projects.ts'
import { questions } from '../records/questions.ts'
import { slug } from '../records/slug.ts'
import { type Stored, insert, insertAll } from '../tables/table.ts'
import { uploads } from '../records/uploads.ts'
import { sortKey } from '../records/version-number.ts'
import { scopeOf, versions } from '../records/versions.ts'
import type { Archive } from './archive.ts'
import { type CheckedBundle, checkedBundle, dataOf, renamed, sourceOf } from './bundle-check.ts'
import { recordsOf } from './bundle-records.ts'
import type { SnapshotParts } from './snapshot-files.ts'

export interface Destination {
  readonly clientId: string
  /** replaces the project's own name */
  readonly name?: string | undefined
}

/**
 * Creates a project from a bundle, with new ids. The first pass checks everything and stores
 * uploads, the second stores records in one short transaction.
 *
 * @throws {HttpError} 422 for an invalid bundle; 404 `Client not found`; 409 for a name that is
 *   taken
 */
export async function importProject(
  { sql, uploads: files }: SnapshotParts,
  archive: Archive,
  destination: Destination,
): Promise<Stored<Project>> {
  const kept: string[] = []
  try {
    const bundle = await checkedBundle(archive, async (id, bytes) => {
      kept.push(id)
      await files.keep(id, Readable.from(bytes))
    })
    return await sql.begin((transaction) => storeProject(transaction, bundle, destination))
  } catch (error) {
    await files.discard(kept)
    throw error
  }
}

async function storeProject(
  sql: postgres.TransactionSql,
  bundle: CheckedBundle,
  { clientId, name }: Destination,
): Promise<Stored<Project>> {
  const { project, versions: directories } = bundle.manifest
  const named = { ...project, name: name ?? project.name }
  const values = { ...named, slug: slug(named.name), client_id: clientId }
  const stored = await insert<Project>(sql, projects, values, 'import')
  for (const directory of directories) await storeVersion(sql, bundle, directory, stored)
  return stored
}

async function storeVersion(
  sql: postgres.TransactionSql,
  { archive, ids }: CheckedBundle,
  directory: string,
  project: Project,
): Promise<void> {
  const { version, highest_adr_number, ...records } = await recordsOf(archive, directory)
  const version_id = renamed(ids, version.id)
  const link = (id: string | null): string | null => (id === null ? null : renamed(ids, id))
  const moved = <Row extends { readonly id: string }>(
    row: Row,
  ): Row & { readonly version_id: string } => ({ ...row, id: renamed(ids, row.id), version_id })
  const sort_key = sortKey(version.version_number)
  // Earlier bundles have the scope in the project only.
  const ownVersion = { ...scopeOf(project), ...version, id: version_id }
  await insertAll(sql, versions, [{ ...ownVersion, project_id: project.id, sort_key }])
  await insertAll(sql, questions, records.questions.map(moved))
  await insertAll(
    sql,
    adrs,
    records.adrs.map((adr) => ({ ...moved(adr), superseded_by: link(adr.superseded_by) })),
  )
  await sql`
    insert into adr_numbers (version_id, highest) values (${version_id}, ${highest_adr_number})`
  await insertAll(
    sql,
    coverageItems,
    records.coverage.map((item) => ({ ...moved(item), question_id: link(item.question_id) })),
  )
  await insertAll(
    sql,
    uploads,
    records.uploads.map(({ file, ...upload }) => ({
      ...moved(upload),
      file_size: archive.size(file),
    })),
  )
  for (const artifact of records.artifacts) {
    const { source_file: _, ...values } = moved(artifact)
    const code = await sourceOf(archive, artifact)
    const source_code = code === null ? null : redirectedReferences(code, ids)
    await insertAll(sql, artifacts, [{ ...values, source_code }])
  }
  for (const item of records.inventory) {
    const { data_file: _, ...values } = moved(item)
    await insertAll(sql, inventoryItems, [{ ...values, data: await dataOf(archive, item) }])
  }
}
