import type { AppParts } from '../app.ts'
import { notFound } from '../errors.ts'
import type { ChecklistItem } from '../indexing/knowledge.ts'
import { type Adr, adrs } from '../records/adrs.ts'
import { type Artifact, artifacts } from '../records/artifacts.ts'
import { type CoverageItem, coverageItems } from '../records/coverage.ts'
import { type Project, projects } from '../records/projects.ts'
import { type Question, questions } from '../records/questions.ts'
import { list, one } from '../records/table.ts'
import { type Version, versions } from '../records/versions.ts'
import { type ApplicableFile, applicableFiles } from './applicable-files.ts'

/** What a session is read from. */
export type SessionParts = Pick<AppParts, 'sql' | 'knowledge'>

/** All that is known of a session on a version. */
export interface Session {
  readonly project: Project
  readonly version: Version
  /** versions of the project that are older */
  readonly earlierVersions: number
  readonly indexed: boolean
  readonly files: readonly ApplicableFile[]
  /** of these files */
  readonly items: readonly ChecklistItem[]
  readonly questions: readonly Question[]
  readonly adrs: readonly Adr[]
  readonly coverage: readonly CoverageItem[]
  readonly artifacts: readonly Artifact[]
}

/** @throws {HttpError} 404 `Version not found` */
export async function readSession(
  { sql, knowledge }: SessionParts,
  versionId: string,
): Promise<Session> {
  const version = await one<Version>(sql, versions, { id: versionId })
  const project = await one<Project>(sql, projects, { id: version.project_id }).catch(() => {
    // Removed in between, and the version with it.
    throw notFound('Version')
  })
  const below = { parentId: versionId }
  const [{ earlier }] = await sql<[{ earlier: number }]>`
    select count(*)::int as earlier from version
    where project_id = ${project.id}
      and created_at < (select created_at from version where id = ${versionId})`
  const files = await filesOf(knowledge, project)
  return {
    project,
    version,
    earlierVersions: earlier,
    indexed: (await knowledge?.indexed()) ?? false,
    files,
    items: (await knowledge?.checklist(files.map(({ path }) => path))) ?? [],
    questions: (await list<Question>(sql, questions, below)).rows,
    adrs: (await list<Adr>(sql, adrs, below)).rows,
    coverage: (await list<CoverageItem>(sql, coverageItems, below)).rows,
    artifacts: (await list<Artifact>(sql, artifacts, below)).rows,
  }
}

/** The files a session on a project loads. */
export async function filesOf(
  knowledge: SessionParts['knowledge'],
  project: Project,
): Promise<readonly ApplicableFile[]> {
  const library = (await knowledge?.files()) ?? []
  return applicableFiles(
    project,
    library.map(({ path }) => path),
  )
}
