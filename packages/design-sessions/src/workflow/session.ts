import { basename } from 'node:path'
import type postgres from 'postgres'
import { notFound } from '../errors.ts'
import type { Knowledge } from '../indexing/knowledge.ts'
import type { ChecklistItem } from '../indexing/knowledge-items.ts'
import { type Adr, adrs } from '../records/adrs.ts'
import { type Artifact, artifacts } from '../records/artifacts.ts'
import { type CoverageItem, coverageItems } from '../records/coverage.ts'
import { PATTERNS, type Project, projects } from '../records/projects.ts'
import { type Question, questions } from '../records/questions.ts'
import { type Stored, type Table, list, one } from '../tables/table.ts'
import { PROSE_KINDS, ensureReadable } from '../records/version-texts.ts'
import { type Version, projectIn, versions } from '../records/versions.ts'
import {
  type ApplicableFile,
  PUBLIC_CLOUDS,
  applicableFiles,
  providersOf,
} from '../indexing/applicable-files.ts'
import { faultsOf } from './evidence.ts'
import { firstWorkshop } from './first-workshop.ts'

export interface SessionParts {
  readonly sql: postgres.Sql
  readonly knowledge?: Knowledge
}

export interface EarlierVersion {
  readonly id: string
  readonly artifacts: number
  readonly decisionTitles: readonly string[]
}

/** A coverage record, and why it does not count. */
export type Counted = CoverageItem & { readonly fault?: string }

/** The state of a session on a version. */
export interface Session {
  /** as it is in the version */
  readonly project: Project
  readonly version: Stored<Version>
  /** whether changes of the project change the version */
  readonly isCurrent: boolean
  /** the latest version of the project before this one */
  readonly previous: EarlierVersion | undefined
  readonly indexed: boolean
  readonly isIndexing: boolean
  /** patterns that the description indicates, best first, until one is confirmed */
  readonly patterns: readonly string[]
  readonly files: readonly ApplicableFile[]
  /** of these files, those that fit the project first */
  readonly items: readonly ChecklistItem[]
  readonly questions: readonly Question[]
  readonly adrs: readonly Adr[]
  /** records with a fault are pending */
  readonly coverage: readonly Counted[]
  readonly artifacts: readonly Omit<Artifact, 'source_code'>[]
  /** ids of artifacts without a source */
  readonly unwritten: ReadonlySet<string>
}

/** Bytes of texts that are read; parsing them blocks other requests. */
const TEXT_BYTES_MAX = 8 * 1_048_576

const artifactsWithoutSource: Table = {
  ...artifacts,
  columns: artifacts.columns.filter((name) => name !== 'source_code'),
}

/** @throws {HttpError} 404 `Version not found`; 409 when it holds too much */
export async function readSession(
  { sql, knowledge }: SessionParts,
  versionId: string,
): Promise<Session> {
  const version = await one<Version>(sql, versions, { id: versionId })
  const found = await one<Project>(sql, projects, { id: version.project_id }).catch(() => {
    // The project was removed together with the version.
    throw notFound('Version')
  })
  const project = projectIn(version, found)
  await ensureReadable(sql, versionId, PROSE_KINDS, TEXT_BYTES_MAX)
  const below = { parentId: versionId }
  const [previous] = await sql<EarlierVersion[]>`
    select id,
      (select count(*)::int from artifact where version_id = version.id) as artifacts,
      array(select title from adr where version_id = version.id) as "decisionTitles"
    from version
    where project_id = ${project.id}
      and created_at < (select created_at from version where id = ${versionId})
    order by created_at desc limit 1`
  const [{ isCurrent }] = await sql<[{ isCurrent: boolean }]>`
    select version.status in ('draft', 'review') and not exists (
      select from version as later
      where later.project_id = version.project_id and later.created_at > version.created_at
    ) as "isCurrent"
    from version where id = ${versionId}`
  const unwritten = await sql<{ id: string }[]>`
    select id from artifact
    where version_id = ${versionId} and (source_code is null or btrim(source_code) = '')`
  const indexed = (await knowledge?.indexed()) ?? false
  const files = await filesOf(knowledge, project)
  const asked = (await list<Question>(sql, questions, below)).rows
  const decided = (await list<Adr>(sql, adrs, below)).rows
  const recorded = (await list<CoverageItem>(sql, coverageItems, below)).rows
  const faultOf = await faultsOf(knowledge, { questions: asked, adrs: decided }, recorded)
  return {
    project,
    version,
    isCurrent,
    previous,
    indexed,
    isIndexing: !indexed && ((await knowledge?.status())?.reindexing ?? false),
    patterns: await patternCandidates(knowledge, project),
    files,
    items: (knowledge && (await itemsFor(knowledge, { project, version }, files))) ?? [],
    questions: asked,
    adrs: decided,
    coverage: recorded.map((record) => {
      const fault = faultOf(record)
      return fault === undefined ? record : { ...record, status: 'pending', fault }
    }),
    artifacts: (await list<Session['artifacts'][number]>(sql, artifactsWithoutSource, below)).rows,
    unwritten: new Set(unwritten.map(({ id }) => id)),
  }
}

/** The files for a session on a project. */
export async function filesOf(
  knowledge: Pick<Knowledge, 'files'> | undefined,
  project: Project,
): Promise<readonly ApplicableFile[]> {
  const library = (await knowledge?.files()) ?? []
  return applicableFiles(
    project,
    library.map(({ path }) => path),
  )
}

/** The items of files for a version, those that fit its project first. */
export async function itemsFor(
  knowledge: Pick<Knowledge, 'checklist'>,
  { project, version }: { readonly project: Project; readonly version: Pick<Version, 'facts'> },
  files: readonly ApplicableFile[],
): Promise<readonly ChecklistItem[]> {
  const about = [project.description, ...project.cloud_providers, project.architecture_pattern]
  const paths = files.map(({ path }) => path)
  const items = await knowledge.checklist(paths, about.filter(Boolean).join(' '))
  return firstWorkshop(version.facts, items)
}

const KNOWN: ReadonlySet<string> = new Set(PATTERNS)
const CANDIDATES_MAX = 3

/** The patterns whose files a project's description finds first; one is for several clouds. */
export async function patternCandidates(
  knowledge: Pick<Knowledge, 'files' | 'search'> | undefined,
  {
    description,
    cloud_providers,
    architecture_pattern: confirmed,
  }: Pick<Project, 'description' | 'cloud_providers' | 'architecture_pattern'>,
): Promise<readonly string[]> {
  if (confirmed !== null || !description?.trim()) return []
  const others = (await knowledge?.files())?.filter(({ path }) => !path.startsWith('patterns/'))
  const excludeFiles = others?.map(({ path }) => path)
  const hits =
    (await knowledge?.search({ query: description, topK: 50, minScore: 0, excludeFiles })) ?? []
  const clouds = providersOf({ cloud_providers }).filter((name) => PUBLIC_CLOUDS.has(name)).length
  const found = new Set(hits.map(({ source_file: file }) => basename(file, '.md')))
  return [...found]
    .filter((name) => KNOWN.has(name) && (name !== 'multi-cloud' || clouds > 1))
    .slice(0, CANDIDATES_MAX)
}
