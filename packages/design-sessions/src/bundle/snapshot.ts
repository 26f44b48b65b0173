import { mkdir, rm } from 'node:fs/promises'
import type postgres from 'postgres'
import { adrs, highestAdrNumber } from '../records/adrs.ts'
import { type Artifact, type ArtifactEngine, artifacts } from '../records/artifacts.ts'
import { type Client, clients } from '../records/clients.ts'
import { coverageItems } from '../records/coverage.ts'
import { type InventoryItem, inventoryItems } from '../records/inventory.ts'
import { type Project, projects } from '../records/projects.ts'
import { questions } from '../records/questions.ts'
import { type Table, list, one } from '../tables/table.ts'
import { type Upload, uploads } from '../records/uploads.ts'
import { type Version, versions } from '../records/versions.ts'
import type { DiskShare } from './disk-shares.ts'
import { JSON_BYTES_MAX, OUTPUTS, VERSION_FILE, isModest, jsonText, pathPart } from './layout.ts'
import { type BundleFile, SnapshotFiles, type SnapshotParts, tooLarge } from './snapshot-files.ts'

/** A project at one moment. */
export interface Snapshot {
  /** other fields of the client do not belong to the project */
  readonly client: Pick<Client, 'id' | 'name' | 'slug' | 'logo_path'>
  readonly project: Project
  /** directories */
  readonly versions: readonly string[]
  readonly files: readonly BundleFile[]
  /** Removes its files. */
  readonly close: () => Promise<void>
}

const EXTENSIONS: Readonly<Record<ArtifactEngine, string>> = {
  d2: 'd2',
  graphviz: 'dot',
  mermaid: 'mmd',
  diagrams_py: 'py',
  markdown: 'md',
  weasyprint: 'md',
}

/** Rows with large texts in memory at a time. */
const PAGE = 10

/**
 * Copies a project's records to disk in one short transaction, and links its uploads.
 *
 * @throws {HttpError} 404; 409 when it is too large, or an upload's file is missing; 503
 */
export async function takeSnapshot(
  { sql, uploads: files }: SnapshotParts,
  projectId: string,
  share: DiskShare,
): Promise<Snapshot> {
  const directory = files.temporaryPath()
  await mkdir(directory, { mode: 0o700 })
  const close = async (): Promise<void> => {
    await rm(directory, { recursive: true, force: true })
    share.free()
  }
  try {
    const parts = { sql, uploads: files, share }
    await using contents = await SnapshotFiles.create(directory, parts)
    const taken = await sql.begin('isolation level repeatable read read only', (transaction) =>
      projectOf(transaction, projectId, contents),
    )
    return { ...taken, files: contents.all, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function projectOf(
  sql: postgres.TransactionSql,
  projectId: string,
  contents: SnapshotFiles,
): Promise<Pick<Snapshot, 'client' | 'project' | 'versions'>> {
  const { revision: _, ...project } = await one<Project>(sql, projects, { id: projectId })
  const { id, name, slug, logo_path } = await one<Client>(sql, clients, { id: project.client_id })
  const { rows } = await list<Version>(sql, versions, { parentId: projectId })
  const directories: string[] = []
  for (const [i, version] of rows.entries()) {
    const directory = `versions/${pathPart(i, version.version_number)}`
    directories.push(directory)
    await addVersion(sql, version, directory, contents)
  }
  return { client: { id, name, slug, logo_path }, project, versions: directories }
}

async function addVersion(
  sql: postgres.TransactionSql,
  version: Version,
  directory: string,
  contents: SnapshotFiles,
): Promise<void> {
  const { id, project_id: _, ...fields } = version
  const small = [questions, adrs, coverageItems, uploads]
  for (const table of small) await countRows(sql, table, id, contents)
  const all = async <Shape>(table: Table): Promise<readonly Shape[]> =>
    (await list<Shape>(sql, table, { parentId: id })).rows
  const json = jsonText({
    id,
    ...fields,
    questions: (await all(questions)).map(own),
    adrs: (await all(adrs)).map(own),
    highest_adr_number: await highestAdrNumber(sql, id),
    artifacts: await addArtifacts(sql, id, directory, contents),
    coverage: (await all(coverageItems)).map(own),
    inventory: await addInventory(sql, id, directory, contents),
    uploads: await addUploads(await all(uploads), directory, contents),
  })
  if (!isModest(json)) throw tooManyRecords()
  await contents.addText(`${directory}/${VERSION_FILE}`, json)
}

/** A record without its parent's id. */
function own(row: unknown): object {
  const { version_id: _, ...rest } = row as { readonly version_id: string }
  return rest
}

/** Checked before reading: the number of rows has no limit. */
async function countRows(
  sql: postgres.TransactionSql,
  { name }: Table,
  versionId: string,
  contents: SnapshotFiles,
): Promise<void> {
  const [{ count, bytes }] = await sql<[{ count: number; bytes: number }]>`
    select count(*)::integer as count,
      coalesce(sum(octet_length(${sql(name)}::text)), 0)::double precision as bytes
    from ${sql(name)} where version_id = ${versionId}`
  contents.countRecords(count)
  if (bytes > JSON_BYTES_MAX) throw tooManyRecords()
}

function tooManyRecords(): Error {
  return tooLarge('8 MiB and some 20,000 records in each version')
}

async function* largeRows<Shape>(
  sql: postgres.TransactionSql,
  table: Table,
  parentId: string,
  contents: SnapshotFiles,
): AsyncGenerator<Shape> {
  for (let cursor: string | undefined; ;) {
    const page = await list<Shape>(sql, table, { parentId, limit: PAGE, cursor })
    contents.countRecords(page.rows.length)
    yield* page.rows
    if (page.cursor === undefined) return
    cursor = page.cursor
  }
}

async function addArtifacts(
  sql: postgres.TransactionSql,
  versionId: string,
  directory: string,
  contents: SnapshotFiles,
): Promise<readonly object[]> {
  const records: object[] = []
  for await (const artifact of largeRows<Artifact>(sql, artifacts, versionId, contents)) {
    const { id, name, engine, source_code, created_at, updated_at } = artifact
    const part = pathPart(records.length, name)
    const path = `${directory}/artifacts/${part}.${EXTENSIONS[engine]}`
    if (source_code !== null) await contents.addText(path, source_code)
    if (artifact.render_status === 'success' && !artifact.outputs_stale) {
      await addOutputs(sql, id, `${directory}/${OUTPUTS}/${part}`, contents)
    }
    const sent = artifacts.sent.map((field) =>
      field === 'source_code'
        ? ['source_file', source_code === null ? null : path]
        : [field, artifact[field as keyof Artifact]],
    )
    records.push({ id, ...(Object.fromEntries(sent) as object), created_at, updated_at })
  }
  return records
}

async function addOutputs(
  sql: postgres.TransactionSql,
  artifactId: string,
  directory: string,
  contents: SnapshotFiles,
): Promise<void> {
  const rows = await sql<{ filename: string; size: number; mark: string }[]>`
    select filename, octet_length(bytes)::integer as size, xmin::text as mark
    from render_output where artifact_id = ${artifactId} order by filename collate "C"`
  for (const [i, { filename, size, mark }] of rows.entries()) {
    const path = `${directory}/${pathPart(i, filename)}`
    contents.addOutput(path, { artifactId, filename, size, mark })
  }
}

async function addInventory(
  sql: postgres.TransactionSql,
  versionId: string,
  directory: string,
  contents: SnapshotFiles,
): Promise<readonly object[]> {
  const records: object[] = []
  for await (const item of largeRows<InventoryItem>(sql, inventoryItems, versionId, contents)) {
    const { data, version_id: _, ...rest } = item
    const path = `${directory}/inventory/${pathPart(records.length, item.name)}.txt`
    await contents.addText(path, data)
    records.push({ ...rest, data_file: path })
  }
  return records
}

async function addUploads(
  newestFirst: readonly Upload[],
  directory: string,
  contents: SnapshotFiles,
): Promise<readonly object[]> {
  const records: object[] = []
  for (const upload of newestFirst.toReversed()) {
    const { id, original_filename, content_type, created_at, updated_at } = upload
    const path = `${directory}/uploads/${pathPart(records.length, original_filename)}`
    await contents.addUpload(path, upload)
    records.push({ id, original_filename, content_type, file: path, created_at, updated_at })
  }
  return records
}
