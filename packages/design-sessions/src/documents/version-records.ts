import type postgres from 'postgres'
import { type Adr, adrs } from '../records/adrs.ts'
import { type Artifact, artifacts } from '../records/artifacts.ts'
import { type Client, clients } from '../records/clients.ts'
import { type CoverageItem, coverageItems } from '../records/coverage.ts'
import { type Project, projects } from '../records/projects.ts'
import { type Question, questions } from '../records/questions.ts'
import { type Table, list, one } from '../tables/table.ts'
import { PROSE_KINDS, ensureReadable } from '../records/version-texts.ts'
import { type Version, projectIn, versions } from '../records/versions.ts'

/** Bytes of the sources of all artifacts of a version. */
const SOURCES_BYTES_MAX = 16 * 1_048_576

/** A version with its project and client. */
export interface VersionPlace {
  readonly client: Client
  /** as it is in the version */
  readonly project: Project
  readonly version: Version
}

/** All records of a version, in the order of its lists. */
export interface VersionRecords extends VersionPlace {
  /** without reports, which are made from the rest */
  readonly artifacts: readonly Artifact[]
  readonly adrs: readonly Adr[]
  readonly questions: readonly Question[]
  readonly coverage: readonly CoverageItem[]
}

/** @throws {HttpError} 404 `Version not found` */
export async function versionPlace(sql: postgres.ISql, versionId: string): Promise<VersionPlace> {
  const version = await one<Version>(sql, versions, { id: versionId })
  const project = await one<Project>(sql, projects, { id: version.project_id })
  const client = await one<Client>(sql, clients, { id: project.client_id })
  return { client, project: projectIn(version, project), version }
}

/**
 * Reads one snapshot.
 *
 * @param bytesMax  of its questions, decisions and coverage together
 * @throws {HttpError} 404 `Version not found`; 409 when it is larger
 */
export async function versionRecords(
  sql: postgres.Sql,
  versionId: string,
  bytesMax: number,
): Promise<VersionRecords> {
  return sql.begin('isolation level repeatable read read only', async (transaction) => {
    const place = await versionPlace(transaction, versionId)
    await ensureReadable(transaction, versionId, PROSE_KINDS, bytesMax)
    await ensureReadable(transaction, versionId, ['artifact'], SOURCES_BYTES_MAX)
    const rows = async <Row>(table: Table): Promise<readonly Row[]> =>
      (await list<Row>(transaction, table, { parentId: versionId })).rows
    const all = await rows<Artifact>(artifacts)
    return {
      ...place,
      artifacts: all.filter(({ artifact_type: type }) => type !== 'pdf_report'),
      adrs: await rows<Adr>(adrs),
      questions: await rows<Question>(questions),
      coverage: (await rows<CoverageItem>(coverageItems)).toSorted(byFileAndPriority),
    }
  })
}

const PRIORITIES = ['Critical', 'Recommended', 'Optional'] as const

/** By file, then by priority. */
function byFileAndPriority(a: CoverageItem, b: CoverageItem): number {
  if (a.knowledge_file !== b.knowledge_file) return a.knowledge_file < b.knowledge_file ? -1 : 1
  return PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority)
}

/** `Client / Project / v1.0.0` */
export function placeName({ client, project, version }: VersionPlace): string {
  return [client.name, project.name, `v${version.version_number}`].join(' / ')
}

/** `ADR-001` */
export function adrName(number: number): string {
  return `ADR-${String(number).padStart(3, '0')}`
}
